/* Whole jobs and their statements against Filecoin's own public inputs. */
#include "fixture.h"
#include "hash/sha256.h"
#include "vanilla/node.h"
#include "vanilla/public_inputs.h"

#include <stdio.h>

/* A file of tests/data/public-inputs: one value a line, ONE left out. */
static void assert_inputs(const struct statement *s, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "public-inputs/%s.txt", name);
    struct bytes text = data_file(path);
    size_t count = public_inputs_count(s->kind, s->shape);
    assert_int_equal(text.size, count * (2 * NODE_BYTES + 1));
    fr_t *inputs = calloc(count, sizeof *inputs);
    public_inputs(inputs, s, 0);
    for (size_t i = 0; i < count; i++) {
        struct node n;
        node_from_fr(&n, &inputs[i]);
        assert_memory_equal(node_hex(&n).text, text.data + i * (2 * NODE_BYTES + 1), 2 * NODE_BYTES);
    }
    free(inputs);
    free((void *)(uintptr_t)text.data);
}

static struct vanilla_job *checked_job(const struct fixture *f)
{
    struct vanilla_job *job;
    cuzk_error err = { "" };
    if (vanilla_parse(&job, &f->request, &err) != CUZK_OK) fail_msg("%s", err.detail);
    struct pool *pool;
    assert_int_equal(pool_create(&pool, 3, NULL), CUZK_OK);
    if (vanilla_check(job, pool, &err) != CUZK_OK) fail_msg("%s", err.detail);
    pool_destroy(pool);
    return job;
}

static void check_inputs(struct fixture *f, const char *name)
{
    struct vanilla_job *job = checked_job(f);
    assert_inputs(&job->statement, name);
    vanilla_job_free(job);
    fixture_free(f);
}

static void public_inputs__of_jobs_are_filecoins(void **state)
{
    (void)state;
    struct fixture f;
    fixture_porep(&f, "porep-s42.c1.json");
    check_inputs(&f, "porep-2KiB-s42");
    fixture_porep(&f, "porep-s43.wrapped.json");
    check_inputs(&f, "porep-2KiB-s43");
    fixture_window(&f);
    check_inputs(&f, "window-2KiB-42-43");
    fixture_winning(&f);
    check_inputs(&f, "winning-2KiB");
    fixture_update(&f, "update-42.json");
    check_inputs(&f, "update-2KiB");
}

/* The one real 32 GiB sector fills 2,349 slots; SHA-256 over all inputs with ONE in front. */
static void public_inputs__repeat_the_last_sector(void **state)
{
    (void)state;
    struct fixture f;
    fixture_real_window(&f);
    struct vanilla_job *job = checked_job(&f);
    size_t count = public_inputs_count(PROOF_WINDOW, job->shape);
    assert_int_equal(count, 25839);
    fr_t *inputs = calloc(count + 1, sizeof *inputs);
    inputs[0] = FR_ONE;
    public_inputs(inputs + 1, &job->statement, 0);
    struct sha256 h;
    struct node n;
    sha256_begin(&h);
    for (size_t i = 0; i <= count; i++) {
        node_from_fr(&n, &inputs[i]);
        sha256_put(&h, n.b, NODE_BYTES);
    }
    sha256_end(&h, n.b);
    assert_string_equal(node_hex(&n).text, "816c6b1b8def539f34d5c702f5d69d1fb18d8df0e0d384dd72bf31ea9c365346");
    free(inputs);
    vanilla_job_free(job);
    fixture_free(&f);
}

static void statement_json__gives_the_same_inputs(void **state)
{
    (void)state;
    static const struct {
        const char *file, *inputs;
        enum proof_kind kind;
    } cases[] = {
        { "porep-s42", "porep-2KiB-s42", PROOF_POREP },  { "porep-s43", "porep-2KiB-s43", PROOF_POREP },
        { "window", "window-2KiB-42-43", PROOF_WINDOW }, { "winning", "winning-2KiB", PROOF_WINNING },
        { "update-42", "update-2KiB", PROOF_UPDATE },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[128];
        struct arena arena = { 0 };
        struct statement s;
        cuzk_error err = { "" };
        snprintf(path, sizeof path, "sealed-2kib/%s.public.json", cases[i].file);
        struct bytes text = data_file(path);
        if (statement_json(&s, &arena, cases[i].kind, text, &err) != CUZK_OK) fail_msg("%s", err.detail);
        free((void *)(uintptr_t)text.data);
        assert_inputs(&s, cases[i].inputs);
        arena_release(&arena);
    }
}

static void statement_json__reads_the_other_spelling(void **state)
{
    (void)state;
    static const char text[] =
        "{\"kind\": \"window\", \"size\": 34359738368, \"api_version\": \"V1_2_0\", \"seed\": \"synth-1\","
        "\"randomness\": \"6c30f87b36f72f13a9d69d0f518dc5b157472bbc1653baeb24a5d5991c67272b\", \"sector\": 3,"
        "\"comm_r\": \"b56e2c6f1cd60cc2f79c060329e61aee599166b807608080c4a498424c8a7168\"}";
    struct arena arena = { 0 };
    struct statement s;
    assert_int_equal(
        statement_json(&s, &arena, PROOF_WINDOW, (struct bytes){ (const uint8_t *)text, sizeof text - 1 }, NULL),
        CUZK_OK);
    assert_int_equal(s.proof->number, 13);
    assert_int_equal(s.post.sector_count, 1);
    assert_int_equal(statement_post_challenge(&s, 0, 0), 950768716);
    assert_int_equal(statement_post_challenge(&s, 2000, 9), 603835323);
    arena_release(&arena);
}

#define HEX_ONE "0100000000000000000000000000000000000000000000000000000000000000"
#define HEX_ZERO "0000000000000000000000000000000000000000000000000000000000000000"
#define HEX_R "01000000fffffffffe5bfeff02a4bd5305d8a10908d83933487d9d2953a7ed73"

static void statement_json__refuses_by_name(void **state)
{
    (void)state;
    static const struct {
        enum proof_kind kind;
        const char *text, *detail;
    } cases[] = {
        { PROOF_POREP, "[]", "an object expected" },
        { PROOF_POREP, "{", "line 1: " },
        { PROOF_POREP, "{\"sector\":1,\"sector\":1}", "line 1: " },
        { PROOF_POREP, "{}", "registered_proof: a name expected" },
        { PROOF_POREP, "{\"registered_proof\":\"StackedDrg2KiBV7\"}", "registered_proof: registered proof" },
        { PROOF_POREP, "{\"registered_proof\":\"StackedDrg2KiBV1\"}", "miner_id: a number expected" },
        { PROOF_POREP, "{\"registered_proof\":\"StackedDrg2KiBV1\",\"miner_id\":1,\"prover_id\":\"" HEX_ZERO "\"}",
          "prover_id: the miner's expected" },
        { PROOF_POREP, "{\"registered_proof\":\"StackedDrg2KiBV1\",\"miner_id\":1,\"sector\":-1}",
          "sector: an integer expected" },
        { PROOF_POREP,
          "{\"registered_proof\":\"StackedDrg2KiBV1\",\"miner_id\":1,\"sector\":1,\"ticket\":\"" HEX_ZERO
          "\",\"comm_d\":\"" HEX_ZERO "\",\"comm_r\":\"" HEX_ONE "\",\"seed\":\"" HEX_ONE "\"}",
          "comm_d: all zero" },
        { PROOF_POREP,
          "{\"registered_proof\":\"StackedDrg2KiBV1\",\"miner_id\":1,\"sector\":1,\"ticket\":\"" HEX_ZERO
          "\",\"comm_d\":\"" HEX_ONE "\",\"comm_r\":\"" HEX_R "\",\"seed\":\"" HEX_ONE "\"}",
          "comm_r: " HEX_R " is not below r" },
        { PROOF_WINDOW, "{\"registered_proof\":\"StackedDrgWindow2KiBV1\",\"randomness\":\"00\"}",
          "randomness: 64 hexadecimal digits expected" },
        { PROOF_WINDOW, "{\"size\":2048}", "api_version: " },
        { PROOF_WINDOW,
          "{\"registered_proof\":\"StackedDrgWindow2KiBV1\",\"randomness\":\"" HEX_ONE "\",\"sectors\":[]}",
          "sectors: 0 given" },
        { PROOF_WINDOW,
          "{\"registered_proof\":\"StackedDrgWindow2KiBV1\",\"randomness\":\"" HEX_ONE
          "\",\"sectors\":[{\"sector\":1,\"comm_r\":\"" HEX_R "\"}]}",
          "sectors[0].comm_r: " },
        { PROOF_WINNING, "{\"size\":2049,\"randomness\":\"" HEX_ONE "\"}", "size: a sector size" },
        { PROOF_UPDATE,
          "{\"size\":2048,\"comm_r_old\":\"" HEX_ONE "\",\"comm_d_new\":\"" HEX_R "\",\"comm_r_new\":\"" HEX_ONE
          "\"}",
          "comm_d_new: " HEX_R " is not below r" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena arena = { 0 };
        struct statement s;
        cuzk_error err = { "" };
        struct bytes text = { (const uint8_t *)cases[i].text, strlen(cases[i].text) };
        assert_int_equal(statement_json(&s, &arena, cases[i].kind, text, &err), CUZK_ERR_DATA);
        if (!strstr(err.detail, cases[i].detail)) fail_msg("%s expected: %s", cases[i].detail, err.detail);
        arena_release(&arena);
    }
}

/* ---- request_json ---- */

static cuzk_status read_request(struct request *out, struct arena *arena, const char *text, cuzk_error *err)
{
    return request_json(out, arena, (struct bytes){ (const uint8_t *)text, strlen(text) }, err);
}

static void request_json__reads_both_spellings(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"request_id\":\"a\\u00e9\",\"proof_kind\":\"WINDOW_POST_PARTITION\",\"sector_size\":\"34359738368\","
        "\"registered_proof\":13,\"priority\":\"HIGH\",\"vanilla_proof\":\"AQI=\",\"vanilla_proofs\":[\"AA==\","
        "\"AQID\"],"
        "\"sector_number\":\"7\",\"miner_id\":1000,\"randomness\":\"-_8\",\"partition_index\":2,"
        "\"comm_r_old\":\"AA==\",\"comm_r_new\":\"AQ\",\"comm_d_new\":\"Ag==\",\"unknown\":{\"x\":[1]}}",
        "{\"requestId\":\"a\xc3\xa9\",\"proofKind\":3,\"sectorSize\":34359738368,\"registeredProof\":\"13\","
        "\"priority\":3,\"vanillaProof\":\"AQI\",\"vanillaProofs\":[\"AA\",\"AQID\"],\"sectorNumber\":7,"
        "\"minerId\":\"1000\",\"randomness\":\"+\\/8=\",\"partitionIndex\":\"2\",\"commROld\":\"AA==\","
        "\"commRNew\":\"AQ==\",\"commDNew\":\"Ag==\"}",
    };
    for (size_t i = 0; i < 2; i++) {
        struct arena arena = { 0 };
        struct request r;
        cuzk_error err = { "" };
        if (read_request(&r, &arena, texts[i], &err) != CUZK_OK) fail_msg("%s", err.detail);
        assert_int_equal(r.request_id.size, 3);
        assert_memory_equal(r.request_id.data, "a\xc3\xa9", 3);
        assert_int_equal(r.kind, PROOF_WINDOW);
        assert_int_equal(r.sector_size, UINT64_C(32) << 30);
        assert_int_equal(r.registered_proof, 13);
        assert_int_equal(r.priority, 3);
        assert_int_equal(r.vanilla_proof.size, 2);
        assert_int_equal(r.vanilla_proof_count, 2);
        assert_memory_equal(r.vanilla_proofs[1].data, "\1\2\3", 3);
        assert_true(r.has_sector_number);
        assert_int_equal(r.sector_number, 7);
        assert_int_equal(r.miner_id, 1000);
        assert_int_equal(r.randomness.size, 2);
        assert_memory_equal(r.randomness.data, "\xfb\xff", 2);
        assert_int_equal(r.partition_index, 2);
        assert_int_equal(r.comm_r_old.data[0], 0);
        assert_int_equal(r.comm_r_new.data[0], 1);
        assert_int_equal(r.comm_d_new.data[0], 2);
        arena_release(&arena);
    }
}

static void request_json__takes_null_for_a_default(void **state)
{
    (void)state;
    struct arena arena = { 0 };
    struct request r;
    assert_int_equal(
        read_request(&r, &arena, "{\"miner_id\":null,\"vanillaProofs\":null,\"sector_number\":null}", NULL), CUZK_OK);
    assert_false(r.has_sector_number);
    assert_int_equal(read_request(&r, &arena, "{}", NULL), CUZK_OK);
    assert_int_equal(r.kind, 0);
    arena_release(&arena);
}

static void request_json__refuses_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *text, *detail;
    } cases[] = {
        { "", "byte 0: an object expected, the end found" },
        { "{\"miner_id\":1,\"miner_id\":2}", "byte 13: member \"miner_id\" occurs twice" },
        { "{\"miner_id\":1,\"minerId\":2}", "miner_id: byte 24: given under both of its names" },
        { "{\"miner_id\":-1}", "miner_id: byte 12: an integer 0 to" },
        { "{\"miner_id\":\"12x\"}", "miner_id: byte 15: the end expected, 'x' found" },
        { "{\"miner_id\":\"\"}", "miner_id: byte 13: a number expected, the end found" },
        { "{\"miner_id\":18446744073709551616}", "miner_id: byte 12: an integer up to" },
        { "{\"partition_index\":4294967296}", "partition_index: byte 19: an integer up to 4294967295" },
        { "{\"proof_kind\":\"POREP\"}", "proof_kind: byte 21: \"POREP\" is not a known name" },
        { "{\"randomness\":\"*\"}", "randomness: base64 of 1 characters" },
        { "{\"randomness\":[1]}", "randomness: byte 14: a string expected" },
        { "{\"vanilla_proofs\":[\"AA==\",1]}", "vanilla_proofs[1]: byte 26: a string expected" },
        { "{\"vanilla_proofs\":{}}", "vanilla_proofs: byte 18: an array expected" },
        { "{} {}", "byte 3: the end expected, '{' found" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena arena = { 0 };
        struct request r;
        cuzk_error err = { "" };
        assert_int_equal(read_request(&r, &arena, cases[i].text, &err), CUZK_ERR_DATA);
        if (strncmp(err.detail, cases[i].detail, strlen(cases[i].detail)) != 0) {
            fail_msg("%s expected: %s", cases[i].detail, err.detail);
        }
        arena_release(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(public_inputs__of_jobs_are_filecoins),   test(public_inputs__repeat_the_last_sector),
        test(statement_json__gives_the_same_inputs),  test(statement_json__reads_the_other_spelling),
        test(statement_json__refuses_by_name),        test(request_json__reads_both_spellings),
        test(request_json__takes_null_for_a_default), test(request_json__refuses_by_name),
    };
    return run_tests(tests);
}
