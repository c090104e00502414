#include "compare/contest.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_ROUNDS = 1000 };

static double time_of(void (*body)(void *), void *context)
{
    uint64_t start = clock_now();
    body(context);
    return 1e-9 * (double)(clock_now() - start);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median_ms(double *seconds, size_t n)
{
    qsort(seconds, n, sizeof *seconds, compare_doubles);
    return 1e3 * (seconds[(n - 1) / 2] + seconds[n / 2]) / 2;
}

static void report(struct settings *s, const struct contest *c, size_t rounds, double ours, double theirs)
{
    if (s->json) {
        printf("%s\n {\"name\": \"%s\", \"size\": %zu, \"threads\": %u, \"ours_ms\": %.6f, \"blst_ms\": %.6f, "
               "\"ratio\": %.3f}",
               s->any_reported ? "," : "[", c->name, c->size, c->threads, ours, theirs, theirs / ours);
    } else {
        printf("%-24s size %8zu  threads %2u  ours %12.4f ms  blst %12.4f ms  ratio %6.2f  (%zu rounds)\n", c->name,
               c->size, c->threads, ours, theirs, theirs / ours, rounds);
    }
    s->any_reported = true;
    fflush(stdout);
}

void contest_run(struct settings *s, const struct contest *c)
{
    double ours[MAX_ROUNDS], theirs[MAX_ROUNDS];
    uint64_t start = clock_now();
    size_t rounds = 0;
    ours[0] = time_of(c->ours, c->context);
    theirs[0] = time_of(c->theirs, c->context);
    if (!c->agree(c->context)) {
        fprintf(stderr, "compare-blst: %s of %zu: the results differ\n", c->name, c->size);
        exit(1);
    }
    /* What takes that long needs no warming up: it counts. */
    if (ours[0] + theirs[0] > s->seconds / 3) rounds = 1;
    while (rounds < s->repeat && rounds < MAX_ROUNDS) {
        if (rounds > 0 && 1e-9 * (double)(clock_now() - start) > s->seconds) break;
        bool ours_first = rounds % 2 == 0;
        if (ours_first) ours[rounds] = time_of(c->ours, c->context);
        theirs[rounds] = time_of(c->theirs, c->context);
        if (!ours_first) ours[rounds] = time_of(c->ours, c->context);
        rounds++;
    }
    if (!c->agree(c->context)) {
        fprintf(stderr, "compare-blst: %s of %zu: the results differ\n", c->name, c->size);
        exit(1);
    }
    report(s, c, rounds, median_ms(ours, rounds), median_ms(theirs, rounds));
}

void *take_memory(size_t bytes)
{
    void *memory = malloc(bytes);
    if (memory) return memory;
    fprintf(stderr, "compare-blst: no memory for %zu bytes\n", bytes);
    exit(1);
}

struct pool *start_pool(unsigned threads)
{
    struct pool *pool;
    cuzk_error err = { "" };
    if (pool_create(&pool, threads, &err) == CUZK_OK) return pool;
    fprintf(stderr, "compare-blst: %s\n", err.detail);
    exit(1);
}
