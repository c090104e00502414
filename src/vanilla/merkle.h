/* A Merkle proof as the client files hold it: the circuit's opening plus root and leaf.
 *
 * In the files' terms (spec §5.1, §5.3) a proof is Single, Sub or Top, as its tree has one, two or three
 * parts; the levels of the parts follow each other, leaf side first.
 */
#ifndef CUZK_VANILLA_MERKLE_H
#define CUZK_VANILLA_MERKLE_H

#include "base/bytes.h"
#include "circuit/inputs.h"

struct merkle_proof {
    struct node root, leaf;
    uint64_t index;        /* of the leaf */
    struct node *siblings; /* shape->siblings, provided by the caller before reading */
};

enum merkle_variant { MERKLE_SINGLE, MERKLE_SUB, MERKLE_TOP }; /* the tags of bincode */

static inline enum merkle_variant merkle_variant(const struct tree_shape *shape)
{
    return shape->top_levels ? MERKLE_TOP : shape->sub_levels ? MERKLE_SUB : MERKLE_SINGLE;
}

/* "Single", "Sub", "Top". */
const char *merkle_variant_name(enum merkle_variant variant);

/* The members of a proof that hold its parts: "base_proof", "sub_proof", "top_proof", or "path" where there
 * is one part only. `part` counts from 0. */
const char *merkle_part_name(const struct tree_shape *shape, unsigned part);

/* The levels of a part: [*begin, *end). */
void merkle_part_levels(const struct tree_shape *shape, unsigned part, unsigned *begin, unsigned *end);

/* Bits of the leaf's index that one level of this arity decides: 1, 2 or 3. */
static inline unsigned arity_bits(unsigned arity) { return (unsigned)__builtin_ctz(arity); }

/* Reads a bincode MerkleProof (spec §5.3). Refused: another variant, other lengths or arities than the
 * shape's, digits outside their arity, values that are not canonical. */
cuzk_status merkle_bincode(struct merkle_proof *out, struct reader *r, const struct tree_shape *shape,
                           cuzk_error *err);

/* Reads `n` nodes, refusing any that is not canonical; a failure names the index of the node within the
 * list if `n` > 1. */
cuzk_status nodes_bincode(struct node *out, size_t n, struct reader *r, cuzk_error *err);

/* A u64 count that has to be `expected`; `what` is the plural of the elements. */
cuzk_status count_bincode(size_t expected, const char *what, struct reader *r, cuzk_error *err);

#endif
