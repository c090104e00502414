/* Multi-scalar multiplication in G1 and G2: Σ k_i·P_i.
 *
 * Method: Pippenger's buckets with signed digits over scalars halved by an endomorphism (glv.h), the points of
 * a chunk sorted by bucket (bucket_sort.h), and the buckets filled by trees of batched affine additions
 * (batch_affine.h), or with AVX-512 IFMA by running sums of thousands of buckets at once (lane_sums.h); after
 * Bernstein, Doumen, Lange, Oosterwijk, "Faster batch forgery identification" (Indocrypt 2012), and the
 * batch-affine bucket method of gnark-crypto. Tasks are pieces of the sorted entries, so that neither the number of
 * windows nor the distribution of the scalars limits the threads.
 *
 * Points must have order r or be infinity: the endomorphism acts as it should only there. Equal, opposite and
 * infinite points, scalars 0 and r − 1, all scalars equal, and n = 0 are all fine. Scalars are elements of Fr,
 * or, where a function says so, canonical integers below r in the same four limbs.
 *
 * The sum does not depend on the pool (NULL: one thread), only its projective form may.
 */
#ifndef CUZK_MATH_MSM_H
#define CUZK_MATH_MSM_H

#include "base/pool.h"
#include "math/g1.h"
#include "math/g2.h"

#include <stdbool.h>

/* The whole thing at once. CUZK_ERR_RESOURCE without memory. */
cuzk_status g1_msm(g1_t *out, const g1_affine_t *points, const fr_t *scalars, size_t n, struct pool *pool,
                   cuzk_error *err);
cuzk_status g2_msm(g2_t *out, const g2_affine_t *points, const fr_t *scalars, size_t n, struct pool *pool,
                   cuzk_error *err);

/* The same in pieces, for points that come chunk by chunk and for a workspace that is used again and again.
 *
 * `expected` is the number of points that one sum will have (any other number works too): the window grows with
 * it. The workspace has at most so many MB:
 *   expected up to     2^14    2^17    2^21    more
 *   G1                    7       8      51     270
 *   G2                   10      13      83     475
 * and 0.8 (G1) or 1.5 (G2) for each thread of the pool, 1.6 or 2.1 where sums in lanes pay; other parts grow with
 * more than 16 threads, by 0.3 MB each.
 * One sum at a time; not for several threads at once. `pool` is kept and must outlive it. */
struct g1_msm;
struct g2_msm;

cuzk_status g1_msm_create(struct g1_msm **out, size_t expected, struct pool *pool, cuzk_error *err);
cuzk_status g2_msm_create(struct g2_msm **out, size_t expected, struct pool *pool, cuzk_error *err);
void g1_msm_destroy(struct g1_msm *msm); /* NULL is allowed */
void g2_msm_destroy(struct g2_msm *msm);

void g1_msm_add(struct g1_msm *msm, const g1_affine_t *points, const fr_t *scalars, size_t n, bool canonical);
void g2_msm_add(struct g2_msm *msm, const g2_affine_t *points, const fr_t *scalars, size_t n, bool canonical);

/* Gives the sum of everything that was added, and starts again from zero. */
void g1_msm_finish(g1_t *out, struct g1_msm *msm);
void g2_msm_finish(g2_t *out, struct g2_msm *msm);

#endif
