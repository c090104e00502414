/* Parameters: loading, pins, eviction, failures. */
#include "engine/stub.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct status_srs *find_srs(const struct engine_status *status, const char *id)
{
    for (size_t i = 0; i < status->srs_count; i++) {
        if (strcmp(status->srs[i].circuit_id, id) == 0) return &status->srs[i];
    }
    return NULL;
}

static void preload__loads_once(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    struct engine *e = stub_engine(&s, NULL);
    bool already;
    uint64_t ms;
    cuzk_error err = { "" };
    assert_int_equal(engine_preload(e, &already, &ms, "porep-2k", 30000, &err), CUZK_OK);
    assert_false(already);
    assert_int_equal(engine_preload(e, &already, &ms, "porep-2k", 30000, &err), CUZK_OK);
    assert_true(already);
    assert_int_equal(ms, 0);
    assert_int_equal(s.loads, 1);
    assert_int_equal(engine_preload(e, &already, &ms, "porep-3k", 30000, &err), CUZK_ERR_MISSING);
    assert_int_equal(engine_preload(e, &already, &ms, "porep-64g", 30000, &err), CUZK_ERR_MISSING);
    struct engine_status *status;
    assert_int_equal(engine_status(e, &status, NULL), CUZK_OK);
    assert_int_equal(status->srs_count, 1);
    const struct status_srs *srs = find_srs(status, "porep-2k");
    assert_non_null(srs);
    assert_int_equal(srs->tier, TIER_LOADED);
    assert_int_equal(srs->host_bytes, 1001000);
    assert_int_equal(srs->pins, 0);
    assert_true(srs->evictable);
    engine_status_free(status);
    engine_destroy(e);
    stub_destroy(&s);
}

static void preload__at_the_start(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    struct engine_config config;
    static const char *const ids[] = { "winning-2k", "wpost-2k" };
    stub_config(&config);
    config.preload = ids;
    config.preload_count = 2;
    struct engine *e = stub_engine(&s, &config);
    bool already;
    uint64_t ms;
    for (int i = 0; i < 2; i++) assert_int_equal(engine_preload(e, &already, &ms, ids[i], 30000, NULL), CUZK_OK);
    assert_int_equal(s.loads, 2);
    struct engine_readiness ready;
    engine_readiness(e, &ready);
    assert_true(ready.ready);
    engine_destroy(e);

    static const char *const wrong[] = { "winning-3k" };
    config.preload = wrong;
    config.preload_count = 1;
    struct steps steps;
    cuzk_error err = { "" };
    stub_steps(&steps, &s);
    assert_int_equal(engine_create_with(&e, &config, &steps, &err), CUZK_ERR_CONFIG);
    stub_destroy(&s);
}

static void evict__of_pinned_idle_and_unknown(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    s.hold_prove = true;
    struct engine *e = stub_engine(&s, NULL);
    bool loaded;
    uint64_t freed;
    cuzk_error err = { "" };
    char *id = stub_submit(e, PROOF_POREP, "id", "x", 0);
    stub_wait_proving(&s, 1);
    assert_int_equal(engine_evict(e, &loaded, &freed, "porep-2k", &err), CUZK_ERR_UNAVAILABLE);
    assert_non_null(strstr(err.detail, "porep-2k"));
    assert_int_equal(engine_evict(e, &loaded, &freed, "nonsense", &err), CUZK_OK);
    assert_false(loaded);
    assert_int_equal(engine_evict(e, &loaded, &freed, "winning-2k", &err), CUZK_OK);
    assert_false(loaded);
    stub_step(&s, 100);
    outcome_free(stub_await(e, id));
    free(id);
    cuzk_status status = CUZK_ERR_UNAVAILABLE;
    uint64_t until = clock_now() + 30 * CLOCK_SECOND; /* the last step may still hold it for an instant */
    while (status != CUZK_OK && clock_now() < until) {
        status = engine_evict(e, &loaded, &freed, "porep-2k", &err);
    }
    assert_true(loaded);
    assert_true(freed >= 1001000);
    assert_int_equal(engine_evict(e, &loaded, &freed, "porep-2k", &err), CUZK_OK);
    assert_false(loaded);
    assert_int_equal(freed, 0);
    struct outcome *o = stub_prove(e, PROOF_POREP, "again", "y"); /* loaded once more */
    assert_stub_proof(o, "y", 10);
    outcome_free(o);
    assert_int_equal(s.loads, 2);
    engine_destroy(e);
    assert_int_equal(s.unloads, 2);
    stub_destroy(&s);
}

static void failed_load__fails_its_jobs_and_is_tried_again(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    s.load_fails = 1;
    struct engine_config config;
    stub_config(&config);
    static const char *const ids[] = { "winning-2k" };
    struct engine *e = stub_engine(&s, &config);
    struct outcome *o = stub_prove(e, PROOF_WINNING, "id", "x");
    assert_int_equal(o->state, JOB_FAILED);
    assert_non_null(strstr(o->error, "winning-2k.params: damaged"));
    outcome_free(o);
    struct engine_status *status;
    assert_int_equal(engine_status(e, &status, NULL), CUZK_OK);
    const struct status_srs *srs = find_srs(status, ids[0]);
    assert_non_null(srs);
    assert_string_equal(srs->trouble, "winning-2k.params: damaged");
    engine_status_free(status);
    o = stub_prove(e, PROOF_WINNING, "id", "x");
    assert_stub_proof(o, "x", 1);
    outcome_free(o);
    engine_destroy(e);
    stub_destroy(&s);
}

static void load__does_not_hold_up_status_or_other_circuits(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    struct engine *e = stub_engine(&s, NULL);
    outcome_free(stub_prove(e, PROOF_WINNING, "warm", "x"));
    stub_lock(&s);
    s.hold_load = true;
    stub_unlock(&s);
    char *id = stub_submit(e, PROOF_POREP, "slow", "x", 0);
    struct engine_status *status;
    const struct status_srs *srs = NULL;
    uint64_t until = clock_now() + 30 * CLOCK_SECOND;
    for (;;) { /* until it is seen loading */
        assert_int_equal(engine_status(e, &status, NULL), CUZK_OK);
        srs = find_srs(status, "porep-2k");
        bool seen = srs && srs->loading && srs->progress > 0 && status->queues[0].in_progress == 1;
        if (seen || clock_now() > until) break;
        engine_status_free(status);
        usleep(1000);
    }
    assert_non_null(srs);
    assert_true(srs->loading);
    assert_string_equal(srs->step, "checking");
    assert_int_equal(status->queues[0].in_progress, 1);
    engine_status_free(status);
    struct outcome *o = stub_prove(e, PROOF_WINNING, "quick", "y");
    assert_stub_proof(o, "y", 1);
    outcome_free(o);
    stub_lock(&s);
    s.hold_load = false;
    stub_unlock(&s);
    o = stub_await(e, id);
    assert_stub_proof(o, "x", 10);
    assert_true(o->timings.phase[PHASE_SRS] > 0);
    outcome_free(o);
    free(id);
    engine_destroy(e);
    stub_destroy(&s);
}

static enum srs_tier tier_of(struct engine *e, const char *id)
{
    struct engine_status *status;
    assert_int_equal(engine_status(e, &status, NULL), CUZK_OK);
    const struct status_srs *srs = find_srs(status, id);
    enum srs_tier tier = srs ? srs->tier : TIER_COLD;
    engine_status_free(status);
    return tier;
}

static void device_memory__demotes_idle_circuits_to_mapped(void **state)
{
    (void)state;
    struct stub s;
    bool already;
    uint64_t ms;
    cuzk_error err = { "" };
    stub_create(&s);
    s.needs.device = 60000000; /* of 100 MB */
    struct engine *e = stub_engine(&s, NULL);
    assert_int_equal(engine_preload(e, &already, &ms, "porep-2k", 30000, &err), CUZK_OK);
    assert_int_equal(tier_of(e, "porep-2k"), TIER_LOADED);
    assert_int_equal(engine_preload(e, &already, &ms, "winning-2k", 30000, &err), CUZK_OK);
    assert_int_equal(tier_of(e, "winning-2k"), TIER_LOADED);
    assert_int_equal(tier_of(e, "porep-2k"), TIER_MAPPED);
    struct outcome *o = stub_prove(e, PROOF_POREP, "id", "x"); /* comes back without a look at the file */
    assert_stub_proof(o, "x", 10);
    outcome_free(o);
    assert_int_equal(tier_of(e, "winning-2k"), TIER_MAPPED);
    assert_int_equal(s.loads, 2);
    assert_int_equal(s.attaches, 3);
    struct engine_metrics m;
    engine_metrics(e, &m);
    assert_int_equal(m.device[0].budget_used, 60000000);
    engine_destroy(e);
    assert_int_equal(s.attaches, s.detaches);
    stub_destroy(&s);
}

static void circuit_larger_than_the_device__fails_with_both_numbers(void **state)
{
    (void)state;
    struct stub s;
    stub_create(&s);
    s.needs.device = 200000000;
    struct engine *e = stub_engine(&s, NULL);
    struct outcome *o = stub_prove(e, PROOF_POREP, "id", "x");
    assert_int_equal(o->state, JOB_FAILED);
    assert_non_null(strstr(o->error, "200000000 bytes"));
    assert_non_null(strstr(o->error, "100000000 bytes"));
    outcome_free(o);
    engine_destroy(e);
    assert_int_equal(s.loads, s.unloads);
    stub_destroy(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(preload__loads_once),
        test(preload__at_the_start),
        test(evict__of_pinned_idle_and_unknown),
        test(failed_load__fails_its_jobs_and_is_tried_again),
        test(load__does_not_hold_up_status_or_other_circuits),
        test(device_memory__demotes_idle_circuits_to_mapped),
        test(circuit_larger_than_the_device__fails_with_both_numbers),
    };
    return run_tests(tests);
}
