/* Nothing is freed on the way from a request to its answer: not between the result and the reply of any proof, and in
 * the steady state (from the second proof on) nowhere. For the direct prover and for a job of the engine, over the
 * circuits named on the command line. */
#include "backend/cpu/cpu.h"
#include "backend/prover.h"
#include "base/clock.h"
#include "engine/engine.h"
#include "engine/snapshot.h"
#include "path/frees.h"
#include "path/sealed_request.h"
#include "test.h"
#include "vanilla/job.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *const *circuits;

static void must(cuzk_status status, const cuzk_error *err)
{
    if (status != CUZK_OK) fail_msg("%s: %s", cuzk_status_text(status), err->detail);
}

static void print(const char *circuit, const char *what, const struct frees_report *r)
{
    print_message("%s, %s: %u munmap, %u madvise, %u large frees, %zu bytes; after the result %u\n", circuit, what,
                  r->all.munmaps, r->all.madvises, r->all.large, r->all.bytes, frees_count(&r->after_result));
}

/* ---- the direct prover ---- */

struct direct {
    struct pool *pool;
    struct backend backend;
    struct prover prover;
    struct sealed_request request;
    struct vanilla_job *job;
    struct witness witness;
};

static void direct_open(struct direct *d, const char *circuit)
{
    cuzk_error err = { "" };
    memset(d, 0, sizeof *d);
    must(pool_create(&d->pool, 2, &err), &err);
    must(cpu_backend_open(&d->backend, d->pool, &err), &err);
    must(prover_open(&d->prover, catalogue_by_id(circuit), CUZK_TEST_PARAMS, &d->backend, d->pool, &err), &err);
    must(witness_create(&d->witness, d->prover.circuit, &err), &err);
    sealed_request_open(&d->request, circuit);
    must(vanilla_parse(&d->job, &d->request.request, &err), &err);
}

static void direct_close(struct direct *d)
{
    vanilla_job_free(d->job);
    sealed_request_close(&d->request);
    witness_destroy(&d->witness);
    prover_close(&d->prover);
    backend_close(&d->backend);
    pool_destroy(d->pool);
}

/* From typed inputs to a verified proof. */
static struct frees_report direct_prove(struct direct *d)
{
    struct proof proof;
    struct proof_randomness random;
    struct partition_timings timings = { 0 };
    cuzk_error err = { "" };
    struct public_values claims;
    must(proof_randomness_draw(&random, &err), &err);
    must(public_values_create(&claims, &d->job->statement, d->job->first_partition, 1, &err), &err);
    frees_begin();
    cuzk_status status =
        prover_partition(&proof, &d->prover, &d->witness, &d->job->inputs[0], &random, &timings, &err);
    if (status == CUZK_OK) {
        status = proofs_verify(&d->prover.verifier, &claims, &proof, d->pool, &err);
    }
    struct frees_report r = frees_end();
    public_values_release(&claims);
    must(status, &err);
    assert_int_equal(r.results, 1);
    return r;
}

static void direct_prover__frees_nothing(void **state)
{
    (void)state;
    for (char *const *c = circuits; *c; c++) {
        struct direct d;
        direct_open(&d, *c);
        struct frees_report r = direct_prove(&d);
        print(*c, "direct, first proof", &r);
        assert_int_equal(frees_count(&r.after_result), 0);
        r = direct_prove(&d);
        print(*c, "direct, second proof", &r);
        assert_int_equal(frees_count(&r.all), 0);
        direct_close(&d);
    }
}

/* ---- a job of the engine ---- */

struct answer {
    pthread_mutex_t lock;
    pthread_cond_t come;
    struct frees_report frees;
    bool here;
    enum job_state state;
    char error[256];
};

static void on_answer(void *context, const struct outcome *o)
{
    struct answer *a = context;
    a->frees = frees_end(); /* the reply */
    pthread_mutex_lock(&a->lock);
    a->state = o->state;
    snprintf(a->error, sizeof a->error, "%s", o->error);
    a->here = true;
    pthread_cond_signal(&a->come);
    pthread_mutex_unlock(&a->lock);
}

static struct frees_report engine_job(struct engine *e, const struct sealed_request *r, const char *id)
{
    struct answer a = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, { { 0 }, { 0 }, 0 }, false, 0, "" };
    struct submission s = { .request = &r->request };
    struct request request = r->request;
    cuzk_error err = { "" };
    request.request_id = (struct bytes){ (const uint8_t *)id, strlen(id) };
    s.request = &request;
    frees_begin();
    must(engine_prove(e, NULL, NULL, &s, on_answer, &a, &err), &err);
    pthread_mutex_lock(&a.lock);
    while (!a.here) pthread_cond_wait(&a.come, &a.lock);
    pthread_mutex_unlock(&a.lock);
    if (a.state != JOB_COMPLETED) fail_msg("%s: %s", job_state_name(a.state), a.error);
    assert_int_equal(a.frees.results, 1);
    return a.frees;
}

static struct engine *engine_open(void)
{
    struct engine_config config;
    struct engine *e;
    cuzk_error err = { "" };
    engine_config_default(&config);
    config.param_cache = CUZK_TEST_PARAMS;
    config.allow_test_parameters = true;
    config.total_budget = UINT64_C(4) << 30;
    config.threads = 2;
    must(engine_create(&e, &config, &err), &err);
    return e;
}

static void engine_job__frees_nothing(void **state)
{
    (void)state;
    struct engine *e = engine_open();
    for (char *const *c = circuits; *c; c++) {
        struct sealed_request request;
        bool already;
        uint64_t ms;
        cuzk_error err = { "" };
        sealed_request_open(&request, *c);
        must(engine_preload(e, &already, &ms, *c, 0, &err), &err); /* a load is not a proof's work */
        struct frees_report r = engine_job(e, &request, "first");
        print(*c, "engine, first job", &r);
        assert_int_equal(frees_count(&r.after_result), 0);
        r = engine_job(e, &request, "second");
        print(*c, "engine, second job", &r);
        assert_int_equal(frees_count(&r.all), 0);
        sealed_request_close(&request);
    }
    engine_destroy(e);
}

/* ---- that the tests above can fail ---- */

static void injected_frees__are_seen(void **state)
{
    (void)state;
    struct direct d;
    struct engine *e = engine_open();
    direct_open(&d, circuits[0]);
    (void)direct_prove(&d);
    (void)engine_job(e, &d.request, "first");
    for (enum frees_fault fault = FAULT_FREE; fault <= FAULT_MADVISE; fault++) {
        char id[16];
        snprintf(id, sizeof id, "fault %d", (int)fault);
        frees_inject(fault);
        struct frees_report direct = direct_prove(&d), job = engine_job(e, &d.request, id);
        frees_inject(FAULT_NONE);
        assert_int_equal(frees_count(&direct.after_result), 1);
        assert_int_equal(frees_count(&direct.all), 1);
        assert_int_equal(frees_count(&job.after_result), 1);
        assert_int_equal(frees_count(&job.all), 1);
        assert_int_equal(job.all.large, fault == FAULT_FREE);
        assert_int_equal(job.all.munmaps, fault == FAULT_MUNMAP);
        assert_int_equal(job.all.madvises, fault == FAULT_MADVISE);
    }
    direct_close(&d);
    engine_destroy(e);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        test(direct_prover__frees_nothing),
        test(engine_job__frees_nothing),
        test(injected_frees__are_seen),
    };
    circuits = argv + 1;
    if (argc < 2) return 2;
    return run_tests(tests);
}
