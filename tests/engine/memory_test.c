/* The budget as jobs feel it. */
#include "engine/stub.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sector sizes whose circuits are distinct; the stub needs a hundred times as much for 32 GiB. */
enum { MIB8 = 8 << 20 };
static const uint64_t GIB32 = UINT64_C(32) << 30;

static cuzk_status submit_size(struct engine *e, struct accepted *out, enum proof_kind kind, const char *id,
                               uint64_t size, uint32_t priority, cuzk_error *err)
{
    struct stub_request r;
    stub_request(&r, kind, id, id, priority);
    r.request.sector_size = size;
    return engine_submit(e, out, &r.submission, err);
}

static struct engine_metrics metrics(struct engine *e)
{
    struct engine_metrics m;
    engine_metrics(e, &m);
    return m;
}

static void too_large__is_refused_with_both_numbers(void **state)
{
    (void)state;
    struct stub s;
    struct engine_config config;
    struct accepted accepted;
    cuzk_error err = { "" };
    stub_create(&s);
    stub_config(&config);
    config.total_budget = 2000000;
    struct engine *e = stub_engine(&s, &config);
    assert_int_equal(submit_size(e, &accepted, PROOF_POREP, "id", GIB32, 0, &err), CUZK_ERR_RESOURCE);
    assert_non_null(strstr(err.detail, "porep-32g"));
    assert_non_null(strstr(err.detail, "1000130")); /* 100 MB of parameters and the rest */
    assert_non_null(strstr(err.detail, "2000000 bytes"));
    assert_null(accepted.job_id);
    struct outcome *o = stub_prove(e, PROOF_WINNING, "other", "x"); /* other kinds keep working */
    assert_stub_proof(o, "x", 1);
    outcome_free(o);
    assert_int_equal(metrics(e).budget_refused, 1);
    bool already;
    uint64_t ms;
    assert_int_equal(engine_preload(e, &already, &ms, "porep-32g", 1000, &err), CUZK_ERR_RESOURCE);
    engine_destroy(e);
    assert_int_equal(stub_payloads_alive(), 0);
    stub_destroy(&s);
}

static void circuits__take_turns_when_only_one_fits(void **state)
{
    (void)state;
    struct stub s;
    struct engine_config config;
    cuzk_error err = { "" };
    stub_create(&s);
    stub_config(&config);
    config.total_budget = 1500000; /* one circuit and its work */
    struct engine *e = stub_engine(&s, &config);
    char id[24];
    for (int i = 0; i < 20; i++) {
        struct accepted accepted;
        snprintf(id, sizeof id, "j%d", i);
        enum proof_kind kind = (enum proof_kind)(1 + i % 4);
        assert_int_equal(submit_size(e, &accepted, kind, id, i % 2 ? MIB8 : 2048, 0, &err), CUZK_OK);
        free(accepted.job_id);
    }
    for (int i = 0; i < 20; i++) {
        snprintf(id, sizeof id, "j%d", i);
        struct outcome *o = stub_await(e, id);
        assert_stub_proof(o, id, s.partitions[1 + i % 4]);
        outcome_free(o);
    }
    struct engine_metrics m = metrics(e);
    assert_true(m.budget_peak <= m.budget_limit);
    assert_int_equal(m.budget_errors, 0);
    assert_true(m.srs_evictions >= 3);
    engine_destroy(e);
    assert_int_equal(s.loads, s.unloads);
    assert_int_equal(s.witnesses, 0);
    stub_destroy(&s);
}

static void waiting_for_memory__ends_with_cancel(void **state)
{
    (void)state;
    struct stub s;
    struct engine_config config;
    struct accepted accepted;
    cuzk_error err = { "" };
    stub_create(&s);
    s.hold_prove = true;
    stub_config(&config);
    config.total_budget = 1500000;
    struct engine *e = stub_engine(&s, &config);
    char *a = stub_submit(e, PROOF_POREP, "a", "a", 0);
    stub_wait_proving(&s, 1);
    assert_int_equal(submit_size(e, &accepted, PROOF_WINNING, "b", MIB8, 0, &err), CUZK_OK);
    free(accepted.job_id);
    usleep(20000);
    bool running;
    assert_true(engine_cancel(e, text_bytes("b"), &running));
    assert_false(running);
    struct outcome *o = stub_await(e, "b");
    assert_int_equal(o->state, JOB_CANCELLED);
    outcome_free(o);
    stub_step(&s, 100);
    o = stub_await(e, a);
    assert_stub_proof(o, "a", 10);
    outcome_free(o);
    free(a);
    engine_destroy(e);
    stub_destroy(&s);
}

static void waiting_job__is_not_starved_by_later_ones(void **state)
{
    (void)state;
    struct stub s;
    struct engine_config config;
    struct accepted accepted;
    cuzk_error err = { "" };
    stub_create(&s);
    s.hold_prove = true;
    stub_config(&config);
    config.total_budget = 1500000;
    struct engine *e = stub_engine(&s, &config);
    char id[24];
    free(stub_submit(e, PROOF_WINNING, "first", "first", PRIORITY_CRITICAL));
    stub_wait_proving(&s, 1);
    /* Another circuit, of the same rank: waits for the first one's memory. Those behind it would keep that for ever.
     */
    assert_int_equal(submit_size(e, &accepted, PROOF_WINNING, "waits", MIB8, PRIORITY_CRITICAL, &err), CUZK_OK);
    free(accepted.job_id);
    for (int i = 0; i < 10; i++) {
        snprintf(id, sizeof id, "later%d", i);
        free(stub_submit(e, PROOF_WINNING, id, id, PRIORITY_CRITICAL));
    }
    stub_step(&s, 2);
    stub_wait_proved(&s, 2);
    assert_string_equal(s.proved[1].name, "waits");
    stub_step(&s, 100);
    struct outcome *o = stub_await(e, "later9");
    assert_stub_proof(o, "later9", 1);
    outcome_free(o);
    engine_destroy(e);
    stub_destroy(&s);
}

static void idle_parameters__are_safe_for_their_time(void **state)
{
    (void)state;
    struct stub s;
    struct engine_config config;
    struct accepted accepted;
    cuzk_error err = { "" };
    stub_create(&s);
    stub_config(&config);
    config.total_budget = 1500000;
    config.eviction_min_idle_ms = 3600 * 1000;
    struct engine *e = stub_engine(&s, &config);
    outcome_free(stub_prove(e, PROOF_POREP, "a", "a"));
    assert_int_equal(submit_size(e, &accepted, PROOF_POREP, "b", MIB8, PRIORITY_NORMAL, &err), CUZK_OK);
    free(accepted.job_id);
    outcome_free(stub_prove(e, PROOF_POREP, "c", "c")); /* passes, for its parameters are there */
    assert_int_equal(metrics(e).srs_evictions, 0);
    assert_int_equal(submit_size(e, &accepted, PROOF_WINNING, "d", MIB8, PRIORITY_CRITICAL, &err), CUZK_OK);
    free(accepted.job_id);
    struct outcome *o = stub_await(e, "d"); /* a CRITICAL job does not wait for an hour */
    assert_stub_proof(o, "d", 1);
    outcome_free(o);
    config.eviction_min_idle_ms = 0;
    assert_int_equal(engine_reconfigure(e, &config, NULL), CUZK_OK);
    o = stub_await(e, "b");
    assert_stub_proof(o, "b", 10);
    outcome_free(o);
    engine_destroy(e);
    stub_destroy(&s);
}

static void estimates__are_corrected(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    s.wide_needs = true;
    struct engine *e = stub_engine(&s, NULL);
    bool loaded;
    uint64_t freed, until = clock_now() + 30 * CLOCK_SECOND;
    outcome_free(stub_prove(e, PROOF_POREP, "id", "x"));
    while (engine_evict(e, &loaded, &freed, "porep-2k", NULL) != CUZK_OK && clock_now() < until) usleep(1000);
    while (metrics(e).budget_used != 0 && clock_now() < until) usleep(1000);
    assert_int_equal(metrics(e).budget_used, 0); /* everything that was charged came back */
    assert_int_equal(metrics(e).budget_errors, 0);
    engine_destroy(e);
    stub_destroy(&s);
}

static void payloads__count(void **state)
{
    (void)state;
    struct stub s;
    struct engine_config config;
    struct accepted accepted;
    cuzk_error err = { "" };
    stub_create(&s);
    s.hold_parse = true;
    stub_config(&config);
    config.total_budget = 3000000;
    struct engine *e = stub_engine(&s, &config);
    static uint8_t large[900000];
    struct stub_request r;
    for (int i = 0; i < 2; i++) {
        char id[2] = { (char)('a' + i), 0 };
        stub_request(&r, PROOF_WINNING, id, id, 0);
        r.request.vanilla_proof = (struct bytes){ large, sizeof large };
        assert_int_equal(engine_submit(e, &accepted, &r.submission, &err), CUZK_OK);
        free(accepted.job_id);
    }
    stub_lock(&s);
    while (s.parses == 0) { /* one has its memory and is read */
        stub_unlock(&s);
        usleep(1000);
        stub_lock(&s);
    }
    stub_unlock(&s);
    stub_request(&r, PROOF_WINNING, "c", "c", 0);
    r.request.vanilla_proof = (struct bytes){ large, sizeof large };
    assert_int_equal(engine_submit(e, &accepted, &r.submission, &err), CUZK_ERR_RESOURCE);
    assert_non_null(strstr(err.detail, "900002 bytes"));
    stub_lock(&s);
    s.hold_parse = false;
    stub_unlock(&s);
    struct outcome *o = stub_await(e, "b");
    assert_stub_proof(o, "b", 1);
    outcome_free(o);
    engine_destroy(e);
    assert_int_equal(stub_payloads_alive(), 0);
    stub_destroy(&s);
}

/* Waits until so much is charged; fails the test after half a minute. */
static void wait_used(struct engine *e, uint64_t bytes)
{
    uint64_t until = clock_now() + 30 * CLOCK_SECOND;
    while (metrics(e).budget_used != bytes && clock_now() < until) usleep(1000);
    assert_int_equal(metrics(e).budget_used, bytes);
}

static unsigned spares(struct stub *s)
{
    stub_lock(s);
    unsigned n = s->spares;
    stub_unlock(s);
    return n;
}

static void memory_of_provers__stays_charged_and_is_used_again(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    s.needs.witness = 0; /* idle witnesses count on their own */
    struct engine *e = stub_engine(&s, NULL);
    char id[24];
    for (int i = 0; i < 5; i++) {
        snprintf(id, sizeof id, "j%d", i);
        struct outcome *o = stub_prove(e, PROOF_POREP, id, id);
        assert_stub_proof(o, id, 10);
        outcome_free(o);
        wait_used(e, s.needs.srs + s.needs.circuit + s.needs.prove);
    }
    assert_int_equal(s.most_spares, 1); /* fifty proofs, one place */
    bool loaded;
    uint64_t freed;
    assert_int_equal(engine_evict(e, &loaded, &freed, "porep-2k", NULL), CUZK_OK);
    assert_true(loaded);
    assert_int_equal(freed, s.needs.srs + s.needs.circuit + s.needs.prove);
    wait_used(e, 0);
    assert_int_equal(metrics(e).budget_errors, 0);
    engine_destroy(e);
    stub_destroy(&s);
}

static void memory_of_provers__one_place_for_each_lane(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    s.lanes = 3;
    s.needs.witness = 0;
    s.hold_prove = true;
    struct engine *e = stub_engine(&s, NULL);
    free(stub_submit(e, PROOF_POREP, "a", "a", 0));
    stub_wait_proving(&s, 3);
    stub_step(&s, 100);
    outcome_free(stub_await(e, "a"));
    wait_used(e, s.needs.srs + s.needs.circuit + 3 * s.needs.prove);
    assert_int_equal(spares(&s), 3);
    outcome_free(stub_prove(e, PROOF_POREP, "b", "b"));
    wait_used(e, s.needs.srs + s.needs.circuit + 3 * s.needs.prove);
    engine_destroy(e);
    stub_destroy(&s);
}

/* What jobs have left makes room before any parameters do. */
static void memory_of_provers__leaves_when_it_is_wanted(void **state)
{
    (void)state;
    struct stub s;
    struct engine_config config;
    struct accepted accepted;
    cuzk_error err = { "" };
    stub_create(&s);
    s.needs = (struct circuit_needs){ .srs = 100000, .circuit = 1000, .witness = 0, .prove = 500000 };
    stub_config(&config);
    config.total_budget = 1000000; /* two circuits, one proof */
    config.eviction_min_idle_ms = 3600 * 1000;
    struct engine *e = stub_engine(&s, &config);
    outcome_free(stub_prove(e, PROOF_POREP, "a", "a"));
    wait_used(e, 601000);
    assert_int_equal(submit_size(e, &accepted, PROOF_POREP, "b", MIB8, 0, &err), CUZK_OK);
    free(accepted.job_id);
    struct outcome *o = stub_await(e, "b");
    assert_stub_proof(o, "b", 10);
    outcome_free(o);
    wait_used(e, 702000); /* both circuits, and the place of the second */
    assert_int_equal(spares(&s), 1);
    assert_int_equal(metrics(e).srs_evictions, 0);
    assert_int_equal(metrics(e).budget_errors, 0);
    engine_destroy(e);
    stub_destroy(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(too_large__is_refused_with_both_numbers),
        test(circuits__take_turns_when_only_one_fits),
        test(waiting_for_memory__ends_with_cancel),
        test(waiting_job__is_not_starved_by_later_ones),
        test(idle_parameters__are_safe_for_their_time),
        test(estimates__are_corrected),
        test(payloads__count),
        test(memory_of_provers__stays_charged_and_is_used_again),
        test(memory_of_provers__one_place_for_each_lane),
        test(memory_of_provers__leaves_when_it_is_wanted),
    };
    return run_tests(tests);
}
