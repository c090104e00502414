/* The Feistel permutation behind the expander edges of the stacked DRG (spec §3.4): three balanced
 * rounds on the smallest even number of bits that can count the elements, repeated until the result
 * is one of them (cycle walking; Black and Rogaway, "Ciphers with arbitrary finite domains", 2002).
 * The round function is the first eight bytes, big-endian, of BLAKE2b-512 over two big-endian
 * words.
 *
 * Thread-safe; nothing fails.
 */
#ifndef CUZK_HASH_FEISTEL_H
#define CUZK_HASH_FEISTEL_H

#include <stdint.h>

enum { FEISTEL_ROUNDS = 3 };

struct feistel {
    uint64_t keys[FEISTEL_ROUNDS];
    uint64_t count;
    uint64_t half_mask;
    unsigned half_bits;
};

/* A permutation of [0, count), 1 ≤ count ≤ 2^62. */
void feistel_init(struct feistel *f, uint64_t count, const uint64_t keys[FEISTEL_ROUNDS]);

uint64_t feistel_permute(const struct feistel *f, uint64_t index); /* index < count */

#endif
