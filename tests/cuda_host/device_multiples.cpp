#include "device_multiples.h"

#include "backend/cuda/fixed_base.cuh"
#include "backend/cuda/fixed_base.h"

#include <string.h>
#include <vector>

/* What fixed_normalise_all does with its threads. */
template <class F> static void normalise(void *out, bool encoded, const std::vector<xyzz<F>> &sums)
{
    std::vector<F> before(sums.size());
    uint32_t n = (uint32_t)sums.size(), threads = (n + FIXED_GROUP - 1) / FIXED_GROUP;
    for (uint32_t t = 0; t < threads; t++) fixed_normalise(out, encoded, sums.data(), before.data(), n, t, threads);
}

/* The table for windows of one bit: the point doubled again and again. */
template <class F> static std::vector<affine<F>> doublings(const affine<F> &point)
{
    std::vector<affine<F>> table(FIXED_SCALAR_BITS + 1);
    std::vector<xyzz<F>> sums(table.size());
    set_affine(sums[0], point);
    for (size_t i = 1; i < sums.size(); i++) {
        sums[i] = sums[i - 1];
        double_xyzz(sums[i]);
    }
    normalise(table.data(), false, sums);
    return table;
}

template <class F>
static void multiples(uint8_t *encoded, const void *point, const void *scalars, size_t n, uint32_t bits)
{
    struct fixed_base shape = fixed_base_shape(SUMS_G1, bits);
    affine<F> p;
    memcpy(static_cast<void *>(&p), point, sizeof p);
    std::vector<affine<F>> units = doublings(p), table(shape.entries);
    std::vector<xyzz<F>> sums(shape.entries);
    for (size_t i = 0; i < shape.entries; i++) {
        sums[i] = fixed_product(fixed_entry_scalar(i, bits, shape.windows), units.data(), 1, FIXED_SCALAR_BITS);
    }
    normalise(table.data(), false, sums);
    sums.resize(n);
    for (size_t i = 0; i < n; i++) {
        fr k;
        memcpy(k.l, static_cast<const uint8_t *>(scalars) + i * sizeof k, sizeof k);
        sums[i] = fixed_product(leave(k), table.data(), bits, shape.windows);
    }
    normalise(encoded, true, sums);
}

void device_multiples_g1(uint8_t *encoded, const void *point, const void *scalars, size_t n, uint32_t bits)
{
    multiples<fp>(encoded, point, scalars, n, bits);
}

void device_multiples_g2(uint8_t *encoded, const void *point, const void *scalars, size_t n, uint32_t bits)
{
    multiples<fp2>(encoded, point, scalars, n, bits);
}
