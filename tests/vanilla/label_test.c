/* Labels against spec §8.5 and a sealed sector. */
#include "vanilla/label.h"

#include "hexes.h"
#include "sector_42.h"
#include "vanilla/identity.h"

#include <stdlib.h>

static void assert_last_label(uint64_t nodes, uint8_t porep_byte, enum api_version api,
                              const uint64_t limbs[4])
{
    enum { LAYERS = 11 };
    struct node replica_id, *labels = malloc(LAYERS * nodes * sizeof *labels);
    uint8_t porep_id[32], expected[32];
    struct stacked_graph g;
    assert_non_null(labels);
    memset(replica_id.b, 9, sizeof replica_id.b);
    memset(porep_id, porep_byte, sizeof porep_id);
    graph_init(&g, nodes, porep_id, api);
    labels_make(labels, &g, &replica_id, LAYERS);
    for (int i = 0; i < 4; i++) store_le64(expected + 8 * i, limbs[i]);
    assert_memory_equal(labels[LAYERS * nodes - 1].b, expected, sizeof expected);
    free(labels);
}

static void labels__equal_rust_fil_proofs(void **state)
{
    (void)state;
    static const uint64_t legacy_64[4] = { 0xd3faa96b9a0fba04, 0xea81a283d106485e,
                                           0xe3d51b9afa5ac2b3, 0x0462f4f4f1a68d37 };
    static const uint64_t legacy_128[4] = { 0x7e191e52c4a8da86, 0x5ae8a1c9e6fac148,
                                            0xce239f3b88a894b8, 0x234c00d1dc1d53be };
    static const uint64_t now_64[4] = { 0xabb3f38bb70defcf, 0x777a2e4d7769119f, 0x3448959d495490bc,
                                        0x06021188c7a71cb5 };
    static const uint64_t now_128[4] = { 0x22ab81cf68c4676d, 0x7a77a82fc7c9c189, 0xc6c03d32c1e42d23,
                                         0x0f777c18cc2c55bd };
    assert_last_label(64, 0, API_V1_0, legacy_64);
    assert_last_label(128, 0, API_V1_0, legacy_128);
    assert_last_label(64, 123, API_V1_1, now_64);
    assert_last_label(64, 123, API_V1_2, now_64);
    assert_last_label(128, 123, API_V1_1, now_128);
    assert_last_label(128, 123, API_V1_2, now_128);
}

static void labels__equal_a_sealed_sector(void **state)
{
    (void)state;
    struct node labels[SECTOR_42_LAYERS * SECTOR_42_NODES];
    struct node replica_id = node_of(sector_42_replica_id);
    struct stacked_graph g;
    uint8_t porep_id[32];
    porep_id_make(porep_id, SECTOR_42_PROOF, 0);
    graph_init(&g, SECTOR_42_NODES, porep_id, API_V1_1);
    labels_make(labels, &g, &replica_id, SECTOR_42_LAYERS);
    for (size_t i = 0; i < sizeof sector_42_columns / sizeof sector_42_columns[0]; i++) {
        size_t node = sector_42_columns[i].node;
        assert_node(&labels[node], sector_42_columns[i].labels[0]);
        assert_node(&labels[SECTOR_42_NODES + node], sector_42_columns[i].labels[1]);
    }
}

static void label_make__may_overwrite_a_parent(void **state)
{
    (void)state;
    struct node parents[PARENTS], expected, replica_id = node_of(sector_42_replica_id);
    memset(parents, 7, sizeof parents);
    label_make(&expected, &replica_id, 2, 5, parents, PARENTS);
    label_make(&parents[3], &replica_id, 2, 5, parents, PARENTS);
    assert_memory_equal(parents[3].b, expected.b, sizeof expected.b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(labels__equal_rust_fil_proofs),
        test(labels__equal_a_sealed_sector),
        test(label_make__may_overwrite_a_parent),
    };
    return run_tests(tests);
}
