/* BLAKE2b (RFC 7693), keyed or not, through libsodium: digests of parameter files (spec §4.5), keys
 * of the synthetic challenges (§3.2), round function of the Feistel permutation (§3.4).
 *
 * Lengths are fixed by the caller's code, not by input, so a wrong one is a bug (assert) and the
 * functions return void. Thread-safe; one thread at a time per struct.
 */
#ifndef CUZK_HASH_BLAKE2B_H
#define CUZK_HASH_BLAKE2B_H

#include <sodium/crypto_generichash_blake2b.h>
#include <stddef.h>
#include <stdint.h>

/* out_size 1 … 64, key_size 0 … 64 (0: unkeyed, key may be NULL). */
void blake2b(uint8_t *out, size_t out_size, const void *data, size_t size, const void *key,
             size_t key_size);

struct blake2b {
    crypto_generichash_blake2b_state state;
    size_t out_size;
};

void blake2b_begin(struct blake2b *h, size_t out_size, const void *key, size_t key_size);
void blake2b_put(struct blake2b *h, const void *data, size_t size);
void blake2b_end(struct blake2b *h, uint8_t *out); /* out_size bytes */

#endif
