/* Fp12 = Fp6[w] / (w^2 − v): c0 + c1·w, or Σ a_i·w^i with w^6 = 1 + u, where c0 holds a0, a2, a4 and c1 holds
 * a1, a3, a5.
 *
 * All functions accept the output as any of the inputs. None allocates or fails. Thread-safe.
 */
#ifndef CUZK_MATH_FP12_H
#define CUZK_MATH_FP12_H

#include "math/fp6.h"

typedef struct fp12 {
    fp6_t c0, c1;
} fp12_t;

extern const fp12_t FP12_ONE;

bool fp12_is_one(const fp12_t *a);
bool fp12_equal(const fp12_t *a, const fp12_t *b);

void fp12_mul(fp12_t *out, const fp12_t *a, const fp12_t *b);
void fp12_sqr(fp12_t *out, const fp12_t *a);

/* a·(b0 + b2·w^2 + w^3): the form of the lines of the Miller loop. */
void fp12_mul_line(fp12_t *out, const fp12_t *a, const fp2_t *b0, const fp2_t *b2);

/* c0 − c1·w, which is also a^(p^6). */
void fp12_conjugate(fp12_t *out, const fp12_t *a);

/* a^p */
void fp12_frobenius(fp12_t *out, const fp12_t *a);

/* 1/a; the inverse of zero is zero. */
void fp12_inv_var(fp12_t *out, const fp12_t *a);

/* The following hold in the cyclotomic subgroup only, where a^(p^4 − p^2 + 1) = 1; the inverse of such an
 * element is its conjugate. */

/* Granger, Scott, "Faster squaring in the cyclotomic subgroup of sixth degree extensions" (ePrint 2009/565). */
void fp12_cyclotomic_sqr(fp12_t *out, const fp12_t *a);

#endif
