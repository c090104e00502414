/* A Poseidon tree of which only some leaves exist; every subtree without one is an arbitrary value.
 *
 * Where the leaves to be opened are known before the root, that is as good as a whole tree. */
#ifndef CUZK_VANILLA_SPARSE_TREE_H
#define CUZK_VANILLA_SPARSE_TREE_H

#include "base/pool.h"
#include "circuit/shape.h"
#include "math/fr.h"
#include "vanilla/sample_source.h"

/* Sorts positions and drops repetitions; returns how many are left. */
size_t sparse_sort(uint64_t *positions, size_t count);

/* The place of the first that is not below `position` in an ascending list; `count` if all are. */
size_t sparse_place(const uint64_t *positions, size_t count, uint64_t position);

struct sparse_level {
    size_t count;
    uint64_t *positions; /* ascending */
    struct node *nodes;
};

struct sparse_tree {
    const struct tree_shape *shape;
    struct sample_source source;                     /* of the arbitrary values */
    struct sparse_level levels[MAX_TREE_LEVELS + 1]; /* levels[0]: the leaves */
};

/* `positions` are the existing leaves, ascending and distinct, at least one. */
cuzk_status sparse_tree_build(struct sparse_tree *out, const struct tree_shape *shape,
                              const struct sample_source *source, const uint64_t *positions,
                              const struct node *leaves, size_t count, struct pool *pool, cuzk_error *err);
void sparse_tree_free(struct sparse_tree *tree);

const struct node *sparse_tree_root(const struct sparse_tree *tree);

/* Writes shape->siblings nodes for a leaf that exists. */
void sparse_tree_open(struct node *siblings, const struct sparse_tree *tree, uint64_t index);

#endif
