/* Unreduced products in Fp, for sums of products with one reduction ("lazy reduction": Aranha, Karabina, Longa,
 * Gebotys, López, "Faster explicit formulas for computing pairings over ordinary curves", Eurocrypt 2011).
 * Used by the portable multiplication in Fp2; the assembly does the same in registers.
 *
 * An fp_wide_t is a number below 2^768, twelve limbs. What may be reduced is anything below p·2^384. Since
 * 2^384 > 9.8·p, that is up to nine products of reduced factors. Factors of a wide product may be anything
 * below 2^384, for example sums of reduced elements that were never reduced themselves.
 */
#ifndef CUZK_MATH_FP_WIDE_H
#define CUZK_MATH_FP_WIDE_H

#include "math/fp.h"

typedef struct fp_wide {
    uint64_t l[12];
} fp_wide_t;

void fp_mul_wide(fp_wide_t *out, const fp_t *a, const fp_t *b);

/* out = a/2^384 mod p, fully reduced; a < p·2^384. */
void fp_reduce_wide(fp_t *out, const fp_wide_t *a);

/* a + b < 2^384, without reduction. */
void fp_add_unreduced(fp_t *out, const fp_t *a, const fp_t *b);

/* a + b < 2^768, without reduction. */
void fp_wide_add(fp_wide_t *out, const fp_wide_t *a, const fp_wide_t *b);

/* a − b, which the caller knows not to be negative. */
void fp_wide_sub_unreduced(fp_wide_t *out, const fp_wide_t *a, const fp_wide_t *b);

/* a − b modulo p·2^384, for a and b below that. */
void fp_wide_sub(fp_wide_t *out, const fp_wide_t *a, const fp_wide_t *b);

#endif
