/* Jobs that nobody wants any more, and the end of the engine. */
#include "engine/stub.h"

#include "base/clock.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void cancel__ends_a_queued_and_a_running_job(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    s.hold_prove = true;
    struct engine *e = stub_engine(&s, NULL);
    char *ids[10];
    char name[3] = "j0";
    for (int i = 0; i < 10; i++, name[1]++) ids[i] = stub_submit(e, PROOF_POREP, name, name, 0);
    stub_wait_proving(&s, 1);
    bool running;
    assert_true(engine_cancel(e, text_bytes("j9"), &running));
    assert_false(running);
    assert_true(engine_cancel(e, text_bytes("j0"), &running));
    assert_true(running);
    struct outcome *o = stub_await(e, "j0"); /* at once, although its partition is still on the device */
    assert_int_equal(o->state, JOB_CANCELLED);
    outcome_free(o);
    assert_false(engine_cancel(e, text_bytes("j0"), &running));
    assert_false(engine_cancel(e, text_bytes("nobody"), &running));
    stub_step(&s, 1000);
    for (int i = 1; i < 9; i++) {
        o = stub_await(e, ids[i]);
        assert_int_equal(o->state, JOB_COMPLETED);
        outcome_free(o);
    }
    assert_in_range(s.proved_count, 80, 81);    /* one of the first may have been on the device */
    o = stub_prove(e, PROOF_POREP, "j0", "j0"); /* anew */
    assert_stub_proof(o, "j0", 10);
    outcome_free(o);
    for (int i = 0; i < 10; i++) free(ids[i]);
    engine_destroy(e);
    assert_int_equal(stub_payloads_alive(), 0);
    stub_destroy(&s);
}

static void ignore(void *context, const struct outcome *o)
{
    (void)o;
    atomic_fetch_add((atomic_int *)context, 1);
}

static enum job_state state_of(struct engine *e, const char *id)
{
    struct outcome *o;
    assert_int_equal(engine_await(e, &o, text_bytes(id), 1, NULL), CUZK_OK);
    enum job_state state = o->state;
    outcome_free(o);
    return state;
}

static waiter_id begin_prove(struct engine *e, const char *id, atomic_int *calls)
{
    struct stub_request r;
    waiter_id waiter;
    stub_request(&r, PROOF_POREP, id, id, 0);
    assert_int_equal(engine_prove(e, NULL, &waiter, &r.submission, ignore, calls, NULL), CUZK_OK);
    return waiter;
}

static void orphan__is_cancelled_after_its_grace(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    s.hold_prove = true;
    struct engine_config config;
    stub_config(&config);
    config.orphan_grace_ms = 50;
    struct engine *e = stub_engine(&s, &config);
    atomic_int calls = 0;
    waiter_id a = begin_prove(e, "left", &calls), b = begin_prove(e, "kept", &calls);
    free(stub_submit(e, PROOF_POREP, "kept", "kept", 0)); /* somebody wants its result later */
    assert_true(engine_leave(e, a));
    assert_false(engine_leave(e, a));
    assert_true(engine_leave(e, b));
    uint64_t until = clock_now() + 30 * CLOCK_SECOND;
    while (state_of(e, "left") != JOB_CANCELLED && clock_now() < until) usleep(1000);
    assert_int_equal(state_of(e, "left"), JOB_CANCELLED);
    usleep(100000);
    assert_false(job_state_is_final(state_of(e, "kept")));
    stub_step(&s, 100);
    struct outcome *o = stub_await(e, "kept");
    assert_stub_proof(o, "kept", 10);
    outcome_free(o);
    assert_int_equal(atomic_load(&calls), 0);
    engine_destroy(e);
    stub_destroy(&s);
}

static void orphan__is_taken_back_by_a_retry(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    s.hold_prove = true;
    struct engine_config config;
    stub_config(&config);
    config.orphan_grace_ms = 300;
    struct engine *e = stub_engine(&s, &config);
    atomic_int calls = 0;
    waiter_id a = begin_prove(e, "id", &calls);
    assert_true(engine_leave(e, a));
    waiter_id b = begin_prove(e, "id", &calls); /* joins what runs */
    usleep(500000);
    stub_step(&s, 100);
    struct outcome *o = stub_await(e, "id");
    assert_stub_proof(o, "id", 10);
    outcome_free(o);
    assert_int_equal(s.proved_count, 10);
    assert_false(engine_leave(e, b));
    engine_destroy(e);
    assert_int_equal(atomic_load(&calls), 1);
    stub_destroy(&s);
}

static void drain__lets_running_jobs_end(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    struct engine *e = stub_engine(&s, NULL);
    char *id = stub_submit(e, PROOF_POREP, "id", "x", 0);
    stub_wait_proved(&s, 1);
    assert_true(engine_drain(e, 60000));
    struct outcome *o = stub_await(e, id);
    assert_stub_proof(o, "x", 10);
    outcome_free(o);
    struct stub_request r;
    struct accepted accepted;
    stub_request(&r, PROOF_POREP, "late", "x", 0);
    assert_int_equal(engine_submit(e, &accepted, &r.submission, NULL), CUZK_ERR_UNAVAILABLE);
    free(id);
    engine_destroy(e);
    assert_int_equal(stub_payloads_alive(), 0);
    stub_destroy(&s);
}

static void *drain_main(void *engine)
{
    bool clean = engine_drain(engine, 600000);
    return clean ? engine : NULL;
}

static void hurry__cuts_a_drain_short(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    s.hold_prove = true;
    struct engine *e = stub_engine(&s, NULL);
    char *id = stub_submit(e, PROOF_POREP, "id", "x", 0);
    stub_wait_proving(&s, 1);
    pthread_t thread;
    void *clean;
    pthread_create(&thread, NULL, drain_main, e);
    engine_hurry(e);
    pthread_join(thread, &clean);
    assert_null(clean);
    struct outcome *o = stub_await(e, id);
    assert_int_equal(o->state, JOB_FAILED);
    assert_non_null(strstr(o->error, "shutting down"));
    outcome_free(o);
    free(id);
    stub_step(&s, 1000);
    engine_destroy(e);
    assert_int_equal(stub_payloads_alive(), 0);
    stub_destroy(&s);
}

static void destroy__ends_what_is_under_way(void **state)
{
    (void)state;
    for (int round = 0; round < 20; round++) {
        struct stub s;
        stub_create(&s);
        struct engine *e = stub_engine(&s, NULL);
        atomic_int calls = 0;
        char name[3] = "a0";
        for (int i = 0; i < 5; i++, name[1]++) begin_prove(e, name, &calls);
        usleep((useconds_t)(round * 100));
        engine_destroy(e);
        assert_int_equal(atomic_load(&calls), 5);
        assert_int_equal(stub_payloads_alive(), 0);
        assert_int_equal(s.witnesses, 0);
        assert_int_equal(s.loads, s.unloads);
        stub_destroy(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(cancel__ends_a_queued_and_a_running_job),
        test(orphan__is_cancelled_after_its_grace),
        test(orphan__is_taken_back_by_a_retry),
        test(drain__lets_running_jobs_end),
        test(hurry__cuts_a_drain_short),
        test(destroy__ends_what_is_under_way),
    };
    return run_tests(tests);
}
