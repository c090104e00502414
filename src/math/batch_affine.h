/* Many independent additions of affine points with one shared inversion (Montgomery's trick): 5 multiplications
 * and a squaring each, where a mixed addition in extended Jacobian coordinates takes 10. Every sum of many
 * points in this folder comes down to these two functions; both groups are one text,
 * batch_affine_template.h.
 *
 * Complete: infinity, equal and opposite points give the right sums, on the whole curve. Nothing is allocated.
 * Thread-safe.
 */
#ifndef CUZK_MATH_BATCH_AFFINE_H
#define CUZK_MATH_BATCH_AFFINE_H

#include "math/g1.h"
#include "math/g2.h"

/* Scratch for one addition. */
struct g1_slot {
    fp_t divisor, product;
    int kind;
};

struct g2_slot {
    fp2_t divisor, product;
    int kind;
};

/* out[i·out_step] = a[i·a_step] + b[i·b_step], 0 ≤ i < n, in ascending order of i: out may overlap a and b as
 * long as no sum is written over a term of a later sum (so out = a with the same step, or out = a, b = a + 1
 * with steps 1, 2, 2). `scratch` holds n slots. */
void g1_batch_add(g1_affine_t *out, size_t out_step, const g1_affine_t *a, size_t a_step,
                  const g1_affine_t *b, size_t b_step, size_t n, struct g1_slot *scratch);
void g2_batch_add(g2_affine_t *out, size_t out_step, const g2_affine_t *a, size_t a_step,
                  const g2_affine_t *b, size_t b_step, size_t n, struct g2_slot *scratch);

/* The sum of n points, which are destroyed: neighbours are added until one is left. `scratch` holds n/2
 * slots. */
void g1_batch_sum(g1_affine_t *out, g1_affine_t *points, size_t n, struct g1_slot *scratch);
void g2_batch_sum(g2_affine_t *out, g2_affine_t *points, size_t n, struct g2_slot *scratch);

#endif
