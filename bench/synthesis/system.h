/* The constraint system of the object styles: a proving assignment as bellperson's (groth16/prover: alloc,
 * alloc_input, enforce): values of all variables, and for each row the values of a, b, c, computed from linear
 * combinations that are made for this row and thrown away. Not thread-safe. */
#ifndef CUZK_BENCH_SYNTHESIS_SYSTEM_H
#define CUZK_BENCH_SYNTHESIS_SYSTEM_H

#include "synthesis/combination.h"

struct scalars {
    fr_t *at;
    size_t count, capacity;
};

/* Which variables occur in a matrix; one bit each. */
struct density {
    uint64_t *words;
    size_t count, capacity; /* words */
    size_t total;           /* set bits */
};

struct constraint_system {
    struct heap heap;
    bool temporaries; /* the style: does each bit make a linear combination of its own before it is added? */
    struct scalars inputs, aux, a, b, c;
    struct density a_aux, b_aux, b_inputs;
    fr_t minus_one;
};

#define VARIABLE_ONE ((struct variable){ true, 0 })

void cs_begin(struct constraint_system *cs, bool temporaries); /* with input 0, which is one */
void cs_release(struct constraint_system *cs);

struct variable cs_alloc(struct constraint_system *cs, const fr_t *value);
struct variable cs_alloc_input(struct constraint_system *cs, const fr_t *value);

/* Appends a row; the combinations are released. */
void cs_enforce(struct constraint_system *cs, struct combination *a, struct combination *b, struct combination *c);

/* Adding to a combination. */
void cs_add(struct constraint_system *cs, struct combination *lc, struct variable v);      /* + v */
void cs_subtract(struct constraint_system *cs, struct combination *lc, struct variable v); /* − v */

#endif
