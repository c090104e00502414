/* Who goes when, and where. */
#include "engine/stub.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Waits until a job's first partition is ready for a device. */
static void wait_filled(struct engine *e, const char *id)
{
    uint64_t until = clock_now() + 30 * CLOCK_SECOND;
    while (clock_now() < until) {
        struct engine_status *status;
        bool filled = false;
        assert_int_equal(engine_status(e, &status, NULL), CUZK_OK);
        for (size_t i = 0; i < status->job_count; i++) {
            const struct status_job *j = &status->jobs[i];
            if (j->job_id.size != strlen(id) || memcmp(j->job_id.data, id, j->job_id.size) != 0) continue;
            filled = j->partition_count && j->partitions[0].state == PARTITION_FILLED;
        }
        engine_status_free(status);
        if (filled) return;
        usleep(1000);
    }
    fail_msg("%s was never filled", id);
}

static void await_all(struct engine *e, char **ids, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct outcome *o = stub_await(e, ids[i]);
        if (o->state != JOB_COMPLETED) fail_msg("%s: %s", ids[i], o->error);
        outcome_free(o);
        free(ids[i]);
    }
}

static void critical_job__starts_at_the_next_partition_boundary(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    s.hold_prove = true;
    struct engine *e = stub_engine(&s, NULL);
    char *ids[11], name[24];
    for (int i = 0; i < 10; i++) {
        snprintf(name, sizeof name, "n%d", i);
        ids[i] = stub_submit(e, PROOF_POREP, name, name, PRIORITY_NORMAL);
    }
    stub_wait_proving(&s, 1);
    ids[10] = stub_submit(e, PROOF_WINNING, "critical", "critical", 0);
    wait_filled(e, "critical");
    stub_step(&s, 1); /* the partition that was on the device */
    stub_wait_proved(&s, 1);
    stub_wait_proving(&s, 1);
    stub_step(&s, 1);
    stub_wait_proved(&s, 2);
    assert_int_equal(s.proved[0].name[0], 'n');
    assert_string_equal(s.proved[1].name, "critical");
    stub_step(&s, 1000);
    await_all(e, ids, 11);
    engine_destroy(e);
    stub_destroy(&s);
}

static size_t first_event(const struct stub *s, const char *name)
{
    size_t i = 0;
    while (i < s->proved_count && strcmp(s->proved[i].name, name) != 0) i++;
    return i;
}

static void critical_jobs__do_not_starve_each_other(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    s.hold_prove = true;
    struct engine *e = stub_engine(&s, NULL);
    char *ids[24], name[24];
    size_t n = 0;
    ids[n++] = stub_submit(e, PROOF_POREP, "a", "a", PRIORITY_CRITICAL);
    ids[n++] = stub_submit(e, PROOF_POREP, "b", "b", PRIORITY_CRITICAL);
    stub_wait_proving(&s, 1);
    for (int i = 0; i < 20; i++) { /* an endless stream of later ones of the same rank */
        snprintf(name, sizeof name, "later%d", i);
        ids[n++] = stub_submit(e, PROOF_WINNING, name, name, PRIORITY_CRITICAL);
        stub_step(&s, 1);
        stub_wait_proved(&s, (size_t)i + 1);
    }
    for (size_t i = 0; i < 20; i++) { /* both were done before any of the stream was begun */
        assert_true(strcmp(s.proved[i].name, "a") == 0 || strcmp(s.proved[i].name, "b") == 0);
    }
    stub_step(&s, 1000);
    await_all(e, ids, n);
    engine_destroy(e);
    stub_destroy(&s);
}

static void submit_with_deadline(struct engine *e, const char *name, uint64_t deadline)
{
    struct stub_request r;
    struct accepted accepted;
    stub_request(&r, PROOF_WINNING, name, name, PRIORITY_NORMAL);
    r.submission.deadline = deadline;
    assert_int_equal(engine_submit(e, &accepted, &r.submission, NULL), CUZK_OK);
    free(accepted.job_id);
}

static void earliest_deadline__goes_first_among_equals(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    s.hold_prove = s.hold_load = true;
    struct engine_config config;
    stub_config(&config);
    config.threads = 1; /* a second worker could be quicker with the lesser one */
    struct engine *e = stub_engine(&s, &config);
    uint64_t now = clock_now();
    submit_with_deadline(e, "none", 0);
    submit_with_deadline(e, "late", now + 2000 * CLOCK_SECOND);
    submit_with_deadline(e, "soon", now + 1000 * CLOCK_SECOND);
    char *high = stub_submit(e, PROOF_WINNING, "high", "high", PRIORITY_HIGH);
    stub_lock(&s);
    while (s.parses < 4) { /* all are known and ready to be filled */
        stub_unlock(&s);
        usleep(1000);
        stub_lock(&s);
    }
    s.hold_load = false;
    stub_unlock(&s);
    stub_step(&s, 100);
    stub_wait_proved(&s, 4);
    assert_true(first_event(&s, "high") < first_event(&s, "late"));
    assert_true(first_event(&s, "soon") < first_event(&s, "late"));
    assert_true(first_event(&s, "late") < first_event(&s, "none"));
    free(high);
    engine_destroy(e);
    stub_destroy(&s);
}

static void one_thread__still_makes_progress(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    struct engine_config config;
    stub_config(&config);
    config.threads = 1;
    struct engine *e = stub_engine(&s, &config);
    char *ids[8], name[24];
    for (int i = 0; i < 8; i++) {
        snprintf(name, sizeof name, "j%d", i);
        ids[i] = stub_submit(e, (enum proof_kind)(1 + i % 4), name, name, 0);
    }
    await_all(e, ids, 8);
    engine_destroy(e);
    stub_destroy(&s);
}

static void partitions__spread_over_all_devices(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    s.devices = 3;
    s.hold_prove = true;
    struct engine *e = stub_engine(&s, NULL);
    char *id = stub_submit(e, PROOF_POREP, "id", "x", 0);
    stub_wait_proving(&s, 3); /* of the one job */
    stub_step(&s, 100);
    struct outcome *o = stub_await(e, id);
    assert_stub_proof(o, "x", 10);
    outcome_free(o);
    unsigned seen = 0;
    for (int i = 0; i < 10; i++) seen |= 1u << s.proved[i].device;
    assert_int_equal(seen, 7);
    free(id);
    engine_destroy(e);
    stub_destroy(&s);
}

static void witnesses_in_flight__are_bounded_and_reused(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    struct engine *e = stub_engine(&s, NULL);
    char *ids[10], name[24];
    for (int i = 0; i < 10; i++) {
        snprintf(name, sizeof name, "j%d", i);
        ids[i] = stub_submit(e, PROOF_POREP, name, name, PRIORITY_NORMAL);
    }
    await_all(e, ids, 10);
    assert_int_equal(s.fills, 100);
    assert_true(s.most_witnesses <= 3); /* one lane: one on it, two ahead */
    assert_true(s.witnesses_made <= 3);
    engine_destroy(e);
    stub_destroy(&s);
}

static void idle_device__takes_what_there_is(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    s.devices = 2;
    s.hold_prove = true;
    struct engine *e = stub_engine(&s, NULL);
    char *a = stub_submit(e, PROOF_WINNING, "critical", "critical", 0);
    char *b = stub_submit(e, PROOF_POREP, "low", "low", PRIORITY_LOW);
    stub_wait_proving(&s, 2); /* the better job has one partition only */
    stub_step(&s, 100);
    char *ids[] = { a, b };
    await_all(e, ids, 2);
    engine_destroy(e);
    stub_destroy(&s);
}

static void joining__raises_the_priority(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    s.hold_prove = true;
    struct engine *e = stub_engine(&s, NULL);
    char *ids[9], name[24];
    for (int i = 0; i < 8; i++) {
        snprintf(name, sizeof name, "j%d", i);
        ids[i] = stub_submit(e, PROOF_POREP, name, name, PRIORITY_NORMAL);
    }
    stub_wait_proving(&s, 1);
    ids[8] = stub_submit(e, PROOF_POREP, "j7", "j7", PRIORITY_CRITICAL);
    wait_filled(e, "j7");
    stub_step(&s, 2);
    stub_wait_proved(&s, 2);
    assert_string_equal(s.proved[1].name, "j7");
    stub_step(&s, 1000);
    await_all(e, ids, 9);
    assert_int_equal(s.proved_count, 80);
    engine_destroy(e);
    stub_destroy(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(critical_job__starts_at_the_next_partition_boundary),
        test(critical_jobs__do_not_starve_each_other),
        test(earliest_deadline__goes_first_among_equals),
        test(one_thread__still_makes_progress),
        test(partitions__spread_over_all_devices),
        test(witnesses_in_flight__are_bounded_and_reused),
        test(idle_device__takes_what_there_is),
        test(joining__raises_the_priority),
    };
    return run_tests(tests);
}
