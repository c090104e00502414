/* Wrong proofs, failing and lost devices. */
#include "engine/stub.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void one_fault__is_proved_again(void **state)
{
    (void)state;
    struct stub s;
    struct engine_metrics m;
    stub_create(&s);
    struct engine *e = stub_engine(&s, NULL);
    engine_inject_fault(e, PROOF_POREP, 7, 1);
    struct outcome *o = stub_prove(e, PROOF_POREP, "id", "x");
    assert_stub_proof(o, "x", 10);
    outcome_free(o);
    engine_metrics(e, &m);
    assert_int_equal(m.selfcheck_failures, 1);
    assert_int_equal(m.retries, 1);
    assert_int_equal(m.device[0].selfcheck_failures, 1);
    assert_int_equal(s.proved_count, 11);
    assert_int_equal(s.proved[10].partition, 7);
    engine_destroy(e);
    stub_destroy(&s);
}

static void two_faults__fail_the_job_and_name_the_partition(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    struct engine *e = stub_engine(&s, NULL);
    for (int kind = PROOF_POREP; kind <= PROOF_WINNING; kind++) {
        uint32_t partition = kind == PROOF_POREP ? 3 : 0;
        engine_inject_fault(e, (enum proof_kind)kind, partition, 2);
        struct outcome *o = stub_prove(e, (enum proof_kind)kind, "id", "x");
        assert_int_equal(o->state, JOB_FAILED);
        assert_non_null(strstr(o->error, partition ? "partition 3:" : "partition 0:"));
        assert_int_equal(o->proof.size, 0);
        outcome_free(o);
        o = stub_prove(e, (enum proof_kind)kind, "next", "y"); /* the next one is fine */
        assert_stub_proof(o, "y", s.partitions[kind]);
        outcome_free(o);
    }
    engine_destroy(e);
    stub_destroy(&s);
}

static void wrong_proof__is_retried_on_another_device(void **state)
{
    (void)state;
    struct stub s;
    struct engine_metrics m;
    stub_create(&s);
    s.devices = 2;
    s.bad_devices = 1;
    struct engine *e = stub_engine(&s, NULL);
    struct outcome *o = stub_prove(e, PROOF_POREP, "id", "x");
    assert_stub_proof(o, "x", 10);
    outcome_free(o);
    engine_metrics(e, &m);
    assert_int_equal(m.device[1].selfcheck_failures, 0);
    assert_int_equal(m.device[0].selfcheck_failures, m.selfcheck_failures);
    engine_destroy(e);
    stub_destroy(&s);
}

static void failing_proof__is_tried_twice(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    s.prove_fails = CUZK_ERR_RESOURCE;
    s.prove_fail_count = 1;
    struct engine *e = stub_engine(&s, NULL);
    struct outcome *o = stub_prove(e, PROOF_WINNING, "id", "x");
    assert_stub_proof(o, "x", 1);
    assert_int_equal(s.fills, 1); /* the witness was still good */
    outcome_free(o);
    engine_destroy(e);
    stub_destroy(&s);
}

static void lost_device__leaves_its_partitions_to_others(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    s.devices = 2;
    s.hold_prove = true;
    struct engine *e = stub_engine(&s, NULL);
    char *id = stub_submit(e, PROOF_POREP, "id", "x", 0);
    stub_wait_proving(&s, 2);
    stub_lock(&s);
    s.sick[1] = true; /* in the middle of a partition */
    s.hold_prove = false;
    stub_unlock(&s);
    struct outcome *o = stub_await(e, id);
    assert_stub_proof(o, "x", 10);
    outcome_free(o);
    free(id);
    engine_destroy(e);
    stub_destroy(&s);
}

/* Waits until the engine sees this many healthy devices. */
static void wait_healthy(struct engine *e, unsigned n)
{
    uint64_t until = clock_now() + 30 * CLOCK_SECOND;
    while (clock_now() < until) {
        struct engine_metrics m;
        unsigned healthy = 0;
        engine_metrics(e, &m);
        for (size_t d = 0; d < m.device_count; d++) healthy += m.device[d].healthy;
        if (healthy == n) return;
        usleep(1000);
    }
    fail_msg("never %u healthy devices", n);
}

static void no_device__fails_jobs_until_one_is_back(void **state)
{
    (void)state;
    struct stub s;
    struct engine_readiness ready;
    stub_create(&s);
    struct engine_config config;
    stub_config(&config);
    config.device_recovery_ms = 50;
    struct engine *e = stub_engine(&s, &config);
    stub_lock(&s);
    s.sick[0] = true;
    stub_unlock(&s);
    struct outcome *o = stub_prove(e, PROOF_WINNING, "id", "x");
    assert_int_equal(o->state, JOB_FAILED);
    outcome_free(o);
    wait_healthy(e, 0);
    engine_readiness(e, &ready);
    assert_false(ready.ready);
    assert_non_null(strstr(ready.reason[0], "sick"));
    stub_lock(&s);
    s.sick[0] = false;
    stub_unlock(&s);
    wait_healthy(e, 1);
    o = stub_prove(e, PROOF_WINNING, "id", "x");
    assert_stub_proof(o, "x", 1);
    outcome_free(o);
    engine_destroy(e);
    stub_destroy(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(one_fault__is_proved_again),
        test(two_faults__fail_the_job_and_name_the_partition),
        test(wrong_proof__is_retried_on_another_device),
        test(failing_proof__is_tried_twice),
        test(lost_device__leaves_its_partitions_to_others),
        test(no_device__fails_jobs_until_one_is_back),
    };
    return run_tests(tests);
}
