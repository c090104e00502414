/* The rows of a circuit over a packed witness: ⟨A,w⟩, ⟨B,w⟩, ⟨C,w⟩, straight from templates and instances. */
#ifndef CUZK_R1CS_EVALUATE_H
#define CUZK_R1CS_EVALUATE_H

#include "r1cs/witness.h"

/* out[i − begin] = row i of matrix m over w, for begin ≤ i < end ≤ circuit->rows (the input rows included:
 * input_i for A, zero for B and C). Parallel; allocates a few KB per thread. */
cuzk_status evaluate_rows(fr_t *out, const struct witness *w, enum matrix_name m, uint32_t begin, uint32_t end,
                          struct pool *pool, cuzk_error *err);

/* CUZK_OK if a·b = c on every row; CUZK_REFUSED naming the first row (and its template) that fails. */
cuzk_status witness_check(const struct witness *w, struct pool *pool, cuzk_error *err);

#endif
