/* cuzk bench all: runs the other benchmarks, each as a command of its own that could be typed, leaves what they print
 * in a folder, and draws a report from that. */
#define _GNU_SOURCE
#include "cli/bench/bench_all.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/pool.h"
#include "cli/bench/bench_steps.h"
#include "cli/command.h"
#include "cli/report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

struct all_options {
    const char *output, *params;
    bool quick, draw_only;
};

enum { KEY_OUTPUT = 'o', KEY_PARAMS = 256, KEY_QUICK, KEY_DRAW, REQUEST_BYTES = 512 };

static const struct argp_option options[] = {
    { "output", KEY_OUTPUT, "DIR", 0, "folder for the report and its data, made if need be (report)", 0 },
    { "params", KEY_PARAMS, "DIR", 0, "parameters of porep-2k, to draw its proof; else insecure ones are made", 0 },
    { "quick", KEY_QUICK, NULL, 0, "smaller sizes, one run each", 0 },
    { "draw", KEY_DRAW, NULL, 0, "measure nothing: draw the report from the data that is there", 0 },
    { 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct all_options *o = state->input;
    switch (key) {
    case KEY_OUTPUT: o->output = arg; break;
    case KEY_PARAMS: o->params = arg; break;
    case KEY_QUICK: o->quick = true; break;
    case KEY_DRAW: o->draw_only = true; break;
    case ARGP_KEY_ARG: return ARGP_ERR_UNKNOWN;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* ---- what is measured ---- */

/* Sample inputs and a witness of each kind and size. */
static void run_witnesses(struct bench_steps *s, unsigned repeat)
{
    static const struct kind {
        const char *id, *sample, *request;
    } kinds[] = {
        { "winning-2k", "winning --size 2KiB", "-t winning --registered-proof 0 --vanilla %s/winning.vproof" },
        { "winning-32g", "winning --size 32GiB", "-t winning --registered-proof 3 --vanilla %s/winning.vproof" },
        { "wpost-32g", "window --size 32GiB", "-t window --registered-proof 13 --vanilla %s/window-1.vproof" },
        { "snap-2k", "snap --size 2KiB",
          "-t snap --registered-proof 0 --vanilla %s/update.part0.vproof --partition 0" },
        { "snap-32g", "snap --size 32GiB --partitions 1",
          "-t snap --registered-proof 3 --vanilla %s/update.part0.vproof --partition 0" },
        { "porep-2k", "porep --size 2KiB", "-t porep --sector-num 1 --c1 %s/c1.json" },
        { "porep-32g", "porep --size 32GiB", "-t porep --sector-num 1 --c1 %s/c1.json" },
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        char folder[64], file[64], request[REQUEST_BYTES];
        snprintf(folder, sizeof folder, "samples/%s", kinds[i].id);
        snprintf(file, sizeof file, "witness-%s.json", kinds[i].id);
        if (!steps_folder(s, folder)) return;
        steps_run(s, "sample.log", "sample %s -o %s", kinds[i].sample, folder);
        steps_request(s, request, sizeof request, kinds[i].request, folder);
        steps_run(s, file, "bench witness %s --repeat %u --json", request, repeat);
    }
}

static void run_proof(struct bench_steps *s, const struct all_options *o)
{
    const char *id = o->params ? "porep-2k" : "winning-2k";
    char request[REQUEST_BYTES], folder[64];
    snprintf(folder, sizeof folder, "samples/%s", id);
    bool made = steps_has(s, "params/INSECURE-TEST-PARAMETERS"); /* by an earlier run */
    if (!o->params && !made && steps_folder(s, "params")) {
        steps_run(s, "params.log", "params generate %s --insecure-seed bench -o params", id);
    }
    steps_request(s, request, sizeof request,
                  o->params ? "-t porep --sector-num 1 --c1 %s/c1.json"
                            : "-t winning --registered-proof 0 --vanilla %s/winning.vproof",
                  folder);
    steps_run(s, "prove.json", "prove %s --params %s --json", request, o->params ? o->params : "params");
}

static void run_all(struct bench_steps *s, const struct all_options *o)
{
    unsigned repeat = o->quick ? 1 : 3;
    char request[REQUEST_BYTES];
    run_witnesses(s, repeat);
    steps_request(s, request, sizeof request, "-t porep --sector-num 1 --c1 %s/c1.json", "samples/porep-32g");
    steps_run(s, "job.json", "bench job %s", request);
    run_proof(s, o);
    steps_run(s, "dealloc.json", "bench dealloc --allocator glibc --pages 4k --arenas many --repeat 1 %s--json",
              o->quick ? "--scale 0.004 " : "");
    steps_run(s, "field.json", "bench field --repeat %u --json", repeat);
    steps_run(s, "ntt.json", "bench ntt --log-min 14 --log-max %u --repeat %u --json", o->quick ? 18 : 20, repeat);
    steps_run(s, "msm.json", "bench msm --log-min 12 --log-max %u --repeat %u --json", o->quick ? 14 : 18, repeat);
}

/* ---- where ---- */

static void first_value(char *out, size_t size, const char *path, const char *name)
{
    FILE *f = fopen(path, "re");
    char line[256];
    snprintf(out, size, "unknown");
    while (f && fgets(line, sizeof line, f)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, name, strlen(name)) != 0 || !colon) continue;
        snprintf(out, size, "%s", colon + 1 + strspn(colon + 1, " \t"));
        out[strcspn(out, "\n")] = '\0';
        break;
    }
    if (f) fclose(f);
}

static double load_average(void)
{
    double load = 0;
    return getloadavg(&load, 1) == 1 ? load : 0;
}

/* Everything about the machine; kept beside the data, so that --draw says what was true when it was measured. */
static json_t *describe(double load_before)
{
    char processor[128], date[32], system[300] = "";
    struct utsname u;
    struct sysinfo memory = { .mem_unit = 0 };
    time_t now = time(NULL);
    struct tm utc;
    first_value(processor, sizeof processor, "/proc/cpuinfo", "model name");
    strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", gmtime_r(&now, &utc));
    if (uname(&u) == 0) snprintf(system, sizeof system, "%s %s", u.sysname, u.release);
    sysinfo(&memory);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:f, s:f, s:f}", "version", CUZK_VERSION, "processor", processor,
                     "system", system, "compiler", "C compiler " __VERSION__, "date", date, "cpus", (int)pool_cpus(),
                     "memory_bytes", (double)memory.totalram * memory.mem_unit, "load_before", load_before,
                     "load_after", load_average());
}

static cuzk_status draw(const char *dir, cuzk_error *err)
{
    char *place = path_join(dir, "machine.json"), *list = path_join(dir, "commands.json");
    json_error_t why = { .text = "no memory" };
    json_t *m = place ? json_load_file(place, 0, &why) : NULL, *commands = list ? json_load_file(list, 0, &why) : NULL;
    cuzk_status status = m && commands ? CUZK_OK : cuzk_fail(err, CUZK_ERR_MISSING, "%s: no measurements: %s", dir,
                                                             why.text);
    if (status == CUZK_OK) {
        struct report_setting setting = {
            .version = report_text(m, "version"),
            .processor = report_text(m, "processor"),
            .system = report_text(m, "system"),
            .compiler = report_text(m, "compiler"),
            .date = report_text(m, "date"),
            .cpus = (unsigned)report_number(m, "cpus"),
            .memory_bytes = report_number(m, "memory_bytes"),
            .load_before = report_number(m, "load_before"),
            .load_after = report_number(m, "load_after"),
            .commands = commands,
        };
        status = report_write(dir, &setting, err);
    }
    json_decref(m);
    json_decref(commands);
    free(place);
    free(list);
    return status;
}

static cuzk_status measure(const struct all_options *o, cuzk_error *err)
{
    struct bench_steps s;
    double load = load_average();
    cuzk_status status = steps_open(&s, o->output, err);
    if (status != CUZK_OK) return status;
    run_all(&s, o);
    status = steps_close(&s, describe(load), err);
    return status;
}

int command_bench_all(int argc, char **argv)
{
    static const struct argp argp = { options, parse_option, NULL,
                                      "Measures, and draws one report (DIR/index.html) with its data beside it.", NULL,
                                      NULL, NULL };
    struct all_options o = { .output = "report" };
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    cuzk_error err = { "" };
    char *params = o.params ? realpath(o.params, NULL) : NULL; /* the commands run in another folder */
    cuzk_status status = CUZK_OK;
    if (o.params && !params) status = cuzk_fail(&err, CUZK_ERR_MISSING, "%s: %s", o.params, strerror(errno));
    o.params = params;
    if (status == CUZK_OK && !o.draw_only) status = measure(&o, &err);
    if (status == CUZK_OK) status = draw(o.output, &err);
    if (status == CUZK_OK) printf("%s/index.html\n", o.output);
    free(params);
    return command_result(status, &err);
}
