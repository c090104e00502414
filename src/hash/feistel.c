#include "hash/feistel.h"

#include "base/bytes.h"
#include "hash/blake2b.h"

#include <assert.h>

void feistel_init(struct feistel *f, uint64_t count, const uint64_t keys[FEISTEL_ROUNDS])
{
    assert(count >= 1 && count <= UINT64_C(1) << 62);
    unsigned half_bits = 1;
    while (UINT64_C(1) << 2 * half_bits < count) half_bits++;
    *f = (struct feistel){ .count = count,
                           .half_bits = half_bits,
                           .half_mask = (UINT64_C(1) << half_bits) - 1 };
    for (int i = 0; i < FEISTEL_ROUNDS; i++) f->keys[i] = keys[i];
}

static uint64_t round_function(const struct feistel *f, uint64_t right, uint64_t key)
{
    uint8_t message[16], digest[64];
    store_be64(message, right);
    store_be64(message + 8, key);
    blake2b(digest, sizeof digest, message, sizeof message, NULL, 0);
    return load_be64(digest) & f->half_mask;
}

static uint64_t encode(const struct feistel *f, uint64_t index)
{
    uint64_t left = index >> f->half_bits, right = index & f->half_mask;
    for (int i = 0; i < FEISTEL_ROUNDS; i++) {
        uint64_t mixed = left ^ round_function(f, right, f->keys[i]);
        left = right;
        right = mixed;
    }
    return left << f->half_bits | right;
}

uint64_t feistel_permute(const struct feistel *f, uint64_t index)
{
    do index = encode(f, index);
    while (index >= f->count);
    return index;
}
