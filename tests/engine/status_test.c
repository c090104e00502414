/* What can be seen from outside. */
#include "engine/stub.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void status__shows_queues_devices_and_partitions(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    s.hold_prove = true;
    struct engine_config config;
    stub_config(&config);
    config.threads = 1; /* so that the first job is filled first */
    struct engine *e = stub_engine(&s, &config);
    char name[3] = "j0";
    for (int i = 0; i < 9; i++, name[1]++) free(stub_submit(e, PROOF_POREP, name, name, 0));
    stub_wait_proving(&s, 1);
    struct engine_status *status;
    assert_int_equal(engine_status(e, &status, NULL), CUZK_OK);
    assert_int_equal(status->device_count, 1);
    assert_string_equal(status->devices[0].name, "stub 0");
    assert_string_equal(status->devices[0].kind, "porep-c2");
    assert_int_equal(status->devices[0].job_id.size, 2);
    assert_memory_equal(status->devices[0].job_id.data, "j0", 2);
    assert_int_equal(status->lane_count, 1);
    assert_true(status->lanes[0].busy);
    assert_string_equal(status->queues[0].kind, "porep-c2");
    assert_int_equal(status->queues[0].pending + status->queues[0].in_progress, 9);
    assert_true(status->queues[0].in_progress >= 1);
    assert_int_equal(status->queue_depth, status->queues[0].pending);
    assert_int_equal(status->job_count, 9);
    const struct status_job *j = &status->jobs[0];
    assert_int_equal(j->state, JOB_PROVING);
    assert_string_equal(j->circuit_id, "porep-2k");
    assert_int_equal(j->partition_count, 10);
    assert_int_equal(j->partitions[0].state, PARTITION_PROVING);
    assert_true(j->partitions[0].fill_end >= j->partitions[0].fill_begin);
    assert_true(j->partitions[0].prove_begin >= j->partitions[0].fill_end);
    assert_int_equal(j->partitions[0].prove_end, 0);
    assert_int_equal(j->partitions[9].state, PARTITION_PENDING);
    assert_int_equal(j->partitions[9].fill_begin, 0);
    assert_int_equal(status->provers_active, 1);
    assert_true(status->budget_used > 1000000);
    engine_status_free(status);
    stub_step(&s, 1000);
    outcome_free(stub_await(e, "j8"));
    assert_int_equal(engine_status(e, &status, NULL), CUZK_OK);
    assert_int_equal(status->completed, 9);
    assert_int_equal(status->completed_by_kind[0], 9);
    assert_int_equal(status->queues[0].pending, 0);
    assert_int_equal(status->jobs[0].state, JOB_COMPLETED);
    assert_int_equal(status->jobs[0].partitions_done, 10);
    engine_status_free(status);
    engine_destroy(e);
    stub_destroy(&s);
}

static void metrics__count_and_time_each_kind(void **state)
{
    (void)state;
    struct stub s;
    struct engine_metrics m;
    stub_create(&s);
    struct engine *e = stub_engine(&s, NULL);
    for (int i = 0; i < 3; i++) {
        char id[2] = { (char)('a' + i), 0 };
        outcome_free(stub_prove(e, PROOF_WINNING, id, id));
    }
    outcome_free(stub_prove(e, PROOF_WINNING, "a", "a")); /* joined */
    engine_inject_fault(e, PROOF_UPDATE, 1, 2);
    outcome_free(stub_prove(e, PROOF_UPDATE, "u", "u"));
    do engine_metrics(e, &m); /* a load ends a little after its first proof may begin */
    while (m.srs_loads < 2);
    const struct kind_metrics *winning = &m.kind[PROOF_WINNING - 1], *update = &m.kind[PROOF_UPDATE - 1];
    assert_int_equal(winning->submitted, 3);
    assert_int_equal(winning->joined, 1);
    assert_int_equal(winning->completed, 3);
    assert_int_equal(winning->duration.total, 3);
    double sum = 0;
    for (int p = 0; p < PHASES; p++) {
        assert_int_equal(winning->phase[p].total, 3);
        sum += winning->phase[p].sum;
    }
    assert_true(sum > winning->duration.sum - 1e-6 && sum < winning->duration.sum + 1e-6);
    assert_int_equal(update->failed, 1);
    assert_int_equal(update->duration.total, 0); /* of completed jobs only */
    assert_int_equal(m.selfcheck_failures, 2);
    assert_int_equal(m.device[0].partitions, 3 + 5);
    assert_int_equal(m.srs_loads, 2);
    assert_string_equal(kind_label(0), "porep_c2");
    assert_null(kind_label(4));
    engine_destroy(e);
    stub_destroy(&s);
}

static void readiness__gives_reasons(void **state)
{
    (void)state;
    struct stub s;
    struct engine_readiness ready;
    struct engine_config config;
    stub_create(&s);
    struct engine *e = stub_engine(&s, NULL);
    engine_readiness(e, &ready);
    assert_true(ready.ready);
    engine_drain(e, 0);
    engine_readiness(e, &ready);
    assert_false(ready.ready);
    assert_string_equal(ready.reason[0], "shutting down");
    engine_destroy(e);
    static const char *const ids[] = { "porep-64g" };
    stub_config(&config);
    config.preload = ids;
    config.preload_count = 1;
    e = stub_engine(&s, &config);
    engine_readiness(e, &ready);
    assert_false(ready.ready);
    assert_string_equal(ready.reason[0], "porep-64g: porep-64g.params: no such file");
    engine_destroy(e);
    stub_destroy(&s);
}

/* Asks for status and metrics without pause while jobs run. */
struct asker {
    struct engine *engine;
    bool stop;
    unsigned answers;
};

static void *ask(void *context)
{
    struct asker *a = context;
    while (!__atomic_load_n(&a->stop, __ATOMIC_ACQUIRE)) {
        struct engine_status *status;
        struct engine_metrics m;
        if (engine_status(a->engine, &status, NULL) == CUZK_OK) engine_status_free(status);
        engine_metrics(a->engine, &m);
        __atomic_fetch_add(&a->answers, 1, __ATOMIC_RELAXED);
    }
    return NULL;
}

static void status__answers_under_load(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    struct engine *e = stub_engine(&s, NULL);
    struct asker a = { .engine = e };
    pthread_t thread;
    pthread_create(&thread, NULL, ask, &a);
    char name[4] = "j00";
    for (int i = 0; i < 100; i++) {
        name[1] = (char)('0' + i / 10);
        name[2] = (char)('0' + i % 10);
        free(stub_submit(e, (enum proof_kind)(1 + i % 4), name, name, 0));
    }
    engine_drain(e, 0); /* whatever state they are in */
    for (int i = 0; i < 100; i++) {
        name[1] = (char)('0' + i / 10);
        name[2] = (char)('0' + i % 10);
        outcome_free(stub_await(e, name));
    }
    uint64_t until = clock_now() + 30 * CLOCK_SECOND;
    while (__atomic_load_n(&a.answers, __ATOMIC_RELAXED) == 0 && clock_now() < until) usleep(1000);
    __atomic_store_n(&a.stop, true, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
    assert_true(clock_now() < until);
    assert_true(a.answers > 0);
    engine_destroy(e);
    stub_destroy(&s);
}

static void timings__leave_nothing_unaccounted(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    s.devices = 2;
    struct engine *e = stub_engine(&s, NULL);
    for (int i = 0; i < 50; i++) {
        char id[3] = { 'a', (char)('0' + i), 0 };
        uint64_t begin = clock_now();
        struct outcome *o = stub_prove(e, (enum proof_kind)(1 + i % 4), id, id);
        uint64_t wall = clock_now() - begin, sum = 0;
        for (int p = 0; p < PHASES; p++) sum += o->timings.phase[p];
        assert_int_equal(sum, o->timings.total);
        assert_true(o->timings.total <= wall);
        outcome_free(o);
    }
    engine_destroy(e);
    stub_destroy(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(status__shows_queues_devices_and_partitions),
        test(metrics__count_and_time_each_kind),
        test(readiness__gives_reasons),
        test(status__answers_under_load),
        test(timings__leave_nothing_unaccounted),
    };
    return run_tests(tests);
}
