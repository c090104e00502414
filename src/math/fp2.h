/* Fp2 = Fp[u] / (u^2 + 1): c0 + c1·u.
 *
 * All functions accept the output as any of the inputs. None allocates or fails. Thread-safe.
 */
#ifndef CUZK_MATH_FP2_H
#define CUZK_MATH_FP2_H

#include "math/fp.h"

typedef struct fp2 {
    fp_t c0, c1;
} fp2_t;

extern const fp2_t FP2_ZERO;
extern const fp2_t FP2_ONE;

bool fp2_is_zero(const fp2_t *a);
bool fp2_is_one(const fp2_t *a);
bool fp2_equal(const fp2_t *a, const fp2_t *b);

void fp2_add(fp2_t *out, const fp2_t *a, const fp2_t *b);
void fp2_sub(fp2_t *out, const fp2_t *a, const fp2_t *b);
void fp2_neg(fp2_t *out, const fp2_t *a);
void fp2_double(fp2_t *out, const fp2_t *a);
void fp2_mul(fp2_t *out, const fp2_t *a, const fp2_t *b);
void fp2_sqr(fp2_t *out, const fp2_t *a);
void fp2_mul_fp(fp2_t *out, const fp2_t *a, const fp_t *b);

/* c0 − c1·u, which is also a^p. */
void fp2_conjugate(fp2_t *out, const fp2_t *a);

/* a·(1 + u), the non-residue that Fp6 is built on. */
void fp2_mul_nonresidue(fp2_t *out, const fp2_t *a);

void fp2_pow_var(fp2_t *out, const fp2_t *a, const uint64_t *exponent, size_t limbs);

/* 1/a; the inverse of zero is zero. */
void fp2_inv_var(fp2_t *out, const fp2_t *a);

/* In-place inversion of n elements with one field inversion; zeros stay zero. `scratch` holds n elements. */
void fp2_batch_inv_var(fp2_t *a, size_t n, fp2_t *scratch);

/* A square root, by the norm ("complex method", Scott, "Implementing cryptographic pairings", 2007). False if
 * a is not a square; *out is then unspecified. */
bool fp2_sqrt_var(fp2_t *out, const fp2_t *a);

/* Lexicographic order as in compressed points: c1 decides, c0 if c1 is zero. */
bool fp2_is_larger(const fp2_t *a);

#endif
