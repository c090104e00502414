/* Kernels that only the benchmark needs. */
#ifndef CUZK_TESTS_DIFFERENTIAL_BENCH_KERNELS_H
#define CUZK_TESTS_DIFFERENTIAL_BENCH_KERNELS_H

#include "backend/cuda/context.h"

#ifdef __cplusplus
extern "C" {
#endif

struct fr;

/* n different elements of Fr. */
cuzk_status bench_fill(struct fr *x, size_t n, uint64_t seed, struct context *c, cuzk_error *err);

/* Dependent products, two chains a thread: `which` is 0 Fr mul, 1 Fp mul, 2 Fp sqr, 3 mixed addition in G1, 4 in
 * G2, 5 Fr add + sub. Returns the number of operations through *count. */
cuzk_status bench_arithmetic(size_t *count, int which, void *space, struct context *c, cuzk_error *err);

#ifdef __cplusplus
}
#endif
#endif
