/* Rows in readable form, as the oracle program prints them: "INDEX: (A) * (B) = (C)", terms "coefficient*variable"
 * with i0, i1 … for inputs and w0, w1 … for aux; coefficients decimal below 2^16, 2^k, a leading − for negated
 * ones, otherwise 0x and hexadecimal. */
#ifndef CUZK_R1CS_ROWS_TEXT_H
#define CUZK_R1CS_ROWS_TEXT_H

#include "r1cs/circuit.h"

#include <stdio.h>

/* Constraint rows [from, to), one line each; `to` is cut to circuit->constraints. */
cuzk_status rows_text(FILE *out, const struct circuit *c, uint32_t from, uint32_t to, cuzk_error *err);

#endif
