/* SHA-256 (FIPS 180-4) of short messages: Merkle nodes, labels, challenges. Nothing here allocates,
 * needs a context or fails, so these functions return void; long inputs go through digest.h. On
 * x86-64 with the SHA extensions the compression uses them (chosen once at run time), with the same
 * results.
 *
 * All functions are thread-safe.
 */
#ifndef CUZK_HASH_SHA256_H
#define CUZK_HASH_SHA256_H

#include <stddef.h>
#include <stdint.h>

/* The round constants K and the initial state. */
extern const uint32_t SHA256_K[64];
extern const uint32_t SHA256_INIT[8];

/* One compression: state = state + rounds(state, block). `block` holds the sixteen big-endian
 * message words as numbers. */
void sha256_words(uint32_t state[8], const uint32_t block[16]);

/* The same by portable C alone, whatever the machine offers. */
void sha256_words_portable(uint32_t state[8], const uint32_t block[16]);

/* A message given in pieces. */
struct sha256 {
    uint32_t state[8];
    uint64_t size; /* bytes so far */
    uint8_t block[64];
};

void sha256_begin(struct sha256 *h);
void sha256_put(struct sha256 *h, const void *data, size_t size);
void sha256_end(struct sha256 *h, uint8_t out[32]);

/* A message in one piece. */
void sha256(uint8_t out[32], const void *data, size_t size);

/* Filecoin's truncation to 254 bits, so that the little-endian value is a canonical field element.
 */
static inline void sha256_truncate(uint8_t digest[32]) { digest[31] &= 0x3f; }

/* A node of TreeD: sha256(left ‖ right), truncated (spec §1.1.5). `out` may be an input. */
void sha256_node(uint8_t out[32], const uint8_t left[32], const uint8_t right[32]);

/* count nodes from 2·count children of 32 bytes each, left to right. `out` may be `children`, or
 * overlap it anywhere in front. */
void sha256_nodes(uint8_t *out, const uint8_t *children, size_t count);

#endif
