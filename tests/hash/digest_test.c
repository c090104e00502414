/* The wrapped primitives: known answers (FIPS 180-4, RFC 7693, RFC 8439), reuse of a context. */
#include "hash/blake2b.h"
#include "hash/chacha.h"
#include "hash/digest.h"

#include "base/bytes.h"
#include "test.h"

static void assert_hex(const char *expected, const uint8_t *bytes, size_t n)
{
    char text[2 * 64 + 1];
    assert_in_range(n, 1, 64);
    hex_encode(text, bytes, n);
    assert_string_equal(text, expected);
}

static void assert_abc(enum digest_kind kind, const char *expected)
{
    struct digest d;
    uint8_t out[DIGEST_BYTES];
    cuzk_error err = { "" };
    assert_int_equal(digest_open(&d, kind, &err), CUZK_OK);
    for (int repeat = 0; repeat < 2; repeat++) { /* one context, many messages */
        digest_put(&d, "a", 1);
        digest_put(&d, "", 0);
        digest_put(&d, "bc", 2);
        assert_int_equal(digest_end(&d, out, &err), CUZK_OK);
        assert_hex(expected, out, sizeof out);
    }
    digest_put(&d, "dropped", 7);
    digest_restart(&d);
    digest_put(&d, "abc", 3);
    assert_int_equal(digest_end(&d, out, &err), CUZK_OK);
    assert_hex(expected, out, sizeof out);
    digest_close(&d);
    digest_close(&d);
}

static void digest__known_answers(void **state)
{
    (void)state;
    assert_abc(DIGEST_SHA256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_abc(DIGEST_BLAKE2S256,
               "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982");
}

static void digest_end__reports_an_earlier_failure(void **state)
{
    (void)state;
    struct digest d;
    uint8_t out[DIGEST_BYTES];
    cuzk_error err = { "" };
    assert_int_equal(digest_open(&d, DIGEST_SHA256, &err), CUZK_OK);
    d.failed = true; /* as after a failed step of libcrypto */
    digest_put(&d, "abc", 3);
    assert_int_equal(digest_end(&d, out, &err), CUZK_ERR_INTERNAL);
    for (int i = 0; i < DIGEST_BYTES; i++) assert_int_equal(out[i], 0);
    assert_int_equal(digest_end(&d, out, &err), CUZK_OK); /* the next message is not affected */
    assert_hex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", out, 32);
    digest_close(&d);
}

static void blake2b__known_answers(void **state)
{
    (void)state;
    static const char key[] = "filecoin.io|PoRep|1|Synthetic|1|Generation";
    uint8_t out[64], data[200];
    blake2b(out, 64, "abc", 3, NULL, 0);
    assert_hex("ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
               "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923",
               out, 64);
    for (int i = 0; i < 200; i++) data[i] = (uint8_t)i;
    blake2b(out, 32, data, sizeof data, key, sizeof key - 1); /* checked with Python's hashlib */
    assert_hex("eb6bf54c88d5f85c25eb386d42bf0b39c59c58a0581c24bbf7af8404130d4ed3", out, 32);
    struct blake2b h;
    blake2b_begin(&h, 32, key, sizeof key - 1);
    blake2b_put(&h, data, 129);
    blake2b_put(&h, data + 129, 71);
    blake2b_end(&h, out);
    assert_hex("eb6bf54c88d5f85c25eb386d42bf0b39c59c58a0581c24bbf7af8404130d4ed3", out, 32);
}

static void chacha20_keystream__equals_rfc8439(void **state)
{
    (void)state;
    static const uint8_t nonce[12] = { 0, 0, 0, 9, 0, 0, 0, 0x4a }; /* section 2.3.2, block 1 */
    uint8_t key[32], out[64], longer[64 + 37];
    for (int i = 0; i < 32; i++) key[i] = (uint8_t)i;
    chacha20_keystream(out, sizeof out, key, nonce, 1);
    assert_hex("10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
               "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e",
               out, 64);
    chacha20_keystream(longer, sizeof longer, key, nonce, 0);
    assert_memory_equal(longer + 64, out, 37);
}

static void chacha8_rng__is_the_keystream(void **state)
{
    (void)state;
    /* Key, counter and stream zero: draft-strombergson-chacha-test-vectors, TC1, two blocks. */
    static const char *const blocks[2] = {
        "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
        "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42",
        "d2aefa0deaa5c151bf0adb6c01f2a5adc0fd581259f9a2aadcf20f8fd566a26b"
        "5032ec38bbc5da98ee0c6f568b872a65a08abf251deb21bb4b56e5d8821e68aa",
    };
    static const uint8_t seed[32] = { 0 };
    struct chacha8_rng rng;
    chacha8_rng_init(&rng, seed);
    for (int block = 0; block < 2; block++) {
        uint8_t out[64];
        for (int i = 0; i < 8; i++) store_le64(out + 8 * i, chacha8_rng_u64(&rng));
        assert_hex(blocks[block], out, 64);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(digest__known_answers),
        test(digest_end__reports_an_earlier_failure),
        test(blake2b__known_answers),
        test(chacha20_keystream__equals_rfc8439),
        test(chacha8_rng__is_the_keystream),
    };
    return run_tests(tests);
}
