/* The compression function over whole 64-byte blocks, in the versions that sha256.c chooses from.
 * Private to src/hash and its tests. */
#ifndef CUZK_HASH_SHA256_BLOCKS_H
#define CUZK_HASH_SHA256_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void sha256_blocks_function(uint32_t state[8], const uint8_t *blocks, size_t count);

void sha256_blocks_portable(uint32_t state[8], const uint8_t *blocks, size_t count);

/* With the SHA extensions of x86-64; only if sha256_extensions(). Elsewhere the portable one. */
void sha256_blocks_x86(uint32_t state[8], const uint8_t *blocks, size_t count);
bool sha256_extensions(void);

#endif
