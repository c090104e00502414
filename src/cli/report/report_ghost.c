/* The ten-second ghost: what freeing a working set costs, four ways side by side. */
#include "cli/report/report.h"
#include "cli/report/report_svg.h"

#include <string.h>

static const struct way {
    const char *mode, *label, *note;
} ways[] = {
    { "sync", "freed on the spot", "as the incumbent did" },
    { "deferred", "freed by the reaper", "beside the next proof" },
    { "arena", "arena, reused", "nothing is freed" },
    { "packed", "packed witness", "this project" },
};
enum { WAYS = 4, GROUP = 62, TOP = 30, LEFT = 222, RIGHT = 590 };

/* Several cells may have been measured for a mode: the one with plain pages and many arenas stands for it. */
static const json_t *row_of(const json_t *rows, const char *mode)
{
    const json_t *row, *first = NULL;
    size_t i;
    json_array_foreach((json_t *)rows, i, row) {
        if (strcmp(report_text(row, "mode"), mode) != 0) continue;
        bool plain = strcmp(report_text(row, "pages"), "huge") != 0 &&
                     strcmp(report_text(row, "arenas"), "one") != 0 &&
                     strcmp(report_text(row, "allocator"), "jemalloc") != 0;
        if (plain) return row;
        if (!first) first = row;
    }
    return first;
}

static double longest(const json_t *rows)
{
    double most = 0;
    for (int i = 0; i < WAYS; i++) {
        const json_t *r = row_of(rows, ways[i].mode);
        double outer = report_number(r, "outer_ms"), next = report_number(r, "next_ms");
        if (outer > most) most = outer;
        if (next > most) most = next;
    }
    return most;
}

static void draw_way(FILE *out, const struct axis *a, int i, const json_t *r)
{
    double inner = report_number(r, "inner_ms") / 1000, outer = report_number(r, "outer_ms") / 1000;
    double next = report_number(r, "next_ms") / 1000, frees = outer > inner ? outer - inner : 0, y = TOP + i * GROUP;
    double x0 = axis_at(a, 0), x1 = axis_at(a, inner), x2 = axis_at(a, outer), x3 = axis_at(a, next);
    svg_text(out, LEFT - 10, y + 16, "end", "", "%s", ways[i].label);
    svg_text(out, LEFT - 10, y + 33, "end", "note", "%s, %s", ways[i].note,
             svg_bytes(report_number(r, "bytes")).text);
    svg_rect(out, x0, y + 2, x1 - x0, 20, "a");
    svg_rect(out, x1, y + 2, x2 - x1, 20, "b");
    svg_text(out, (x2 > x1 ? x2 : x1) + 8, y + 17, "start", outer > 0 && frees / outer >= 0.01 ? "tb" : "",
             "%s, of it frees %s (%.2f %%)", svg_time(outer).text, svg_time(frees).text,
             outer > 0 ? 100 * frees / outer : 0);
    svg_rect(out, x0, y + 26, x3 - x0, 12, "c");
    svg_text(out, x3 + 8, y + 36, "start", "note", "the next one %s", svg_time(next).text);
}

bool chart_ghost(FILE *out, const json_t *rows)
{
    double most = longest(rows) / 1000;
    if (!(most > 0)) return false;
    struct axis a = { 0, most, LEFT, RIGHT, false };
    double bottom = TOP + WAYS * GROUP;
    svg_begin(out, bottom + 24, "time of a proof's phase with frees, in four ways");
    svg_rect(out, LEFT, 4, 12, 12, "a");
    svg_text(out, LEFT + 18, 15, "start", "", "use (inner timer)");
    svg_rect(out, LEFT + 150, 4, 12, 12, "b");
    svg_text(out, LEFT + 168, 15, "start", "", "frees (outer less inner)");
    svg_rect(out, LEFT + 340, 4, 12, 12, "c");
    svg_text(out, LEFT + 358, 15, "start", "", "the next proof's phase");
    axis_draw_x(out, &a, bottom, TOP - 6, "s");
    for (int i = 0; i < WAYS; i++) {
        const json_t *r = row_of(rows, ways[i].mode);
        if (r) draw_way(out, &a, i, r);
    }
    svg_end(out);
    return true;
}
