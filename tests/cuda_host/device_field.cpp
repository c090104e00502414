#include "device_field.h"

#include "backend/cuda/fp_wide.cuh"
#include "backend/cuda/fr.cuh"

#include <string.h>

static fp fp_at(const uint32_t *words)
{
    fp r;
    memcpy(r.l, words, sizeof r.l);
    return r;
}

static fr fr_at(const uint32_t *words)
{
    fr r;
    memcpy(r.l, words, sizeof r.l);
    return r;
}

static void put(uint32_t *out, const fp &a) { memcpy(out, a.l, sizeof a.l); }

static void fp_product(uint32_t *out, const uint32_t *a, const uint32_t *b) { put(out, mul(fp_at(a), fp_at(b))); }

/* A product below 2p as the factor of another. */
static void fp_lazy(uint32_t *out, const uint32_t *a, const uint32_t *b)
{
    fp one;
    set_one(one);
    put(out, mul(mul_lazy(mul_lazy(fp_at(a), fp_at(b)), one), one));
}

static void fp_square(uint32_t *out, const uint32_t *a, const uint32_t *) { put(out, sqr_wide(fp_at(a))); }

const struct device_product DEVICE_FP_PRODUCTS[] = {
    { "product", fp_product, false },
    { "lazy products", fp_lazy, false },
    { "square apart", fp_square, true },
};
const size_t DEVICE_FP_PRODUCT_COUNT = sizeof DEVICE_FP_PRODUCTS / sizeof *DEVICE_FP_PRODUCTS;

void device_fr_mul(uint32_t *out, const uint32_t *a, const uint32_t *b)
{
    fr r = mul(fr_at(a), fr_at(b));
    memcpy(out, r.l, sizeof r.l);
}
