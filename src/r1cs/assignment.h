/* Where a circuit's private inputs come from: what the slots take, in circuit order, and the checks that are the same
 * whoever computes the values from them. */
#ifndef CUZK_R1CS_ASSIGNMENT_H
#define CUZK_R1CS_ASSIGNMENT_H

#include "base/pool.h"
#include "r1cs/circuit.h"

/* Fewer groups than the circuit has are allowed if the last one given and all that follow have the same shape: it is
 * then repeated (window PoSt). Groups count without group 0. */
struct assignment {
    const uint64_t *ints;
    size_t int_count;
    const uint8_t (*nodes)[32];
    size_t node_count;
    size_t groups;
};

/* Where a group begins in every stream; group_count is allowed and gives the ends. */
struct instance circuit_group_start(const struct circuit *c, size_t group);

/* CUZK_ERR_USAGE if the counts do not match the circuit. */
cuzk_status assignment_check_counts(const struct assignment *a, const struct circuit *c, cuzk_error *err);

/* CUZK_ERR_DATA if an integer does not fit its slot or a node is not canonical: names the first such slot in the
 * order of the circuit. The counts must be good. */
cuzk_status assignment_check_slots(const struct assignment *a, const struct circuit *c, struct pool *pool,
                                   cuzk_error *err);

/* The message for one slot, as the fill programs give it; `width` in bits. */
cuzk_status assignment_int_error(const struct assignment *a, uint32_t slot, unsigned width, cuzk_error *err);
cuzk_status assignment_node_error(uint32_t slot, cuzk_error *err);

#endif
