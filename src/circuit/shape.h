/* What a sector size decides: tree shapes, layers, partitions and challenge counts (spec §2.1).
 *
 * Nothing here knows about files or proofs. All tables are constant.
 */
#ifndef CUZK_CIRCUIT_SHAPE_H
#define CUZK_CIRCUIT_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The four kinds of proof; the values are those of the wire (cuzk.v1.ProofKind). */
enum proof_kind {
    PROOF_POREP = 1,
    PROOF_UPDATE = 2,
    PROOF_WINDOW = 3,
    PROOF_WINNING = 4
};

enum {
    NODE_BYTES = 32,
    DRG_PARENTS = 6,
    EXP_PARENTS = 8,
    PARENTS = DRG_PARENTS + EXP_PARENTS,
    LABEL_PARENTS = 37, /* parents cycled to this number in a label's preimage */
    MAX_LAYERS = 11,
    MAX_TREE_LEVELS = 31, /* of TreeD, 64 GiB */
    POST_CHALLENGES = 10, /* per sector, window */
    WINNING_SLOTS = 66,
    UPDATE_H_BITS = 6
};

/* A canonical field element as the files hold it: 32 bytes, little-endian, below r. */
struct node {
    uint8_t b[NODE_BYTES];
};

/* A tree whose opening is a list of levels, leaf side first. */
struct tree_shape {
    uint8_t levels;
    uint8_t arity[MAX_TREE_LEVELS]; /* 2, 4 or 8 */
    uint8_t base_levels;            /* of these, how many belong to the base tree … */
    uint8_t sub_levels, top_levels; /* … then 0 or 1 each */
    uint16_t siblings;              /* Σ (arity − 1) */
    uint8_t index_bits;             /* Σ log2 arity = log2 of the leaves */
};

struct sector_shape {
    const char *id;   /* "2k", as in circuit ids */
    const char *name; /* "2KiB" */
    uint64_t bytes;
    uint64_t nodes;
    uint8_t node_bits; /* log2 nodes */
    uint8_t base_arity, sub_arity, top_arity; /* 8, 0 or 8, 0 or 2: as in "8-8-2" */
    struct tree_shape tree_d;                 /* SHA-256, binary */
    struct tree_shape tree_r;                 /* Poseidon; TreeC has the same shape */
    uint8_t layers;
    uint8_t porep_partitions, porep_challenges; /* challenges per partition */
    uint8_t ni_partitions;                      /* non-interactive PoRep */
    uint16_t window_sectors;                    /* per partition */
    uint8_t update_partitions, update_challenges, update_apex;
    uint8_t update_h_bits[UPDATE_H_BITS]; /* the hs of spec §1.4 */
    uint8_t update_h_select;              /* 1 << index of the h in use */
    bool published;                       /* false for the test shapes 16 KiB and 32 KiB (update only) */
};

/* 2 KiB, 16 KiB (test), 32 KiB (test), 8 MiB, 512 MiB, 32 GiB, 64 GiB. NULL if unknown. */
const struct sector_shape *sector_shape_by_bytes(uint64_t bytes);
const struct sector_shape *sector_shape_by_id(const char *id);     /* "32g" */
const struct sector_shape *sector_shape_by_name(const char *name); /* "32GiB" */
const struct sector_shape *sector_shape_at(size_t i);              /* ascending; NULL past the end */

/* Short lower-case names: "porep", "snap", "wpost", "winning". */
const char *proof_kind_name(enum proof_kind kind);

/* Partitions of one job: PoRep and update from the shape; winning 1; window as many as the sectors need. */
size_t partition_count(enum proof_kind kind, const struct sector_shape *shape, size_t sectors);

#endif
