/* Small helpers for nodes: canonical field elements as bytes (circuit/shape.h). */
#ifndef CUZK_VANILLA_NODE_H
#define CUZK_VANILLA_NODE_H

#include "base/bytes.h"
#include "circuit/shape.h"
#include "math/fr.h"

/* Below r. */
static inline bool node_is_canonical(const struct node *n)
{
    for (int i = 3; i >= 0; i--) {
        uint64_t limb = load_le64(n->b + 8 * i);
        if (limb != FR_MODULUS[i]) return limb < FR_MODULUS[i];
    }
    return false;
}

static inline bool node_equal(const struct node *a, const struct node *b)
{
    return memcmp(a->b, b->b, NODE_BYTES) == 0;
}

/* The node must be canonical. */
static inline void node_to_fr(fr_t *out, const struct node *n) { (void)fr_from_bytes(out, n->b); }

static inline void node_from_fr(struct node *out, const fr_t *a) { fr_to_bytes(out->b, a); }

/* Hexadecimal for messages. */
struct node_text {
    char text[2 * NODE_BYTES + 1];
};

static inline struct node_text node_hex(const struct node *n)
{
    struct node_text out;
    hex_encode(out.text, n->b, NODE_BYTES);
    return out;
}

#endif
