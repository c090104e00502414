#include "vanilla/graph.h"

#include "base/bytes.h"
#include "hash/chacha.h"
#include "hash/sha256.h"

#include <assert.h>

enum { META_DEGREE = DRG_PARENTS - 1 }; /* parents drawn per node; the sixth is the predecessor */

/* sha256(text ‖ porep_id) */
static void derive(uint8_t out[32], const char *text, const uint8_t porep_id[32])
{
    struct sha256 h;
    sha256_begin(&h);
    sha256_put(&h, text, strlen(text));
    sha256_put(&h, porep_id, 32);
    sha256_end(&h, out);
}

void graph_init(struct stacked_graph *g, uint64_t nodes, const uint8_t porep_id[32],
                enum api_version api)
{
    uint8_t digest[32];
    uint64_t keys[FEISTEL_ROUNDS];
    assert(nodes >= 1 && nodes <= UINT64_C(1) << 32);
    g->nodes = nodes;
    g->legacy = api == API_V1_0;
    derive(digest, "Filecoin_DRSample", porep_id);
    memcpy(g->drg_seed, digest, sizeof g->drg_seed);
    derive(digest, "Filecoin_Feistel", porep_id);
    for (int i = 0; i < FEISTEL_ROUNDS; i++) keys[i] = load_le64(digest + 8 * i);
    feistel_init(&g->expander, nodes * EXP_PARENTS, keys);
}

/* Five parents of node ≥ 2: a bucket of distances [2^(b−1), 2^b] with b uniform, then a distance
 * uniform in it, both counted in metanodes, of which each node has five. Distances are at least 2
 * and node·5 − 2 lies in front of the node, so no parent can be the node itself. */
static void draw_parents(uint64_t out[META_DEGREE], const struct stacked_graph *g, uint64_t node)
{
    uint8_t seed[32];
    struct chacha8_rng rng;
    memcpy(seed, g->drg_seed, sizeof g->drg_seed);
    store_le32(seed + sizeof g->drg_seed, (uint32_t)node);
    chacha8_rng_init(&rng, seed);

    uint64_t meta = node * META_DEGREE;
    /* ⌈log2 meta⌉; a multiple of 5 is no power of two */
    uint64_t buckets = 64 - (uint64_t)__builtin_clzll(meta);
    for (int i = 0; i < META_DEGREE; i++) {
        uint64_t bucket = chacha8_rng_u64(&rng) % buckets + 1;
        uint64_t largest = UINT64_C(1) << bucket < meta ? UINT64_C(1) << bucket : meta;
        uint64_t smallest = largest / 2 > 2 ? largest / 2 : 2;
        uint64_t distance = smallest + chacha8_rng_u64(&rng) % (largest - smallest + 1);
        out[i] = (meta - distance) / META_DEGREE;
    }
}

void graph_drg_parents(uint64_t out[DRG_PARENTS], const struct stacked_graph *g, uint64_t node)
{
    assert(node < g->nodes);
    if (node < 2) {
        memset(out, 0, DRG_PARENTS * sizeof out[0]);
        return;
    }
    draw_parents(g->legacy ? out : out + 1, g, node);
    out[g->legacy ? META_DEGREE : 0] = node - 1;
}

void graph_exp_parents(uint64_t out[EXP_PARENTS], const struct stacked_graph *g, uint64_t node)
{
    assert(node < g->nodes);
    for (uint64_t i = 0; i < EXP_PARENTS; i++) {
        uint64_t edge = feistel_permute(&g->expander, node * EXP_PARENTS + i);
        /* The first version cut the edge to 32 bits before the division. */
        out[i] = (g->legacy ? (uint32_t)edge : edge) / EXP_PARENTS;
    }
}

void graph_parents(uint64_t out[PARENTS], const struct stacked_graph *g, uint64_t node)
{
    graph_drg_parents(out, g, node);
    graph_exp_parents(out + DRG_PARENTS, g, node);
}
