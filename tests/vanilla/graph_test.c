/* Parents against those in real and synthetic vanilla proofs. */
#include "vanilla/graph.h"

#include "hexes.h"
#include "sector_42.h"
#include "vanilla/challenges.h"
#include "vanilla/identity.h"

static void graph__equals_a_sealed_sector(void **state)
{
    (void)state;
    struct stacked_graph g;
    uint8_t porep_id[32];
    porep_id_make(porep_id, SECTOR_42_PROOF, 0);
    graph_init(&g, SECTOR_42_NODES, porep_id, API_V1_1);
    for (int i = 0; i < 2; i++) {
        uint64_t parents[PARENTS];
        graph_parents(parents, &g, sector_42_challenges[i].node);
        for (int j = 0; j < PARENTS; j++) {
            assert_int_equal(parents[j], sector_42_challenges[i].parents[j]);
        }
    }
}

/* The parents of all 180 challenges of the synthetic 32 GiB sector (porep-32gib.public.json), which
 * Filecoin's verifier of vanilla proofs accepted. */
static void graph__equals_32_gib(void **state)
{
    (void)state;
    struct porep_challenge_source s = {
        .mode = POREP_INTERACTIVE,
        .nodes = UINT64_C(1) << 30,
        .replica_id = node_of("0812e706d70a3e9bb97c9aa33d138bebab119afda7b0e637ab9aaa9638272029"),
    };
    struct node seed = node_of("e339126d2effbe50817dd2b892d598c1ab47f4ab68cbdb6b0d4d0a78afc04613");
    memcpy(s.seed, seed.b, sizeof s.seed);
    struct stacked_graph g;
    uint8_t porep_id[32];
    porep_id_make(porep_id, 8, 0);
    graph_init(&g, s.nodes, porep_id, API_V1_1);

    struct sha256 challenge_hash, parent_hash;
    sha256_begin(&challenge_hash);
    sha256_begin(&parent_hash);
    for (uint32_t partition = 0; partition < 10; partition++) {
        uint64_t challenges[18], parents[PARENTS];
        porep_challenges(challenges, 18, &s, partition);
        put_numbers(&challenge_hash, challenges, 18);
        for (int i = 0; i < 18; i++) {
            graph_parents(parents, &g, challenges[i]);
            put_numbers(&parent_hash, parents, PARENTS);
        }
    }
    assert_end(&challenge_hash, "c3697ece5be6c8e5adc03155bce0d008e6395956c76b561b6f53a3c7cdd68d7d");
    assert_end(&parent_hash, "188ff013e9ed183d2718455bb320e629821ddb9553fda75e1007abcc38ce5f56");
}

static void graph__legacy_differs_in_order_and_truncation(void **state)
{
    (void)state;
    struct stacked_graph now, legacy;
    uint8_t porep_id[32] = { 0 };
    graph_init(&now, UINT64_C(1) << 31, porep_id, API_V1_1);
    graph_init(&legacy, UINT64_C(1) << 31, porep_id, API_V1_0);
    bool truncated = false;
    for (uint64_t node = 0; node < now.nodes; node += now.nodes / 61) {
        uint64_t a[PARENTS], b[PARENTS];
        graph_parents(a, &now, node);
        graph_parents(b, &legacy, node);
        assert_int_equal(a[0], b[DRG_PARENTS - 1]);
        assert_memory_equal(a + 1, b, (DRG_PARENTS - 1) * sizeof a[0]);
        for (int i = DRG_PARENTS; i < PARENTS; i++) {
            assert_int_equal(b[i], a[i] % (UINT64_C(1) << 29)); /* 2^32 / 8 */
            truncated = truncated || a[i] != b[i];
        }
    }
    assert_true(truncated);
}

static void graph__drg_parents_lie_in_front(void **state)
{
    (void)state;
    static const uint64_t first[DRG_PARENTS] = { 0 };
    struct stacked_graph g;
    uint8_t porep_id[32] = { 1 };
    uint64_t parents[DRG_PARENTS];
    graph_init(&g, UINT64_C(1) << 32, porep_id, API_V1_1);
    graph_drg_parents(parents, &g, 0);
    assert_memory_equal(parents, first, sizeof first);
    graph_drg_parents(parents, &g, 1);
    assert_memory_equal(parents, first, sizeof first);
    for (uint64_t node = 2; node < 300; node++) {
        graph_drg_parents(parents, &g, node);
        for (int i = 0; i < DRG_PARENTS; i++) assert_true(parents[i] < node);
        graph_drg_parents(parents, &g, g.nodes - node);
        for (int i = 0; i < DRG_PARENTS; i++) assert_true(parents[i] < g.nodes - node);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(graph__equals_a_sealed_sector),
        test(graph__equals_32_gib),
        test(graph__legacy_differs_in_order_and_truncation),
        test(graph__drg_parents_lie_in_front),
    };
    return run_tests(tests);
}
