/* The working sets of the ten-second ghost: what the incumbent holds for one PoRep of ten partitions, and frees.
 *
 * For each circuit: nested vectors (bit vectors, and tail vectors of the scalars that are no bits), each a vector of
 * many inner vectors, together 37 GB; and five long vectors a, b, c, inputs and aux, together 132 GB (issue 8). A
 * scale of 1 is that job; any other keeps the proportions and the sizes of inner vectors. Packed, the same circuits
 * are ten packed witnesses of this project, made by witness_create with the counts of porep-32g times the scale.
 */
#ifndef CUZK_CLI_WORKING_SET_H
#define CUZK_CLI_WORKING_SET_H

#include "base/pool.h"
#include "r1cs/witness.h"

enum { SET_CIRCUITS = 10, LONG_VECTORS = 5 };

struct set_vector {
    uint64_t *words;
    size_t count;
};

struct set_nest {
    struct set_vector *inner;
    size_t count;
};

/* What one circuit's vectors measure. */
struct set_plan {
    size_t bit_vectors, bit_words;   /* how many inner vectors, and words in each */
    size_t tail_vectors;             /* of tail_words(i) each */
    size_t long_words[LONG_VECTORS];
    uint64_t bytes;                  /* of all of one circuit's vectors */
};

struct circuit_set {
    struct set_nest bits, tails;
    struct set_vector longs[LONG_VECTORS];
};

enum set_kind { SET_MALLOC, SET_ARENA, SET_PACKED };

struct working_set {
    enum set_kind kind;
    bool huge;                 /* madvise(MADV_HUGEPAGE) for arenas and witnesses */
    struct set_plan plan;
    struct circuit shape;      /* SET_PACKED: counts alone */
    struct circuit_set circuit[SET_CIRCUITS];
    struct witness witness[SET_CIRCUITS];
    void *arena[SET_CIRCUITS]; /* SET_ARENA: one mapping for each circuit */
    size_t arena_bytes;
};

void set_plan_create(struct set_plan *out, double scale);

/* Bytes that a set of this kind will hold. `porep` is the compiled 32 GiB PoRep, needed for SET_PACKED alone. */
uint64_t set_bytes(const struct working_set *set);
void set_create(struct working_set *out, enum set_kind kind, bool huge, double scale, const struct circuit *porep);

/* Gives the vectors their memory: by malloc, each circuit from a thread of its own; from the arenas, which are mapped
 * by the first call and carved anew by each later one; or as packed witnesses, which stay. Contents are undefined. */
cuzk_status set_build(struct working_set *set, cuzk_error *err);

/* Writes every word once. */
void set_fill(struct working_set *set, struct pool *pool);

/* Frees one circuit's vectors, in the order in which destructors do. */
void circuit_set_free(void *circuit_set);
void set_free(struct working_set *set); /* all that it holds; harmless when repeated */

#endif
