/* Bytes written as hexadecimal text in tests. */
#ifndef CUZK_TESTS_VANILLA_HEXES_H
#define CUZK_TESTS_VANILLA_HEXES_H

#include "base/bytes.h"
#include "circuit/shape.h"
#include "hash/sha256.h"
#include "test.h"

static inline struct node node_of(const char *hex)
{
    struct node n = { { 0 } };
    assert_true(hex_decode(n.b, NODE_BYTES, hex, strlen(hex)));
    return n;
}

static inline void assert_node(const struct node *n, const char *hex)
{
    char text[2 * NODE_BYTES + 1];
    hex_encode(text, n->b, NODE_BYTES);
    assert_string_equal(text, hex);
}

/* SHA-256 over numbers as le64, for lists too long to be written out. */
static inline void put_numbers(struct sha256 *h, const uint64_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[8];
        store_le64(bytes, values[i]);
        sha256_put(h, bytes, sizeof bytes);
    }
}

static inline void assert_end(struct sha256 *h, const char *hex)
{
    struct node digest;
    sha256_end(h, digest.b);
    assert_node(&digest, hex);
}

#endif
