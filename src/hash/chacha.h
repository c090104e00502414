/* ChaCha keystreams (Bernstein 2008) in the two forms that Filecoin uses.
 *
 * chacha20_keystream: RFC 8439 (12-byte nonce, 32-bit block counter), through libsodium; synthetic
 * PoRep challenges, spec §3.2.
 *
 * struct chacha8_rng: the random generator ChaCha8Rng of Rust's rand_chacha (8 rounds, 64-bit block
 * counter from 0, 64-bit stream number 0); DRG parents, spec §3.4.
 *
 * Thread-safe; one thread at a time per struct. Nothing fails.
 */
#ifndef CUZK_HASH_CHACHA_H
#define CUZK_HASH_CHACHA_H

#include <stddef.h>
#include <stdint.h>

/* `size` bytes of keystream from the beginning of block `first_block` (64 bytes each). */
void chacha20_keystream(uint8_t *out, size_t size, const uint8_t key[32], const uint8_t nonce[12],
                        uint32_t first_block);

struct chacha8_rng {
    uint32_t key[8];
    uint64_t next_block;
    uint32_t words[16]; /* the current block */
    unsigned used;      /* of words */
};

void chacha8_rng_init(struct chacha8_rng *rng, const uint8_t seed[32]);

/* Two words of the stream, the first one being the low half. */
uint64_t chacha8_rng_u64(struct chacha8_rng *rng);

#endif
