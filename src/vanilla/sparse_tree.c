#include "vanilla/sparse_tree.h"

#include "hash/poseidon.h"
#include "vanilla/merkle.h"
#include "vanilla/node.h"

#include <stdlib.h>

static int compare_positions(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

size_t sparse_sort(uint64_t *positions, size_t count)
{
    size_t left = 0;
    qsort(positions, count, sizeof *positions, compare_positions);
    for (size_t i = 0; i < count; i++) {
        if (left == 0 || positions[left - 1] != positions[i]) positions[left++] = positions[i];
    }
    return left;
}

size_t sparse_place(const uint64_t *positions, size_t count, uint64_t position)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (positions[middle] < position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Copies the children [first, first + arity) of a level, arbitrary ones where none exists. */
static void get_children(struct node *out, const struct sparse_tree *t, unsigned level, uint64_t first,
                         unsigned arity)
{
    const struct sparse_level *l = &t->levels[level];
    size_t at = sparse_place(l->positions, l->count, first);
    for (unsigned d = 0; d < arity; d++) {
        if (at < l->count && l->positions[at] == first + d)
            out[d] = l->nodes[at++];
        else
            sample_value(&out[d], &t->source, level, first + d);
    }
}

struct level_context {
    struct sparse_tree *tree;
    unsigned level; /* of the children */
};

static void hash_nodes(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    const struct level_context *c = context;
    struct sparse_level *parents = &c->tree->levels[c->level + 1];
    unsigned arity = c->tree->shape->arity[c->level];
    for (size_t i = begin; i < end; i++) {
        struct node children[8];
        fr_t values[8], hash;
        get_children(children, c->tree, c->level, parents->positions[i] << arity_bits(arity), arity);
        for (unsigned d = 0; d < arity; d++) node_to_fr(&values[d], &children[d]);
        poseidon_node(&hash, arity, values);
        node_from_fr(&parents->nodes[i], &hash);
    }
}

static bool make_level(struct sparse_level *l, size_t most)
{
    l->positions = calloc(most, sizeof *l->positions);
    l->nodes = calloc(most, sizeof *l->nodes);
    return l->positions && l->nodes;
}

cuzk_status sparse_tree_build(struct sparse_tree *out, const struct tree_shape *shape,
                              const struct sample_source *source, const uint64_t *positions,
                              const struct node *leaves, size_t count, struct pool *pool, cuzk_error *err)
{
    *out = (struct sparse_tree){ .shape = shape, .source = *source };
    for (unsigned level = 0; level <= shape->levels; level++) {
        struct sparse_level *l = &out->levels[level];
        const struct sparse_level *below = level == 0 ? NULL : &out->levels[level - 1];
        if (!make_level(l, below ? below->count : count)) {
            sparse_tree_free(out);
            return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a tree of %zu leaves", count);
        }
        if (!below) {
            l->count = count;
            memcpy(l->positions, positions, count * sizeof *positions);
            memcpy(l->nodes, leaves, count * sizeof *leaves);
            continue;
        }
        for (size_t i = 0; i < below->count; i++) {
            uint64_t parent = below->positions[i] >> arity_bits(shape->arity[level - 1]);
            if (l->count == 0 || l->positions[l->count - 1] != parent) l->positions[l->count++] = parent;
        }
        struct level_context context = { out, level - 1 };
        pool_for(pool, l->count, 4, hash_nodes, &context);
    }
    return CUZK_OK;
}

void sparse_tree_free(struct sparse_tree *t)
{
    for (unsigned level = 0; level <= MAX_TREE_LEVELS; level++) {
        free(t->levels[level].positions);
        free(t->levels[level].nodes);
    }
    *t = (struct sparse_tree){ 0 };
}

const struct node *sparse_tree_root(const struct sparse_tree *t) { return &t->levels[t->shape->levels].nodes[0]; }

void sparse_tree_open(struct node *siblings, const struct sparse_tree *t, uint64_t index)
{
    uint64_t position = index;
    for (unsigned level = 0; level < t->shape->levels; level++) {
        unsigned arity = t->shape->arity[level];
        struct node children[8];
        get_children(children, t, level, position & ~(uint64_t)(arity - 1), arity);
        for (unsigned d = 0; d < arity; d++) {
            if (d != (position & (arity - 1))) *siblings++ = children[d];
        }
        position >>= arity_bits(arity);
    }
}
