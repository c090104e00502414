/* Laying private inputs into the slots of a circuit, in the order in which its blocks take them. */
#ifndef CUZK_CIRCUIT_ASSIGN_H
#define CUZK_CIRCUIT_ASSIGN_H

#include "circuit/inputs.h"
#include "r1cs/witness.h"

struct slots {
    uint64_t *ints;
    size_t int_count, int_capacity;
    uint8_t (*nodes)[32];
    size_t node_count, node_capacity;
};

/* Slots to fill `w` from, in memory of its own. */
void slots_begin(struct slots *out, struct witness *w);

/* Appending. Values past the capacity are counted but not stored, so that a mismatch is an error of
 * witness_fill and never an overflow. */
void slot_int(struct slots *s, uint64_t v);
void slot_node(struct slots *s, const struct node *n);
void slot_nodes(struct slots *s, const struct node *n, size_t count);
void slot_path(struct slots *s, const struct tree_shape *tree, const struct tree_path *path); /* for block_path */

#endif
