/* One operation by size: ours with one thread and with all, the peers dashed. */
#include "cli/report/report.h"
#include "cli/report/report_peers.h"
#include "cli/report/report_svg.h"

#include <math.h>
#include <string.h>

enum { PLOT = 295, BETWEEN = 134, LEFT = 56, TOP = 30, BOTTOM = 300, SERIES = 5 };

/* A line of a panel. */
struct series {
    const char *name, *line, *text; /* classes */
    double log2_size[32], seconds[32];
    size_t count;
};

static void add_point(struct series *s, double log2_size, double seconds)
{
    if (s->count == 32 || !(seconds > 0)) return;
    s->log2_size[s->count] = log2_size;
    s->seconds[s->count++] = seconds;
}

static void collect_ours(struct series *s, const json_t *bench, const char *name, unsigned threads)
{
    const json_t *row;
    size_t i;
    *s = (struct series){ .name = "cuzk", .line = "la", .text = "ta" };
    json_array_foreach((json_t *)bench, i, row) {
        if (strcmp(report_text(row, "name"), name) != 0 || report_number(row, "threads") != threads) continue;
        add_point(s, log2(report_number(row, "size")), report_number(row, "median_s"));
    }
}

static size_t collect(struct series out[SERIES], const json_t *bench, const char *name, unsigned threads,
                      unsigned peer_threads)
{
    static const struct series peers[SERIES - 1] = {
        { .name = "gnark", .line = "ld peer", .text = "td" },
        { .name = "blst", .line = "lf peer", .text = "tf" },
        { .name = "arkworks", .line = "le peer", .text = "te" },
        { .name = "bellperson", .line = "lc peer", .text = "tc" },
    };
    size_t n = 0;
    collect_ours(&out[n++], bench, name, threads);
    for (int p = 0; p < SERIES - 1; p++) {
        out[n] = peers[p];
        for (size_t i = 0; i < peer_time_count; i++) {
            const struct peer_time *t = &peer_times[i];
            bool mine = strcmp(t->peer, peers[p].name) == 0 && strcmp(t->operation, name) == 0;
            if (mine && t->threads == peer_threads) add_point(&out[n], t->log2_size, t->seconds);
        }
        if (out[n].count) n++;
    }
    return n;
}

static void widen(struct axis *x, struct axis *y, const struct series *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < s[i].count; k++) {
            if (s[i].log2_size[k] < x->low) x->low = s[i].log2_size[k];
            if (s[i].log2_size[k] > x->high) x->high = s[i].log2_size[k];
            if (s[i].seconds[k] < y->low) y->low = s[i].seconds[k];
            if (s[i].seconds[k] > y->high) y->high = s[i].seconds[k];
        }
    }
}

/* Ours stands above its last point, the peers' where their lines end, pushed down where they would touch: from the
 * highest line on. */
static void draw_labels(FILE *out, const struct axis *x, const struct axis *y, const struct series *s, size_t n)
{
    bool done[SERIES] = { true };
    double free_from = TOP;
    if (s[0].count) {
        size_t last = s[0].count - 1;
        svg_text(out, axis_at(x, s[0].log2_size[last]) - 4, axis_at(y, s[0].seconds[last]) - 9, "end", s[0].text, "%s",
                 s[0].name);
    }
    for (size_t round = 0; round < n; round++) {
        size_t best = n;
        for (size_t i = 0; i < n; i++) {
            if (done[i] || !s[i].count) continue;
            if (best == n || s[i].seconds[s[i].count - 1] > s[best].seconds[s[best].count - 1]) best = i;
        }
        if (best == n) return;
        done[best] = true;
        double at = axis_at(y, s[best].seconds[s[best].count - 1]) + 4;
        if (at < free_from) at = free_from;
        free_from = at + 15;
        svg_text(out, axis_at(x, s[best].log2_size[s[best].count - 1]) + 8, at, "start", s[best].text, "%s",
                 s[best].name);
    }
}

static void draw_panel(FILE *out, double left, const struct axis *x, const struct axis *y, const struct series *s,
                       size_t n, const char *title)
{
    svg_text(out, left, TOP - 12, "start", "", "%s", title);
    axis_draw_y(out, y, left, x->to, "s");
    for (int k = (int)ceil(x->low); k <= x->high; k += 2) {
        double at = axis_at(x, k);
        svg_line(out, at, BOTTOM, at, TOP, "grid");
        svg_text(out, at, BOTTOM + 17, "middle", "note", "2^%d", k);
    }
    svg_line(out, x->from, BOTTOM, x->to, BOTTOM, "frame");
    for (size_t i = n; i-- > 0;) {
        svg_path_begin(out, s[i].line);
        for (size_t k = 0; k < s[i].count; k++) {
            svg_path_point(out, axis_at(x, s[i].log2_size[k]), axis_at(y, s[i].seconds[k]), k == 0);
        }
        svg_path_end(out);
        for (size_t k = 0; i == 0 && k < s[i].count; k++) {
            svg_dot(out, axis_at(x, s[i].log2_size[k]), axis_at(y, s[i].seconds[k]), "a");
        }
    }
    draw_labels(out, x, y, s, n);
}

static unsigned most_threads(const json_t *bench, const char *name)
{
    const json_t *row;
    size_t i;
    double most = 0;
    json_array_foreach((json_t *)bench, i, row) {
        double threads = report_number(row, "threads");
        if (strcmp(report_text(row, "name"), name) == 0 && threads > most) most = threads;
    }
    return (unsigned)most;
}

bool chart_sizes(FILE *out, const json_t *bench, const char *name, const char *title)
{
    struct series one[SERIES], all[SERIES];
    unsigned threads = most_threads(bench, name);
    if (threads == 0) return false;
    size_t ones = collect(one, bench, name, 1, 1), alls = collect(all, bench, name, threads, 2);
    struct axis x = { 30, 0, LEFT, LEFT + PLOT, false }, y = { 1e9, 0, BOTTOM, TOP, true };
    char heading[128];
    widen(&x, &y, one, ones);
    widen(&x, &y, all, alls);
    y.low = pow(10, floor(log10(y.low)));
    y.high *= 2.5; /* room for a label */
    svg_begin(out, BOTTOM + 44, title);
    snprintf(heading, sizeof heading, "%s, one thread", title);
    draw_panel(out, LEFT, &x, &y, one, ones, heading);
    x.from += PLOT + BETWEEN;
    x.to += PLOT + BETWEEN;
    snprintf(heading, sizeof heading, "%s, %u threads (peers: 2)", title, threads);
    draw_panel(out, x.from, &x, &y, all, alls, heading);
    svg_text(out, (LEFT + SVG_WIDTH) / 2.0, BOTTOM + 38, "middle", "note", "size; time upwards, both logarithmic");
    svg_end(out);
    return true;
}
