/* backend/cuda/fixed_base.cuh on the host: multiples of a point through tables with windows of `bits` bits, which are
 * computed in the same way, encoded as in a parameter file. Scalars are in Montgomery form. */
#ifndef CUZK_TEST_DEVICE_MULTIPLES_H
#define CUZK_TEST_DEVICE_MULTIPLES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `point` and `scalars` are a g1_affine_t or g2_affine_t and n fr_t; the encoded points are aligned to 16 bytes. */
void device_multiples_g1(uint8_t *encoded, const void *point, const void *scalars, size_t n, uint32_t bits);
void device_multiples_g2(uint8_t *encoded, const void *point, const void *scalars, size_t n, uint32_t bits);

#ifdef __cplusplus
}
#endif
#endif
