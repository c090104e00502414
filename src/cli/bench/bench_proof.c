/* cuzk bench witness, prove: on a real request. */
#include "backend/prover.h"
#include "base/clock.h"
#include "cli/bench/bench.h"
#include "cli/bench/bench_styles.h"
#include "vanilla/public_inputs.h"

#include <stdio.h>
#include <stdlib.h>

enum { STAGES = 9 };

/* A request made ready: everything but the measured part. */
struct ready {
    struct pool *pool;
    struct vanilla_job *job;
    const struct circuit_entry *entry;
    struct backend backend;
    struct prover prover;     /* bench prove */
    struct circuit *circuit;  /* bench witness */
    struct witness w;
};

static cuzk_status get_ready(struct ready *r, const struct bench_options *o, cuzk_error *err)
{
    cuzk_status status = pool_create(&r->pool, o->device.threads, err);
    if (status == CUZK_OK) status = checked_job_from_options(&r->job, &o->request, r->pool, err);
    if (status == CUZK_OK) r->entry = catalogue_by_shape(r->job->kind, r->job->shape);
    return status;
}

static void release(struct ready *r)
{
    witness_destroy(&r->w);
    prover_close(&r->prover);
    circuit_free(r->circuit);
    backend_close(&r->backend);
    vanilla_job_free(r->job);
    pool_destroy(r->pool);
}

struct filling {
    struct ready *ready;
    cuzk_status status;
    cuzk_error *err;
};

static void fill_once(void *context)
{
    struct filling *f = context;
    if (f->status == CUZK_OK) {
        f->status = circuit_fill(&f->ready->w, &f->ready->job->inputs[0], f->ready->pool, f->err);
    }
}

static cuzk_status measure_filling(struct ready *r, const struct bench_options *o, cuzk_error *err)
{
    struct filling f = { .ready = r, .err = err };
    char name[64];
    snprintf(name, sizeof name, "witness %s", r->entry->id);
    cuzk_status status = circuit_compile(&r->circuit, r->job->kind, r->job->shape, err);
    if (status == CUZK_OK) status = witness_create(&r->w, r->circuit, err);
    if (status != CUZK_OK) return status;
    bench_measure(o, &(struct bench_task){ .name = name, .device = "cpu", .size = r->circuit->aux,
                                           .threads = pool_threads(r->pool), .work = r->circuit->aux,
                                           .body = fill_once, .context = &f });
    return f.status;
}

cuzk_status bench_witness(const struct bench_options *o, cuzk_error *err)
{
    struct ready r = { 0 };
    cuzk_status status = get_ready(&r, o, err);
    if (status == CUZK_OK && o->style != STYLE_NONE) status = bench_styles(o, &r.job->inputs[0], err);
    else if (status == CUZK_OK) status = measure_filling(&r, o, err);
    release(&r);
    return status;
}

static cuzk_status verify_once(const struct ready *r, const struct proof *proof, cuzk_error *err)
{
    struct public_values claims;
    cuzk_status status = public_values_create(&claims, &r->job->statement, r->job->first_partition, 1, err);
    if (status == CUZK_OK) status = proofs_verify(&r->prover.verifier, &claims, proof, r->pool, err);
    public_values_release(&claims);
    return status;
}

static cuzk_status measure_proofs(struct ready *r, const struct bench_options *o, cuzk_error *err)
{
    static const char *const names[STAGES] = { "prove: witness", "prove: evaluate", "prove: quotient", "prove: msm h",
                                               "prove: sums l",  "prove: sums a",   "prove: sums b_g1",
                                               "prove: sums b_g2", "prove: total" };
    double *seconds = calloc((size_t)STAGES * o->repeat, sizeof *seconds);
    if (!seconds) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    cuzk_status status = CUZK_OK;
    for (unsigned i = 0; i <= o->repeat && status == CUZK_OK; i++) { /* run 0 warms up */
        struct partition_timings t = { 0 };
        struct proof_randomness random = { FR_ZERO, FR_ZERO };
        struct proof proof;
        uint64_t start = clock_now();
        status = prover_partition(&proof, &r->prover, &r->w, &r->job->inputs[0], &random, &t, err);
        uint64_t total = clock_now() - start;
        if (status == CUZK_OK && i == 0) {
            status = verify_once(r, &proof, err);
        }
        const uint64_t stage[STAGES] = { t.witness,    t.backend.evaluate, t.backend.quotient,
                                         t.backend.h,  t.backend.l,        t.backend.a,
                                         t.backend.b_g1, t.backend.b_g2,   total };
        for (int s = 0; s < STAGES && i > 0; s++) {
            seconds[(size_t)s * o->repeat + i - 1] = 1e-9 * (double)stage[s];
        }
    }
    for (int s = 0; s < STAGES && status == CUZK_OK; s++) {
        bench_report(o, names[s], r->backend.ops->name, r->prover.circuit->rows, pool_threads(r->pool), 0,
                     seconds + (size_t)s * o->repeat, o->repeat);
    }
    free(seconds);
    return status;
}

static cuzk_status open_prover(struct ready *r, const struct bench_options *o, cuzk_error *err)
{
    struct toxic toxic;
    uint64_t start = clock_now();
    if (!o->resident) return prover_open(&r->prover, r->entry, params_folder(&o->device), &r->backend, r->pool, err);
    cuzk_status status = toxic_from_insecure_seed(&toxic, "cuzk bench", err);
    if (status == CUZK_OK) {
        status = prover_open_generated(&r->prover, r->entry, &toxic, &r->backend, r->pool, NULL, err);
    }
    if (status != CUZK_OK) return status;
    double seconds = 1e-9 * (double)(clock_now() - start);
    bench_report(o, "circuit and parameters", r->backend.ops->name, r->prover.circuit->rows, pool_threads(r->pool), 0,
                 &seconds, 1);
    return CUZK_OK;
}

cuzk_status bench_prove(const struct bench_options *o, cuzk_error *err)
{
    struct ready r = { 0 };
    cuzk_status status = get_ready(&r, o, err);
    if (status == CUZK_OK) status = device_open(&r.backend, &o->device, r.pool, err);
    if (status == CUZK_OK) status = open_prover(&r, o, err);
    if (status == CUZK_OK) status = backend_witness_create(&r.w, &r.backend, r.prover.circuit, err);
    if (status == CUZK_OK) status = measure_proofs(&r, o, err);
    release(&r);
    return status;
}
