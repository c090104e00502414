/* The device's field arithmetic, compiled for the host. Elements are 32-bit words, the lowest first: the bytes of
 * fp_t and fr_t. */
#ifndef CUZK_TESTS_CUDA_HOST_DEVICE_FIELD_H
#define CUZK_TESTS_CUDA_HOST_DEVICE_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One way to multiply in Fp, also factors below 2p; the result is fully reduced. `square`: b is not read. */
struct device_product {
    const char *name;
    void (*multiply)(uint32_t *out, const uint32_t *a, const uint32_t *b);
    bool square;
};

extern const struct device_product DEVICE_FP_PRODUCTS[];
extern const size_t DEVICE_FP_PRODUCT_COUNT;

void device_fr_mul(uint32_t *out, const uint32_t *a, const uint32_t *b);

#ifdef __cplusplus
}
#endif
#endif
