#define _GNU_SOURCE
#include "cli/bench/bench_ratios.h"

#include "cli/bench/bench_steps.h"
#include "cli/report/report.h"
#include "math/batch_affine.h"
#include "math/kernels.h"
#include "math/msm.h"
#include "math/ntt.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 15, CHAIN = 4000, POINTS = 1 << 13, NAIVE = 24, PAIRS = 1024, LOG_NTT = 14 };

/* What all works are done on. */
struct bodies {
    fr_t r[2], *scalars, *values;
    fp_t p[2];
    g1_affine_t *points, *sums;
    struct g1_addition *list;
    struct g1_msm *msm;
    struct ntt_domain *domain;
};

typedef void work(struct bodies *b);

static void fp_chosen(struct bodies *b)
{
    for (int i = 0; i < CHAIN; i++) fp_mul(&b->p[0], &b->p[0], &b->p[1]);
}

static void fp_portable(struct bodies *b)
{
    for (int i = 0; i < CHAIN; i++) fp_mul_portable(&b->p[0], &b->p[0], &b->p[1]);
}

static void fr_chosen(struct bodies *b)
{
    for (int i = 0; i < CHAIN; i++) fr_mul(&b->r[0], &b->r[0], &b->r[1]);
}

static void fr_portable(struct bodies *b)
{
    for (int i = 0; i < CHAIN; i++) fr_mul_portable(&b->r[0], &b->r[0], &b->r[1]);
}

static void msm_buckets(struct bodies *b)
{
    g1_t sum;
    g1_msm_add(b->msm, b->points, b->scalars, POINTS, false);
    g1_msm_finish(&sum, b->msm);
}

static void msm_naive(struct bodies *b)
{
    g1_t sum = G1_INFINITY, term;
    for (size_t i = 0; i < NAIVE; i++) {
        g1_from_affine(&term, &b->points[i]);
        g1_mul_fr_var(&term, &term, &b->scalars[i]);
        g1_add(&sum, &sum, &term);
    }
}

static void batch_additions(struct bodies *b)
{
    for (size_t i = 0; i < PAIRS; i++) {
        b->list[i].out = &b->sums[i];
        b->list[i].a = &b->points[i];
        b->list[i].b = &b->points[PAIRS + i];
    }
    g1_batch_add(b->list, PAIRS);
}

static void transform(struct bodies *b) { ntt_forward(b->values, b->domain, NULL); }

/* name = (seconds of `above` for one unit) / (seconds of `below` for one unit) */
static const struct ratio {
    const char *name;
    work *above, *below;
    double above_units, below_units;
} ratios[] = {
    { "fp_mul: portable / chosen", fp_portable, fp_chosen, 1, 1 },
    { "fr_mul: portable / chosen", fr_portable, fr_chosen, 1, 1 },
    { "batch-affine addition / fp_mul", batch_additions, fp_chosen, PAIRS, CHAIN },
    { "msm G1 2^13: per point / fp_mul", msm_buckets, fp_chosen, POINTS, CHAIN },
    { "msm G1: naive per point / buckets per point", msm_naive, msm_buckets, NAIVE, POINTS },
    { "ntt 2^14: per butterfly / fr_mul", transform, fr_chosen, (1 << LOG_NTT) / 2.0 * LOG_NTT, CHAIN },
};

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double time_of(work *w, struct bodies *b)
{
    double begin = cpu_seconds();
    w(b);
    return cpu_seconds() - begin;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double measure(const struct ratio *r, struct bodies *b)
{
    double quotients[ROUNDS];
    time_of(r->above, b);
    time_of(r->below, b);
    for (int i = 0; i < ROUNDS; i++) {
        double above = time_of(r->above, b), below = time_of(r->below, b);
        quotients[i] = above / r->above_units / (below / r->below_units);
    }
    qsort(quotients, ROUNDS, sizeof *quotients, compare);
    return quotients[ROUNDS / 2];
}

/* 2G, 3G, …, and pseudo-random scalars. */
static void fill(struct bodies *b)
{
    g1_t at;
    g1_from_affine(&at, &G1_GENERATOR);
    fr_from_u64(&b->r[0], UINT64_C(0x9e3779b97f4a7c15));
    b->r[1] = b->r[0];
    b->p[0] = b->p[1] = G1_GENERATOR.x;
    for (size_t i = 0; i < POINTS; i++) {
        g1_add_mixed(&at, &at, &G1_GENERATOR);
        g1_to_affine_var(&b->points[i], &at);
        fr_mul(&b->r[0], &b->r[0], &b->r[1]);
        b->scalars[i] = b->r[0];
    }
    for (size_t i = 0; i < (size_t)1 << LOG_NTT; i++) b->values[i] = b->scalars[i % POINTS];
}

cuzk_status ratios_arithmetic(json_t *into, cuzk_error *err)
{
    struct bodies b = { .points = malloc(POINTS * sizeof *b.points) };
    b.scalars = malloc(POINTS * sizeof *b.scalars);
    b.values = malloc(sizeof *b.values << LOG_NTT);
    b.sums = malloc(PAIRS * sizeof *b.sums);
    b.list = malloc(PAIRS * sizeof *b.list);
    bool ok = b.points && b.scalars && b.values && b.sums && b.list;
    cuzk_status status = ok ? CUZK_OK : cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    if (status == CUZK_OK) status = g1_msm_create(&b.msm, POINTS, NULL, err);
    if (status == CUZK_OK) status = ntt_domain_create(&b.domain, LOG_NTT, NULL, err);
    if (status == CUZK_OK) fill(&b);
    for (size_t i = 0; i < sizeof ratios / sizeof ratios[0] && status == CUZK_OK; i++) {
        json_object_set_new(into, ratios[i].name, json_real(measure(&ratios[i], &b)));
    }
    ntt_domain_destroy(b.domain);
    g1_msm_destroy(b.msm);
    free(b.points);
    free(b.scalars);
    free(b.values);
    free(b.sums);
    free(b.list);
    return status;
}

/* ---- those of other commands ---- */

static json_t *load(const char *dir, const char *file)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", dir, file);
    return json_load_file(path, 0, NULL);
}

static const json_t *row_with(const json_t *rows, const char *key, const char *value)
{
    const json_t *row;
    size_t i;
    json_array_foreach((json_t *)rows, i, row) {
        if (strcmp(report_text(row, key), value) == 0) return row;
    }
    return NULL;
}

static void add_quotient(json_t *into, const char *name, double above, double below)
{
    if (above > 0 && below > 0) json_object_set_new(into, name, json_real(above / below));
}

static void take_results(json_t *into, const char *dir)
{
    json_t *styles = load(dir, "styles.json"), *dealloc = load(dir, "dealloc.json");
    double program = report_number(row_with(styles, "style", "program-rows"), "min_s");
    add_quotient(into, "witness and rows: objects / program",
                 report_number(row_with(styles, "style", "objects"), "min_s"), program);
    add_quotient(into, "witness and rows: no temporaries / program",
                 report_number(row_with(styles, "style", "no-temporaries"), "min_s"), program);
    const json_t *sync = row_with(dealloc, "mode", "sync"), *deferred = row_with(dealloc, "mode", "deferred");
    add_quotient(into, "frees: sync outer / inner", report_number(sync, "outer_ms"), report_number(sync, "inner_ms"));
    add_quotient(into, "frees: deferred outer / inner", report_number(deferred, "outer_ms"),
                 report_number(deferred, "inner_ms"));
    json_decref(styles);
    json_decref(dealloc);
}

cuzk_status ratios_of_commands(json_t *into, cuzk_error *err)
{
    char dir[] = "/tmp/cuzk-check-XXXXXX", command[64];
    struct bench_steps s;
    if (!mkdtemp(dir)) return cuzk_fail(err, CUZK_ERR_CREATE, "%s cannot be made", dir);
    cuzk_status status = steps_open(&s, dir, err);
    if (status == CUZK_OK) {
        steps_run(&s, "sample.log", "sample porep --size 2KiB -o samples");
        steps_run(&s, "styles.json", "bench witness -t porep --sector-num 1 --miner-id 1000 --c1 samples/c1.json "
                                     "--style all --repeat 3 --threads 1 --json");
        steps_run(&s, "dealloc.json", "bench dealloc --allocator glibc --pages 4k --arenas many --mode sync,deferred "
                                      "--scale 0.004 --repeat 5 --json");
        take_results(into, dir);
        json_decref(s.commands);
    }
    snprintf(command, sizeof command, "rm -rf %s", dir);
    if (system(command) != 0 && status == CUZK_OK) {
        status = cuzk_fail(err, CUZK_ERR_WRITE, "%s cannot be removed", dir);
    }
    return status;
}
