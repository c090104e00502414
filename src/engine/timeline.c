#include "engine/timeline.h"

#include <stdio.h>
#include <stdlib.h>

enum { FIRST_SPANS = 8 };

void timeline_begin(struct timeline *t, uint64_t now) { *t = (struct timeline){ .begin = now }; }

size_t timeline_open(struct timeline *t, enum phase phase, uint32_t partition, uint32_t device, uint64_t now)
{
    if (t->count == t->capacity) {
        size_t capacity = t->capacity ? 2 * t->capacity : FIRST_SPANS;
        struct span *larger = realloc(t->spans, capacity * sizeof *larger);
        if (!larger) return SIZE_MAX;
        t->spans = larger;
        t->capacity = capacity;
    }
    t->spans[t->count] = (struct span){ phase, partition, device, now, 0 };
    return t->count++;
}

void timeline_close(struct timeline *t, size_t span, uint64_t now)
{
    if (span < t->count && t->spans[span].end == 0) t->spans[span].end = now;
}

void timeline_end(struct timeline *t, uint64_t now)
{
    for (size_t i = 0; i < t->count; i++) timeline_close(t, i, now);
    t->end = now;
}

void timeline_release(struct timeline *t)
{
    free(t->spans);
    t->spans = NULL;
    t->count = t->capacity = 0;
}

/* A moment at which a span begins (+1) or ends (−1). */
struct edge {
    uint64_t at;
    enum phase phase;
    int step;
};

static int edge_order(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

static enum phase leading_phase(const int depth[PHASES])
{
    for (int p = 0; p < PHASE_QUEUE; p++) {
        if (depth[p] > 0) return (enum phase)p;
    }
    return PHASE_QUEUE;
}

static size_t edges_of(struct edge *edges, struct timings *out, const struct timeline *t, uint64_t end)
{
    size_t n = 0;
    for (size_t i = 0; i < t->count; i++) {
        const struct span *s = &t->spans[i];
        uint64_t last = s->end && s->end < end ? s->end : end;
        uint64_t first = s->begin > t->begin ? s->begin : t->begin;
        if (first >= last) continue;
        out->busy[s->phase] += last - first;
        edges[n++] = (struct edge){ first, s->phase, +1 };
        edges[n++] = (struct edge){ last, s->phase, -1 };
    }
    return n;
}

void timings_of(struct timings *out, const struct timeline *t, uint64_t now)
{
    *out = (struct timings){ 0 };
    uint64_t end = t->end ? t->end : now;
    if (end <= t->begin) return;
    out->total = end - t->begin;
    struct edge *edges = t->count ? malloc(2 * t->count * sizeof *edges) : NULL;
    size_t n = edges ? edges_of(edges, out, t, end) : 0;
    if (n) qsort(edges, n, sizeof *edges, edge_order);
    int depth[PHASES] = { 0 };
    uint64_t at = t->begin;
    for (size_t i = 0; i < n; i++) {
        out->phase[leading_phase(depth)] += edges[i].at - at;
        at = edges[i].at;
        depth[edges[i].phase] += edges[i].step;
    }
    out->phase[PHASE_QUEUE] += end - at;
    free(edges);
}

/* Rounds the running sum rather than each phase, so that the rounded phases add up to the rounded total. */
void timings_ms(uint64_t phase_ms[PHASES], uint64_t *total_ms, const struct timings *t)
{
    static const enum phase order[PHASES] = { PHASE_QUEUE, PHASE_SRS, PHASE_SYNTH, PHASE_GPU, PHASE_FINISH };
    uint64_t sum = 0, shown = 0;
    for (int i = 0; i < PHASES; i++) {
        sum += t->phase[order[i]];
        uint64_t rounded = (sum + 500000) / 1000000;
        phase_ms[order[i]] = rounded - shown;
        shown = rounded;
    }
    *total_ms = shown;
}

void timings_text(char *out, size_t size, const struct timings *t)
{
    uint64_t ms[PHASES], total;
    timings_ms(ms, &total, t);
    snprintf(out, size,
             "timings: total=%llu ms (queue=%llu ms, srs=%llu ms, synth=%llu ms, gpu=%llu ms, finish=%llu ms) "
             "busy: synth=%llu ms gpu=%llu ms",
             (unsigned long long)total, (unsigned long long)ms[PHASE_QUEUE], (unsigned long long)ms[PHASE_SRS],
             (unsigned long long)ms[PHASE_SYNTH], (unsigned long long)ms[PHASE_GPU],
             (unsigned long long)ms[PHASE_FINISH], (unsigned long long)((t->busy[PHASE_SYNTH] + 500000) / 1000000),
             (unsigned long long)((t->busy[PHASE_GPU] + 500000) / 1000000));
}
