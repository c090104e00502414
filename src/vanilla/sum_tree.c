#include "vanilla/sum_tree.h"

#include "hash/poseidon.h"
#include "hash/sha256.h"
#include "vanilla/merkle.h"
#include "vanilla/node.h"

#include <stdlib.h>

/* Index bits below a level. */
static unsigned bits_below(const struct tree_shape *shape, unsigned level)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < level; i++) bits += arity_bits(shape->arity[i]);
    return bits;
}

/* The sum that a position contributes: its leaf bits in groups of three from the leaf side. */
static unsigned digit_sum(uint64_t position, unsigned below)
{
    unsigned sum = 0;
    for (uint64_t bits = position; bits; bits >>= 1, below++) {
        if (bits & 1) sum += 1u << below % 3;
    }
    return sum % SUM_TREE_SUMS;
}

/* True if nodes of this level lie within one block. */
static bool within_block(const struct sum_tree *t, unsigned below)
{
    return below + t->top_bits <= t->shape->index_bits;
}

static size_t level_size(const struct sum_tree *t, unsigned level)
{
    unsigned below = bits_below(t->shape, level);
    if (within_block(t, below)) return (size_t)SUM_TREE_SUMS << t->top_bits;
    return (size_t)1 << (t->shape->index_bits - below);
}

/* Where a node is kept: of a level within blocks element block · SUM_TREE_SUMS + sum. */
static size_t slot_of(const struct sum_tree *t, unsigned below, uint64_t position)
{
    if (!within_block(t, below)) return (size_t)position;
    uint64_t block = position >> (t->shape->index_bits - t->top_bits - below);
    return (size_t)block * SUM_TREE_SUMS + digit_sum(position, below);
}

const struct node *sum_tree_node(const struct sum_tree *t, unsigned level, uint64_t position)
{
    return &t->levels[level][slot_of(t, bits_below(t->shape, level), position)];
}

const struct node *sum_tree_leaf(const struct sum_tree *t, uint64_t index) { return sum_tree_node(t, 0, index); }

const struct node *sum_tree_root(const struct sum_tree *t) { return sum_tree_node(t, t->shape->levels, 0); }

/* Child `digit` of the node in `slot` of level `level` + 1. */
static const struct node *child_of(const struct sum_tree *t, unsigned level, size_t slot, unsigned digit)
{
    unsigned below = bits_below(t->shape, level), bits = arity_bits(t->shape->arity[level]);
    if (!within_block(t, below + bits)) { /* the slot is a position */
        return sum_tree_node(t, level, (uint64_t)slot << bits | digit);
    }
    size_t block = slot / SUM_TREE_SUMS;
    unsigned sum = (unsigned)(slot % SUM_TREE_SUMS) + (digit << below % 3);
    return &t->levels[level][block * SUM_TREE_SUMS + sum % SUM_TREE_SUMS];
}

struct level_context {
    const struct sum_tree *tree;
    unsigned level; /* of the children */
};

static void hash_slots(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    const struct level_context *c = context;
    const struct sum_tree *t = c->tree;
    unsigned arity = t->shape->arity[c->level];
    for (size_t slot = begin; slot < end; slot++) {
        struct node *out = &t->levels[c->level + 1][slot];
        if (t->hash == SUM_TREE_SHA256) {
            sha256_node(out->b, child_of(t, c->level, slot, 0)->b, child_of(t, c->level, slot, 1)->b);
            continue;
        }
        fr_t children[8], hash;
        for (unsigned d = 0; d < arity; d++) node_to_fr(&children[d], child_of(t, c->level, slot, d));
        poseidon_node(&hash, arity, children);
        node_from_fr(out, &hash);
    }
}

cuzk_status sum_tree_build(struct sum_tree *out, const struct tree_shape *shape, enum sum_tree_hash hash,
                           unsigned top_bits, const struct node *leaves, struct pool *pool, cuzk_error *err)
{
    *out = (struct sum_tree){ .shape = shape, .hash = hash, .top_bits = top_bits };
    for (unsigned level = 0; level <= shape->levels; level++) {
        size_t size = level_size(out, level);
        out->levels[level] = calloc(size, sizeof(struct node));
        if (!out->levels[level]) {
            sum_tree_free(out);
            return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a tree of %u levels", shape->levels);
        }
        if (level == 0) {
            memcpy(out->levels[0], leaves, size * sizeof(struct node));
            continue;
        }
        struct level_context context = { out, level - 1 };
        pool_for(pool, size, 16, hash_slots, &context);
    }
    return CUZK_OK;
}

void sum_tree_free(struct sum_tree *t)
{
    for (unsigned level = 0; level <= MAX_TREE_LEVELS; level++) free(t->levels[level]);
    *t = (struct sum_tree){ 0 };
}

void sum_tree_open(struct node *siblings, const struct sum_tree *t, uint64_t index)
{
    uint64_t position = index;
    for (unsigned level = 0; level < t->shape->levels; level++) {
        unsigned arity = t->shape->arity[level];
        uint64_t first = position & ~(uint64_t)(arity - 1);
        for (unsigned d = 0; d < arity; d++) {
            if (first + d != position) *siblings++ = *sum_tree_node(t, level, first + d);
        }
        position >>= arity_bits(arity);
    }
}
