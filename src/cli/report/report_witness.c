/* Time to fill one partition's witness, by kind and sector size. */
#include "cli/report/report.h"
#include "cli/report/report_svg.h"

#include <math.h>
#include <string.h>

enum { ROW = 24, TOP = 8, LEFT = 130, RIGHT = 620, MAX_ROWS = 32 };

static const json_t *first_row(const json_t *bench) { return json_array_get(bench, 0); }

static void draw_row(FILE *out, const struct axis *a, size_t i, const json_t *row)
{
    double y = TOP + (double)i * ROW + 12, seconds = report_number(row, "median_s"), x = axis_at(a, seconds);
    const char *name = report_text(row, "name"), *id = strchr(name, ' ');
    svg_text(out, LEFT - 8, y + 4, "end", "", "%s", id ? id + 1 : name);
    svg_line(out, LEFT, y, x, y, "frame");
    svg_dot(out, x, y, "a");
    svg_text(out, x + 10, y + 4, "start", "note", "%s for %.1f M values (%.1f ns each, %.0f threads)",
             svg_time(seconds).text, 1e-6 * report_number(row, "size"), report_number(row, "per_unit_ns"),
             report_number(row, "threads"));
}

bool chart_witness(FILE *out, const json_t *const *bench, size_t count)
{
    struct axis a = { 1, 0, LEFT, RIGHT, true };
    size_t rows = 0;
    for (size_t i = 0; i < count; i++) {
        double s = report_number(first_row(bench[i]), "median_s");
        if (!(s > 0)) continue;
        rows++;
        if (s < a.low) a.low = s;
        if (s > a.high) a.high = s;
    }
    if (rows == 0) return false;
    a.low = pow(10, floor(log10(a.low)));
    a.high = pow(10, ceil(log10(a.high)));
    double bottom = TOP + (double)rows * ROW + 6;
    svg_begin(out, bottom + 28, "time to fill a witness, by circuit");
    axis_draw_x(out, &a, bottom, TOP, "s");
    for (size_t i = 0, row = 0; i < count; i++) {
        if (report_number(first_row(bench[i]), "median_s") > 0) draw_row(out, &a, row++, first_row(bench[i]));
    }
    svg_end(out);
    return true;
}
