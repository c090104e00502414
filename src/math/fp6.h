/* Fp6 = Fp2[v] / (v^3 − (1 + u)): c0 + c1·v + c2·v^2.
 *
 * All functions accept the output as any of the inputs. None allocates or fails. Thread-safe. Formulas after
 * Devegili, Ó hÉigeartaigh, Scott, Dahab, "Multiplication and squaring on pairing-friendly fields"
 * (ePrint 2006/471).
 */
#ifndef CUZK_MATH_FP6_H
#define CUZK_MATH_FP6_H

#include "math/fp2.h"

typedef struct fp6 {
    fp2_t c0, c1, c2;
} fp6_t;

extern const fp6_t FP6_ZERO;
extern const fp6_t FP6_ONE;

bool fp6_is_zero(const fp6_t *a);
bool fp6_equal(const fp6_t *a, const fp6_t *b);

void fp6_add(fp6_t *out, const fp6_t *a, const fp6_t *b);
void fp6_sub(fp6_t *out, const fp6_t *a, const fp6_t *b);
void fp6_neg(fp6_t *out, const fp6_t *a);
void fp6_mul(fp6_t *out, const fp6_t *a, const fp6_t *b);

/* a·v, the non-residue that Fp12 is built on. */
void fp6_mul_nonresidue(fp6_t *out, const fp6_t *a);

/* a·(b0 + b1·v) */
void fp6_mul_sparse(fp6_t *out, const fp6_t *a, const fp2_t *b0, const fp2_t *b1);

/* 1/a; the inverse of zero is zero. */
void fp6_inv_var(fp6_t *out, const fp6_t *a);

#endif
