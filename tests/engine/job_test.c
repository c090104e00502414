/* Identity: which submissions are one job, and what each caller gets. */
#include "engine/stub.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

static void prove__gives_a_verified_proof_of_every_kind(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    struct engine *e = stub_engine(&s, NULL);
    static const size_t partitions[] = { 0, 10, 4, 1, 1 };
    for (int kind = PROOF_POREP; kind <= PROOF_WINNING; kind++) {
        struct outcome *o = stub_prove(e, (enum proof_kind)kind, "id", "name");
        assert_stub_proof(o, "name", partitions[kind]);
        uint64_t sum = 0;
        for (int p = 0; p < PHASES; p++) sum += o->timings.phase[p];
        assert_int_equal(sum, o->timings.total);
        outcome_free(o);
    }
    engine_destroy(e);
    assert_int_equal(s.verifies, 4);
    assert_int_equal(s.parses, s.forgets);
    assert_int_equal(s.loads, s.unloads);
    assert_int_equal(s.attaches, s.detaches);
    assert_int_equal(s.witnesses, 0);
    assert_int_equal(stub_payloads_alive(), 0);
    assert_true(s.closed);
    stub_destroy(&s);
}

static void same_request__joins_the_running_job(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    s.hold_prove = true;
    struct engine *e = stub_engine(&s, NULL);
    char *a = stub_submit(e, PROOF_WINNING, "id", "x", 0);
    char *b = stub_submit(e, PROOF_WINNING, "id", "x", 0);
    assert_string_equal(a, "id");
    assert_string_equal(b, "id");
    stub_step(&s, 100);
    struct outcome *o = stub_await(e, a), *p = stub_await(e, b);
    assert_stub_proof(o, "x", 1);
    assert_stub_proof(p, "x", 1);
    assert_int_equal(s.proved_count, 1);
    outcome_free(o);
    outcome_free(p);
    free(b);
    b = stub_submit(e, PROOF_WINNING, "id", "x", 0); /* completed: joined as well */
    p = stub_await(e, b);
    assert_stub_proof(p, "x", 1);
    assert_int_equal(s.proved_count, 1);
    outcome_free(p);
    free(a);
    free(b);
    engine_destroy(e);
    stub_destroy(&s);
    assert_int_equal(stub_payloads_alive(), 0);
}

static void other_payload__is_another_job(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    s.hold_prove = true;
    struct engine *e = stub_engine(&s, NULL);
    char *a = stub_submit(e, PROOF_WINDOW, "wdpost-1000-0-[1 2 3]", "one", 0);
    char *b = stub_submit(e, PROOF_WINDOW, "wdpost-1000-0-[1 2 3]", "two", 0);
    assert_string_equal(a, "wdpost-1000-0-[1 2 3]");
    assert_int_equal(strlen(b), strlen(a) + 9);
    assert_memory_equal(b, a, strlen(a));
    assert_int_equal(b[strlen(a)], '#');
    stub_step(&s, 100);
    struct outcome *o = stub_await(e, a), *p = stub_await(e, b);
    assert_stub_proof(o, "one", 1);
    assert_stub_proof(p, "two", 1);
    assert_int_equal(p->request_id.size, strlen(a));
    outcome_free(o);
    outcome_free(p);
    free(a);
    free(b);
    engine_destroy(e);
    stub_destroy(&s);
}

/* What engine_prove's callback was told. */
struct told {
    pthread_mutex_t lock;
    pthread_cond_t cond;
    struct outcome *outcome;
};

static void tell(void *context, const struct outcome *o)
{
    struct told *t = context;
    pthread_mutex_lock(&t->lock);
    t->outcome = outcome_copy(o);
    pthread_cond_signal(&t->cond);
    pthread_mutex_unlock(&t->lock);
}

static struct outcome *wait_told(struct told *t)
{
    pthread_mutex_lock(&t->lock);
    while (!t->outcome) pthread_cond_wait(&t->cond, &t->lock);
    pthread_mutex_unlock(&t->lock);
    return t->outcome;
}

#define TOLD                                                                                                         \
    {                                                                                                                \
        PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL                                                    \
    }

static void overlapping_proves__get_their_own_proofs(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    s.hold_prove = true;
    struct engine *e = stub_engine(&s, NULL);
    enum { CALLS = 6 };
    static const char *const names[CALLS] = { "a", "b", "a", "c", "b", "a" };
    struct told told[CALLS];
    for (int i = 0; i < CALLS; i++) {
        struct stub_request r;
        waiter_id waiter;
        told[i] = (struct told)TOLD;
        stub_request(&r, PROOF_WINDOW, "same", names[i], 0);
        assert_int_equal(engine_prove(e, NULL, &waiter, &r.submission, tell, &told[i], NULL), CUZK_OK);
        assert_true(waiter != 0);
    }
    stub_step(&s, 100);
    for (int i = 0; i < CALLS; i++) {
        struct outcome *o = wait_told(&told[i]);
        assert_stub_proof(o, names[i], 1);
        outcome_free(o);
    }
    assert_int_equal(s.proved_count, 3);
    engine_destroy(e);
    stub_destroy(&s);
}

static void failed_job__starts_anew(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    s.prove_fails = CUZK_ERR_INTERNAL;
    s.prove_fail_count = 2; /* both attempts */
    struct engine *e = stub_engine(&s, NULL);
    struct outcome *o = stub_prove(e, PROOF_WINNING, "id", "x");
    assert_int_equal(o->state, JOB_FAILED);
    assert_non_null(strstr(o->error, "partition 0"));
    assert_non_null(strstr(o->error, "made to fail"));
    outcome_free(o);
    o = stub_prove(e, PROOF_WINNING, "id", "x");
    assert_stub_proof(o, "x", 1);
    assert_int_equal(o->job_id.size, 2); /* the failed job gave its id away */
    outcome_free(o);
    engine_destroy(e);
    stub_destroy(&s);
}

static void completed_job__keeps_its_id(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    struct engine *e = stub_engine(&s, NULL);
    struct outcome *o = stub_prove(e, PROOF_WINNING, "id", "one");
    outcome_free(o);
    o = stub_prove(e, PROOF_WINNING, "id", "two");
    assert_stub_proof(o, "two", 1);
    assert_int_equal(o->job_id.size, 2 + 9);
    outcome_free(o);
    o = stub_await(e, "id");
    assert_stub_proof(o, "one", 1);
    outcome_free(o);
    engine_destroy(e);
    stub_destroy(&s);
}

static void empty_id__becomes_a_uuid(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    struct engine *e = stub_engine(&s, NULL);
    char *a = stub_submit(e, PROOF_WINNING, "", "x", 0), *b = stub_submit(e, PROOF_WINNING, "", "x", 0);
    assert_int_equal(strlen(a), 36);
    assert_int_equal(a[14], '4');
    assert_string_not_equal(a, b);
    struct outcome *o = stub_await(e, b);
    assert_stub_proof(o, "x", 1);
    outcome_free(o);
    free(a);
    free(b);
    engine_destroy(e);
    stub_destroy(&s);
}

static void ids__may_be_any_bytes(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    struct engine *e = stub_engine(&s, NULL);
    static uint8_t large[1 << 16];
    for (size_t i = 0; i < sizeof large; i++) large[i] = (uint8_t)(i * 7); /* NULs and no UTF-8 among them */
    struct stub_request r;
    struct accepted accepted;
    stub_request(&r, PROOF_WINNING, "", "x", 0);
    r.request.request_id = (struct bytes){ large, sizeof large };
    assert_int_equal(engine_submit(e, &accepted, &r.submission, NULL), CUZK_OK);
    assert_int_equal(accepted.job_id_size, sizeof large);
    assert_memory_equal(accepted.job_id, large, sizeof large);
    struct outcome *o;
    struct bytes id = { (uint8_t *)accepted.job_id, accepted.job_id_size };
    assert_int_equal(engine_await(e, &o, id, 30000, NULL), CUZK_OK);
    assert_stub_proof(o, "x", 1);
    outcome_free(o);
    id.size--;
    assert_int_equal(engine_await(e, &o, id, 1, NULL), CUZK_ERR_MISSING);
    free(accepted.job_id);
    engine_destroy(e);
    stub_destroy(&s);
}

static void bad_requests__are_answered_by_kind(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    struct engine *e = stub_engine(&s, NULL);
    struct stub_request r;
    struct accepted accepted;
    cuzk_error err = { "" };
    for (int kind = 0; kind <= 5; kind += 5) {
        stub_request(&r, (enum proof_kind)kind, "id", "x", 0);
        assert_int_equal(engine_submit(e, &accepted, &r.submission, &err), CUZK_ERR_USAGE);
        assert_null(accepted.job_id);
    }
    stub_request(&r, PROOF_WINNING, "plan", "x", 0); /* no circuit for it: the job fails, the call does not */
    r.request.registered_proof = 99;
    assert_int_equal(engine_submit(e, &accepted, &r.submission, &err), CUZK_OK);
    free(accepted.job_id);
    struct outcome *o = stub_await(e, "plan");
    assert_int_equal(o->state, JOB_FAILED);
    assert_string_equal(o->error, "registered_proof: 99 is unknown");
    outcome_free(o);
    stub_request(&r, PROOF_POREP, "payload", "x", 0);
    r.request.vanilla_proof = text_bytes("bad");
    assert_int_equal(engine_submit(e, &accepted, &r.submission, &err), CUZK_OK);
    free(accepted.job_id);
    o = stub_await(e, "payload");
    assert_int_equal(o->state, JOB_FAILED);
    assert_string_equal(o->error, "vanilla_proof: bad");
    outcome_free(o);
    engine_destroy(e);
    assert_int_equal(stub_payloads_alive(), 0);
    stub_destroy(&s);
}

static void await__times_out_and_knows_its_jobs(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    s.hold_prove = true;
    struct engine *e = stub_engine(&s, NULL);
    char *id = stub_submit(e, PROOF_WINNING, "id", "x", 0);
    struct outcome *o;
    assert_int_equal(engine_await(e, &o, text_bytes("nobody"), 10, NULL), CUZK_ERR_MISSING);
    assert_int_equal(engine_await(e, &o, text_bytes(id), 20, NULL), CUZK_OK);
    assert_false(job_state_is_final(o->state));
    assert_int_equal(o->proof.size, 0);
    outcome_free(o);
    stub_step(&s, 1);
    assert_int_equal(engine_await(e, &o, text_bytes(id), 0, NULL), CUZK_OK); /* no limit */
    assert_stub_proof(o, "x", 1);
    outcome_free(o);
    free(id);
    engine_destroy(e);
    stub_destroy(&s);
}

static void retention__forgets_results(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    struct engine_config config;
    stub_config(&config);
    config.retention_ms = 0;
    struct engine *e = stub_engine(&s, &config);
    char *id = stub_submit(e, PROOF_WINNING, "id", "x", 0);
    struct outcome *o = NULL;
    cuzk_status status = CUZK_OK;
    uint64_t until = clock_now() + 30 * CLOCK_SECOND;
    while (status == CUZK_OK && clock_now() < until) {
        status = engine_await(e, &o, text_bytes(id), 0, NULL);
        outcome_free(o);
    }
    assert_int_equal(status, CUZK_ERR_MISSING);
    free(id);
    engine_destroy(e);
    stub_destroy(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(prove__gives_a_verified_proof_of_every_kind),
        test(same_request__joins_the_running_job),
        test(other_payload__is_another_job),
        test(overlapping_proves__get_their_own_proofs),
        test(failed_job__starts_anew),
        test(completed_job__keeps_its_id),
        test(empty_id__becomes_a_uuid),
        test(ids__may_be_any_bytes),
        test(bad_requests__are_answered_by_kind),
        test(await__times_out_and_knows_its_jobs),
        test(retention__forgets_results),
    };
    return run_tests(tests);
}
