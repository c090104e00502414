#include "math/fp.h"

#include "base/bytes.h"
#include "math/limbs.h"
#include "math/modinv.h"

#include <string.h>

const uint64_t FP_MODULUS[6] = { 0xb9feffffffffaaab, 0x1eabfffeb153ffff, 0x6730d2a0f6b0f624,
                                 0x64774b84f38512bf, 0x4b1ba7b6434bacd7, 0x1a0111ea397fe69a };
const fp_t FP_ZERO = { { 0, 0, 0, 0, 0, 0 } };
/* 2^384 mod p */
const fp_t FP_ONE = { { 0x760900000002fffd, 0xebf4000bc40c0002, 0x5f48985753c758ba, 0x77ce585370525745,
                        0x5c071a97a256ec6d, 0x15f65ec3fa80e493 } };
/* 2^768 mod p: a product with it brings a canonical value into Montgomery form. */
static const fp_t MONTGOMERY_SQUARE = { { 0xf4df1f341c341746, 0x0a76e6a609d104f1, 0x8de5476c4c95b6d5,
                                          0x67eb88a9939d83c0, 0x9a793e85b519952d, 0x11988fe592cae3aa } };
/* 2^1152 mod p: the same for the inverse of a Montgomery form. */
static const fp_t MONTGOMERY_CUBE = { { 0xed48ac6bd94ca1e0, 0x315f831e03a7adf8, 0x9a53352a615e29dd,
                                        0x34c04e5e921e1761, 0x2512d43565724728, 0x0aa6346091755d4d } };

bool fp_is_zero(const fp_t *a)
{
    return (a->l[0] | a->l[1] | a->l[2] | a->l[3] | a->l[4] | a->l[5]) == 0;
}

bool fp_is_one(const fp_t *a) { return fp_equal(a, &FP_ONE); }

bool fp_equal(const fp_t *a, const fp_t *b)
{
    uint64_t difference = 0;
    for (int i = 0; i < 6; i++) difference |= a->l[i] ^ b->l[i];
    return difference == 0;
}

void fp_neg(fp_t *out, const fp_t *a) { fp_sub(out, &FP_ZERO, a); }

void fp_double(fp_t *out, const fp_t *a) { fp_add(out, a, a); }

void fp_pow_var(fp_t *out, const fp_t *a, const uint64_t *exponent, size_t limbs)
{
    /* Windows of four bits. */
    fp_t table[16];
    table[0] = FP_ONE;
    for (int i = 1; i < 16; i++) fp_mul(&table[i], &table[i - 1], a);
    fp_t power = FP_ONE;
    for (size_t i = 16 * limbs; i-- > 0;) {
        for (int k = 0; k < 4; k++) fp_sqr(&power, &power);
        fp_mul(&power, &power, &table[exponent[i / 16] >> (4 * (i % 16)) & 15]);
    }
    *out = power;
}

void fp_inv_var(fp_t *out, const fp_t *a)
{
    static const struct modinv_modulus p = {
        { 0x39feffffffffaaab, 0x3aaffffac54ffffe, 0x330d2a0f6b0f6241, 0x1dd2e13ce144afd9,
          0x1ba7b6434bacd764, 0x0447a8e5ff9a692c, 0x00000000000001a0 },
        0x360c000300030003,
    };
    fp_t t;
    modinv_var(t.l, a->l, &p, 6, 7);
    fp_mul(out, &t, &MONTGOMERY_CUBE);
}

void fp_batch_inv_var(fp_t *a, size_t n, fp_t *scratch)
{
    /* scratch[i] = product of the non-zero elements in front of a[i] */
    fp_t product = FP_ONE;
    for (size_t i = 0; i < n; i++) {
        scratch[i] = product;
        if (!fp_is_zero(&a[i])) fp_mul(&product, &product, &a[i]);
    }
    fp_t inverse;
    fp_inv_var(&inverse, &product);
    for (size_t i = n; i-- > 0;) {
        if (fp_is_zero(&a[i])) continue;
        fp_t value = a[i];
        fp_mul(&a[i], &inverse, &scratch[i]);
        fp_mul(&inverse, &inverse, &value);
    }
}

bool fp_sqrt_var(fp_t *out, const fp_t *a)
{
    /* (p + 1)/4 */
    static const uint64_t exponent[6] = { 0xee7fbfffffffeaab, 0x07aaffffac54ffff, 0xd9cc34a83dac3d89,
                                          0xd91dd2e13ce144af, 0x92c6e9ed90d2eb35, 0x0680447a8e5ff9a6 };
    fp_t root, square;
    fp_pow_var(&root, a, exponent, 6);
    fp_sqr(&square, &root);
    bool is_square = fp_equal(&square, a);
    *out = root;
    return is_square;
}

bool fp_is_larger(const fp_t *a)
{
    /* (p − 1)/2 − a is negative */
    static const uint64_t half[6] = { 0xdcff7fffffffd555, 0x0f55ffff58a9ffff, 0xb39869507b587b12,
                                      0xb23ba5c279c2895f, 0x258dd3db21a5d66b, 0x0d0088f51cbff34d };
    uint64_t t[6], borrow = 0;
    fp_to_limbs(t, a);
    for (int i = 0; i < 6; i++) (void)limb_sbb(half[i], t[i], &borrow);
    return borrow;
}

void fp_from_u64(fp_t *out, uint64_t v)
{
    fp_t t = { { v, 0, 0, 0, 0, 0 } };
    fp_mul(out, &t, &MONTGOMERY_SQUARE);
}

void fp_to_limbs(uint64_t out[6], const fp_t *a)
{
    const fp_t one = { { 1, 0, 0, 0, 0, 0 } };
    fp_t t;
    fp_mul(&t, a, &one);
    memcpy(out, t.l, sizeof t.l);
}

bool fp_from_limbs(fp_t *out, const uint64_t in[6])
{
    uint64_t borrow = 0;
    for (int i = 0; i < 6; i++) (void)limb_sbb(in[i], FP_MODULUS[i], &borrow);
    if (!borrow) {
        *out = FP_ZERO;
        return false;
    }
    fp_t t;
    memcpy(t.l, in, sizeof t.l);
    fp_mul(out, &t, &MONTGOMERY_SQUARE);
    return true;
}

void fp_to_bytes(uint8_t out[48], const fp_t *a)
{
    uint64_t t[6];
    fp_to_limbs(t, a);
    for (int i = 0; i < 6; i++) store_be64(out + 8 * i, t[5 - i]);
}

bool fp_from_bytes(fp_t *out, const uint8_t in[48])
{
    uint64_t t[6];
    for (int i = 0; i < 6; i++) t[5 - i] = load_be64(in + 8 * i);
    return fp_from_limbs(out, t);
}
