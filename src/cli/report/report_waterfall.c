/* A proof's stages one below the other, each beginning where the last one ended. */
#include "cli/report/report.h"
#include "cli/report/report_svg.h"

#include <string.h>

static const struct stage {
    const char *key, *label, *class;
} stages[] = {
    { "parse", "read and check", "d" },        { "open", "open parameters", "c" },
    { "witness", "witness", "d" },             { "memory", "working memory", "c" },
    { "evaluate", "evaluate A, B", "e" },      { "quotient", "quotient (NTTs)", "e" },
    { "h", "MSM of h", "a" },                  { "l", "sum l", "a" },
    { "a", "sum a", "a" },                     { "b_g1", "sum b in G1", "a" },
    { "b_g2", "sum b in G2", "a" },            { "assemble", "assemble", "d" },
    { "verify", "verify", "d" },               { NULL, "unaccounted", "b" },
};
enum { STAGES = sizeof stages / sizeof stages[0], ROW = 22, TOP = 8, LEFT = 150, RIGHT = 700 };

static void draw_stage(FILE *out, const struct axis *a, size_t i, double at, double ms, double total)
{
    double y = TOP + (double)i * ROW, x = axis_at(a, at / 1000), w = axis_at(a, (at + ms) / 1000) - x;
    svg_text(out, LEFT - 8, y + 15, "end", "", "%s", stages[i].label);
    svg_rect(out, x, y + 3, w < 1.5 ? 1.5 : w, ROW - 6, stages[i].class);
    svg_text(out, x + (w < 1.5 ? 1.5 : w) + 6, y + 15, "start", "note", "%s, %.1f %%", svg_time(ms / 1000).text,
             100 * ms / total);
}

bool chart_waterfall(FILE *out, const json_t *prove)
{
    const json_t *t = json_object_get(prove, "timings_ms");
    double total = report_number(t, "total"), at = 0;
    if (!(total > 0)) return false;
    struct axis a = { 0, total / 1000, LEFT, RIGHT, false };
    double bottom = TOP + STAGES * ROW;
    svg_begin(out, bottom + 28, "stages of one proof over time");
    axis_draw_x(out, &a, bottom, TOP, "s");
    for (size_t i = 0; i < STAGES; i++) {
        double ms = stages[i].key ? report_number(t, stages[i].key) : total - at;
        if (ms < 0) ms = 0;
        draw_stage(out, &a, i, at, ms, total);
        at += ms;
    }
    svg_end(out);
    fprintf(out, "<p class=\"legend\">%s, %.0f partition, %s in all on %s; peak of anonymous memory %s.</p>\n",
            report_text(prove, "circuit"), report_number(prove, "partitions"), svg_time(total / 1000).text,
            report_text(prove, "device"), svg_bytes(report_number(prove, "peak_bytes")).text);
    return true;
}
