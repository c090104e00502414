/* Sorting and prefix sums on the device: the two things that are taken from the CUDA toolkit's CUB, kept in a
 * file of their own because they take minutes to compile. C and C++. */
#ifndef CUZK_CUDA_SORT_H
#define CUZK_CUDA_SORT_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sorts n pairs by the low `bits` bits of the key. They begin in the first arrays; *place says in which they
 * end. */
cudaError_t sort_pairs(int *place, uint32_t *const keys[2], uint32_t *const values[2], size_t n, int bits,
                       void *space, size_t bytes, cudaStream_t stream);
size_t sort_pairs_bytes(size_t n);

/* out[i] = in[0] + … + in[i − 1] */
cudaError_t scan_exclusive(uint32_t *out, const uint32_t *in, size_t n, void *space, size_t bytes,
                           cudaStream_t stream);
size_t scan_bytes(size_t n);

#ifdef __cplusplus
}
#endif
#endif
