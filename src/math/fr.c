#include "math/fr.h"

#include "base/bytes.h"
#include "math/kernels.h"
#include "math/limbs.h"
#include "math/modinv.h"

#include <string.h>

#define R0 0xffffffff00000001
#define R1 0x53bda402fffe5bfe
#define R2 0x3339d80809a1d805
#define R3 0x73eda753299d7d48

const uint64_t FR_MODULUS[4] = { R0, R1, R2, R3 };
const fr_t FR_ZERO = { { 0, 0, 0, 0 } };
/* 2^256 mod r */
const fr_t FR_ONE = { { 0x00000001fffffffe, 0x5884b7fa00034802, 0x998c4fefecbc4ff5,
                        0x1824b159acc5056f } };
/* 2^512 mod r: a product with it brings a canonical value into Montgomery form. */
static const fr_t MONTGOMERY_SQUARE = { { 0xc999e990f3f29c6d, 0x2b6cedcb87925c23, 0x05d314967254398f,
                                          0x0748d9d99f59ff11 } };

/* 2^768 mod r: the same for the inverse of a Montgomery form. */
static const fr_t MONTGOMERY_CUBE = { { 0xc62c1807439b73af, 0x1b3e0d188cf06990, 0x73d13c71c7b5f418,
                                        0x6e2a5bb9c8db33e9 } };

bool fr_is_zero(const fr_t *a) { return (a->l[0] | a->l[1] | a->l[2] | a->l[3]) == 0; }

bool fr_is_one(const fr_t *a) { return fr_equal(a, &FR_ONE); }

bool fr_equal(const fr_t *a, const fr_t *b)
{
    return ((a->l[0] ^ b->l[0]) | (a->l[1] ^ b->l[1]) | (a->l[2] ^ b->l[2]) | (a->l[3] ^ b->l[3])) == 0;
}

void fr_neg(fr_t *out, const fr_t *a) { fr_sub(out, &FR_ZERO, a); }

void fr_double(fr_t *out, const fr_t *a) { fr_add(out, a, a); }

/* out = t mod r for t below 8.3·r. The quotient is estimated from the top ten bits: 565/2^16 is a little less than
 * 2^248/r, so the estimate is right or one too small. */
static void reduce_multiples(uint64_t out[4], const uint64_t t[5])
{
    uint64_t quotient = ((t[4] << 8 | t[3] >> 56) * 565) >> 16;
    uint64_t rest[4], reduced[4], borrow = 0, carry = 0;
    UNROLL
    for (int i = 0; i < 4; i++) {
        uint64_t multiple = limb_mac(0, quotient, FR_MODULUS[i], &carry);
        rest[i] = limb_sbb(t[i], multiple, &borrow);
    }
    borrow = 0;
    UNROLL
    for (int i = 0; i < 4; i++) reduced[i] = limb_sbb(rest[i], FR_MODULUS[i], &borrow);
    UNROLL
    for (int i = 0; i < 4; i++) out[i] = limb_select(0 - borrow, rest[i], reduced[i]);
}

void fr_dot(fr_t *out, const fr_t *a, const fr_t *b, size_t n)
{
    uint64_t t[5] = { 0 };
    if (n > 0) fr_dot_unreduced(t, a, b, n);
    reduce_multiples(out->l, t);
}

void fr_pow_var(fr_t *out, const fr_t *a, const uint64_t *exponent, size_t limbs)
{
    const fr_t base = *a;
    fr_t power = FR_ONE;
    bool started = false;
    for (size_t i = 64 * limbs; i-- > 0;) {
        if (started) fr_sqr(&power, &power);
        if (exponent[i / 64] >> (i % 64) & 1) {
            fr_mul(&power, &power, &base);
            started = true;
        }
    }
    *out = power;
}

void fr_pow_u64_var(fr_t *out, const fr_t *a, uint64_t exponent) { fr_pow_var(out, a, &exponent, 1); }

void fr_inv_var(fr_t *out, const fr_t *a)
{
    static const struct modinv_modulus r = {
        { 0x3fffffff00000001, 0x0ef6900bfff96ffb, 0x339d80809a1d8055, 0x3b69d4ca675f520c,
          0x0000000000000073 },
        0x0000000100000001,
    };
    fr_t t;
    modinv_var(t.l, a->l, &r, 4, 5);
    fr_mul(out, &t, &MONTGOMERY_CUBE);
}

void fr_batch_inv_var(fr_t *a, size_t n, fr_t *scratch)
{
    /* scratch[i] = product of the non-zero elements in front of a[i] */
    fr_t product = FR_ONE;
    for (size_t i = 0; i < n; i++) {
        scratch[i] = product;
        if (!fr_is_zero(&a[i])) fr_mul(&product, &product, &a[i]);
    }
    fr_t inverse;
    fr_inv_var(&inverse, &product);
    for (size_t i = n; i-- > 0;) {
        if (fr_is_zero(&a[i])) continue;
        fr_t value = a[i];
        fr_mul(&a[i], &inverse, &scratch[i]);
        fr_mul(&inverse, &inverse, &value);
    }
}

void fr_from_u64(fr_t *out, uint64_t v)
{
    fr_t t = { { v, 0, 0, 0 } };
    fr_mul(out, &t, &MONTGOMERY_SQUARE);
}

void fr_from_i64(fr_t *out, int64_t v)
{
    uint64_t magnitude = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    fr_from_u64(out, magnitude);
    if (v < 0) fr_neg(out, out);
}

void fr_to_limbs(uint64_t out[4], const fr_t *a)
{
    const fr_t one = { { 1, 0, 0, 0 } };
    fr_t t;
    fr_mul(&t, a, &one);
    memcpy(out, t.l, sizeof t.l);
}

bool fr_from_limbs(fr_t *out, const uint64_t in[4])
{
    uint64_t borrow = 0;
    UNROLL
    for (int i = 0; i < 4; i++) (void)limb_sbb(in[i], FR_MODULUS[i], &borrow);
    if (!borrow) {
        *out = FR_ZERO;
        return false;
    }
    fr_t t = { { in[0], in[1], in[2], in[3] } };
    fr_mul(out, &t, &MONTGOMERY_SQUARE);
    return true;
}

void fr_to_bytes(uint8_t out[32], const fr_t *a)
{
    uint64_t t[4];
    fr_to_limbs(t, a);
    for (int i = 0; i < 4; i++) store_le64(out + 8 * i, t[i]);
}

bool fr_from_bytes(fr_t *out, const uint8_t in[32])
{
    uint64_t t[4];
    for (int i = 0; i < 4; i++) t[i] = load_le64(in + 8 * i);
    return fr_from_limbs(out, t);
}

void fr_from_bytes_reduced(fr_t *out, const uint8_t in[32])
{
    uint64_t t[5] = { 0 };
    fr_t value;
    for (int i = 0; i < 4; i++) t[i] = load_le64(in + 8 * i);
    reduce_multiples(value.l, t);
    fr_mul(out, &value, &MONTGOMERY_SQUARE);
}
