/* Fp and Fp2 eight elements at a time (ifma.h): what batches of point additions need, private to them.
 *
 * An fp_lanes_t holds residues modulo p in eight limbs of 52 bits, in the Montgomery form of fp_t, x·2^384. The
 * multiplication divides by 2^416, so one factor is shifted up by 32 bits beforehand, and the product has the
 * same form again. Values are below 2p, "canonical" ones below p; canonical limbs are below 2^52. For factors
 * a_i < 2p and b_i < 2p·2^32 a product, and the sum of two products, is below
 * p + 8·p^2·2^32/2^416 < 1.8·p.
 */
#ifndef CUZK_MATH_FP_LANES_H
#define CUZK_MATH_FP_LANES_H

#include "math/fp2.h"
#include "math/ifma.h"

enum { FP_LANE_LIMBS = 8 };

typedef struct fp_lanes {
    lanes_t l[FP_LANE_LIMBS];
} fp_lanes_t;

typedef struct fp2_lanes {
    fp_lanes_t c0, c1;
} fp2_lanes_t;

/* A second factor, shifted. */
typedef fp_lanes_t fp_factor_t;

typedef struct fp2_factor {
    fp_lanes_t c0, c1, minus_c1;
} fp2_factor_t;

/* p, 2p, and −1/p modulo 2^52 */
static const uint64_t FP_LANE_P[FP_LANE_LIMBS] = {
    0xeffffffffaaab, 0xfeb153ffffb9f, 0x6b0f6241eabff, 0x12bf6730d2a0f,
    0x764774b84f385, 0x1ba7b6434bacd, 0x1ea397fe69a4b, 0x000000001a011,
};
static const uint64_t FP_LANE_2P[FP_LANE_LIMBS] = {
    0xdffffffff5556, 0xfd62a7ffff73f, 0xd61ec483d57ff, 0x257ece61a541e,
    0xec8ee9709e70a, 0x374f6c869759a, 0x3d472ffcd3496, 0x0000000034022,
};
#define FP_LANE_MONTGOMERY 0x3fffcfffcfffd

/* Words of 64 bits into limbs of 52 bits, and back. */
LANES_INLINE void fp_lanes_split(fp_lanes_t *out, const lanes_t w[6])
{
    const lanes_t mask = lanes_all(LANE_LIMB_MASK);
    out->l[0] = w[0];
    LANES_UNROLL
    for (int i = 1; i < 5; i++) {
        out->l[i] = _mm512_or_si512(_mm512_srli_epi64(w[i - 1], 64 - 12 * i), _mm512_slli_epi64(w[i], 12 * i));
    }
    out->l[5] = _mm512_srli_epi64(w[4], 4);
    out->l[6] = _mm512_or_si512(_mm512_srli_epi64(w[4], 56), _mm512_slli_epi64(w[5], 8));
    out->l[7] = _mm512_srli_epi64(w[5], 44);
    LANES_UNROLL
    for (int i = 0; i < 7; i++) out->l[i] = _mm512_and_si512(out->l[i], mask);
}

LANES_INLINE void fp_lanes_join(lanes_t w[6], const fp_lanes_t *a)
{
    LANES_UNROLL
    for (int i = 0; i < 4; i++) {
        w[i] = _mm512_or_si512(_mm512_srli_epi64(a->l[i], 12 * i), _mm512_slli_epi64(a->l[i + 1], 52 - 12 * i));
    }
    w[4] = _mm512_or_si512(_mm512_srli_epi64(a->l[4], 48), _mm512_slli_epi64(a->l[5], 4));
    w[4] = _mm512_or_si512(w[4], _mm512_slli_epi64(a->l[6], 56));
    w[5] = _mm512_or_si512(_mm512_srli_epi64(a->l[6], 8), _mm512_slli_epi64(a->l[7], 44));
}

/* Element i comes from, or goes to, the fp_t at p[i] + offset bytes. */
LANES_INLINE void fp_lanes_load(fp_lanes_t *out, const void *const p[8], size_t offset)
{
    lanes_t row[8];
    LANES_UNROLL
    for (int i = 0; i < 8; i++) row[i] = _mm512_maskz_loadu_epi64(0x3f, (const char *)p[i] + offset);
    lanes_transpose(row);
    fp_lanes_split(out, row);
}

/* Only the lanes in `which`; canonical values. */
LANES_INLINE void fp_lanes_store(void *const p[8], size_t offset, const fp_lanes_t *a, lane_set which)
{
    lanes_t row[8];
    fp_lanes_join(row, a);
    row[6] = row[7] = _mm512_setzero_si512();
    lanes_transpose(row);
    LANES_UNROLL
    for (int i = 0; i < 8; i++) {
        if (which >> i & 1) _mm512_mask_storeu_epi64((char *)p[i] + offset, 0x3f, row[i]);
    }
}

LANES_INLINE void fp_lanes_set(fp_lanes_t *out, const fp_t *value)
{
    lanes_t w[6];
    for (int i = 0; i < 6; i++) w[i] = lanes_all(value->l[i]);
    fp_lanes_split(out, w);
}

/* Replaces one lane. */
LANES_INLINE void fp_lanes_insert(fp_lanes_t *a, int lane, const fp_t *value)
{
    fp_lanes_t all;
    fp_lanes_set(&all, value);
    lane_set only = (lane_set)(1 << lane);
    for (int i = 0; i < FP_LANE_LIMBS; i++) a->l[i] = _mm512_mask_mov_epi64(a->l[i], only, all.l[i]);
}

/* a·2^32, as a second factor. */
LANES_INLINE void fp_lanes_shift(fp_factor_t *out, const fp_lanes_t *a)
{
    const lanes_t mask = lanes_all(LANE_LIMB_MASK);
    LANES_UNROLL
    for (int i = FP_LANE_LIMBS - 1; i > 0; i--) {
        lanes_t high = _mm512_slli_epi64(a->l[i], 32), low = _mm512_srli_epi64(a->l[i - 1], 20);
        out->l[i] = _mm512_and_si512(_mm512_or_si512(high, low), mask);
    }
    out->l[0] = _mm512_and_si512(_mm512_slli_epi64(a->l[0], 32), mask);
}

/* a as a second factor without the shift: the product lacks 2^32. */
LANES_INLINE void fp_lanes_as_factor(fp_factor_t *out, const fp_lanes_t *a) { *out = *a; }

/* Row i of a product: t ← (t + a·b_i + m·p)/2^52 with the m that makes the division exact, and the same with two
 * terms. A word collects at most 32 halves of products for each term, so nothing overflows. */
LANES_INLINE void fp_lanes_reduce_row(lanes_t t[FP_LANE_LIMBS + 1])
{
    const lanes_t zero = _mm512_setzero_si512();
    lanes_t m = _mm512_madd52lo_epu64(zero, t[0], lanes_all(FP_LANE_MONTGOMERY));
    LANES_UNROLL
    for (int j = 0; j < FP_LANE_LIMBS; j++) t[j] = _mm512_madd52lo_epu64(t[j], m, lanes_all(FP_LANE_P[j]));
    t[1] = _mm512_add_epi64(t[1], _mm512_srli_epi64(t[0], 52));
    LANES_UNROLL
    for (int j = 0; j < FP_LANE_LIMBS; j++) t[j] = _mm512_madd52hi_epu64(t[j + 1], m, lanes_all(FP_LANE_P[j]));
    t[FP_LANE_LIMBS] = zero;
}

LANES_INLINE void fp_lanes_add_low(lanes_t *t, const fp_lanes_t *a, lanes_t b)
{
    LANES_UNROLL
    for (int j = 0; j < FP_LANE_LIMBS; j++) t[j] = _mm512_madd52lo_epu64(t[j], a->l[j], b);
}

LANES_INLINE void fp_lanes_add_high(lanes_t *t, const fp_lanes_t *a, lanes_t b)
{
    LANES_UNROLL
    for (int j = 0; j < FP_LANE_LIMBS; j++) t[j] = _mm512_madd52hi_epu64(t[j], a->l[j], b);
}

LANES_INLINE void fp_lanes_finish_rows(fp_lanes_t *out, lanes_t *t)
{
    lanes_carry(t, FP_LANE_LIMBS);
    LANES_UNROLL
    for (int i = 0; i < FP_LANE_LIMBS; i++) out->l[i] = t[i];
}

/* out[k] = a[k]·b[k]/2^416 mod p for k = 0, 1: one product alone waits for itself in every row, two fill each
 * other's gaps. */
LANES static __attribute__((noinline)) void fp_lanes_mul_two(fp_lanes_t *out0, const fp_lanes_t *a0,
                                                             const fp_factor_t *b0, fp_lanes_t *out1,
                                                             const fp_lanes_t *a1, const fp_factor_t *b1)
{
    lanes_t t[FP_LANE_LIMBS + 1], u[FP_LANE_LIMBS + 1];
    LANES_UNROLL
    for (int i = 0; i <= FP_LANE_LIMBS; i++) t[i] = u[i] = _mm512_setzero_si512();
    LANES_UNROLL
    for (int i = 0; i < FP_LANE_LIMBS; i++) {
        fp_lanes_add_low(t, a0, b0->l[i]);
        fp_lanes_add_low(u, a1, b1->l[i]);
        fp_lanes_reduce_row(t);
        fp_lanes_reduce_row(u);
        fp_lanes_add_high(t, a0, b0->l[i]);
        fp_lanes_add_high(u, a1, b1->l[i]);
    }
    fp_lanes_finish_rows(out0, t);
    fp_lanes_finish_rows(out1, u);
}

/* (a0·b0 + a1·b1)/2^416 mod p */
LANES static __attribute__((noinline)) void fp_lanes_dot(fp_lanes_t *out, const fp_lanes_t *a0, const fp_factor_t *b0,
                                                         const fp_lanes_t *a1, const fp_factor_t *b1)
{
    lanes_t t[FP_LANE_LIMBS + 1];
    LANES_UNROLL
    for (int i = 0; i <= FP_LANE_LIMBS; i++) t[i] = _mm512_setzero_si512();
    LANES_UNROLL
    for (int i = 0; i < FP_LANE_LIMBS; i++) {
        fp_lanes_add_low(t, a0, b0->l[i]);
        fp_lanes_add_low(t, a1, b1->l[i]);
        fp_lanes_reduce_row(t);
        fp_lanes_add_high(t, a0, b0->l[i]);
        fp_lanes_add_high(t, a1, b1->l[i]);
    }
    fp_lanes_finish_rows(out, t);
}

/* a − b + p for canonical a and b. */
LANES_INLINE void fp_lanes_sub(fp_lanes_t *out, const fp_lanes_t *a, const fp_lanes_t *b)
{
    LANES_UNROLL
    for (int i = 0; i < FP_LANE_LIMBS; i++) {
        out->l[i] = _mm512_sub_epi64(_mm512_add_epi64(a->l[i], lanes_all(FP_LANE_P[i])), b->l[i]);
    }
    lanes_carry(out->l, FP_LANE_LIMBS);
}

/* Below 4p to canonical. */
LANES_INLINE void fp_lanes_reduce(fp_lanes_t *a)
{
    lanes_subtract_once(a->l, FP_LANE_2P, FP_LANE_LIMBS);
    lanes_subtract_once(a->l, FP_LANE_P, FP_LANE_LIMBS);
}

/* a − b − c, canonical; a < 2p, b and c canonical. */
LANES_INLINE void fp_lanes_sub_two(fp_lanes_t *out, const fp_lanes_t *a, const fp_lanes_t *b, const fp_lanes_t *c)
{
    LANES_UNROLL
    for (int i = 0; i < FP_LANE_LIMBS; i++) {
        lanes_t sum = _mm512_add_epi64(b->l[i], c->l[i]);
        out->l[i] = _mm512_sub_epi64(_mm512_add_epi64(a->l[i], lanes_all(FP_LANE_2P[i])), sum);
    }
    lanes_carry(out->l, FP_LANE_LIMBS);
    fp_lanes_reduce(out);
}

/* a − b, canonical; a < 2p, b canonical. */
LANES_INLINE void fp_lanes_sub_one(fp_lanes_t *out, const fp_lanes_t *a, const fp_lanes_t *b)
{
    fp_lanes_sub(out, a, b);
    fp_lanes_reduce(out);
}

/* Which lanes are zero as integers, and which are p (the zeros of fp_lanes_sub). */
LANES_INLINE lane_set fp_lanes_zero(const fp_lanes_t *a)
{
    lanes_t any = a->l[0];
    LANES_UNROLL
    for (int i = 1; i < FP_LANE_LIMBS; i++) any = _mm512_or_si512(any, a->l[i]);
    return _mm512_testn_epi64_mask(any, any);
}

LANES_INLINE lane_set fp_lanes_equal_p(const fp_lanes_t *a)
{
    lanes_t any = _mm512_setzero_si512();
    LANES_UNROLL
    for (int i = 0; i < FP_LANE_LIMBS; i++) {
        any = _mm512_or_si512(any, _mm512_xor_si512(a->l[i], lanes_all(FP_LANE_P[i])));
    }
    return _mm512_testn_epi64_mask(any, any);
}

/* Raw storage: limb i of all lanes at rows + i·step words. */
LANES_INLINE void fp_lanes_keep(uint64_t *rows, size_t step, const fp_lanes_t *a)
{
    LANES_UNROLL
    for (int i = 0; i < FP_LANE_LIMBS; i++) _mm512_storeu_si512(rows + (size_t)i * step, a->l[i]);
}

LANES_INLINE void fp_lanes_recall(fp_lanes_t *out, const uint64_t *rows, size_t step)
{
    LANES_UNROLL
    for (int i = 0; i < FP_LANE_LIMBS; i++) out->l[i] = _mm512_loadu_si512(rows + (size_t)i * step);
}

/* ---- The same for Fp2 ---- */

LANES_INLINE void fp2_lanes_load(fp2_lanes_t *out, const void *const p[8], size_t offset)
{
    fp_lanes_load(&out->c0, p, offset);
    fp_lanes_load(&out->c1, p, offset + sizeof(fp_t));
}

LANES_INLINE void fp2_lanes_store(void *const p[8], size_t offset, const fp2_lanes_t *a, lane_set which)
{
    fp_lanes_store(p, offset, &a->c0, which);
    fp_lanes_store(p, offset + sizeof(fp_t), &a->c1, which);
}

LANES_INLINE void fp2_lanes_set(fp2_lanes_t *out, const fp2_t *value)
{
    fp_lanes_set(&out->c0, &value->c0);
    fp_lanes_set(&out->c1, &value->c1);
}

LANES_INLINE void fp2_lanes_insert(fp2_lanes_t *a, int lane, const fp2_t *value)
{
    fp_lanes_insert(&a->c0, lane, &value->c0);
    fp_lanes_insert(&a->c1, lane, &value->c1);
}

LANES_INLINE void fp2_lanes_as_factor(fp2_factor_t *out, const fp2_lanes_t *a)
{
    out->c0 = a->c0;
    out->c1 = a->c1;
    LANES_UNROLL
    for (int i = 0; i < FP_LANE_LIMBS; i++) {
        out->minus_c1.l[i] = _mm512_sub_epi64(lanes_all(FP_LANE_2P[i]), a->c1.l[i]);
    }
    lanes_carry(out->minus_c1.l, FP_LANE_LIMBS);
}

LANES_INLINE void fp2_lanes_shift(fp2_factor_t *out, const fp2_lanes_t *a)
{
    fp2_lanes_as_factor(out, a);
    fp_lanes_shift(&out->c0, &out->c0);
    fp_lanes_shift(&out->c1, &out->c1);
    fp_lanes_shift(&out->minus_c1, &out->minus_c1);
}

LANES_INLINE void fp2_lanes_mul(fp2_lanes_t *out, const fp2_lanes_t *a, const fp2_factor_t *b)
{
    fp_lanes_t c0;
    fp_lanes_dot(&c0, &a->c0, &b->c0, &a->c1, &b->minus_c1);
    fp_lanes_dot(&out->c1, &a->c0, &b->c1, &a->c1, &b->c0);
    out->c0 = c0;
}

LANES_INLINE void fp2_lanes_mul_two(fp2_lanes_t *out0, const fp2_lanes_t *a0, const fp2_factor_t *b0,
                                    fp2_lanes_t *out1, const fp2_lanes_t *a1, const fp2_factor_t *b1)
{
    fp2_lanes_mul(out0, a0, b0);
    fp2_lanes_mul(out1, a1, b1);
}

LANES_INLINE void fp2_lanes_sub(fp2_lanes_t *out, const fp2_lanes_t *a, const fp2_lanes_t *b)
{
    fp_lanes_sub(&out->c0, &a->c0, &b->c0);
    fp_lanes_sub(&out->c1, &a->c1, &b->c1);
}

LANES_INLINE void fp2_lanes_reduce(fp2_lanes_t *a)
{
    fp_lanes_reduce(&a->c0);
    fp_lanes_reduce(&a->c1);
}

LANES_INLINE void fp2_lanes_sub_two(fp2_lanes_t *out, const fp2_lanes_t *a, const fp2_lanes_t *b,
                                    const fp2_lanes_t *c)
{
    fp_lanes_sub_two(&out->c0, &a->c0, &b->c0, &c->c0);
    fp_lanes_sub_two(&out->c1, &a->c1, &b->c1, &c->c1);
}

LANES_INLINE void fp2_lanes_sub_one(fp2_lanes_t *out, const fp2_lanes_t *a, const fp2_lanes_t *b)
{
    fp_lanes_sub_one(&out->c0, &a->c0, &b->c0);
    fp_lanes_sub_one(&out->c1, &a->c1, &b->c1);
}

LANES_INLINE lane_set fp2_lanes_zero(const fp2_lanes_t *a) { return fp_lanes_zero(&a->c0) & fp_lanes_zero(&a->c1); }

LANES_INLINE lane_set fp2_lanes_equal_p(const fp2_lanes_t *a)
{
    return fp_lanes_equal_p(&a->c0) & fp_lanes_equal_p(&a->c1);
}

LANES_INLINE void fp2_lanes_keep(uint64_t *rows, size_t step, const fp2_lanes_t *a)
{
    fp_lanes_keep(rows, step, &a->c0);
    fp_lanes_keep(rows + 8, step, &a->c1);
}

LANES_INLINE void fp2_lanes_recall(fp2_lanes_t *out, const uint64_t *rows, size_t step)
{
    fp_lanes_recall(&out->c0, rows, step);
    fp_lanes_recall(&out->c1, rows + 8, step);
}

#endif
