/* The smallest circuits through the public API: domains 2 to 64 around every power of two, parameters and proofs
 * against bellperson's (tests/data/tiny.txt). A chain of `rows` rows x·x = y − i; x₀ is private, the first `publics`
 * results are public inputs, the others private variables. */
#include "cuzk/cuzk.h"
#include "hash/sha256.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct chain {
    uint32_t rows, publics;
};

static void record_chain(cuzk_template *t, const void *params)
{
    const struct chain *chain = params;
    const cuzk_field one = cuzk_field_from_int(1);
    cuzk_num x = cuzk_private_input(t), unit = cuzk_one(t);
    for (uint32_t i = 0; i < chain->rows; i++) {
        cuzk_term result[2] = { { cuzk_product(t, x, x), one }, { unit, cuzk_field_from_int(i) } };
        cuzk_num sum = cuzk_sum(t, result, 2);
        cuzk_num y = i < chain->publics ? cuzk_public(t, sum) : cuzk_private(t, sum);
        cuzk_term square = { x, one };
        cuzk_term right[2] = { { y, one }, { unit, cuzk_field_from_int(-(int64_t)i) } };
        cuzk_enforce(t, &square, 1, &square, 1, right, 2);
        x = y;
    }
}

static const cuzk_block chain_block = { "chain", record_chain };

static cuzk_circuit *build(const struct chain *chain)
{
    cuzk_builder *b;
    cuzk_circuit *c;
    cuzk_error err = { "" };
    assert_int_equal(cuzk_builder_create(&b, &err), CUZK_OK);
    cuzk_builder_call(b, &chain_block, chain, sizeof *chain, NULL, 0, NULL, 0);
    if (cuzk_builder_finish(&c, b, &err) != CUZK_OK) fail_msg("%s", err.detail);
    cuzk_builder_free(b);
    return c;
}

static void to_hex(char *out, const uint8_t *in, size_t n)
{
    for (size_t i = 0; i < n; i++) sprintf(out + 2 * i, "%02x", in[i]);
}

/* Size and SHA-256 of a file. */
static void measure_file(long *size, char sha256_hex[65], const char *path)
{
    uint8_t digest[32], buffer[4096];
    struct sha256 h;
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    sha256_begin(&h);
    *size = 0;
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, f)) > 0; *size += (long)n) sha256_put(&h, buffer, n);
    sha256_end(&h, digest);
    fclose(f);
    to_hex(sha256_hex, digest, 32);
}

static void check_verification(cuzk_prover *p, const struct chain *chain, uint8_t proof[CUZK_PROOF_BYTES],
                               uint8_t (*publics)[32])
{
    const uint8_t(*values)[32] = (const uint8_t(*)[32])publics;
    assert_int_equal(cuzk_prover_verify(p, proof, values, chain->publics, NULL), CUZK_OK);
    if (chain->publics > 0) {
        publics[0][0] ^= 1;
        assert_int_equal(cuzk_prover_verify(p, proof, values, chain->publics, NULL), CUZK_REFUSED);
        publics[0][0] ^= 1;
        assert_int_equal(cuzk_prover_verify(p, proof, values, chain->publics - 1, NULL), CUZK_ERR_DATA);
    }
    proof[0] ^= 0x20; /* −A: a point, but the wrong one */
    assert_int_equal(cuzk_prover_verify(p, proof, values, chain->publics, NULL), CUZK_REFUSED);
    proof[0] ^= 0x20;
}

static void check_chain(const struct chain *chain, long bytes, const char *params_sha256, const char *proof_hex,
                        const char *folder)
{
    char stem[32], path[128], vk_path[128], tag[32], hex[2 * CUZK_PROOF_BYTES + 1], sha256_hex[65];
    uint8_t proof[CUZK_PROOF_BYTES], publics[2][32], input[1][32];
    long size;
    cuzk_error err = { "" };
    cuzk_prover *p;
    cuzk_circuit *c = build(chain);
    snprintf(stem, sizeof stem, "tiny-%u-%u", chain->rows, chain->publics);
    snprintf(path, sizeof path, "%s/%s.params", folder, stem);
    snprintf(vk_path, sizeof vk_path, "%s/%s.vk", folder, stem);
    if (cuzk_generate_insecure(c, "cuzk-test-srs/v1", folder, stem, 2, &err) != CUZK_OK) fail_msg("%s", err.detail);
    measure_file(&size, sha256_hex, path);
    assert_int_equal(size, bytes);
    assert_string_equal(sha256_hex, params_sha256);
    if (cuzk_prover_open(&p, c, path, 2, &err) != CUZK_OK) fail_msg("%s", err.detail);
    sha256(input[0], "tiny/x", 6);
    input[0][31] &= 0x3f;
    snprintf(tag, sizeof tag, "tiny-%u-%u", chain->rows, chain->publics);
    const uint8_t(*inputs)[32] = (const uint8_t(*)[32])input;
    if (cuzk_prover_prove(proof, publics, p, inputs, 1, 0, tag, &err) != CUZK_OK) fail_msg("%s", err.detail);
    to_hex(hex, proof, sizeof proof);
    assert_string_equal(hex, proof_hex);
    check_verification(p, chain, proof, publics);
    assert_int_equal(cuzk_prover_prove(proof, NULL, p, inputs, 0, 0, tag, &err), CUZK_ERR_USAGE);
    cuzk_prover_close(p);
    cuzk_circuit_free(c);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(unlink(vk_path), 0);
}

static void chains__equal_bellpersons(void **state)
{
    (void)state;
    FILE *f = fopen(CUZK_TEST_DATA "/tiny.txt", "r");
    assert_non_null(f);
    char folder[] = "/tmp/cuzk-api-test-XXXXXX", line[1024], sha256_hex[65], proof[385];
    assert_non_null(mkdtemp(folder));
    int compared = 0;
    while (fgets(line, sizeof line, f)) {
        struct chain chain;
        long bytes;
        if (line[0] == '#') continue;
        assert_int_equal(sscanf(line, "%u %u %ld %64s %384s", &chain.rows, &chain.publics, &bytes, sha256_hex, proof), 5);
        check_chain(&chain, bytes, sha256_hex, proof, folder);
        compared++;
    }
    fclose(f);
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(compared, 33);
}

/* Misuse is an error of cuzk_builder_finish, not of the program. */
static void record_misuse(cuzk_template *t, const void *params)
{
    (void)params;
    cuzk_num x = cuzk_private_input(t);
    cuzk_term bad = { cuzk_product(t, x, x), cuzk_field_from_int(1) };
    cuzk_enforce(t, &bad, 1, &bad, 1, NULL, 0);
}

static void builder__reports_misuse(void **state)
{
    (void)state;
    static const cuzk_block block = { "misuse", record_misuse };
    cuzk_builder *b;
    cuzk_circuit *c;
    cuzk_error err = { "" };
    assert_int_equal(cuzk_builder_create(&b, &err), CUZK_OK);
    cuzk_builder_call(b, &block, NULL, 0, NULL, 0, NULL, 0);
    assert_int_not_equal(cuzk_builder_finish(&c, b, &err), CUZK_OK);
    assert_null(c);
    assert_non_null(strstr(err.detail, "no variable"));
    cuzk_builder_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = { test(chains__equal_bellpersons), test(builder__reports_misuse) };
    return run_tests(tests);
}
