/* Many multiples of one point, for key generation: k_i·P.
 *
 * A table holds the multiples 1 … 2^(bits − 1) of 2^(bits·w)·P for every window w of the scalar, affine. A
 * product is one table entry for each window, added to running sums of many scalars at once (batch_affine.h).
 * With windows of 16 bits that is 16 additions of 6 multiplications each (Brickell, Gordon, McCurley, Wilson,
 * "Fast exponentiation with precomputation", Eurocrypt 1992, with signed digits).
 *
 * P may be any point of the curve, also infinity. Results do not depend on the pool (NULL: one thread).
 */
#ifndef CUZK_MATH_FIXED_BASE_H
#define CUZK_MATH_FIXED_BASE_H

#include "base/pool.h"
#include "math/g1.h"
#include "math/g2.h"

struct g1_fixed_base;
struct g2_fixed_base;

/* `expected` is about how many multiples will be asked for: the windows grow with it. The table has at most
 * 50 MB (G1) or 101 MB (G2), and each thread of the pool 0.3 MB or 0.5 MB; the pool is kept and must outlive
 * the table. CUZK_ERR_RESOURCE without memory. */
cuzk_status g1_fixed_base_create(struct g1_fixed_base **out, const g1_affine_t *base, size_t expected,
                                 struct pool *pool, cuzk_error *err);
cuzk_status g2_fixed_base_create(struct g2_fixed_base **out, const g2_affine_t *base, size_t expected,
                                 struct pool *pool, cuzk_error *err);
void g1_fixed_base_destroy(struct g1_fixed_base *table); /* NULL is allowed */
void g2_fixed_base_destroy(struct g2_fixed_base *table);

/* out[i] = scalars[i]·base, 0 ≤ i < n. One call at a time for a table. */
void g1_fixed_base_mul(g1_affine_t *out, struct g1_fixed_base *table, const fr_t *scalars, size_t n);
void g2_fixed_base_mul(g2_affine_t *out, struct g2_fixed_base *table, const fr_t *scalars, size_t n);

#endif
