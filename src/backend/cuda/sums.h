/* Sums of points on the device, for G1 and G2: Σ k_i·P_i, and Σ of selected points. Points are affine, as in
 * math/g1.h and math/g2.h, in device memory; results are extended coordinates on the host (g1_t, g2_t), as group
 * elements equal to the CPU's. C and C++.
 *
 * A multi-scalar multiplication sorts the points of each window by bucket, adds those of a bucket and then reduces
 * the buckets, all by rounds of affine additions (runs.h, pairs.h). What it gives are 256 terms, one for each bit of
 * the windows, which the caller combines. A sum of selected points is one long list, halved as long as that fills the
 * device; trees in extended coordinates do the rest. No atomics on points.
 */
#ifndef CUZK_CUDA_SUMS_H
#define CUZK_CUDA_SUMS_H

#include "backend/cuda/buckets.h"

#ifdef __cplusplus
extern "C" {
#endif

enum sums_group { SUMS_G1, SUMS_G2 };

/* Bytes of a field element, of an affine point, and of one in extended coordinates. */
static inline size_t sums_field_bytes(enum sums_group g) { return g == SUMS_G1 ? 48 : 96; }
static inline size_t sums_affine_bytes(enum sums_group g) { return g == SUMS_G1 ? 96 : 192; }
static inline size_t sums_point_bytes(enum sums_group g) { return g == SUMS_G1 ? 192 : 384; }

/* Arena bytes that an MSM of n points wants, and can do with, at most `limit`. 0: it does not fit. */
size_t sums_msm_bytes(enum sums_group g, size_t n, size_t limit);

/* terms_out: MSM_TERMS points on the host (pinned), valid after the stream is done; the caller combines them
 * (cuda_combine_g1): terms_out[i] counts 2^i times if a window begins at bit i and 2^(i − 1) times otherwise. Scalar
 * i goes with point numbers[i], or with point i if `numbers` is NULL; numbers are below 2^31. `scalars` are
 * destroyed. *plan says where windows begin. n = 0: no windows. */
cuzk_status sums_msm(void *terms_out, struct msm_plan *plan, enum sums_group g, const void *points,
                     const uint32_t *numbers, struct fr *scalars, bool montgomery, size_t n, struct context *c,
                     cuzk_error *err);

/* *out, on the host (pinned): the sum of the points with these numbers: *count of them (on the device), which
 * cannot exceed `most`. With less room in the arena than sums_listed_bytes says it is slower. */
cuzk_status sums_listed(void *out, enum sums_group g, const void *points, const uint32_t *numbers,
                        const uint32_t *count, size_t most, struct context *c, cuzk_error *err);

/* Arena bytes that sums_listed wants, within `limit` if it can do with less. */
size_t sums_listed_bytes(enum sums_group g, size_t most, size_t limit, const struct context *c);

#ifdef __cplusplus
}
#endif
#endif
