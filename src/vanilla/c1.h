/* SealCommitPhase1Output (spec §5.1): the vanilla proof of a PoRep, typed.
 *
 * Two parsers fill it, c1_json and c1_bincode. They read one challenge at a time into a struct c1_challenge,
 * which holds everything that the file says about it; c1_keep_challenge compares what the file says twice
 * (each label among the parents of the next, the roots, the indices) and keeps the rest: what the circuit
 * takes, and the claims that only a hash can confirm. No hash is computed here.
 */
#ifndef CUZK_VANILLA_C1_H
#define CUZK_VANILLA_C1_H

#include "base/arena.h"
#include "circuit/inputs.h"
#include "vanilla/merkle.h"

enum { C1_MAX_PARTITIONS = 126 }; /* the largest sector_shape.ni_partitions */

/* What the file says about a challenge besides the circuit's inputs; the circuit computes all of it. */
struct porep_claims {
    const struct node *labels;    /* c_x: the challenge's own labels, layer 1 first */
    struct node column;           /* c_x's leaf: the hash of these labels */
    struct node replica;          /* comm_r_last_proof's leaf: the encoded node */
    struct node parents[PARENTS]; /* the parents' leaves in TreeC: the hashes of their columns */
};

struct c1_partition {
    struct porep_challenge *challenges; /* shape->porep_challenges of each */
    struct porep_claims *claims;
};

struct c1 {
    const struct sector_shape *shape;
    struct node comm_r, comm_d, replica_id;
    struct node comm_c, comm_r_last; /* the roots that all openings share */
    uint8_t seed[32], ticket[32];    /* any bytes: only hashes take them */
    size_t partition_count;          /* that the file holds */
    struct c1_partition partitions[C1_MAX_PARTITIONS];

    struct arena *arena; /* everything above points into it */
    struct node root_d;  /* of the first opening in TreeD, until comm_d is known */
    bool have_roots;
};

struct c1_column {
    uint32_t index;
    struct node *rows; /* shape->layers */
    struct merkle_proof inclusion;
};

/* One labeling proof, or the encoding proof. */
struct c1_label {
    struct node parents[LABEL_PARENTS];
    uint32_t layer;
    uint64_t node;
};

/* A challenge as the file holds it. */
struct c1_challenge {
    struct merkle_proof comm_d, comm_r_last;
    struct c1_column c_x, parents[PARENTS]; /* 6 drg_parents, then 8 exp_parents */
    struct c1_label labels[MAX_LAYERS], encoding;
};

/* What stands at place i of LABEL_PARENTS in a label's preimage: the 6 DRG parents' labels of the same layer
 * and, above layer 1, the 8 expander parents' of the layer below, over and over (spec §3.4). */
struct c1_label_source {
    unsigned parent; /* of PARENTS */
    unsigned row;    /* of its column, from 0 */
};

static inline struct c1_label_source c1_label_source(unsigned layer, unsigned i)
{
    unsigned parent = i % (layer == 1 ? (unsigned)DRG_PARENTS : (unsigned)PARENTS);
    return (struct c1_label_source){ parent, parent < DRG_PARENTS ? layer - 1 : layer - 2 };
}

/* Starts the proofs of a document of this shape; *c1 was zeroed before, `arena` has to outlive it. The
 * commitments, seed and ticket are the parser's to fill, at any time before c1_finish. */
void c1_begin(struct c1 *c1, const struct sector_shape *shape, struct arena *arena);

/* Starts the next partition. Refused: more than the shape's partitions (those of non-interactive PoRep). */
cuzk_status c1_begin_partition(struct c1 *c1, cuzk_error *err);

/* Provides the memory that a challenge's rows and siblings are read into. */
cuzk_status c1_begin_challenge(struct c1 *c1, struct c1_challenge *out, cuzk_error *err);

/* Compares and keeps challenge `i` of the partition that was begun last. */
cuzk_status c1_keep_challenge(struct c1 *c1, const struct c1_challenge *c, size_t i, cuzk_error *err);

/* After the last partition and the commitments: at least one partition, and comm_d the root of the openings. */
cuzk_status c1_finish(struct c1 *c1, cuzk_error *err);

#endif
