/* cuzk bench field, ntt, msm. */
#include "base/clock.h"
#include "cli/bench/bench_device.h"
#include "hash/poseidon.h"
#include "math/cpu.h"
#include "math/fp.h"
#include "math/msm.h"
#include "math/ntt.h"

#include <stdlib.h>

enum { CHAIN = 20000 };

/* Deterministic pseudo-random field elements: x, x², x⁴, … of a fixed start. */
static void fill_scalars(fr_t *out, size_t n)
{
    fr_t x;
    fr_from_u64(&x, 0x9e3779b97f4a7c15u);
    fr_t step = x;
    for (size_t i = 0; i < n; i++) {
        fr_mul(&x, &x, &step);
        out[i] = x;
    }
}

/* field */

static void chain_fr(void *context)
{
    fr_t *x = context;
    for (int i = 0; i < CHAIN; i++) fr_mul(x, x, x + 1);
}

static void chain_fp(void *context)
{
    fp_t *x = context;
    for (int i = 0; i < CHAIN; i++) fp_mul(x, x, x + 1);
}

/* Eight chains that do not wait for each other. */
static void streams_fp(void *context)
{
    fp_t *x = context;
    for (int i = 0; i < CHAIN; i++) fp_mul(&x[i & 7], &x[i & 7], x + 8);
}

static void hash_once(void *context)
{
    fr_t *x = context;
    for (int i = 0; i < 100; i++) poseidon_node(x, 8, x);
}

cuzk_status bench_field(const struct bench_options *o, cuzk_error *err)
{
    (void)err;
    fr_t r[8];
    fill_scalars(r, 8);
    fp_t p[9] = { FP_ONE, FP_ONE };
    fp_add(&p[1], &p[1], &p[0]);
    for (int i = 0; i < 100; i++) fp_sqr(&p[1], &p[1]);
    for (int i = 2; i < 9; i++) fp_mul(&p[i], &p[i - 1], &p[1]);
    bench_run(o, "Fr product, chain", "cpu", 1, 1, CHAIN, chain_fr, r);
    bench_run(o, "Fp product, chain", "cpu", 1, 1, CHAIN, chain_fp, p);
    bench_run(o, "Fp product, streams", "cpu", 8, 1, CHAIN, streams_fp, p);
    bench_lanes(o);
    bench_run(o, "Poseidon, arity 8", "cpu", 1, 1, 100, hash_once, r);
    return CUZK_OK;
}

/* ntt */

struct transform {
    fr_t *x;
    struct ntt_domain *domain;
    struct pool *pool;
};

static void forward(void *context)
{
    struct transform *t = context;
    ntt_forward(t->x, t->domain, t->pool);
}

static void coset_inverse(void *context)
{
    struct transform *t = context;
    ntt_coset_inverse(t->x, t->domain, t->pool);
}

/* The same transform on eight elements at a time and one by one, turn by turn. */
static void compare_lanes(const struct bench_options *o, struct transform *t, uint64_t n)
{
    double *seconds[2] = { malloc(o->repeat * sizeof(double)), malloc(o->repeat * sizeof(double)) };
    for (unsigned i = 0; seconds[0] && seconds[1] && i < o->repeat; i++) {
        for (int scalar = 0; scalar < 2; scalar++) {
            ntt_domain_use_lanes(t->domain, !scalar);
            uint64_t start = clock_now();
            forward(t);
            seconds[scalar][i] = 1e-9 * (double)(clock_now() - start);
        }
    }
    ntt_domain_use_lanes(t->domain, true);
    const char *const names[2] = { "NTT, forward, 8 lanes", "NTT, forward, scalar" };
    for (int scalar = 0; scalar < 2; scalar++) {
        if (seconds[0] && seconds[1]) {
            bench_report(o, names[scalar], "cpu", n, pool_threads(t->pool), n, seconds[scalar], o->repeat);
        }
    }
    free(seconds[0]);
    free(seconds[1]);
}

static cuzk_status bench_transform(const struct bench_options *o, unsigned k, struct pool *pool, cuzk_error *err)
{
    struct transform t = { .pool = pool, .x = malloc(sizeof(fr_t) << k) };
    if (!t.x) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for 2^%u elements", k);
    cuzk_status status = ntt_domain_create(&t.domain, k, pool, err);
    if (status == CUZK_OK) {
        uint64_t n = UINT64_C(1) << k;
        fill_scalars(t.x, n);
        bench_run(o, "NTT, forward", "cpu", n, pool_threads(pool), n, forward, &t);
        bench_run(o, "NTT, coset inverse", "cpu", n, pool_threads(pool), n, coset_inverse, &t);
        if (cpu_level() == CPU_IFMA) compare_lanes(o, &t, n);
    }
    ntt_domain_destroy(t.domain);
    free(t.x);
    return status;
}

/* Every size with one thread, and with all that were asked for. */
typedef cuzk_status bench_size(const struct bench_options *o, unsigned k, struct pool *pool, cuzk_error *err);

static cuzk_status each_size(const struct bench_options *o, bench_size *body, cuzk_error *err)
{
    unsigned all = o->device.threads ? o->device.threads : pool_cpus();
    cuzk_status status = CUZK_OK;
    for (unsigned k = o->log_min; k <= o->log_max && status == CUZK_OK; k += 2) {
        for (unsigned threads = 1; threads <= all && status == CUZK_OK; threads = threads < all ? all : all + 1) {
            struct pool *pool;
            status = pool_create(&pool, threads, err);
            if (status == CUZK_OK) status = body(o, k, pool, err);
            pool_destroy(pool);
        }
    }
    return status;
}

cuzk_status bench_ntt(const struct bench_options *o, cuzk_error *err)
{
    static const enum primitive transform = PRIMITIVE_NTT;
    return bench_wants_device(o) ? bench_on_device(o, &transform, 1, err) : each_size(o, bench_transform, err);
}

/* msm */

struct sum_g1 {
    g1_affine_t *points;
    fr_t *scalars;
    size_t n;
    struct pool *pool;
};

struct sum_g2 {
    g2_affine_t *points;
    fr_t *scalars;
    size_t n;
    struct pool *pool;
};

static void run_g1(void *context)
{
    struct sum_g1 *s = context;
    g1_t out;
    g1_msm(&out, s->points, s->scalars, s->n, s->pool, NULL);
}

static void run_g2(void *context)
{
    struct sum_g2 *s = context;
    g2_t out;
    g2_msm(&out, s->points, s->scalars, s->n, s->pool, NULL);
}

/* Points that differ: 2G, 3G, 4G, … */
static void walk_g1(g1_affine_t *out, size_t n)
{
    g1_t at;
    g1_from_affine(&at, &G1_GENERATOR);
    for (size_t i = 0; i < n; i++) {
        g1_add_mixed(&at, &at, &G1_GENERATOR);
        g1_to_affine_var(&out[i], &at);
    }
}

static void walk_g2(g2_affine_t *out, size_t n)
{
    g2_t at;
    g2_from_affine(&at, &G2_GENERATOR);
    for (size_t i = 0; i < n; i++) {
        g2_add_mixed(&at, &at, &G2_GENERATOR);
        g2_to_affine_var(&out[i], &at);
    }
}

static cuzk_status bench_sums(const struct bench_options *o, unsigned k, struct pool *pool, cuzk_error *err)
{
    size_t n = (size_t)1 << k;
    g1_affine_t *points = malloc(n * sizeof *points);
    g2_affine_t *points2 = malloc(n / 4 * sizeof *points2 + 1);
    fr_t *scalars = malloc(n * sizeof *scalars);
    cuzk_status status = CUZK_OK;
    if (points && points2 && scalars) {
        fill_scalars(scalars, n);
        walk_g1(points, n);
        walk_g2(points2, n / 4);
        struct sum_g1 g1 = { points, scalars, n, pool };
        struct sum_g2 g2 = { points2, scalars, n / 4, pool };
        bench_run(o, "MSM G1", "cpu", n, pool_threads(pool), n, run_g1, &g1);
        bench_run(o, "MSM G2", "cpu", n / 4, pool_threads(pool), n / 4, run_g2, &g2);
    } else {
        status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for 2^%u points", k);
    }
    free(points);
    free(points2);
    free(scalars);
    return status;
}

cuzk_status bench_msm(const struct bench_options *o, cuzk_error *err)
{
    static const enum primitive sums[] = { PRIMITIVE_MSM_G1, PRIMITIVE_MSM_G2 };
    return bench_wants_device(o) ? bench_on_device(o, sums, 2, err) : each_size(o, bench_sums, err);
}
