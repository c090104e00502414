#include "circuit/shape.h"

#include <string.h>

#define KIB (UINT64_C(1) << 10)
#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

/* A level list is written out by hand once per shape: n levels of arity 8, then sub, then top. */
#define B8_2 8, 8
#define B8_6 B8_2, B8_2, B8_2
#define B8_8 B8_6, B8_2
#define B8_9 B8_8, 8
#define TWO_6 2, 2, 2, 2, 2, 2
#define TWO_9 TWO_6, 2, 2, 2
#define TWO_10 TWO_9, 2
#define TWO_18 TWO_6, TWO_6, TWO_6
#define TWO_24 TWO_18, TWO_6
#define TWO_30 TWO_24, TWO_6
#define TWO_31 TWO_30, 2
#define BINARY(n)                                                                                        \
    {                                                                                                    \
        .levels = n, .arity = { TWO_##n }, .base_levels = n, .siblings = n, .index_bits = n              \
    }
#define HS_SMALL { 1, 1, 1, 1, 1, 1 }, .update_h_select = 1
#define HS_LARGE { 7, 8, 9, 10, 11, 12 }, .update_h_select = 8

static const struct sector_shape shapes[] = {
    { .id = "2k", .name = "2KiB", .bytes = 2 * KIB, .nodes = 1u << 6, .node_bits = 6,
      .base_arity = 8, .tree_d = BINARY(6),
      .tree_r = { .levels = 2, .arity = { B8_2 }, .base_levels = 2, .siblings = 14, .index_bits = 6 },
      .layers = 2, .porep_partitions = 1, .porep_challenges = 2, .ni_partitions = 13, .window_sectors = 2,
      .update_partitions = 1, .update_challenges = 10, .update_apex = 8, .update_h_bits = HS_SMALL,
      .published = true },
    { .id = "16k", .name = "16KiB", .bytes = 16 * KIB, .nodes = 1u << 9, .node_bits = 9,
      .base_arity = 8, .sub_arity = 8, .tree_d = BINARY(9),
      .tree_r = { .levels = 3, .arity = { B8_2, 8 }, .base_levels = 2, .sub_levels = 1, .siblings = 21,
                  .index_bits = 9 },
      .layers = 2, .update_partitions = 2, .update_challenges = 10, .update_apex = 128,
      .update_h_bits = HS_SMALL },
    { .id = "32k", .name = "32KiB", .bytes = 32 * KIB, .nodes = 1u << 10, .node_bits = 10,
      .base_arity = 8, .sub_arity = 8, .top_arity = 2, .tree_d = BINARY(10),
      .tree_r = { .levels = 4, .arity = { B8_2, 8, 2 }, .base_levels = 2, .sub_levels = 1, .top_levels = 1,
                  .siblings = 22, .index_bits = 10 },
      .layers = 2, .update_partitions = 2, .update_challenges = 10, .update_apex = 128,
      .update_h_bits = HS_SMALL },
    { .id = "8m", .name = "8MiB", .bytes = 8 * MIB, .nodes = 1u << 18, .node_bits = 18,
      .base_arity = 8, .tree_d = BINARY(18),
      .tree_r = { .levels = 6, .arity = { B8_6 }, .base_levels = 6, .siblings = 42, .index_bits = 18 },
      .layers = 2, .porep_partitions = 1, .porep_challenges = 2, .ni_partitions = 13, .window_sectors = 2,
      .update_partitions = 4, .update_challenges = 10, .update_apex = 128, .update_h_bits = HS_LARGE,
      .published = true },
    { .id = "512m", .name = "512MiB", .bytes = 512 * MIB, .nodes = 1u << 24, .node_bits = 24,
      .base_arity = 8, .tree_d = BINARY(24),
      .tree_r = { .levels = 8, .arity = { B8_8 }, .base_levels = 8, .siblings = 56, .index_bits = 24 },
      .layers = 2, .porep_partitions = 1, .porep_challenges = 2, .ni_partitions = 13, .window_sectors = 2,
      .update_partitions = 16, .update_challenges = 86, .update_apex = 128, .update_h_bits = HS_LARGE,
      .published = true },
    { .id = "32g", .name = "32GiB", .bytes = 32 * GIB, .nodes = 1u << 30, .node_bits = 30,
      .base_arity = 8, .sub_arity = 8, .tree_d = BINARY(30),
      .tree_r = { .levels = 10, .arity = { B8_9, 8 }, .base_levels = 9, .sub_levels = 1, .siblings = 70,
                  .index_bits = 30 },
      .layers = 11, .porep_partitions = 10, .porep_challenges = 18, .ni_partitions = 126,
      .window_sectors = 2349, .update_partitions = 16, .update_challenges = 86, .update_apex = 128,
      .update_h_bits = HS_LARGE, .published = true },
    { .id = "64g", .name = "64GiB", .bytes = 64 * GIB, .nodes = UINT64_C(1) << 31, .node_bits = 31,
      .base_arity = 8, .sub_arity = 8, .top_arity = 2, .tree_d = BINARY(31),
      .tree_r = { .levels = 11, .arity = { B8_9, 8, 2 }, .base_levels = 9, .sub_levels = 1,
                  .top_levels = 1, .siblings = 71, .index_bits = 31 },
      .layers = 11, .porep_partitions = 10, .porep_challenges = 18, .ni_partitions = 126,
      .window_sectors = 2300, .update_partitions = 16, .update_challenges = 86, .update_apex = 128,
      .update_h_bits = HS_LARGE, .published = true },
};

enum { SHAPES = sizeof shapes / sizeof shapes[0] };

const struct sector_shape *sector_shape_at(size_t i) { return i < SHAPES ? &shapes[i] : NULL; }

const struct sector_shape *sector_shape_by_bytes(uint64_t bytes)
{
    for (size_t i = 0; i < SHAPES; i++) {
        if (shapes[i].bytes == bytes) return &shapes[i];
    }
    return NULL;
}

const struct sector_shape *sector_shape_by_id(const char *id)
{
    for (size_t i = 0; i < SHAPES; i++) {
        if (strcmp(shapes[i].id, id) == 0) return &shapes[i];
    }
    return NULL;
}

const struct sector_shape *sector_shape_by_name(const char *name)
{
    for (size_t i = 0; i < SHAPES; i++) {
        if (strcmp(shapes[i].name, name) == 0) return &shapes[i];
    }
    return NULL;
}

const char *proof_kind_name(enum proof_kind kind)
{
    switch (kind) {
    case PROOF_POREP: return "porep";
    case PROOF_UPDATE: return "snap";
    case PROOF_WINDOW: return "wpost";
    case PROOF_WINNING: return "winning";
    }
    return "unknown";
}

size_t partition_count(enum proof_kind kind, const struct sector_shape *shape, size_t sectors)
{
    switch (kind) {
    case PROOF_POREP: return shape->porep_partitions;
    case PROOF_UPDATE: return shape->update_partitions;
    case PROOF_WINDOW: return (sectors + shape->window_sectors - 1) / shape->window_sectors;
    case PROOF_WINNING: return 1;
    }
    return 0;
}
