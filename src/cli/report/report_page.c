/* The page around the figures: no script, no file but itself. */
#include "base/file.h"
#include "cli/report/report.h"
#include "cli/report/report_peers.h"
#include "cli/report/report_svg.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char page_style[] =
    "body{font:15px/1.5 system-ui,sans-serif;color:#1b1f24;background:#fff;max-width:900px;margin:24px auto;"
    "padding:0 16px}\nh1{font-size:26px;margin:0 0 4px}h2{font-size:19px;margin:36px 0 6px}\n"
    "p{margin:4px 0 12px}.legend,.missing{color:#57606a}table{border-collapse:collapse;width:100%;font-size:13px}\n"
    "td,th{border-top:1px solid #d8dee4;padding:4px 8px;text-align:left;vertical-align:top}\n"
    "td.n{text-align:right;white-space:nowrap}code{font:12px ui-monospace,monospace;overflow-wrap:anywhere}\n";

static const char *const witness_files[] = { "witness-winning-2k.json", "witness-winning-32g.json",
                                             "witness-wpost-32g.json",  "witness-snap-2k.json",
                                             "witness-snap-32g.json",   "witness-porep-2k.json",
                                             "witness-porep-32g.json" };
enum { WITNESSES = sizeof witness_files / sizeof witness_files[0] };

static json_t *load(const char *dir, const char *file)
{
    char *path = path_join(dir, file);
    json_t *json = path ? json_load_file(path, 0, NULL) : NULL;
    free(path);
    return json;
}

static void heading(FILE *out, const char *title, const char *text)
{
    fprintf(out, "<h2>%s</h2>\n<p>%s</p>\n", title, text);
}

static void missing(FILE *out, bool drawn)
{
    if (!drawn) fputs("<p class=\"missing\">Not measured in this run: see the table of commands below.</p>\n", out);
}

static void put_waterfall(FILE *out, const char *dir)
{
    json_t *prove = load(dir, "prove.json");
    heading(out, "One proof, stage by stage", "Every interval from the request to the verified proof. What no stage "
            "explains would stand last, in red.");
    missing(out, chart_waterfall(out, prove));
    json_decref(prove);
}

static void put_ghost(FILE *out, const char *dir)
{
    json_t *dealloc = load(dir, "dealloc.json");
    heading(out, "The ten-second ghost", "The incumbent's working sets, scaled to this machine, in four ways. The "
            "gap between the outer and the inner timer is the time in destructors; frees that are put off compete "
            "with the next proof, so that is shown too.");
    missing(out, chart_ghost(out, dealloc));
    json_decref(dealloc);
}

static void put_sizes(FILE *out, const char *dir)
{
    json_t *msm = load(dir, "msm.json"), *ntt = load(dir, "ntt.json");
    heading(out, "Multi-scalar multiplication and transforms", "Solid: this machine, now. Dashed: the peers, from "
            "another machine.");
    missing(out, chart_sizes(out, msm, "MSM G1", "MSM in G1"));
    missing(out, chart_sizes(out, ntt, "NTT, forward", "NTT over Fr"));
    fprintf(out, "<p class=\"legend\">%s. Times of two machines: slopes compare, single times do not.</p>\n",
            peers_source);
    json_decref(msm);
    json_decref(ntt);
}

static void put_memory(FILE *out, const char *dir)
{
    json_t *job = load(dir, "job.json");
    heading(out, "Memory of a ten-partition job", "A 32 GiB PoRep as its host sees it. The systems in use need 200 to "
            "400 GiB for the same job.");
    missing(out, chart_memory(out, job));
    json_decref(job);
}

static void put_witnesses(FILE *out, const char *dir)
{
    json_t *bench[WITNESSES];
    for (int i = 0; i < WITNESSES; i++) bench[i] = load(dir, witness_files[i]);
    heading(out, "Filling a witness", "One partition, by kind and sector size; time is logarithmic.");
    missing(out, chart_witness(out, (const json_t *const *)bench, WITNESSES));
    for (int i = 0; i < WITNESSES; i++) json_decref(bench[i]);
}

static void put_setting(FILE *out, const struct report_setting *s)
{
    fprintf(out, "<p class=\"legend\">cuzk %s, %s. %s, %u CPUs, %s. %s; compiled with %s. Load average %.1f at the "
                 "beginning and %.1f at the end%s.</p>\n",
            s->version, s->date, s->processor, s->cpus, svg_bytes(s->memory_bytes).text, s->system, s->compiler,
            s->load_before, s->load_after,
            s->load_before > 1 ? ": <strong>the machine was busy with other things, times are too long</strong>" : "");
}

static void put_commands(FILE *out, const struct report_setting *s)
{
    const json_t *command;
    size_t i;
    fputs("<h2>Commands</h2>\n<p>In this order; each file holds what the command printed and lies beside this page."
          "</p>\n<table><tr><th>file</th><th>command</th><th>time</th></tr>\n", out);
    json_array_foreach((json_t *)s->commands, i, command) {
        const char *file = report_text(command, "file");
        fprintf(out, "<tr><td><a href=\"%s\">%s</a></td><td><code>", file, file);
        html_text(out, report_text(command, "command"));
        fprintf(out, "</code>");
        if (report_number(command, "exit") != 0) fprintf(out, " exit %.0f", report_number(command, "exit"));
        fprintf(out, "</td><td class=\"n\">%s</td></tr>\n", svg_time(report_number(command, "seconds")).text);
    }
    fputs("</table>\n", out);
}

static void put_page(FILE *out, const char *dir, const struct report_setting *s)
{
    fprintf(out, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width\">\n<title>cuzk: benchmarks</title>\n"
                 "<style>%s%s</style></head><body>\n<h1>cuzk: benchmarks</h1>\n",
            page_style, svg_style);
    put_setting(out, s);
    put_waterfall(out, dir);
    put_ghost(out, dir);
    put_sizes(out, dir);
    put_memory(out, dir);
    put_witnesses(out, dir);
    put_commands(out, s);
    fputs("</body></html>\n", out);
}

cuzk_status report_write(const char *dir, const struct report_setting *setting, cuzk_error *err)
{
    char *path = path_join(dir, "index.html");
    FILE *out = path ? fopen(path, "w") : NULL;
    cuzk_status status = CUZK_OK;
    if (!out) {
        status = cuzk_fail(err, CUZK_ERR_CREATE, "%s: %s", path ? path : dir, strerror(errno));
    } else {
        put_page(out, dir, setting);
        int bad = ferror(out) | fclose(out);
        if (bad) status = cuzk_fail(err, CUZK_ERR_WRITE, "%s: %s", path, strerror(errno));
    }
    free(path);
    return status;
}
