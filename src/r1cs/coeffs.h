/* The table of distinct coefficients of a circuit, shared by all its templates. */
#ifndef CUZK_R1CS_COEFFS_H
#define CUZK_R1CS_COEFFS_H

#include "r1cs/circuit.h"

enum { COEFF_ONE = 0, COEFF_MINUS_ONE = 1 }; /* fixed places */

struct coeff_table {
    struct coeff *entries;
    size_t count, capacity;
    uint32_t *slots; /* open addressing over entries, UINT32_MAX = free */
    size_t slot_count;
};

cuzk_status coeff_table_create(struct coeff_table *out, cuzk_error *err);
void coeff_table_free(struct coeff_table *t);

/* The place of `value`, added if new. False without memory. */
bool coeff_table_place(uint32_t *out, struct coeff_table *t, const fr_t *value);

#endif
