/* Kernels that only the benchmark needs. */
#ifndef CUZK_TESTS_DIFFERENTIAL_BENCH_KERNELS_H
#define CUZK_TESTS_DIFFERENTIAL_BENCH_KERNELS_H

#include "backend/cuda/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Dependent operations of each thread, by kind: name, or NULL past the last. Returns the number of operations through
 * *count. */
const char *bench_arithmetic_name(int which);
cuzk_status bench_arithmetic(size_t *count, int which, void *space, struct context *c, cuzk_error *err);

/* 4 million squares in Fp, of random and of awkward numbers, by mul and apart: how many differ. */
cuzk_status bench_check_squares(uint32_t *different, struct context *c, cuzk_error *err);

#ifdef __cplusplus
}
#endif
#endif
