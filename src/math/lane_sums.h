/* Running sums of affine points, eight side by side with AVX-512 IFMA: each call adds a term to every sum, with one
 * shared inversion, as batch_affine.h does. But the sums stay in the lanes' own form (fp_lanes.h) from the first term
 * to the last, and terms are read where they lie: two coordinates come from memory for each addition, and nothing
 * goes there. For hundreds of sums at once.
 *
 * Complete, as batch_affine.h, but each equal, opposite or infinite pair costs as much as several additions. Nothing
 * is allocated. To be called only if lane_sums_pay(). Thread-safe.
 */
#ifndef CUZK_MATH_LANE_SUMS_H
#define CUZK_MATH_LANE_SUMS_H

#include "math/cpu.h"
#include "math/g1.h"
#include "math/g2.h"

enum { LANE_SUMS_BLOCK = 8, LANE_SUMS_STRIDE = 16 };

/* Where the coordinates of eight neighbouring terms lie, and which of them are subtracted. */
struct g1_terms {
    const fp_t *x[LANE_SUMS_BLOCK], *y[LANE_SUMS_BLOCK];
    uint8_t negative;
};

struct g2_terms {
    const fp2_t *x[LANE_SUMS_BLOCK], *y[LANE_SUMS_BLOCK];
    uint8_t negative;
};

/* Eight neighbouring sums, in lines of the cache, and what an addition keeps. */
struct g1_lane_sums {
    _Alignas(64) uint64_t x[64];
    uint64_t y[64], divisor[64], product[64];
    uint8_t special, kind[LANE_SUMS_BLOCK];
};

struct g2_lane_sums {
    _Alignas(64) uint64_t x[128];
    uint64_t y[128], divisor[128], product[128];
    uint8_t special, kind[LANE_SUMS_BLOCK];
};

static inline bool lane_sums_pay(void) { return cpu_level() == CPU_IFMA; }

/* The first n sums become their terms. In all these functions the blocks are read up to the next multiple of
 * sixteen sums, and the terms' pointers must be good that far. */
void g1_lane_sums_start(struct g1_lane_sums *sums, const struct g1_terms *terms, size_t n);
void g2_lane_sums_start(struct g2_lane_sums *sums, const struct g2_terms *terms, size_t n);

/* Adds a term to each of the first n sums. Meanwhile the terms of the next call, for next_n sums, are fetched into
 * the second-level cache. */
void g1_lane_sums_add(struct g1_lane_sums *sums, const struct g1_terms *terms, size_t n, const struct g1_terms *next,
                      size_t next_n);
void g2_lane_sums_add(struct g2_lane_sums *sums, const struct g2_terms *terms, size_t n, const struct g2_terms *next,
                      size_t next_n);

/* Puts the first n sums where `out` says. */
void g1_lane_sums_get(g1_affine_t *const *out, const struct g1_lane_sums *sums, size_t n);
void g2_lane_sums_get(g2_affine_t *const *out, const struct g2_lane_sums *sums, size_t n);

/* out[i] = a[i]·factor for i < n; steps in bytes from one element to the next. */
void fp_scale_lanes(fp_t *out, size_t out_step, const fp_t *a, size_t a_step, size_t n, const fp_t *factor);

#endif
