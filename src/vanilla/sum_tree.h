/* A full tree that can be opened anywhere although it was never built: a leaf depends only on the top bits of
 * its index and on the sum of its index's octal digits modulo SUM_TREE_SUMS, so each level has few distinct
 * nodes, and all of them are kept.
 *
 * A node that lies within one block (the leaves that share their top bits) depends on the block and on the
 * sum of the digits above it; a node that spans blocks on its position. In a binary tree, level l adds
 * 2^(l mod 3) for a right child, so that the same leaf has the same sum in trees of arity 2 and 8.
 */
#ifndef CUZK_VANILLA_SUM_TREE_H
#define CUZK_VANILLA_SUM_TREE_H

#include "base/pool.h"
#include "circuit/shape.h"

enum { SUM_TREE_SUMS = 3 };

enum sum_tree_hash { SUM_TREE_SHA256, SUM_TREE_POSEIDON };

struct sum_tree {
    const struct tree_shape *shape;
    enum sum_tree_hash hash;
    unsigned top_bits;                        /* log2 of the blocks */
    struct node *levels[MAX_TREE_LEVELS + 1]; /* levels[0]: the leaves */
};

/* `leaves` holds SUM_TREE_SUMS values for each of the 2^top_bits blocks. SHA-256 trees are binary. */
cuzk_status sum_tree_build(struct sum_tree *out, const struct tree_shape *shape, enum sum_tree_hash hash,
                           unsigned top_bits, const struct node *leaves, struct pool *pool, cuzk_error *err);
void sum_tree_free(struct sum_tree *tree);

const struct node *sum_tree_root(const struct sum_tree *tree);
const struct node *sum_tree_leaf(const struct sum_tree *tree, uint64_t index);

/* The node at a level (0: leaves) and position. */
const struct node *sum_tree_node(const struct sum_tree *tree, unsigned level, uint64_t position);

/* Writes shape->siblings nodes, as struct tree_path wants them. */
void sum_tree_open(struct node *siblings, const struct sum_tree *tree, uint64_t index);

#endif
