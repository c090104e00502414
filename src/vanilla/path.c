#include "vanilla/path.h"

#include "hash/poseidon.h"
#include "hash/sha256.h"
#include "vanilla/merkle.h"
#include "vanilla/node.h"

void path_root_poseidon(fr_t *out, const struct tree_shape *shape, const struct tree_path *path, const fr_t *leaf)
{
    const struct node *sibling = path->siblings;
    uint64_t index = path->index;
    fr_t at = *leaf, children[8];
    for (unsigned level = 0; level < shape->levels; level++) {
        unsigned arity = shape->arity[level], digit = (unsigned)(index & (arity - 1));
        for (unsigned i = 0; i < arity; i++) {
            if (i == digit)
                children[i] = at;
            else
                node_to_fr(&children[i], sibling++);
        }
        poseidon_node(&at, arity, children);
        index >>= arity_bits(arity);
    }
    *out = at;
}

void path_root_sha256(struct node *out, const struct node *siblings, uint64_t index, unsigned levels,
                      const struct node *leaf)
{
    struct node at = *leaf;
    for (unsigned level = 0; level < levels; level++, index >>= 1) {
        const struct node *sibling = &siblings[level];
        if (index & 1)
            sha256_node(at.b, sibling->b, at.b);
        else
            sha256_node(at.b, at.b, sibling->b);
    }
    *out = at;
}

void comm_r_make(struct node *out, const struct node *comm_c, const struct node *comm_r_last)
{
    fr_t children[2], root;
    node_to_fr(&children[0], comm_c);
    node_to_fr(&children[1], comm_r_last);
    poseidon_node(&root, 2, children);
    node_from_fr(out, &root);
}
