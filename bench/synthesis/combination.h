/* Linear combinations as bellperson keeps them: two lists on the heap, of public inputs and of private variables,
 * each ascending by index and without doubles (bellperson: lc.rs, Indexer). */
#ifndef CUZK_BENCH_SYNTHESIS_COMBINATION_H
#define CUZK_BENCH_SYNTHESIS_COMBINATION_H

#include "r1cs/circuit.h"
#include "synthesis/heap.h"

struct indexed {
    uint64_t index;
    fr_t coeff;
};

struct index_list {
    struct indexed *at;
    size_t count, capacity;
    size_t last; /* where the last insertion went: variables mostly arrive in ascending order */
};

struct combination {
    struct index_list inputs, aux;
};

/* An empty combination is { 0 } and holds no memory. */
void combination_add(struct combination *lc, struct heap *h, struct variable v, const fr_t *coeff);

/* Adds factor · other; NULL: other itself. */
void combination_add_all(struct combination *lc, struct heap *h, const struct combination *other, const fr_t *factor);
void combination_clone(struct combination *out, struct heap *h, const struct combination *from);
void combination_free(struct combination *lc);

#endif
