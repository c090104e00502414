/* The engine over the real steps: parameters made here (insecure), a really sealed sector's winning PoSt. */
#include "engine/engine.h"
#include "engine/snapshot.h"

#include "backend/cpu/cpu.h"
#include "base/clock.h"
#include "base/file.h"
#include "circuit/catalogue.h"
#include "circuit/compile.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char root[] = "/tmp/cuzk-real-XXXXXX";
static const char randomness_hex[] = "786b91f30069e89c21ccee795ae4481181a3c019a66ec538c2af37900f6daa16";
static uint8_t randomness[32], *vanilla;
static size_t vanilla_size;

static void must(cuzk_status status, const cuzk_error *err)
{
    if (status != CUZK_OK) fail_msg("%s: %s", cuzk_status_text(status), err->detail);
}

/* `cuzk params generate winning-2k` in short. */
static void generate(void)
{
    const struct circuit_entry *entry = catalogue_by_id("winning-2k");
    struct pool *pool;
    struct backend backend;
    struct circuit *circuit;
    struct backend_circuit loaded;
    struct params_writer writer;
    struct toxic toxic;
    char stem[CATALOGUE_STEM_BYTES];
    cuzk_error err = { "" };
    must(pool_create(&pool, 0, &err), &err);
    must(cpu_backend_open(&backend, pool, &err), &err);
    must(circuit_compile(&circuit, entry->kind, catalogue_shape(entry), &err), &err);
    must(backend_circuit_load(&loaded, &backend, circuit, &err), &err);
    must(toxic_from_insecure_seed(&toxic, "cuzk-test-srs/v1", &err), &err);
    catalogue_stem(stem, entry);
    must(params_writer_open(&writer, root, stem, &loaded.layout.counts, &err), &err);
    must(backend_keygen(&writer, &loaded, &toxic, NULL, &err), &err);
    must(params_writer_commit(&writer, &err), &err);
    backend_circuit_drop(&loaded);
    circuit_free(circuit);
    backend_close(&backend);
    pool_destroy(pool);
}

static struct engine *open_engine(bool allow, const char *journal)
{
    struct engine_config config;
    struct engine *e;
    cuzk_error err = { "" };
    engine_config_default(&config);
    config.param_cache = root;
    config.allow_test_parameters = allow;
    config.total_budget = UINT64_C(2) << 30;
    config.journal_dir = journal;
    must(engine_create(&e, &config, &err), &err);
    return e;
}

static struct outcome *prove(struct engine *e, const char *id, struct bytes payload)
{
    struct request r = { .kind = PROOF_WINNING, .registered_proof = 0, .miner_id = 1000 };
    r.request_id = (struct bytes){ (const uint8_t *)id, strlen(id) };
    r.randomness = (struct bytes){ randomness, sizeof randomness };
    r.vanilla_proofs = &payload;
    r.vanilla_proof_count = 1;
    struct submission s = { .request = &r };
    struct accepted accepted;
    struct outcome *o;
    cuzk_error err = { "" };
    must(engine_submit(e, &accepted, &s, &err), &err);
    struct bytes job = { (uint8_t *)accepted.job_id, accepted.job_id_size };
    must(engine_await(e, &o, job, 600000, &err), &err);
    free(accepted.job_id);
    return o;
}

static struct outcome *prove_good(struct engine *e, const char *id)
{
    return prove(e, id, (struct bytes){ vanilla, vanilla_size });
}

static void assert_proof(const struct outcome *o)
{
    if (o->state != JOB_COMPLETED) fail_msg("%s: %s", job_state_name(o->state), o->error);
    assert_int_equal(o->proof.size, PROOF_BYTES);
}

static void winning_post__of_a_sealed_sector(void **state)
{
    (void)state;
    struct engine *e = open_engine(true, NULL);
    struct outcome *o = prove_good(e, "first");
    assert_proof(o);
    uint64_t sum = 0;
    for (int p = 0; p < PHASES; p++) sum += o->timings.phase[p];
    assert_int_equal(sum, o->timings.total);
    assert_true(o->timings.phase[PHASE_SRS] > 0);
    outcome_free(o);
    o = prove_good(e, "second");
    assert_proof(o);
    char text[256];
    timings_text(text, sizeof text, &o->timings);
    print_message("%s\n", text);
    outcome_free(o);

    struct engine_status *status;
    cuzk_error err = { "" };
    must(engine_status(e, &status, &err), &err);
    assert_int_equal(status->srs_count, 1);
    assert_true(status->srs[0].test_parameters);
    assert_int_equal(status->srs[0].tier, TIER_LOADED);
    assert_string_equal(status->devices[0].backend, "cpu");
    engine_status_free(status);
    engine_destroy(e);
}

static void damaged_vanilla_proof__is_named(void **state)
{
    (void)state;
    struct engine *e = open_engine(true, NULL);
    uint8_t *copy = malloc(vanilla_size);
    assert_non_null(copy);
    memcpy(copy, vanilla, vanilla_size);
    copy[vanilla_size / 2] ^= 1;
    struct outcome *o = prove(e, "damaged", (struct bytes){ copy, vanilla_size });
    assert_int_equal(o->state, JOB_FAILED);
    assert_true(strlen(o->error) > 20);
    outcome_free(o);
    o = prove(e, "short", (struct bytes){ vanilla, 100 });
    assert_int_equal(o->state, JOB_FAILED);
    outcome_free(o);
    o = prove_good(e, "good");
    assert_proof(o);
    outcome_free(o);
    free(copy);
    engine_destroy(e);
}

static void wrong_proof__is_found_by_the_verifier(void **state)
{
    (void)state;
    struct engine_metrics m;
    struct engine *e = open_engine(true, NULL);
    engine_inject_fault(e, PROOF_WINNING, 0, 1);
    struct outcome *o = prove_good(e, "once");
    assert_proof(o);
    outcome_free(o);
    engine_inject_fault(e, PROOF_WINNING, 0, 2);
    o = prove_good(e, "twice");
    assert_int_equal(o->state, JOB_FAILED);
    assert_non_null(strstr(o->error, "partition 0: the proof does not verify"));
    outcome_free(o);
    engine_metrics(e, &m);
    assert_int_equal(m.selfcheck_failures, 3);
    engine_destroy(e);
}

static void test_parameters__are_refused_unless_allowed(void **state)
{
    (void)state;
    struct engine *e = open_engine(false, NULL);
    struct outcome *o = prove_good(e, "id");
    assert_int_equal(o->state, JOB_FAILED);
    assert_non_null(strstr(o->error, "published is 82c88066be968bb550a05e30ff6c2413"));
    outcome_free(o);
    engine_destroy(e);
}

static void missing_parameters__fail_their_jobs_by_name(void **state)
{
    (void)state;
    struct engine *e = open_engine(true, NULL);
    struct request r = { .kind = PROOF_WINNING, .registered_proof = 1, .request_id = { (const uint8_t *)"8m", 2 } };
    struct submission s = { .request = &r };
    struct accepted accepted;
    struct outcome *o;
    cuzk_error err = { "" };
    must(engine_submit(e, &accepted, &s, &err), &err);
    must(engine_await(e, &o, r.request_id, 600000, &err), &err);
    assert_int_equal(o->state, JOB_FAILED);
    outcome_free(o);
    free(accepted.job_id);
    engine_destroy(e);
}

static void journal__gives_the_proof_again(void **state)
{
    (void)state;
    char dir[64];
    snprintf(dir, sizeof dir, "%s/journal", root);
    struct engine *e = open_engine(true, dir);
    struct outcome *first = prove_good(e, "id");
    assert_proof(first);
    engine_destroy(e);
    e = open_engine(true, dir);
    struct outcome *again = prove_good(e, "id");
    assert_proof(again);
    assert_memory_equal(first->proof.data, again->proof.data, PROOF_BYTES); /* not proved anew: r and s are random */
    outcome_free(first);
    outcome_free(again);
    char cache[96];
    snprintf(cache, sizeof cache, "%s/parameters.checked", dir);
    uint8_t *text;
    size_t size;
    cuzk_error err = { "" };
    must(file_read(&text, &size, cache, 4096, &err), &err);
    assert_non_null(strchr((char *)text, '\n'));
    free(text);
    engine_destroy(e);
}

static int prepare(void **state)
{
    (void)state;
    cuzk_error err = { "" };
    assert_true(hex_decode(randomness, sizeof randomness, randomness_hex, 64));
    must(file_read(&vanilla, &vanilla_size, CUZK_TEST_DATA "/sealed-2kib/winning-42.vproof", 1 << 24, &err), &err);
    generate();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(winning_post__of_a_sealed_sector),
        test(damaged_vanilla_proof__is_named),
        test(wrong_proof__is_found_by_the_verifier),
        test(test_parameters__are_refused_unless_allowed),
        test(missing_parameters__fail_their_jobs_by_name),
        test(journal__gives_the_proof_again),
    };
    if (!mkdtemp(root)) return 1;
    int failed = cmocka_run_group_tests(tests, prepare, NULL);
    free(vanilla);
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command) != 0 || failed;
}
