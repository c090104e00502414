#include "hash/sha256.h"

#include "base/bytes.h"
#include "hash/sha256_blocks.h"

#include <pthread.h>
#include <string.h>

const uint32_t SHA256_K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

const uint32_t SHA256_INIT[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };

static inline uint32_t rotr(uint32_t x, unsigned n) { return x >> n | x << (32 - n); }

void sha256_words_portable(uint32_t state[8], const uint32_t block[16])
{
    uint32_t w[64];
    memcpy(w, block, 16 * sizeof w[0]);
    for (int i = 16; i < 64; i++) {
        uint32_t s0 = rotr(w[i - 15], 7) ^ rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t s1 = rotr(w[i - 2], 17) ^ rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int i = 0; i < 64; i++) {
        uint32_t s1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25);
        uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + SHA256_K[i] + w[i];
        uint32_t s0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22);
        uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + t1;
        d = c, c = b, b = a, a = t1 + t2;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

void sha256_blocks_portable(uint32_t state[8], const uint8_t *blocks, size_t count)
{
    for (; count > 0; count--, blocks += 64) {
        uint32_t words[16];
        for (int i = 0; i < 16; i++) words[i] = load_be32(blocks + 4 * i);
        sha256_words_portable(state, words);
    }
}

static sha256_blocks_function *chosen_blocks;
static pthread_once_t chosen_once = PTHREAD_ONCE_INIT;

static void choose_blocks(void)
{
    chosen_blocks = sha256_extensions() ? sha256_blocks_x86 : sha256_blocks_portable;
}

static sha256_blocks_function *blocks_function(void)
{
    pthread_once(&chosen_once, choose_blocks);
    return chosen_blocks;
}

void sha256_words(uint32_t state[8], const uint32_t block[16])
{
    uint8_t bytes[64];
    for (int i = 0; i < 16; i++) store_be32(bytes + 4 * i, block[i]);
    blocks_function()(state, bytes, 1);
}

void sha256_begin(struct sha256 *h)
{
    memcpy(h->state, SHA256_INIT, sizeof h->state);
    h->size = 0;
}

void sha256_put(struct sha256 *h, const void *data, size_t size)
{
    sha256_blocks_function *blocks = blocks_function();
    const uint8_t *at = data;
    size_t used = h->size % 64;
    if (size == 0) return;
    h->size += size;
    if (used > 0) {
        size_t missing = 64 - used, n = size < missing ? size : missing;
        memcpy(h->block + used, at, n);
        if (n < missing) return;
        blocks(h->state, h->block, 1);
        at += n, size -= n;
    }
    blocks(h->state, at, size / 64);
    memcpy(h->block, at + size / 64 * 64, size % 64);
}

static void store_state(uint8_t out[32], const uint32_t state[8])
{
    for (int i = 0; i < 8; i++) store_be32(out + 4 * i, state[i]);
}

void sha256_end(struct sha256 *h, uint8_t out[32])
{
    size_t used = h->size % 64;
    uint8_t tail[128] = { 0 };
    memcpy(tail, h->block, used);
    tail[used] = 0x80;
    size_t blocks = used < 56 ? 1 : 2;
    store_be64(tail + 64 * blocks - 8, h->size * 8);
    blocks_function()(h->state, tail, blocks);
    store_state(out, h->state);
}

void sha256(uint8_t out[32], const void *data, size_t size)
{
    struct sha256 h;
    sha256_begin(&h);
    sha256_put(&h, data, size);
    sha256_end(&h, out);
}

/* What follows a message of 64 bytes: the end mark and the length in bits. */
static const uint8_t node_padding[64] = { [0] = 0x80, [62] = 0x02 };

static void hash_node(sha256_blocks_function *blocks, uint8_t out[32], const uint8_t children[64])
{
    uint32_t state[8];
    memcpy(state, SHA256_INIT, sizeof state);
    blocks(state, children, 1);
    blocks(state, node_padding, 1);
    store_state(out, state);
    sha256_truncate(out);
}

void sha256_node(uint8_t out[32], const uint8_t left[32], const uint8_t right[32])
{
    uint8_t children[64];
    memcpy(children, left, 32);
    memcpy(children + 32, right, 32);
    hash_node(blocks_function(), out, children);
}

void sha256_nodes(uint8_t *out, const uint8_t *children, size_t count)
{
    sha256_blocks_function *blocks = blocks_function();
    for (size_t i = 0; i < count; i++) hash_node(blocks, out + 32 * i, children + 64 * i);
}
