#include "hash/chacha.h"

#include "base/bytes.h"

#include <sodium/crypto_stream_chacha20.h>
#include <string.h>

void chacha20_keystream(uint8_t *out, size_t size, const uint8_t key[32], const uint8_t nonce[12],
                        uint32_t first_block)
{
    memset(out, 0, size);
    (void)crypto_stream_chacha20_ietf_xor_ic(out, out, size, nonce, first_block, key);
}

static inline uint32_t rotl(uint32_t x, unsigned n) { return x << n | x >> (32 - n); }

static inline void quarter_round(uint32_t x[16], int a, int b, int c, int d)
{
    x[a] += x[b], x[d] = rotl(x[d] ^ x[a], 16);
    x[c] += x[d], x[b] = rotl(x[b] ^ x[c], 12);
    x[a] += x[b], x[d] = rotl(x[d] ^ x[a], 8);
    x[c] += x[d], x[b] = rotl(x[b] ^ x[c], 7);
}

static void next_block(struct chacha8_rng *rng)
{
    /* "expand 32-byte k" */
    uint32_t start[16] = { 0x61707865, 0x3320646e, 0x79622d32, 0x6b206574 };
    memcpy(start + 4, rng->key, sizeof rng->key);
    start[12] = (uint32_t)rng->next_block;
    start[13] = (uint32_t)(rng->next_block >> 32);
    uint32_t x[16];
    memcpy(x, start, sizeof x);
    for (int i = 0; i < 8 / 2; i++) {
        quarter_round(x, 0, 4, 8, 12);
        quarter_round(x, 1, 5, 9, 13);
        quarter_round(x, 2, 6, 10, 14);
        quarter_round(x, 3, 7, 11, 15);
        quarter_round(x, 0, 5, 10, 15);
        quarter_round(x, 1, 6, 11, 12);
        quarter_round(x, 2, 7, 8, 13);
        quarter_round(x, 3, 4, 9, 14);
    }
    for (int i = 0; i < 16; i++) rng->words[i] = x[i] + start[i];
    rng->next_block++;
    rng->used = 0;
}

void chacha8_rng_init(struct chacha8_rng *rng, const uint8_t seed[32])
{
    for (int i = 0; i < 8; i++) rng->key[i] = load_le32(seed + 4 * i);
    rng->next_block = 0;
    next_block(rng);
}

uint64_t chacha8_rng_u64(struct chacha8_rng *rng)
{
    if (rng->used == 16) next_block(rng);
    uint64_t low = rng->words[rng->used++];
    uint64_t high = rng->words[rng->used++];
    return high << 32 | low;
}
