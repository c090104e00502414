/* The private inputs of one partition, typed: what vanilla/ reads from the client's bytes and what circuit/
 * lays into the input slots. Everything points into memory owned by whoever made the struct (an arena of
 * vanilla/); nothing here is copied or freed. All nodes are canonical (checked when they were read).
 */
#ifndef CUZK_CIRCUIT_INPUTS_H
#define CUZK_CIRCUIT_INPUTS_H

#include "circuit/shape.h"

/* An opening in a tree of known shape. `index` is the leaf's position: level i's digit is
 * (index >> Σ_{j<i} log2 arity_j) mod arity_i. `siblings` holds shape->siblings nodes: for each level, leaf
 * side first, its arity − 1 siblings in ascending position with the path's own node left out. */
struct tree_path {
    uint64_t index;
    const struct node *siblings;
};

/* A parent's column in PoRep: the labels of one node in all layers and its opening in TreeC. */
struct porep_column {
    const struct node *rows; /* shape->layers labels, layer 1 first */
    struct tree_path path;
};

struct porep_challenge {
    uint64_t node;
    struct node data_leaf;
    struct tree_path path_d;                /* of data_leaf in TreeD */
    struct tree_path path_r;                /* of the encoded node in TreeR */
    struct tree_path path_c;                /* of the challenge's own column in TreeC */
    struct porep_column parents[PARENTS];   /* 6 DRG, then 8 expander parents */
};

struct porep_input {
    struct node replica_id, comm_d, comm_r, comm_c, comm_r_last;
    size_t challenge_count; /* shape->porep_challenges */
    const struct porep_challenge *challenges;
};

struct post_challenge {
    struct node leaf;
    struct tree_path path; /* in TreeR */
};

/* One slot of a FallbackPoSt circuit: a sector (window, 10 challenges) or one of winning's 66 challenges. */
struct post_slot {
    struct node comm_c, comm_r_last, comm_r;
    size_t challenge_count;
    const struct post_challenge *challenges;
};

/* `slots` may be fewer than the circuit has: the last one is then repeated (window). */
struct post_input {
    size_t slot_count;
    const struct post_slot *slots;
};

struct update_challenge {
    uint64_t index; /* of the leaf in all three trees */
    struct node leaf_r_old, leaf_d_new, leaf_r_new;
    const struct node *path_r_old; /* shape->tree_r.siblings */
    const struct node *path_r_new;
    const struct node *path_d_new; /* shape->tree_d.levels; the circuit uses all but the apex and partition levels */
};

struct update_input {
    uint32_t partition;
    struct node comm_r_old, comm_d_new, comm_r_new, comm_c, root_r_old, root_r_new;
    const struct node *apex_leaves;    /* shape->update_apex */
    const struct node *partition_path; /* log2(update_partitions) siblings, leaf side first */
    size_t challenge_count;            /* shape->update_challenges */
    const struct update_challenge *challenges;
};

/* One partition's inputs of any kind. */
struct partition_input {
    enum proof_kind kind;
    const struct sector_shape *shape;
    union {
        struct porep_input porep;
        struct post_input post; /* window and winning */
        struct update_input update;
    };
};

#endif
