/* SHA-256 against libcrypto at every length around a block, and both compression functions against
 * each other. */
#include "hash/sha256.h"

#include "base/bytes.h"
#include "hash/sha256_blocks.h"
#include "test.h"

#include <openssl/sha.h>
#include <stdlib.h>

static void fill(uint8_t *out, size_t n, uint32_t seed)
{
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        out[i] = (uint8_t)(seed >> 24);
    }
}

static void sha256__equals_libcrypto_at_every_length(void **state)
{
    (void)state;
    uint8_t data[300], expected[32], got[32];
    fill(data, sizeof data, 1);
    for (size_t n = 0; n <= sizeof data; n++) {
        SHA256(data, n, expected);
        sha256(got, data, n);
        assert_memory_equal(got, expected, 32);
    }
    SHA256(data, 0, expected);
    sha256(got, NULL, 0);
    assert_memory_equal(got, expected, 32);
}

static void sha256_put__takes_any_pieces(void **state)
{
    (void)state;
    uint8_t data[300], expected[32], got[32];
    fill(data, sizeof data, 2);
    SHA256(data, sizeof data, expected);
    for (size_t first = 0; first <= 130; first++) {
        for (size_t second = 0; second <= 130; second += 13) {
            struct sha256 h;
            sha256_begin(&h);
            sha256_put(&h, data, first);
            sha256_put(&h, data + first, second);
            sha256_put(&h, data + first + second, sizeof data - first - second);
            sha256_end(&h, got);
            assert_memory_equal(got, expected, 32);
        }
    }
}

static void sha256_blocks__versions_agree(void **state)
{
    (void)state;
    uint8_t data[64 * 9];
    fill(data, sizeof data, 3);
    for (size_t count = 0; count <= 9; count++) {
        uint32_t portable[8], chosen[8];
        memcpy(portable, SHA256_INIT, sizeof portable);
        memcpy(chosen, SHA256_INIT, sizeof chosen);
        sha256_blocks_portable(portable, data, count);
        if (sha256_extensions())
            sha256_blocks_x86(chosen, data, count);
        else
            sha256_blocks_portable(chosen, data, count);
        assert_memory_equal(portable, chosen, sizeof portable);
    }
    uint32_t words[16], a[8], b[8];
    for (int i = 0; i < 16; i++) words[i] = load_be32(data + 4 * i);
    memcpy(a, SHA256_INIT, sizeof a);
    memcpy(b, SHA256_INIT, sizeof b);
    sha256_words(a, words);
    sha256_words_portable(b, words);
    assert_memory_equal(a, b, sizeof a);
}

static void sha256_words__hashes_abc(void **state)
{
    (void)state;
    static const uint32_t expected[8] = { 0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
                                          0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad };
    uint32_t h[8], block[16] = { [0] = 0x61626380, [15] = 24 }; /* FIPS 180-4 */
    memcpy(h, SHA256_INIT, sizeof h);
    sha256_words(h, block);
    assert_memory_equal(h, expected, sizeof h);
}

static void sha256_node__truncates(void **state)
{
    (void)state;
    enum { COUNT = 5 };
    uint8_t children[COUNT * 64], expected[COUNT * 32], got[32];
    fill(children, sizeof children, 4);
    for (size_t i = 0; i < COUNT; i++) {
        SHA256(children + 64 * i, 64, expected + 32 * i);
        expected[32 * i + 31] &= 0x3f;
        sha256_node(got, children + 64 * i, children + 64 * i + 32);
        assert_memory_equal(got, expected + 32 * i, 32);
    }
    memcpy(got, children, 32);
    sha256_node(got, got, children + 32); /* the output may be an input */
    assert_memory_equal(got, expected, 32);
    sha256_nodes(children, children, COUNT); /* in place */
    assert_memory_equal(children, expected, sizeof expected);
    sha256_nodes(children, children, 0);
    assert_memory_equal(children, expected, sizeof expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(sha256__equals_libcrypto_at_every_length),
        test(sha256_put__takes_any_pieces),
        test(sha256_blocks__versions_agree),
        test(sha256_words__hashes_abc),
        test(sha256_node__truncates),
    };
    return run_tests(tests);
}
