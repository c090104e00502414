#include "vanilla/label.h"

#include "base/bytes.h"
#include "hash/sha256.h"

void label_make(struct node *out, const struct node *replica_id, uint32_t layer, uint64_t node,
                const struct node *parents, size_t count)
{
    uint8_t header[64] = { 0 };
    struct sha256 h;
    memcpy(header, replica_id->b, NODE_BYTES);
    store_be32(header + 32, layer);
    store_be64(header + 36, node);
    sha256_begin(&h);
    sha256_put(&h, header, sizeof header);
    for (size_t left = count > 0 ? LABEL_PARENTS : 0; left > 0;) {
        size_t n = left < count ? left : count;
        sha256_put(&h, parents, n * NODE_BYTES);
        left -= n;
    }
    sha256_end(&h, out->b);
    sha256_truncate(out->b);
}

/* Gathers the parents' labels of one node; `above` is the previous layer, NULL in layer 1. */
static size_t gather(struct node out[PARENTS], const struct stacked_graph *g, uint64_t node,
                     const struct node *layer, const struct node *above)
{
    uint64_t parents[PARENTS];
    if (node == 0) return 0;
    graph_drg_parents(parents, g, node);
    for (int i = 0; i < DRG_PARENTS; i++) out[i] = layer[parents[i]];
    if (!above) return DRG_PARENTS;
    graph_exp_parents(parents + DRG_PARENTS, g, node);
    for (int i = DRG_PARENTS; i < PARENTS; i++) out[i] = above[parents[i]];
    return PARENTS;
}

void labels_make(struct node *labels, const struct stacked_graph *g, const struct node *replica_id,
                 unsigned layers)
{
    struct node parents[PARENTS];
    for (unsigned l = 1; l <= layers; l++) {
        struct node *layer = labels + (l - 1) * g->nodes;
        for (uint64_t v = 0; v < g->nodes; v++) {
            size_t count = gather(parents, g, v, layer, l > 1 ? layer - g->nodes : NULL);
            label_make(&layer[v], replica_id, l, v, parents, count);
        }
    }
}
