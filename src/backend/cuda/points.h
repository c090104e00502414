/* Points of a parameter file into device memory: the encoding of spec §4.1 is turned into Montgomery form on the
 * device. C and C++. */
#ifndef CUZK_CUDA_POINTS_H
#define CUZK_CUDA_POINTS_H

#include "backend/cuda/sums.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Decodes n points; `raw` holds them as in the file. *bad (device, set to UINT64_MAX beforehand) becomes the least
 * of its value and first + i over the points i that math/point_codec.h would refuse at POINT_CHECK_ENCODING.
 * Queued on `stream`. */
cuzk_status points_decode(void *out, enum sums_group g, const uint8_t *raw, size_t n, uint64_t first,
                          unsigned long long *bad, cudaStream_t stream, struct context *c, cuzk_error *err);

#ifdef __cplusplus
}
#endif
#endif
