/* What follows from a statement alone (spec §3): the leaves that a proof has to open, and the public inputs
 * of each partition, which the verifier multiplies with the verification key's points.
 * Thread-safe; nothing fails or allocates. */
#ifndef CUZK_VANILLA_PUBLIC_INPUTS_H
#define CUZK_VANILLA_PUBLIC_INPUTS_H

#include "math/fr.h"
#include "vanilla/graph.h"
#include "vanilla/statement.h"

/* How many there are, ONE not counted: one less than the circuit's inputs. */
size_t public_inputs_count(enum proof_kind kind, const struct sector_shape *shape);

/* Writes public_inputs_count values. `partition` is below statement->partitions. */
void public_inputs(fr_t *out, const struct statement *statement, size_t partition);

/* The challenges of one PoRep partition (shape->porep_challenges) and the graph that gives their parents. */
void statement_porep_challenges(uint64_t *out, const struct statement *statement, size_t partition);
void statement_graph(struct stacked_graph *out, const struct statement *statement);

/* The n-th challenge of a slot of a PoSt circuit; slots beyond the last sector repeat it. */
uint64_t statement_post_challenge(const struct statement *statement, size_t slot, size_t n);

/* The challenges of one update partition (shape->update_challenges). */
void statement_update_challenges(uint64_t *out, const struct statement *statement, size_t partition);

/* log2 of the partitions of an update of this shape. */
static inline unsigned update_partition_bits(const struct sector_shape *shape)
{
    return (unsigned)__builtin_ctz(shape->update_partitions);
}

#endif
