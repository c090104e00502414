/* The stacked depth-robust graph: which labels a node's label is made from (spec §3.4).
 *
 * Within a layer, six DRG parents with smaller numbers (Alwen, Blocki, Harsha, "Practical graphs
 * for optimal side-channel resistant memory-hard functions", CCS 2017: DRSample; metanodes of
 * degree 5 and the predecessor). From the layer above, eight expander parents by a Feistel
 * permutation. The same in every layer. API version 1.0 orders the DRG parents and rounds the
 * expander parents in its own way.
 *
 * A graph is constant once made: thread-safe. Nothing fails.
 */
#ifndef CUZK_VANILLA_GRAPH_H
#define CUZK_VANILLA_GRAPH_H

#include "hash/feistel.h"
#include "vanilla/registered.h"

struct stacked_graph {
    uint64_t nodes;
    bool legacy;          /* API_V1_0 */
    uint8_t drg_seed[28]; /* the node's number as le32 completes the generator's key */
    struct feistel expander;
};

/* 1 ≤ nodes ≤ 2^32 */
void graph_init(struct stacked_graph *g, uint64_t nodes, const uint8_t porep_id[32],
                enum api_version api);

/* Nodes 0 and 1 have six times node 0 as DRG parents. */
void graph_drg_parents(uint64_t out[DRG_PARENTS], const struct stacked_graph *g, uint64_t node);
void graph_exp_parents(uint64_t out[EXP_PARENTS], const struct stacked_graph *g, uint64_t node);

/* The six, then the eight: the order of the columns in a vanilla proof and of the public inputs. */
void graph_parents(uint64_t out[PARENTS], const struct stacked_graph *g, uint64_t node);

#endif
