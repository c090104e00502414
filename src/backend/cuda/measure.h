/* Primitives timed where proofs run them, on random data in device memory, beside the rate at which the device does
 * nothing but field products. C and C++. */
#ifndef CUZK_CUDA_MEASURE_H
#define CUZK_CUDA_MEASURE_H

#include "backend/cuda/context.h"

#ifdef __cplusplus
extern "C" {
#endif

struct fr;

/* x: n pseudo-random elements below 2^254. */
cuzk_status measure_fill(struct fr *x, size_t n, uint64_t seed, struct context *c, cuzk_error *err);

/* Products per second in Fr and in Fp, by threads that do independent chains of them: the ceiling of what follows. */
cuzk_status measure_products(double *fr_rate, double *fp_rate, struct context *c, cuzk_error *err);

#ifdef __cplusplus
}
#endif
#endif
