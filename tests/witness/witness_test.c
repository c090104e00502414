/* Packed witnesses of the really sealed 2 KiB sectors against Filecoin's own (tests/data/witnesses.txt). */
#include "base/bytes.h"
#include "circuit/compile.h"
#include "r1cs/circuit_digest.h"
#include "r1cs/evaluate.h"
#include "test.h"
#include "witness/sealed.h"

#include <stdio.h>

struct expected {
    char name[32], aux_sha256[65], inputs[65], digest[1 + MATRICES][65];
    unsigned chunk;
    unsigned long long counts[3];
};

static void assert_hex(const char *expected, const uint8_t *digest, const char *what)
{
    char text[65];
    hex_encode(text, digest, 32);
    if (strcmp(text, expected) != 0) fail_msg("%s: %s, expected %s", what, text, expected);
}

static void compare(const struct expected *e, const struct witness *w, struct pool *pool)
{
    cuzk_error err = { "" };
    struct aux_digest aux;
    uint8_t inputs[32];
    assert_int_equal(witness_aux_digest(&aux, w, e->chunk, pool, &err), CUZK_OK);
    assert_hex(e->digest[0], aux.chunks.digest, e->name);
    assert_hex(e->aux_sha256, aux.sha256, e->name);
    assert_int_equal(aux.zeros, e->counts[0]);
    assert_int_equal(aux.ones, e->counts[1]);
    assert_int_equal(aux.others, e->counts[2]);
    chunk_digests_free(&aux.chunks);
    witness_inputs_digest(inputs, w);
    assert_hex(e->inputs, inputs, e->name);
    for (int m = 0; m < MATRICES; m++) {
        struct chunk_digests rows;
        assert_int_equal(witness_rows_digest(&rows, w, (enum matrix_name)m, e->chunk, pool, &err), CUZK_OK);
        assert_hex(e->digest[1 + m], rows.digest, e->name);
        chunk_digests_free(&rows);
    }
    if (witness_check(w, pool, &err) != CUZK_OK) fail_msg("%s: %s", e->name, err.detail);
}

/* With one thread everything is compared with the oracle, with more threads with the first witness. */
static void check_case(const struct expected *e)
{
    struct vanilla_job *job = sealed_job(e->name);
    struct circuit *circuit = NULL;
    struct witness w, again;
    cuzk_error err = { "" };
    assert_int_equal(circuit_compile(&circuit, job->kind, job->shape, &err), CUZK_OK);
    assert_int_equal(witness_create(&w, circuit, &err), CUZK_OK);
    assert_int_equal(witness_create(&again, circuit, &err), CUZK_OK);
    if (circuit_fill(&w, &job->inputs[0], NULL, &err) != CUZK_OK) fail_msg("%s: %s", e->name, err.detail);
    struct pool *pool;
    assert_int_equal(pool_create(&pool, 3, &err), CUZK_OK);
    compare(e, &w, pool);
    memset(again.memory, 0xff, again.size); /* what an earlier witness may have left */
    assert_int_equal(circuit_fill(&again, &job->inputs[0], pool, &err), CUZK_OK);
    size_t words = circuit->bits / 64;
    assert_memory_equal(again.bits, w.bits, words * 8);
    if (circuit->bits % 64) assert_int_equal(again.bits[words], w.bits[words]);
    assert_memory_equal(again.wides, w.wides, circuit->wides * sizeof(fr_t));
    assert_memory_equal(again.inputs, w.inputs, circuit->inputs * sizeof(fr_t));
    pool_destroy(pool);
    witness_destroy(&w);
    witness_destroy(&again);
    circuit_free(circuit);
    vanilla_job_free(job);
}

static void witnesses__equal_filecoins(void **state)
{
    (void)state;
    FILE *f = fopen(CUZK_TEST_DATA "/witnesses.txt", "r");
    assert_non_null(f);
    char line[1024];
    int compared = 0;
    while (fgets(line, sizeof line, f)) {
        struct expected e;
        if (line[0] == '#') continue;
        assert_int_equal(sscanf(line, "%31s %u %llu %llu %llu %64s %64s %64s %64s %64s %64s", e.name, &e.chunk,
                                &e.counts[0], &e.counts[1], &e.counts[2], e.aux_sha256, e.inputs, e.digest[0],
                                e.digest[1], e.digest[2], e.digest[3]),
                         11);
        check_case(&e);
        compared++;
    }
    fclose(f);
    assert_int_equal(compared, 5);
}

/* A window partition with fewer sectors than slots repeats the last one. */
static void window__repeats_the_last_sector(void **state)
{
    (void)state;
    struct vanilla_job *job = sealed_job("window-42-43");
    struct circuit *circuit = NULL;
    struct witness one, two;
    cuzk_error err = { "" };
    assert_int_equal(circuit_compile(&circuit, job->kind, job->shape, &err), CUZK_OK);
    assert_int_equal(witness_create(&one, circuit, &err), CUZK_OK);
    assert_int_equal(witness_create(&two, circuit, &err), CUZK_OK);
    struct post_slot slots[2] = { job->inputs[0].post.slots[1], job->inputs[0].post.slots[1] };
    struct partition_input input = job->inputs[0];
    input.post.slots = slots;
    input.post.slot_count = 1;
    assert_int_equal(circuit_fill(&one, &input, NULL, &err), CUZK_OK);
    input.post.slot_count = 2;
    assert_int_equal(circuit_fill(&two, &input, NULL, &err), CUZK_OK);
    assert_memory_equal(one.memory, two.memory, witness_value_bytes(circuit));
    assert_int_equal(witness_check(&one, NULL, &err), CUZK_OK);
    input.post.slot_count = 0;
    assert_int_equal(circuit_fill(&one, &input, NULL, &err), CUZK_ERR_USAGE);
    witness_destroy(&one);
    witness_destroy(&two);
    circuit_free(circuit);
    vanilla_job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = { test(witnesses__equal_filecoins), test(window__repeats_the_last_sector) };
    return run_tests(tests);
}
