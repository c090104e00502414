/* Sums of selected points: multi-scalar multiplication with scalars 0 and 1, without any scalar arithmetic.
 *
 * Each thread keeps POINT_SUM_LANES running sums and adds as many selected points to them at a time, in one
 * batch (batch_affine.h), so that a point costs 6 multiplications. Equal, opposite and infinite points are
 * fine, on the whole curve. The sum does not depend on the pool (NULL: one thread).
 */
#ifndef CUZK_MATH_POINT_SUM_H
#define CUZK_MATH_POINT_SUM_H

#include "base/pool.h"
#include "math/g1.h"
#include "math/g2.h"

enum { POINT_SUM_LANES = 1024 };

/* For points that come chunk by chunk. 0.4 MB (G1) or 0.7 MB (G2) for each thread of the pool, which is kept
 * and must outlive the sum. Not for several threads at once. CUZK_ERR_RESOURCE without memory. */
struct g1_point_sum;
struct g2_point_sum;

cuzk_status g1_point_sum_create(struct g1_point_sum **out, struct pool *pool, cuzk_error *err);
cuzk_status g2_point_sum_create(struct g2_point_sum **out, struct pool *pool, cuzk_error *err);
void g1_point_sum_destroy(struct g1_point_sum *sum); /* NULL is allowed */
void g2_point_sum_destroy(struct g2_point_sum *sum);

/* Adds points[i], 0 ≤ i < n, if bit first_bit + i of `selected` is set; bits are counted from the least
 * significant of the first word. selected = NULL stands for all. */
void g1_point_sum_add(struct g1_point_sum *sum, const g1_affine_t *points, size_t n, const uint64_t *selected,
                      size_t first_bit);
void g2_point_sum_add(struct g2_point_sum *sum, const g2_affine_t *points, size_t n, const uint64_t *selected,
                      size_t first_bit);

/* Gives the sum of everything that was added, and starts again from zero. */
void g1_point_sum_finish(g1_t *out, struct g1_point_sum *sum);
void g2_point_sum_finish(g2_t *out, struct g2_point_sum *sum);

/* The same at once. */
cuzk_status g1_sum_selected(g1_t *out, const g1_affine_t *points, size_t n, const uint64_t *selected,
                            struct pool *pool, cuzk_error *err);
cuzk_status g2_sum_selected(g2_t *out, const g2_affine_t *points, size_t n, const uint64_t *selected,
                            struct pool *pool, cuzk_error *err);

#endif
