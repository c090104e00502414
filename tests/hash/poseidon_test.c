/* Poseidon against the checksums of spec §7, the digests of spec §8.4 and the plain permutation. */
#include "hash/poseidon.h"

#include "base/bytes.h"
#include "hash/poseidon_constants.h"
#include "test.h"

#include <openssl/sha.h>
#include <stdlib.h>

#define MAX_PLAIN ((POSEIDON_FULL_ROUNDS + 60) * POSEIDON_MAX_WIDTH)

struct checksums {
    unsigned arity;
    const char *first, *last; /* plain round constants, big-endian */
    const char *plain, *compressed, *pre_sparse, *sparse;
};

static const struct checksums checksums[] = {
    { 2, "669f064bfa3ae17a23bd51861dbb4a24501eac92a2758b36a7320a009d6ed3d8",
      "60dfbfa5d5dd06351a917a05466e5884ed12e38ec24d5bb80be0abe065395e5c",
      "cf4dfb7448132022e22b32e3dce6b125cb06329448f9e8d8fe53a71c73cbe6d4",
      "b768b730ce5198394d948d76421ab53b08cc16ec1ac082cf503f370192253e16",
      "13d6e8e5ba45b0d2096617d055499f36adad1aab6853de143ed42b14eea9a0f6",
      "a2fe507a83bddb8d57e5a00e7e58e79800c272b0db7dd4141943f6e567e99138" },
    { 4, "45c919736a0e5f2ef32c4c7d0a338eb1fed3d9e317b7580921072285c7e215ca",
      "34e974d8cb3be2818f7a6a121a5c6057ed5037226d29e56d20a5ff71a4bec6eb",
      "91e463d6553415b3901b9f26b2ad53e6298ac3e5ab0ef260d397bafe8bdde98e",
      "3e4ec19ded2c86a89f3d6bddc13d9571a0cc5473e7207cfbaf6a8169a69f5709",
      "aee67dfb1ae8c43eca89f5742a745c6309f2d302ab741b75d2641b7025d87413",
      "f1c3c3a9fe9ea4a3c38c91971e5f379da38123fe1dcf960b461d84c5ba759f2b" },
    { 8, "6ce90d12c4045fe08c3caddb776dd84ac52b4ae7e48cd49443984154f2f4c2f9",
      "3b3a75eb91b0f723bcc4ab7e449e4a011b8960063efe74670c05e545519d9a8c",
      "9a4a743575f0eaf285c93d73f8adaf4e7ef4042c2445b42bddaf1a64e5face72",
      "f5a94aea73a583d080abdf7d71259fab9107f5523a4a1eddc41468f94564dd16",
      "dcfbdaea3eb7e347664c8f881c5443b1895f10c85cab0878022eb287defa8587",
      "3f823785875d8cc161c963d2a62d103a3fefab30eb4244cef877d8e624fb79f4" },
    { 11, "1f6c9576e648b5047399bfc5f38902e0d506f18e0f3ab77de6de096bd089bce4",
      "4543ca937ff30a73db73c95cf11b2f641c744cc5d6a08d197c29ea4e2aab6a16",
      "479dc0d71d694cd50d853dec0c94aeb37df2a69929eaa23b545a52b1226aec06",
      "2d7c0e4e9b98eda82102b69f1a964ae59ccf98b0008b6d3d632d86f4fea79d1d",
      "f2a7353f0ce5ad724a7a58bf2db0e37f7c5662f064a6c97466021af83279a96e",
      "810a4d7f126f6e5fb3eb1980b57c70f90bb835219373d955726e30b3ca931556" },
    { 16, "110ba2bc11394ebdc472727c9683ed70624a37009ffed519b77bcea2c051b459",
      "107c26e67e3f7a628d99b29213533115a8aca22dfacd1c8c7609d3fdb60eafae",
      "e4a8a7bc7eaa2dcc61eff24e8e380e72d7c0bd9b144ff89bf8b68ed59a7551b4",
      "581c503ca9ab68bbf7bf9779d348d520dee5cceef63fe5818988a8e4be59f2a8",
      "93f7c8bd756224868025bff1c079d7389766a5ea6c1bfb845a73cd87eb64add0",
      "e37a606da353380d136bb2a9a6908c1ad6a1040c116522325aa7c9a45a7be15c" },
    { 36, "29543a1abae8908320d4f4b833e9e74a3d0afbf85328d4b0d4dd43cc6a7f3b4e",
      "0cbb7c156032d6bbeb11f32a1a95871d6748614e7ac8959e2c9faec2f823e570",
      "07e81763421dcab86a45eecc509fb88a011589dbe76955f64b2d219eb59b4079",
      "64b4717bcf47dcb568d3149ae7b3a7ea1766f0c3d21af946d9c6ef6c519b492e",
      "7203755155a738005e077004757db1b0c91262648bd6b129d4577a3bc9bf90a9",
      "dd688459cf9b2619a610cb677aa4d17652817dc35548bc1831c79887d97b6193" },
};

static void assert_digest(const char *expected, const fr_t *values, size_t n)
{
    uint8_t *bytes = malloc(32 * n), digest[32];
    char text[65];
    assert_non_null(bytes);
    for (size_t i = 0; i < n; i++) fr_to_bytes(bytes + 32 * i, &values[i]);
    SHA256(bytes, 32 * n, digest);
    free(bytes);
    hex_encode(text, digest, 32);
    assert_string_equal(text, expected);
}

static void assert_big_endian(const char *expected, const fr_t *value)
{
    uint8_t le[32], be[32];
    char text[65];
    fr_to_bytes(le, value);
    for (int i = 0; i < 32; i++) be[i] = le[31 - i];
    hex_encode(text, be, 32);
    assert_string_equal(text, expected);
}

static void constants__equal_the_published_ones(void **state)
{
    (void)state;
    fr_t *plain = malloc(MAX_PLAIN * sizeof *plain);
    assert_non_null(plain);
    for (size_t k = 0; k < sizeof checksums / sizeof checksums[0]; k++) {
        const struct checksums *c = &checksums[k];
        const struct poseidon_params *p = poseidon_params(c->arity);
        assert_non_null(p);
        unsigned t = p->t, rp = p->partial_rounds, count = (POSEIDON_FULL_ROUNDS + rp) * t;
        assert_int_equal(t, c->arity + 1);
        poseidon_round_constants(plain, t, rp);
        assert_big_endian(c->first, &plain[0]);
        assert_big_endian(c->last, &plain[count - 1]);
        assert_digest(c->plain, plain, count);
        assert_digest(c->compressed, p->constants, POSEIDON_COMPRESSED(t, rp));
        assert_digest(c->pre_sparse, p->pre_sparse, t * t);
        assert_digest(c->sparse, p->sparse, POSEIDON_SPARSE(t, rp));
        for (unsigned i = 0; i < t; i++) {
            for (unsigned j = 0; j < t; j++) {
                fr_t n, product;
                fr_from_u64(&n, i + j + t);
                fr_mul(&product, &n, &p->mds[i * t + j]);
                assert_true(fr_is_one(&product));
                assert_true(fr_equal(&p->pre_sparse[i * t + j], &p->pre_sparse_columns[j * t + i]));
            }
        }
    }
    free(plain);
}

static void params__refuse_other_arities(void **state)
{
    (void)state;
    assert_null(poseidon_params(0));
    assert_null(poseidon_params(3));
    assert_null(poseidon_params(37));
    assert_ptr_equal(poseidon_params(8), poseidon_params(8));
}

struct counting_digest {
    unsigned arity;
    const char *limbs; /* four words of sixteen digits, least significant word first */
};

/* Inputs 0, 1, …, arity − 1 under the Merkle tag. */
static const struct counting_digest counting[] = {
    { 2, "2e203c369a02e7ff a6fba9339d05a69d 739e0fd902efe161 396508d75e76a56b" },
    { 4, "019814ff6662075d fb6b4605bf1327ec 00db3c6579229399 58a54b10a9e5848a" },
    { 8, "2a9934f56d38a5e6 4b682e9d9cc4aed9 1201004211677077 2394611da3a5de55" },
    { 11, "cee3bbc32b693163 09f3dcd8ccb08fc1 6ca537e232ebe87a 0c0fc1b2e5227f28" },
    { 16, "1291c74060266d37 5b8dbc6d30680a6f c1c2fb5a6f871e63 2d3ae2663381ae8a" },
    { 24, "d7ef3569f585b321 c3e779f6468815b1 066f39bf783f3d9f 63beb8831f11ae15" },
    { 36, "4473606dfa4e8140 75cd368df8a8ac3c 540a30e03c10bbaa 699303082a6e5d5f" },
};

static void assert_limbs(const char *expected, const fr_t *value)
{
    uint64_t limbs[4];
    fr_to_limbs(limbs, value);
    for (int i = 0; i < 4; i++) {
        char *end;
        assert_int_equal(limbs[i], strtoull(expected, &end, 16));
        expected = end;
    }
}

static void hash__equals_neptune(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof counting / sizeof counting[0]; k++) {
        fr_t inputs[36], out;
        for (unsigned i = 0; i < counting[k].arity; i++) fr_from_u64(&inputs[i], i);
        poseidon_node(&out, counting[k].arity, inputs);
        assert_limbs(counting[k].limbs, &out);
    }
    const fr_t one = FR_ONE, zero = FR_ZERO;
    fr_t left, right, root, pair[2] = { one, zero };
    poseidon_node(&left, 2, pair);
    assert_limbs("b339ff6079800b5e ec5907b3dc3094af 93c003cc74a24f26 042f94ffbe786bc3", &left);
    pair[0] = zero, pair[1] = one;
    poseidon_node(&right, 2, pair);
    pair[0] = left, pair[1] = right;
    poseidon_node(&root, 2, pair);
    assert_limbs("efbb8be3e291e671 77cc72b8cb2b5ad2 30eb6385ae6b74ae 1effebb7b26ad9eb", &root);

    fr_t ones[36]; /* 71 ones, 36 at a time: the second block starts with the first digest */
    for (int i = 0; i < 36; i++) ones[i] = one;
    poseidon_node(&ones[0], 36, ones);
    poseidon_node(&root, 36, ones);
    assert_limbs("351c54133b332c90 c26f6d625f4e8195 5fd9623643ed9622 59f42220e09ff6f7", &root);
}

static void fr_from_hex(fr_t *out, const char *hex)
{
    uint8_t bytes[32];
    assert_true(hex_decode(bytes, 32, hex, 64));
    assert_true(fr_from_bytes(out, bytes));
}

static void hash__equals_a_real_tree_node(void **state)
{
    (void)state;
    static const char *const children[8] = {
        "f743111428ecda9b74a18826f1cc62d48ae1510de17e58645997559f86442f31",
        "197a6efa37086e3a37108f8460c52bc810e2781aff0091bfd7b74e3f6f752f02",
        "01c2c12f7930bbb59e3b36dae1c694b33ac6b3f199ec32a8665fadb8338f4f21",
        "bbe672a853f65cdb2563339ca61d6ad648473b4b4ce44bf3a48486424b865a2d",
        "937d57295f488cea8099f5525958f1af39c6241614b917835292e8e2314cf908",
        "3272570cd8ba38c1183629ca72d5e9149d76786ed22c1d591db3d2bccfa7d308",
        "2d3fc90e11aaf601bd1beae80fc3aba15a9e1f886d8140533ce36cda3dd9f936",
        "0a017e264d0728bfcd2edb3c6c60cc5a05a02af31a71cdd7bb2da27616f5f630",
    };
    fr_t inputs[8], expected;
    for (int i = 0; i < 8; i++) fr_from_hex(&inputs[i], children[i]);
    fr_from_hex(&expected, "0737ca506df7d4544f8512df35aaa07ed8a40691e96ae868c23320220fec6866");
    poseidon_node(&inputs[3], 8, inputs); /* the output may be an input */
    assert_true(fr_equal(&inputs[3], &expected));

    fr_t zero = FR_ZERO, one = FR_ONE, out;
    fr_from_hex(&expected, "587707bcc44ea7e5c7677339ea0b58e325fea03481c51fad4e92f0e7c4354a31");
    poseidon_random(&out, &zero, &one);
    assert_true(fr_equal(&out, &expected));
}

/* The permutation as the paper states it: add constants, S-boxes, full matrix, every round. */
static void plain_hash(fr_t *out, const struct poseidon_params *p, const fr_t *constants,
                       const fr_t *tag, const fr_t *inputs)
{
    fr_t x[POSEIDON_MAX_WIDTH], next[POSEIDON_MAX_WIDTH];
    x[0] = *tag;
    for (unsigned i = 0; i < p->arity; i++) x[i + 1] = inputs[i];
    for (unsigned round = 0; round < POSEIDON_FULL_ROUNDS + p->partial_rounds; round++) {
        bool partial = round >= 4 && round < 4 + p->partial_rounds;
        for (unsigned i = 0; i < p->t; i++) {
            fr_add(&x[i], &x[i], &constants[round * p->t + i]);
            if (i == 0 || !partial) fr_pow_u64_var(&x[i], &x[i], 5);
        }
        for (unsigned i = 0; i < p->t; i++) {
            next[i] = FR_ZERO;
            for (unsigned j = 0; j < p->t; j++) {
                fr_t product;
                fr_mul(&product, &x[j], &p->mds[i * p->t + j]);
                fr_add(&next[i], &next[i], &product);
            }
        }
        memcpy(x, next, sizeof x);
    }
    *out = x[1];
}

/* A field element that depends on n alone. */
static void pseudo_random(fr_t *out, uint64_t n)
{
    uint8_t seed[8], digest[32];
    store_le64(seed, n);
    SHA256(seed, sizeof seed, digest);
    fr_from_bytes_reduced(out, digest);
}

static const unsigned arities[] = { 2, 4, 8, 11, 16, 24, 36 };
enum { ARITIES = sizeof arities / sizeof arities[0] };

static void hash__equals_the_plain_permutation(void **state)
{
    (void)state;
    fr_t *constants = malloc(MAX_PLAIN * sizeof *constants);
    assert_non_null(constants);
    for (unsigned k = 0; k < ARITIES; k++) {
        const struct poseidon_params *p = poseidon_params(arities[k]);
        poseidon_round_constants(constants, p->t, p->partial_rounds);
        for (unsigned round = 0; round < 4; round++) {
            fr_t tag, inputs[36], fast, plain;
            pseudo_random(&tag, round);
            for (unsigned i = 0; i < p->arity; i++) pseudo_random(&inputs[i], 100 * round + i);
            if (round == 0) memset(inputs, 0, sizeof inputs);
            if (round == 1) {
                for (unsigned i = 0; i < p->arity; i++) fr_neg(&inputs[i], &FR_ONE); /* r − 1 */
            }
            poseidon_hash(&fast, p, &tag, inputs);
            plain_hash(&plain, p, constants, &tag, inputs);
            assert_true(fr_equal(&fast, &plain));
        }
    }
    free(constants);
}

static void trace_length__is_the_number_of_rows(void **state)
{
    (void)state;
    static const size_t lengths[ARITIES] = { 311, 377, 505, 598, 761, 1009, 1385 };
    for (unsigned k = 0; k < ARITIES; k++) {
        assert_int_equal(poseidon_trace_length(poseidon_params(arities[k])), lengths[k]);
    }
}

/* One S-box of a trace: l2 = l², l4 = l2², l5 = l·l4 + post. */
static void assert_sbox(const fr_t *l, const fr_t *post, const fr_t *at)
{
    fr_t v;
    fr_sqr(&v, l);
    assert_true(fr_equal(&v, &at[0]));
    fr_sqr(&v, &v);
    assert_true(fr_equal(&v, &at[1]));
    fr_mul(&v, &v, l);
    fr_add(&v, &v, post);
    assert_true(fr_equal(&v, &at[2]));
}

static void trace__holds_every_step(void **state)
{
    (void)state;
    for (unsigned k = 0; k < ARITIES; k++) {
        const struct poseidon_params *p = poseidon_params(arities[k]);
        size_t length = poseidon_trace_length(p);
        fr_t tag, inputs[36], trace[1385], hash;
        poseidon_tag_merkle(&tag, p->arity);
        for (unsigned i = 0; i < p->arity; i++) pseudo_random(&inputs[i], i);
        poseidon_trace(trace, p, &tag, inputs);
        poseidon_hash(&hash, p, &tag, inputs);
        assert_true(fr_equal(&trace[length - 1], &hash));

        const fr_t *at = trace, *post = p->constants + p->t + 1;
        for (unsigned i = 1; i < p->t; i++, at += 3) {
            fr_t l;
            fr_add(&l, &inputs[i - 1], &p->constants[i]);
            assert_sbox(&l, post++, at);
        }
        size_t later = 7 * p->t + p->partial_rounds;
        for (size_t i = 0; i < later; i++, at += 4) {
            assert_sbox(&at[0], i < later - p->t ? post++ : &FR_ZERO, at + 1);
        }
        assert_ptr_equal(at, &trace[length - 1]);
        assert_ptr_equal(post, p->constants + POSEIDON_COMPRESSED(p->t, p->partial_rounds));
    }
}

/* The witnesses of the oracle's gadget circuits poseidon-2, -4 and -8 (index.json, aux_sha256): the
 * inputs, then what the circuit allocates. Input i is the integer of SHA-256("gadget/num/i") without
 * its top two bits. */
static void trace__equals_the_circuit_of_rust(void **state)
{
    (void)state;
    static const struct {
        unsigned arity;
        const char *digest;
    } cases[] = {
        { 2, "bbf0fcc09fbeef0d695a4c4dfa26cd2dc06903d0b2f3d9d88d66e2c142fb1e92" },
        { 4, "7a1108ce39d357e6b3ddadda33a0bdaa55b80928a4800bdd154c7033f74b0c89" },
        { 8, "e2bc64554bd4e6ac8e98f211f33aefabc28f6798ed05b30210fd904395ce74e8" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const struct poseidon_params *p = poseidon_params(cases[k].arity);
        fr_t tag, aux[8 + 505];
        poseidon_tag_merkle(&tag, p->arity);
        for (unsigned i = 0; i < p->arity; i++) {
            uint8_t name[] = "gadget/num/0", digest[32];
            name[11] = (uint8_t)('0' + i);
            SHA256(name, sizeof name - 1, digest);
            digest[31] &= 0x3f;
            assert_true(fr_from_bytes(&aux[i], digest));
        }
        poseidon_trace(aux + p->arity, p, &tag, aux);
        assert_digest(cases[k].digest, aux, p->arity + poseidon_trace_length(p));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(constants__equal_the_published_ones),
        test(params__refuse_other_arities),
        test(hash__equals_neptune),
        test(hash__equals_a_real_tree_node),
        test(hash__equals_the_plain_permutation),
        test(trace_length__is_the_number_of_rows),
        test(trace__holds_every_step),
        test(trace__equals_the_circuit_of_rust),
    };
    return run_tests(tests);
}
