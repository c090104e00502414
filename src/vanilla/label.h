/* Labels: the data that a sealed sector's layers consist of (spec §3.4). Thread-safe; nothing
 * fails. */
#ifndef CUZK_VANILLA_LABEL_H
#define CUZK_VANILLA_LABEL_H

#include "vanilla/graph.h"

/* The label of `node` in `layer` (from 1): sha256(replica_id ‖ be32(layer) ‖ be64(node) ‖ 20 zero
 * bytes ‖ the parents' labels repeated in order up to 37), truncated to 254 bits. `count` is 6 in
 * layer 1, 14 above it, and 0 for node 0, which hashes no parents. `out` may be a parent. */
void label_make(struct node *out, const struct node *replica_id, uint32_t layer, uint64_t node,
                const struct node *parents, size_t count);

/* All labels of a small sector: labels[(layer − 1)·g->nodes + node], layers · g->nodes elements.
 * Time grows with both; four seconds for 8 MiB with two layers. */
void labels_make(struct node *labels, const struct stacked_graph *g, const struct node *replica_id,
                 unsigned layers);

#endif
