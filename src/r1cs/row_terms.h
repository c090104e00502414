/* One row of a circuit in global numbering: what digests and listings walk over. */
#ifndef CUZK_R1CS_ROW_TERMS_H
#define CUZK_R1CS_ROW_TERMS_H

#include "r1cs/circuit.h"

struct row_term {
    uint64_t key;   /* is_aux << 32 | index: inputs before aux, ascending */
    uint32_t coeff; /* index into circuit->coeffs */
};

/* A row's terms in canonical order. `space` must hold circuit_widest_row(c) + 1 terms. Input rows are included.
 * The instance is that of the row (ignored for input rows). */
size_t row_terms(struct row_term *space, const struct circuit *c, const struct instance *i, enum matrix_name m,
                 uint32_t row);

/* The largest number of terms in one row of one matrix. */
size_t circuit_widest_row(const struct circuit *c);

#endif
