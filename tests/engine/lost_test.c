/* Devices that are lost while jobs run, and come back or do not. The stub's broken devices are made anew as real ones
 * are: only once nothing is left on them. */
#include "engine/stub.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEVICE_BYTES = 1000, A_LOT = 1000000, PATIENCE_S = 30, RECOVERY_MS = 50 };

static void make_stub(struct stub *s, size_t devices, unsigned lanes)
{
    stub_create(s);
    s->devices = devices;
    s->lanes = lanes;
    s->needs.device = DEVICE_BYTES;
}

static struct engine *impatient_engine(struct stub *s)
{
    struct engine_config config;
    stub_config(&config);
    config.device_recovery_ms = RECOVERY_MS;
    return stub_engine(s, &config);
}

/* Everything that was attached is off again, credited once, and nothing was taken away while in use. */
static void end(struct engine *e, struct stub *s)
{
    struct engine_metrics m;
    engine_metrics(e, &m);
    assert_int_equal(m.budget_errors, 0);
    engine_destroy(e);
    for (size_t d = 0; d < s->devices; d++) assert_int_equal(s->attached[d], 0);
    assert_int_equal(s->loads, s->unloads);
    assert_int_equal(s->witnesses, 0);
    assert_int_equal(s->mistakes, 0);
    assert_int_equal(stub_payloads_alive(), 0);
    stub_destroy(s);
}

static void break_device(struct stub *s, size_t device, bool for_good)
{
    stub_lock(s);
    s->broken[device] = true;
    s->hold_repair = for_good;
    stub_unlock(s);
}

static void set(struct stub *s, bool *flag, bool value)
{
    stub_lock(s);
    *flag = value;
    stub_unlock(s);
}

static void assert_done(struct engine *e, const char *id, const char *name, size_t partitions)
{
    struct outcome *o = stub_await(e, id);
    assert_stub_proof(o, name, partitions);
    outcome_free(o);
}

static void assert_failed(struct engine *e, const char *id, const char *text)
{
    struct outcome *o = stub_await(e, id);
    assert_int_equal(o->state, JOB_FAILED);
    if (!strstr(o->error, text)) fail_msg("\"%s\" is not in \"%s\"", text, o->error);
    outcome_free(o);
}

static uint64_t device_used(struct engine *e, size_t device)
{
    struct engine_metrics m;
    engine_metrics(e, &m);
    return m.device[device].budget_used;
}

static void wait_device_used(struct engine *e, size_t device, uint64_t bytes)
{
    uint64_t until = clock_now() + PATIENCE_S * CLOCK_SECOND;
    while (device_used(e, device) != bytes) {
        if (clock_now() > until) fail_msg("device %zu: not %llu bytes", device, (unsigned long long)bytes);
        usleep(1000);
    }
}

static bool healthy(struct engine *e, size_t device)
{
    struct engine_metrics m;
    engine_metrics(e, &m);
    return m.device[device].healthy;
}

static void wait_healthy(struct engine *e, size_t device, bool wanted)
{
    uint64_t until = clock_now() + PATIENCE_S * CLOCK_SECOND;
    while (healthy(e, device) != wanted) {
        if (clock_now() > until) fail_msg("device %zu: %s", device, wanted ? "not healthy" : "healthy");
        usleep(1000);
    }
}

static bool has_step(struct engine *e, const char *circuit, const char *step)
{
    struct engine_status *status;
    bool found = false;
    assert_int_equal(engine_status(e, &status, NULL), CUZK_OK);
    for (size_t i = 0; i < status->srs_count; i++) {
        const struct status_srs *r = &status->srs[i];
        if (strcmp(r->circuit_id, circuit) == 0 && strcmp(r->step, step) == 0) found = true;
    }
    engine_status_free(status);
    return found;
}

static void wait_step(struct engine *e, const char *circuit, const char *step)
{
    uint64_t until = clock_now() + PATIENCE_S * CLOCK_SECOND;
    while (!has_step(e, circuit, step)) {
        if (clock_now() > until) fail_msg("%s: never \"%s\"", circuit, step);
        usleep(1000);
    }
}

/* A PoRep job whose first partitions are at work on every lane, and wait there. */
static char *begin_job(struct engine **e, struct stub *s, bool impatient)
{
    s->hold_prove = true;
    *e = impatient ? impatient_engine(s) : stub_engine(s, NULL);
    char *id = stub_submit(*e, PROOF_POREP, "id", "x", 0);
    stub_wait_proving(s, (unsigned)s->devices * s->lanes);
    return id;
}

/* ---- devices that come back, and others ---- */

static void one_of_two__for_good(void **state)
{
    (void)state;
    struct stub s;
    struct engine *e;
    make_stub(&s, 2, 1);
    char *id = begin_job(&e, &s, false);
    break_device(&s, 1, true);
    set(&s, &s.hold_prove, false);
    assert_done(e, id, "x", 10);
    wait_device_used(e, 1, 0); /* taken off, so that it could be made anew */
    assert_int_equal(device_used(e, 0), DEVICE_BYTES);
    assert_int_equal(s.attaches, 2);
    free(id);
    end(e, &s);
}

static void only_device__and_back(void **state)
{
    (void)state;
    struct stub s;
    struct engine *e;
    make_stub(&s, 1, 2);
    char *id = begin_job(&e, &s, false);
    break_device(&s, 0, false);
    set(&s, &s.hold_prove, false);
    assert_done(e, id, "x", 10);
    assert_int_equal(s.repairs[0], 1);
    assert_int_equal(s.attaches, 2);
    assert_int_equal(s.loads, 1); /* the host part stayed */
    assert_int_equal(s.fills, 10);
    assert_int_equal(device_used(e, 0), DEVICE_BYTES);
    free(id);
    end(e, &s);
}

static void again_and_again__between_partitions(void **state)
{
    (void)state;
    struct stub s;
    struct engine *e;
    make_stub(&s, 1, 1);
    char *id = begin_job(&e, &s, false);
    for (unsigned i = 1; i <= 8; i++) { /* a partition is lost and the next one proved */
        break_device(&s, 0, false);
        stub_step(&s, 1);
        stub_wait(&s, &s.repairs[0], i);
        stub_wait_proving(&s, 1);
        stub_step(&s, 1);
        stub_wait_proved(&s, 2 * i);
        stub_wait_proving(&s, 1);
    }
    stub_step(&s, 100);
    assert_done(e, id, "x", 10);
    assert_int_equal(s.attaches, 9);
    free(id);
    end(e, &s);
}

static void all_together__and_back(void **state)
{
    (void)state;
    struct stub s;
    struct engine *e;
    make_stub(&s, 3, 2);
    char *id = begin_job(&e, &s, false);
    char *other = stub_submit(e, PROOF_UPDATE, "other", "y", PRIORITY_HIGH);
    for (size_t d = 0; d < 3; d++) break_device(&s, d, false);
    set(&s, &s.hold_prove, false);
    assert_done(e, id, "x", 10);
    assert_done(e, other, "y", 4);
    for (size_t d = 0; d < 3; d++) stub_wait(&s, &s.repairs[d], 1); /* also one that nobody waited for */
    free(id);
    free(other);
    end(e, &s);
}

static void lost_idle_device__is_emptied_and_used_again(void **state)
{
    (void)state;
    struct stub s;
    make_stub(&s, 2, 1);
    struct engine *e = stub_engine(&s, NULL);
    outcome_free(stub_prove(e, PROOF_WINNING, "id", "x"));
    break_device(&s, 0, false);
    stub_wait(&s, &s.repairs[0], 1);
    wait_healthy(e, 0, true); /* the engine knows */
    assert_int_equal(device_used(e, 0), 0);
    outcome_free(stub_prove(e, PROOF_WINNING, "id2", "x"));
    wait_device_used(e, 0, DEVICE_BYTES); /* although it was on the other one */
    end(e, &s);
}

/* A circuit of more than half of a device, on the second device alone: the other one is full. */
static struct engine *crowded_engine(struct stub *s)
{
    struct engine_config config;
    cuzk_error err = { "" };
    bool already;
    uint64_t ms;
    make_stub(s, 2, 1);
    s->needs.device = 60 * A_LOT;
    s->sick[1] = true;
    stub_config(&config);
    config.eviction_min_idle_ms = 3600 * 1000;
    struct engine *e = stub_engine(s, &config);
    assert_int_equal(engine_preload(e, &already, &ms, "winning-2k", 30000, &err), CUZK_OK);
    set(s, &s->sick[1], false);
    wait_healthy(e, 1, true);
    assert_int_equal(engine_preload(e, &already, &ms, "porep-2k", 30000, &err), CUZK_OK);
    assert_int_equal(s->attached[0], 1);
    assert_int_equal(s->attached[1], 1);
    return e;
}

static char *lose_the_one(struct engine *e, struct stub *s, bool for_good)
{
    set(s, &s->hold_prove, true);
    char *id = stub_submit(e, PROOF_POREP, "id", "x", 0);
    stub_wait_proving(s, 1);
    break_device(s, 1, for_good);
    set(s, &s->hold_prove, false);
    return id;
}

static void parameters__are_brought_to_another_device(void **state)
{
    (void)state;
    struct stub s;
    struct engine *e = crowded_engine(&s);
    char *id = lose_the_one(e, &s, true);
    wait_step(e, "porep-2k", "waiting for device memory");
    wait_device_used(e, 1, 0); /* it has left there, and does not hold up the repair */
    struct engine_config config;
    stub_config(&config); /* idle circuits may leave at once */
    assert_int_equal(engine_reconfigure(e, &config, NULL), CUZK_OK);
    assert_done(e, id, "x", 10);
    assert_int_equal(device_used(e, 0), 60 * A_LOT);
    free(id);
    end(e, &s);
}

static void wait_for_memory__sees_the_device_come_back(void **state)
{
    (void)state;
    struct stub s;
    struct engine *e = crowded_engine(&s);
    char *id = lose_the_one(e, &s, true);
    wait_step(e, "porep-2k", "waiting for device memory");
    set(&s, &s.hold_repair, false);
    assert_done(e, id, "x", 10);
    assert_int_equal(device_used(e, 1), 60 * A_LOT);
    free(id);
    end(e, &s);
}

/* Partitions that hang on a lost device keep it, and nobody else. */
static void hung_partition__keeps_its_device_alone(void **state)
{
    (void)state;
    struct stub s;
    struct engine *e;
    make_stub(&s, 2, 1);
    s.hold_device[1] = true;
    char *id = begin_job(&e, &s, false);
    set(&s, &s.hold_prove, false);
    stub_wait_proved(&s, 5); /* on the first device; one hangs on the second */
    break_device(&s, 1, false);
    wait_healthy(e, 1, false);
    break_device(&s, 0, false);
    stub_wait(&s, &s.repairs[0], 1);
    stub_wait_proved(&s, 9);
    assert_int_equal(s.repairs[1], 0);
    assert_int_equal(s.attached[1], 1);
    set(&s, &s.hold_device[1], false);
    assert_done(e, id, "x", 10);
    stub_wait(&s, &s.repairs[1], 1);
    free(id);
    end(e, &s);
}

/* ---- devices that do not come back ---- */

static void lost_for_good__fails_after_the_recovery_time(void **state)
{
    (void)state;
    struct stub s;
    struct engine *e;
    make_stub(&s, 2, 1);
    char *id = begin_job(&e, &s, true);
    break_device(&s, 0, true);
    break_device(&s, 1, true);
    set(&s, &s.hold_prove, false);
    assert_failed(e, id, "no device that has its parameters, or could get them, was usable for 50 ms: out of order");
    for (size_t d = 0; d < 2; d++) wait_device_used(e, d, 0);
    free(id);
    id = stub_submit(e, PROOF_POREP, "id", "x", 0); /* one that finds things so */
    assert_failed(e, id, "usable for 50 ms");
    free(id);
    bool already;
    uint64_t ms;
    cuzk_error err = { "" };
    assert_int_equal(engine_preload(e, &already, &ms, "winning-2k", 30000, &err), CUZK_ERR_UNAVAILABLE);
    assert_non_null(strstr(err.detail, "no usable device for 50 ms"));
    set(&s, &s.hold_repair, false);
    wait_healthy(e, 0, true);
    outcome_free(stub_prove(e, PROOF_WINNING, "then", "y"));
    end(e, &s);
}

static void verified_job__needs_no_device(void **state)
{
    (void)state;
    struct stub s;
    struct engine *e;
    make_stub(&s, 1, 1);
    s.partitions[PROOF_POREP] = 1;
    s.hold_verify = true;
    char *id = begin_job(&e, &s, true);
    set(&s, &s.hold_prove, false);
    stub_wait(&s, &s.verifies, 1);
    break_device(&s, 0, true);
    wait_step(e, "porep-2k", "waiting for a device");
    usleep(1200 * 1000); /* the keeper has looked since, and the recovery time is over */
    set(&s, &s.hold_verify, false);
    assert_done(e, id, "x", 1);
    free(id);
    end(e, &s);
}

static void device_that_takes_nothing__is_tried_for_a_while(void **state)
{
    (void)state;
    struct stub s;
    struct engine *e;
    make_stub(&s, 1, 1);
    char *id = begin_job(&e, &s, true);
    s.attach_fails = CUZK_ERR_UNAVAILABLE; /* calls itself healthy each time that it is asked */
    s.attach_fail_count = 1000;
    break_device(&s, 0, false);
    set(&s, &s.hold_prove, false);
    assert_failed(e, id, "usable for 50 ms");
    assert_in_range(1000 - s.attach_fail_count, 1, 10);
    free(id);
    end(e, &s);
}

static void failed_attachment__is_tried_again(void **state)
{
    (void)state;
    struct stub s;
    struct engine *e;
    make_stub(&s, 1, 1);
    char *id = begin_job(&e, &s, false);
    s.attach_fails = CUZK_ERR_UNAVAILABLE;
    s.attach_fail_count = 2;
    break_device(&s, 0, false);
    set(&s, &s.hold_prove, false);
    assert_done(e, id, "x", 10);
    assert_int_equal(s.attaches, 4);
    free(id);
    end(e, &s);
}

/* The second device's memory is damaged goods; the first one's partitions go on. */
static void refused_attachment__does_not_touch_others(void **state)
{
    (void)state;
    struct stub s;
    struct engine *e;
    make_stub(&s, 2, 1);
    char *id = begin_job(&e, &s, false);
    s.attach_fails = CUZK_ERR_DATA;
    s.attach_fail_count = 1;
    break_device(&s, 1, false);
    set(&s, &s.hold_device[0], true);
    set(&s, &s.hold_prove, false);
    stub_wait(&s, &s.attaches, 3);
    set(&s, &s.hold_device[0], false);
    assert_done(e, id, "x", 10);
    free(id);
    end(e, &s);
}

/* A load that fails for good fails its jobs at once; steps that are at work with the host part keep it until then. */
static void failed_load__leaves_the_host_part_to_those_at_work(void **state)
{
    (void)state;
    struct stub s;
    make_stub(&s, 1, 1);
    s.hold_fill = true;
    s.hold_load = true;
    struct engine_config config;
    stub_config(&config);
    config.threads = 4; /* three fill, one is left to fail the job */
    struct engine *e = stub_engine(&s, &config);
    char *id = stub_submit(e, PROOF_POREP, "id", "x", 0);
    stub_wait(&s, &s.loads, 1);
    stub_lock(&s);
    s.attach_fails = CUZK_ERR_RESOURCE;
    s.attach_fail_count = 1;
    s.sick[0] = true; /* the parameters wait on the host … */
    s.hold_load = false;
    stub_unlock(&s);
    stub_wait(&s, &s.filling, 1);
    set(&s, &s.sick[0], false); /* … and cannot go on */
    assert_failed(e, id, "made to fail");
    assert_int_equal(s.unloads, 0);
    set(&s, &s.hold_fill, false);
    stub_wait(&s, &s.unloads, 1);
    free(id);
    outcome_free(stub_prove(e, PROOF_POREP, "then", "y"));
    assert_int_equal(s.loads, 2);
    end(e, &s);
}

/* ---- a partition that itself puts devices out of order ---- */

static void killer__fails_alone(size_t devices, unsigned lanes, bool together)
{
    struct stub s;
    make_stub(&s, devices, lanes);
    s.hold_prove = true;
    s.killer = "k";
    s.killer_partition = 1;
    s.together = together;
    struct engine *e = stub_engine(&s, NULL);
    char *ids[4], name[] = "a";
    for (int i = 0; i < 2; i++, name[0]++) ids[i] = stub_submit(e, PROOF_UPDATE, name, name, 0);
    char *killer = stub_submit(e, PROOF_UPDATE, "k", "k", 0);
    for (int i = 2; i < 4; i++, name[0]++) ids[i] = stub_submit(e, PROOF_UPDATE, name, name, 0);
    set(&s, &s.hold_prove, false);
    assert_failed(e, killer, "partition 1: 3 devices lost while it was proved: device");
    for (int i = 0; i < 4; i++) {
        struct outcome *o = stub_await(e, ids[i]); /* those beside it are none the worse */
        assert_int_equal(o->state, JOB_COMPLETED);
        outcome_free(o);
        free(ids[i]);
    }
    unsigned tries = 0;
    for (size_t i = 0; i < s.proved_count; i++) {
        tries += strcmp(s.proved[i].name, "k") == 0 && s.proved[i].partition == 1;
    }
    assert_in_range(tries, 3, 3 * devices);
    free(killer);
    end(e, &s);
}

/* The one that goes along each time, of another job, in front of it in the line. */
static void killer__does_not_take_its_neighbour_along(void **state)
{
    (void)state;
    struct stub s;
    make_stub(&s, 1, 2);
    s.hold_prove = true;
    s.prove_us = 5000;
    s.killer = "k";
    struct engine *e = stub_engine(&s, NULL);
    char *innocent = stub_submit(e, PROOF_WINNING, "a", "a", 0);
    char *killer = stub_submit(e, PROOF_WINNING, "k", "k", 0);
    stub_wait_proving(&s, 2);
    set(&s, &s.hold_prove, false);
    assert_failed(e, killer, "partition 0: 3 devices lost");
    assert_done(e, innocent, "a", 1);
    free(innocent);
    free(killer);
    end(e, &s);
}

static void killer__is_stopped_on_one_device(void **state)
{
    (void)state;
    killer__fails_alone(1, 1, false);
    killer__fails_alone(1, 2, false);
}

static void killer__is_stopped_on_several(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) killer__fails_alone(3, 2, i & 1);
}

/* ---- ends while a job waits for a device ---- */

static void cancel__while_it_waits(void **state)
{
    (void)state;
    struct stub s;
    struct engine *e;
    bool running, loaded;
    uint64_t freed;
    make_stub(&s, 1, 1);
    char *id = begin_job(&e, &s, false);
    break_device(&s, 0, true);
    set(&s, &s.hold_prove, false);
    wait_step(e, "porep-2k", "waiting for a device");
    assert_false(healthy(e, 0));
    assert_int_equal(engine_evict(e, &loaded, &freed, "porep-2k", NULL), CUZK_ERR_UNAVAILABLE);
    assert_true(engine_cancel(e, text_bytes("id"), &running));
    assert_true(running);
    struct outcome *o = stub_await(e, id);
    assert_int_equal(o->state, JOB_CANCELLED);
    outcome_free(o);
    uint64_t until = clock_now() + PATIENCE_S * CLOCK_SECOND; /* a loader may be about to end */
    while (engine_evict(e, &loaded, &freed, "porep-2k", NULL) != CUZK_OK && clock_now() < until) usleep(1000);
    assert_true(loaded);
    set(&s, &s.hold_repair, false);
    outcome_free(stub_prove(e, PROOF_POREP, "then", "y"));
    free(id);
    end(e, &s);
}

static void timeout__while_it_waits(void **state)
{
    (void)state;
    struct stub s;
    struct engine *e;
    struct outcome *o;
    make_stub(&s, 1, 1);
    char *id = begin_job(&e, &s, false);
    break_device(&s, 0, true);
    set(&s, &s.hold_prove, false);
    wait_step(e, "porep-2k", "waiting for a device");
    assert_int_equal(engine_await(e, &o, text_bytes(id), 20, NULL), CUZK_OK);
    assert_int_equal(o->state, JOB_PROVING);
    outcome_free(o);
    set(&s, &s.hold_repair, false);
    assert_done(e, id, "x", 10);
    free(id);
    end(e, &s);
}

static void shutdown__while_it_waits(void **state)
{
    (void)state;
    char dir[] = "/tmp/cuzk-lost-XXXXXX", command[64];
    struct stub s;
    struct engine_config config;
    make_stub(&s, 2, 1);
    assert_non_null(mkdtemp(dir));
    stub_config(&config);
    config.journal_dir = dir;
    s.hold_prove = true;
    struct engine *e = stub_engine(&s, &config);
    char *id = stub_submit(e, PROOF_POREP, "id", "x", 0);
    stub_wait_proving(&s, 2);
    for (size_t d = 0; d < 2; d++) break_device(&s, d, true);
    set(&s, &s.hold_prove, false);
    wait_step(e, "porep-2k", "waiting for a device");
    engine_destroy(e);
    assert_int_equal(s.loads, s.unloads);
    set(&s, &s.hold_repair, false);
    e = stub_engine(&s, &config); /* the journal has kept it */
    assert_done(e, id, "x", 10);
    free(id);
    end(e, &s);
    snprintf(command, sizeof command, "rm -rf %s", dir);
    assert_int_equal(system(command), 0);
}

/* A process that gets no device back keeps its jobs for the next one; without a journal they fail. */
static void lost_for_good__jobs_are_kept_for_a_new_process(void **state)
{
    (void)state;
    for (int journal = 0; journal < 2; journal++) {
        char dir[] = "/tmp/cuzk-lost-XXXXXX", command[64];
        struct stub s;
        struct engine_config config;
        make_stub(&s, 2, 1);
        assert_non_null(mkdtemp(dir));
        stub_config(&config);
        if (journal) config.journal_dir = dir;
        config.device_recovery_ms = RECOVERY_MS;
        config.keep_when_lost = true;
        s.hold_prove = true;
        struct engine *e = stub_engine(&s, &config);
        char *id = stub_submit(e, PROOF_POREP, "id", "x", 0);
        stub_wait_proving(&s, 2);
        break_device(&s, 0, true);
        assert_false(engine_lost(e));
        break_device(&s, 1, true);
        set(&s, &s.hold_prove, false);
        if (journal)
            while (!engine_lost(e)) usleep(1000);
        else
            assert_failed(e, id, "usable for");
        assert_int_equal(engine_lost(e), journal);
        engine_destroy(e);
        set(&s, &s.hold_repair, false);
        if (journal) {
            e = stub_engine(&s, &config);
            assert_done(e, id, "x", 10);
            assert_false(engine_lost(e));
            end(e, &s);
        }
        free(id);
        snprintf(command, sizeof command, "rm -rf %s", dir);
        assert_int_equal(system(command), 0);
    }
}

/* Losses, cancellations, evictions and the end at any moment: nothing is used after it has gone, nothing hangs. */
static void anything__at_any_moment(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 30; round++) {
        struct stub s;
        bool flag;
        uint64_t freed;
        make_stub(&s, 1 + round % 3, 1 + round % 2);
        struct engine *e = stub_engine(&s, NULL);
        char *ids[6], name[] = "a";
        for (int i = 0; i < 6; i++, name[0]++) {
            ids[i] = stub_submit(e, i & 1 ? PROOF_UPDATE : PROOF_POREP, name, name, 0);
            usleep(round * 17 % 400);
            break_device(&s, (round + (unsigned)i) % s.devices, false);
            engine_evict(e, &flag, &freed, "porep-2k", NULL);
            if (i == 3) engine_cancel(e, text_bytes("c"), &flag);
        }
        for (int i = 0; i < 6; i++) {
            if (round % 2) outcome_free(stub_await(e, ids[i]));
            free(ids[i]);
        }
        end(e, &s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(one_of_two__for_good),
        test(only_device__and_back),
        test(again_and_again__between_partitions),
        test(all_together__and_back),
        test(lost_idle_device__is_emptied_and_used_again),
        test(parameters__are_brought_to_another_device),
        test(wait_for_memory__sees_the_device_come_back),
        test(hung_partition__keeps_its_device_alone),
        test(lost_for_good__fails_after_the_recovery_time),
        test(lost_for_good__jobs_are_kept_for_a_new_process),
        test(verified_job__needs_no_device),
        test(device_that_takes_nothing__is_tried_for_a_while),
        test(failed_attachment__is_tried_again),
        test(refused_attachment__does_not_touch_others),
        test(failed_load__leaves_the_host_part_to_those_at_work),
        test(killer__does_not_take_its_neighbour_along),
        test(killer__is_stopped_on_one_device),
        test(killer__is_stopped_on_several),
        test(cancel__while_it_waits),
        test(timeout__while_it_waits),
        test(shutdown__while_it_waits),
        test(anything__at_any_moment),
    };
    return run_tests(tests);
}
