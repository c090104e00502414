#include "groth16/vectors.h"
#include "groth16/verifier.h"
#include "math/point_codec.h"

static void decode__round_trips(void **state)
{
    (void)state;
    json_t *proofs = vectors_load("proofs.json"), *p;
    size_t i;
    json_array_foreach(proofs, i, p)
    {
        uint8_t bytes[PROOF_BYTES], again[PROOF_BYTES];
        struct proof proof;
        hex_at(bytes, PROOF_BYTES, p, "proof");
        assert_int_equal(proof_decode(&proof, bytes, NULL), CUZK_OK);
        proof_encode(again, &proof);
        assert_memory_equal(again, bytes, PROOF_BYTES);
    }
    json_decref(proofs);
}

static void first_proof(uint8_t out[PROOF_BYTES])
{
    json_t *proofs = vectors_load("proofs.json");
    hex_at(out, PROOF_BYTES, json_array_get(proofs, 0), "proof");
    json_decref(proofs);
}

static void decode__refuses_other_lengths(void **state)
{
    (void)state;
    uint8_t bytes[2 * PROOF_BYTES];
    struct proof proofs[2];
    first_proof(bytes);
    first_proof(bytes + PROOF_BYTES);
    const size_t lengths[] = { 0, 1, 191, 193, 383, 384 };
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        uint8_t *exact = malloc(lengths[i] + 1);
        memcpy(exact, bytes, lengths[i]);
        cuzk_error err = { "" };
        assert_int_equal(proof_decode_all(proofs, 1, exact, lengths[i], &err), CUZK_ERR_DATA);
        assert_non_null(strstr(err.detail, "192 for each of 1 partitions expected"));
        free(exact);
    }
    assert_int_equal(proof_decode_all(proofs, 1, bytes, 192, NULL), CUZK_OK);
    assert_int_equal(proof_decode_all(proofs, 2, bytes, 384, NULL), CUZK_OK);
    assert_int_equal(proof_decode_all(proofs, 2, bytes, 192, NULL), CUZK_ERR_DATA);
    bytes[PROOF_BYTES] ^= 0x80;
    cuzk_error err = { "" };
    assert_int_equal(proof_decode_all(proofs, 2, bytes, 384, &err), CUZK_ERR_DATA);
    assert_non_null(strstr(err.detail, "partition 1: proof, A"));
}

static void decode__refuses_infinity(void **state)
{
    (void)state;
    const struct {
        size_t at, bytes;
        const char *name;
    } points[] = { { 0, 48, "proof, A" }, { 48, 96, "proof, B" }, { 144, 48, "proof, C" } };
    for (int i = 0; i < 3; i++) {
        uint8_t bytes[PROOF_BYTES];
        struct proof proof;
        cuzk_error err = { "" };
        first_proof(bytes);
        memset(bytes + points[i].at, 0, points[i].bytes);
        bytes[points[i].at] = 0xc0;
        assert_int_equal(proof_decode(&proof, bytes, &err), CUZK_ERR_DATA);
        assert_non_null(strstr(err.detail, points[i].name));
        bytes[points[i].at] = 0xe0; /* infinity with a sign */
        assert_int_equal(proof_decode(&proof, bytes, &err), CUZK_ERR_DATA);
        bytes[points[i].at] = 0x80; /* x = 0: a point, but not of order r */
        assert_int_equal(proof_decode(&proof, bytes, &err), CUZK_ERR_DATA);
        memset(bytes + points[i].at, 0xff, points[i].bytes); /* x not below p */
        bytes[points[i].at] = 0x9f;
        assert_int_equal(proof_decode(&proof, bytes, &err), CUZK_ERR_DATA);
    }
}

/* Each x off by a little: not on the curve in half of the cases, outside the subgroup in nearly all
 * others. */
static void decode__refuses_off_curve_and_outside_subgroup(void **state)
{
    (void)state;
    const size_t last[] = { 47, 143, 191 };
    for (int i = 0; i < 3; i++) {
        unsigned off_curve = 0, outside = 0;
        for (unsigned flip = 1; flip < 40; flip++) {
            uint8_t bytes[PROOF_BYTES];
            struct proof proof;
            cuzk_error err = { "" };
            first_proof(bytes);
            bytes[last[i]] ^= flip;
            assert_int_equal(proof_decode(&proof, bytes, &err), CUZK_ERR_DATA);
            if (strstr(err.detail, "subgroup"))
                outside++;
            else
                off_curve++;
        }
        assert_true(off_curve > 5);
        assert_true(outside > 5);
    }
}

/* Every single flipped bit makes a proof that is refused, one way or the other. */
static void flipped_bits__never_verify(void **state)
{
    (void)state;
    json_t *proofs = vectors_load("proofs.json"), *p = json_array_get(proofs, 2);
    struct verifying_key vk;
    struct verifier *v = malloc(sizeof *v);
    size_t inputs;
    fr_t *x = frs_at(&inputs, p, "inputs");
    vector_key(&vk, text_at(p, "circuit"));
    verifier_create(v, &vk);
    unsigned refused = 0;
    for (size_t bit = 0; bit < 8 * PROOF_BYTES; bit += 7) {
        uint8_t bytes[PROOF_BYTES];
        struct proof proof;
        hex_at(bytes, PROOF_BYTES, p, "proof");
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (proof_decode(&proof, bytes, NULL) == CUZK_ERR_DATA) continue;
        assert_int_equal(verifier_check(v, &proof, x, inputs, NULL, NULL), CUZK_REFUSED);
        refused++;
    }
    /* The signs alone: decodable, and wrong. */
    const size_t signs[] = { 0, 48, 144 };
    for (int i = 0; i < 3; i++) {
        uint8_t bytes[PROOF_BYTES];
        struct proof proof;
        hex_at(bytes, PROOF_BYTES, p, "proof");
        bytes[signs[i]] ^= 0x20;
        assert_int_equal(proof_decode(&proof, bytes, NULL), CUZK_OK);
        assert_int_equal(verifier_check(v, &proof, x, inputs, NULL, NULL), CUZK_REFUSED);
    }
    verifier_release(v);
    free(v);
    free(x);
    json_decref(proofs);
}

/* With the toxic waste, sums for a chosen C: assembling with r and s keeps the proof valid. */
static void assemble__follows_the_formula(void **state)
{
    (void)state;
    struct proof_sums sums;
    struct verifying_key vk = { 0 };
    fr_t scalar[12];
    for (int i = 0; i < 12; i++) {
        char label[16];
        snprintf(label, sizeof label, "assemble/%d", i);
        scalar_from_label(&scalar[i], label);
    }
    g1_t g;
    g2_t g2;
    g1_from_affine(&g, &G1_GENERATOR);
    g2_from_affine(&g2, &G2_GENERATOR);
    g1_mul_fr_var(&sums.h, &g, &scalar[0]);
    g1_mul_fr_var(&sums.l, &g, &scalar[1]);
    g1_mul_fr_var(&sums.a, &g, &scalar[2]);
    g1_mul_fr_var(&sums.b_g1, &g, &scalar[3]);
    g2_mul_fr_var(&sums.b_g2, &g2, &scalar[3]);
    const fr_t *alpha = &scalar[4], *beta = &scalar[5], *delta = &scalar[6];
    g1_t t;
    g2_t t2;
    g1_mul_fr_var(&t, &g, alpha);
    g1_to_affine_var(&vk.alpha_g1, &t);
    g1_mul_fr_var(&t, &g, beta);
    g1_to_affine_var(&vk.beta_g1, &t);
    g1_mul_fr_var(&t, &g, delta);
    g1_to_affine_var(&vk.delta_g1, &t);
    g2_mul_fr_var(&t2, &g2, beta);
    g2_to_affine_var(&vk.beta_g2, &t2);
    g2_mul_fr_var(&t2, &g2, delta);
    g2_to_affine_var(&vk.delta_g2, &t2);
    const struct proof_randomness random = { scalar[7], scalar[8] };

    struct proof proof;
    proof_assemble(&proof, &sums, &vk, &random);

    /* The same in the exponent: a = alpha + A + r·delta, b = beta + B + s·delta,
     * c = H + L + s·A + r·B + r·s·delta + s·alpha + r·beta. */
    fr_t a, b, c, x;
    fr_mul(&a, &random.r, delta);
    fr_add(&a, &a, alpha);
    fr_add(&a, &a, &scalar[2]);
    fr_mul(&b, &random.s, delta);
    fr_add(&b, &b, beta);
    fr_add(&b, &b, &scalar[3]);
    fr_add(&c, &scalar[0], &scalar[1]);
    fr_mul(&x, &random.s, &scalar[2]);
    fr_add(&c, &c, &x);
    fr_mul(&x, &random.r, &scalar[3]);
    fr_add(&c, &c, &x);
    fr_mul(&x, &random.r, &random.s);
    fr_mul(&x, &x, delta);
    fr_add(&c, &c, &x);
    fr_mul(&x, &random.s, alpha);
    fr_add(&c, &c, &x);
    fr_mul(&x, &random.r, beta);
    fr_add(&c, &c, &x);
    g1_affine_t want;
    g2_affine_t want2;
    g1_mul_fr_var(&t, &g, &a);
    g1_to_affine_var(&want, &t);
    assert_true(g1_affine_equal(&proof.a, &want));
    g1_mul_fr_var(&t, &g, &c);
    g1_to_affine_var(&want, &t);
    assert_true(g1_affine_equal(&proof.c, &want));
    g2_mul_fr_var(&t2, &g2, &b);
    g2_to_affine_var(&want2, &t2);
    assert_true(g2_affine_equal(&proof.b, &want2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(decode__round_trips),        test(decode__refuses_other_lengths),
        test(decode__refuses_infinity),   test(decode__refuses_off_curve_and_outside_subgroup),
        test(flipped_bits__never_verify), test(assemble__follows_the_formula),
    };
    return run_tests(tests);
}
