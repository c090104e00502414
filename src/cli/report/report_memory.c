/* A job's memory over time, with the moments at which its stages began. */
#include "cli/report/report.h"
#include "cli/report/report_svg.h"

#include <string.h>

enum { LEFT = 70, RIGHT = 860, TOP = 46, BOTTOM = 300 };

static void draw_samples(FILE *out, const json_t *samples, const struct axis *x, const struct axis *y, bool area)
{
    const json_t *pair;
    size_t i;
    double last = 0;
    svg_path_begin(out, area ? "area" : "la");
    if (area) svg_path_point(out, LEFT, BOTTOM, true);
    json_array_foreach((json_t *)samples, i, pair) {
        last = json_number_value(json_array_get(pair, 0)) / 1000;
        svg_path_point(out, axis_at(x, last), axis_at(y, json_number_value(json_array_get(pair, 1))), !area && i == 0);
    }
    if (area) svg_path_point(out, axis_at(x, last), BOTTOM, false);
    svg_path_end(out);
}

/* Names in three rows, so that short stages do not write over each other. */
static void draw_events(FILE *out, const json_t *events, const struct axis *x)
{
    const json_t *event;
    size_t i;
    double taken[3] = { 0, 0, 0 };
    json_array_foreach((json_t *)events, i, event) {
        const char *name = report_text(event, "name");
        double at = axis_at(x, report_number(event, "t_ms") / 1000), wide = 7.0 * (double)strlen(name) + 8;
        svg_line(out, at, BOTTOM, at, TOP - 4, "grid");
        if (at + wide > SVG_WIDTH) at = SVG_WIDTH - wide;
        for (int row = 0; row < 3; row++) {
            if (taken[row] > at) continue;
            svg_text(out, at + 2, 14 + 13 * row, "start", "note", "%s", name);
            taken[row] = at + wide;
            break;
        }
    }
}

bool chart_memory(FILE *out, const json_t *job)
{
    const json_t *samples = json_object_get(job, "samples"), *pair;
    struct axis x = { 0, 0, LEFT, RIGHT, false }, y = { 0, 0, BOTTOM, TOP, false };
    size_t i;
    json_array_foreach((json_t *)samples, i, pair) {
        double t = json_number_value(json_array_get(pair, 0)) / 1000, b = json_number_value(json_array_get(pair, 1));
        if (t > x.high) x.high = t;
        if (b > y.high) y.high = b;
    }
    if (!(x.high > 0 && y.high > 0)) return false;
    double peak = y.high;
    y.high *= 1.1;
    svg_begin(out, BOTTOM + 44, "memory of a job over time");
    axis_draw_y(out, &y, LEFT, RIGHT, "B");
    axis_draw_x(out, &x, BOTTOM, BOTTOM, "s");
    draw_events(out, json_object_get(job, "events"), &x);
    draw_samples(out, samples, &x, &y, true);
    draw_samples(out, samples, &x, &y, false);
    svg_text(out, (LEFT + RIGHT) / 2.0, BOTTOM + 38, "middle", "note", "time; anonymous resident memory upwards");
    svg_end(out);
    bool proved = json_is_true(json_object_get(job, "proved"));
    fprintf(out,
            "<p class=\"legend\">%s, %.0f partitions (p0, p1, \342\200\246) one after the other: reading and checking the "
            "payload (%s of JSON), the compiled circuit, and each partition's witness, filled into the same memory%s. "
            "Peak %s.</p>\n",
            report_text(job, "circuit"), report_number(job, "partitions"),
            svg_bytes(report_number(job, "payload_bytes")).text,
            proved ? " and proved"
                   : ". The proofs themselves are a device's part and were not made: parameters of this size are not "
                     "on the machine",
            svg_bytes(peak).text);
    return true;
}
