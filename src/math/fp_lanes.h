/* Fp and Fp2 eight elements at a time (ifma.h): what batches of point additions need, private to them.
 *
 * An fp_lanes_t holds residues modulo p in eight limbs of 52 bits, in the Montgomery form of fp_t, x·2^384. The
 * multiplication divides by 2^416: the product has the same form again if one factor is shifted up by 32 bits
 * beforehand, or both by 16. Limbs are below 2^52 unless a function says that carries wait. "Canonical" values are
 * below p, "close" ones below p + 2^368. For factors a < 4p and b < 2p·2^32 a product, and the sum of two, is below
 * p + 16·p^2·2^32/2^416 < 2.6·p; it is close if b < 2p·2^16.
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

/* a·2^bits for an a below 2p, bits ≤ 32. */
LANES_INLINE void fp_lanes_shift_by(fp_factor_t *out, const fp_lanes_t *a, unsigned bits)
{
    const lanes_t mask = lanes_all(LANE_LIMB_MASK);
    LANES_UNROLL
    for (int i = FP_LANE_LIMBS - 1; i > 0; i--) {
        lanes_t high = _mm512_slli_epi64(a->l[i], bits), low = _mm512_srli_epi64(a->l[i - 1], 52 - bits);
        out->l[i] = _mm512_and_si512(_mm512_or_si512(high, low), mask);
    }
    out->l[0] = _mm512_and_si512(_mm512_slli_epi64(a->l[0], bits), mask);
}

/* a·2^32 and a·2^16, as second factors. */
LANES_INLINE void fp_lanes_shift(fp_factor_t *out, const fp_lanes_t *a) { fp_lanes_shift_by(out, a, 32); }
LANES_INLINE void fp_lanes_half_shift(fp_factor_t *out, const fp_lanes_t *a) { fp_lanes_shift_by(out, a, 16); }

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
LANES_FUNCTION void fp_lanes_mul_two(fp_lanes_t *out0, const fp_lanes_t *a0, const fp_factor_t *b0, fp_lanes_t *out1,
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

/* One alone, where there is no other. */
LANES_FUNCTION void fp_lanes_mul(fp_lanes_t *out, const fp_lanes_t *a, const fp_factor_t *b)
{
    lanes_t t[FP_LANE_LIMBS + 1];
    LANES_UNROLL
    for (int i = 0; i <= FP_LANE_LIMBS; i++) t[i] = _mm512_setzero_si512();
    LANES_UNROLL
    for (int i = 0; i < FP_LANE_LIMBS; i++) {
        fp_lanes_add_low(t, a, b->l[i]);
        fp_lanes_reduce_row(t);
        fp_lanes_add_high(t, a, b->l[i]);
    }
    fp_lanes_finish_rows(out, t);
}

/* a^2 in twice as many limbs, carries waiting: products of different limbs once, and doubled. */
LANES_INLINE void fp_lanes_square(lanes_t t[2 * FP_LANE_LIMBS], const fp_lanes_t *a)
{
    LANES_UNROLL
    for (int i = 0; i < 2 * FP_LANE_LIMBS; i++) t[i] = _mm512_setzero_si512();
    LANES_UNROLL
    for (int i = 0; i < FP_LANE_LIMBS; i++) {
        LANES_UNROLL
        for (int j = i + 1; j < FP_LANE_LIMBS; j++) {
            t[i + j] = _mm512_madd52lo_epu64(t[i + j], a->l[i], a->l[j]);
            t[i + j + 1] = _mm512_madd52hi_epu64(t[i + j + 1], a->l[i], a->l[j]);
        }
    }
    LANES_UNROLL
    for (int i = 1; i < 2 * FP_LANE_LIMBS - 1; i++) t[i] = _mm512_add_epi64(t[i], t[i]);
    LANES_UNROLL
    for (int i = 0; i < FP_LANE_LIMBS; i++) {
        t[2 * i] = _mm512_madd52lo_epu64(t[2 * i], a->l[i], a->l[i]);
        t[2 * i + 1] = _mm512_madd52hi_epu64(t[2 * i + 1], a->l[i], a->l[i]);
    }
}

/* Adds the multiple of p that clears t[0], whose carry goes to t[1]; t[0] itself is done with. */
LANES_INLINE void fp_lanes_clear_limb(lanes_t *t)
{
    lanes_t m = _mm512_madd52lo_epu64(_mm512_setzero_si512(), t[0], lanes_all(FP_LANE_MONTGOMERY));
    LANES_UNROLL
    for (int j = 0; j < FP_LANE_LIMBS; j++) t[j] = _mm512_madd52lo_epu64(t[j], m, lanes_all(FP_LANE_P[j]));
    t[1] = _mm512_add_epi64(t[1], _mm512_srli_epi64(t[0], 52));
    LANES_UNROLL
    for (int j = 0; j < FP_LANE_LIMBS; j++) t[j + 1] = _mm512_madd52hi_epu64(t[j + 1], m, lanes_all(FP_LANE_P[j]));
}

/* out[k] = a[k]^2/2^416 mod p for k = 0, 1. */
LANES_FUNCTION void fp_lanes_sqr_two(fp_lanes_t *out0, const fp_lanes_t *a0, fp_lanes_t *out1, const fp_lanes_t *a1)
{
    lanes_t t[2 * FP_LANE_LIMBS], u[2 * FP_LANE_LIMBS];
    fp_lanes_square(t, a0);
    fp_lanes_square(u, a1);
    LANES_UNROLL
    for (int i = 0; i < FP_LANE_LIMBS; i++) {
        fp_lanes_clear_limb(t + i);
        fp_lanes_clear_limb(u + i);
    }
    fp_lanes_finish_rows(out0, t + FP_LANE_LIMBS);
    fp_lanes_finish_rows(out1, u + FP_LANE_LIMBS);
}

/* (a0·b0 + a1·b1)/2^416 mod p */
LANES_FUNCTION void fp_lanes_dot(fp_lanes_t *out, const fp_lanes_t *a0, const fp_factor_t *b0, const fp_lanes_t *a1,
                                 const fp_factor_t *b1)
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

/* a − b + 2p for close a and b. */
LANES_INLINE void fp_lanes_sub(fp_lanes_t *out, const fp_lanes_t *a, const fp_lanes_t *b)
{
    LANES_UNROLL
    for (int i = 0; i < FP_LANE_LIMBS; i++) {
        out->l[i] = _mm512_sub_epi64(_mm512_add_epi64(a->l[i], lanes_all(FP_LANE_2P[i])), b->l[i]);
    }
    lanes_carry(out->l, FP_LANE_LIMBS);
}

/* a − b + 3p, or −a − b + 3p in some lanes, for close a and b. */
LANES_INLINE void fp_lanes_sub_signed(fp_lanes_t *out, const fp_lanes_t *a, const fp_lanes_t *b, lane_set negative)
{
    LANES_UNROLL
    for (int i = 0; i < FP_LANE_LIMBS; i++) {
        lanes_t rest = _mm512_sub_epi64(lanes_all(FP_LANE_P[i] + FP_LANE_2P[i]), b->l[i]);
        out->l[i] = _mm512_mask_sub_epi64(_mm512_add_epi64(rest, a->l[i]), negative, rest, a->l[i]);
    }
    lanes_carry(out->l, FP_LANE_LIMBS);
}

/* From 0 ≤ a < 3p + 2^368, each limb with a carry from −3 to 3, to close: p or 2p is subtracted where the highest
 * limb, which is off by 4 at most, says that this is not too much. */
LANES_INLINE void fp_lanes_make_close(fp_lanes_t *a)
{
    const int top = FP_LANE_LIMBS - 1;
    const lane_set once = _mm512_cmpgt_epi64_mask(a->l[top], lanes_all(FP_LANE_P[top] + 4));
    const lane_set twice = _mm512_cmpgt_epi64_mask(a->l[top], lanes_all(FP_LANE_2P[top] + 4));
    LANES_UNROLL
    for (int i = 0; i < FP_LANE_LIMBS; i++) {
        a->l[i] = _mm512_mask_sub_epi64(a->l[i], once, a->l[i], lanes_all(FP_LANE_P[i]));
        a->l[i] = _mm512_mask_sub_epi64(a->l[i], twice, a->l[i], lanes_all(FP_LANE_P[i]));
    }
    lanes_carry(a->l, FP_LANE_LIMBS);
}

/* a − b, close; a is a product, b close. */
LANES_INLINE void fp_lanes_sub_close(fp_lanes_t *out, const fp_lanes_t *a, const fp_lanes_t *b)
{
    LANES_UNROLL
    for (int i = 0; i < FP_LANE_LIMBS; i++) {
        out->l[i] = _mm512_sub_epi64(_mm512_add_epi64(a->l[i], lanes_all(FP_LANE_2P[i])), b->l[i]);
    }
    fp_lanes_make_close(out);
}

/* a − b − c, close, where a is a product, b close, c canonical and given as the difference c − b + 2p. */
LANES_INLINE void fp_lanes_sub_both(fp_lanes_t *out, const fp_lanes_t *a, const fp_lanes_t *b,
                                    const fp_lanes_t *difference)
{
    LANES_UNROLL
    for (int i = 0; i < FP_LANE_LIMBS; i++) {
        lanes_t sum = _mm512_add_epi64(_mm512_add_epi64(b->l[i], b->l[i]), difference->l[i]);
        out->l[i] = _mm512_sub_epi64(_mm512_add_epi64(a->l[i], lanes_all(2 * FP_LANE_2P[i])), sum);
    }
    fp_lanes_make_close(out);
}

/* Below 2p to canonical. */
LANES_INLINE void fp_lanes_reduce(fp_lanes_t *a) { lanes_subtract_once(a->l, FP_LANE_P, FP_LANE_LIMBS); }

/* What fp_lanes_sub gives for a = b, in some lanes. */
LANES_INLINE void fp_lanes_set_no_difference(fp_lanes_t *a, lane_set which)
{
    LANES_UNROLL
    for (int i = 0; i < FP_LANE_LIMBS; i++) {
        a->l[i] = _mm512_mask_mov_epi64(a->l[i], which, lanes_all(FP_LANE_2P[i]));
    }
}

LANES_INLINE void fp_lanes_choose(fp_lanes_t *a, lane_set which, const fp_lanes_t *b)
{
    LANES_UNROLL
    for (int i = 0; i < FP_LANE_LIMBS; i++) a->l[i] = _mm512_mask_mov_epi64(a->l[i], which, b->l[i]);
}

/* Lane i gets lane i ^ by. */
LANES_INLINE void fp_lanes_swap(fp_lanes_t *out, const fp_lanes_t *a, int by)
{
    const lanes_t from = _mm512_xor_si512(_mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0), lanes_all((uint64_t)by));
    LANES_UNROLL
    for (int i = 0; i < FP_LANE_LIMBS; i++) out->l[i] = _mm512_permutexvar_epi64(from, a->l[i]);
}

/* Suspicions by the lowest limb alone, which are wrong once in 2^50 times: lanes that may be zero as integers, and
 * lanes in which a and b = c − a + 2p, c canonical, may belong to equal numbers (b is p or 2p). */
LANES_INLINE lane_set fp_lanes_maybe_zero(const fp_lanes_t *a) { return _mm512_testn_epi64_mask(a->l[0], a->l[0]); }

LANES_INLINE lane_set fp_lanes_maybe_equal(const fp_lanes_t *difference)
{
    return _mm512_cmpeq_epi64_mask(difference->l[0], lanes_all(FP_LANE_P[0])) |
           _mm512_cmpeq_epi64_mask(difference->l[0], lanes_all(FP_LANE_2P[0]));
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

LANES_INLINE void fp2_lanes_half_shift(fp2_factor_t *out, const fp2_lanes_t *a)
{
    fp2_lanes_as_factor(out, a);
    fp_lanes_half_shift(&out->c0, &out->c0);
    fp_lanes_half_shift(&out->c1, &out->c1);
    fp_lanes_half_shift(&out->minus_c1, &out->minus_c1);
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

/* (c0 + c1)(c0 − c1) and c0·2·c1 */
LANES_INLINE void fp2_lanes_sqr(fp2_lanes_t *out, const fp2_lanes_t *a)
{
    fp_lanes_t sum, difference, twice;
    LANES_UNROLL
    for (int i = 0; i < FP_LANE_LIMBS; i++) {
        sum.l[i] = _mm512_add_epi64(a->c0.l[i], a->c1.l[i]);
        twice.l[i] = _mm512_add_epi64(a->c1.l[i], a->c1.l[i]);
    }
    lanes_carry(sum.l, FP_LANE_LIMBS);
    lanes_carry(twice.l, FP_LANE_LIMBS);
    fp_lanes_sub(&difference, &a->c0, &a->c1);
    fp_lanes_mul_two(&out->c0, &sum, &difference, &out->c1, &a->c0, &twice);
}

LANES_INLINE void fp2_lanes_sqr_two(fp2_lanes_t *out0, const fp2_lanes_t *a0, fp2_lanes_t *out1,
                                    const fp2_lanes_t *a1)
{
    fp2_lanes_sqr(out0, a0);
    fp2_lanes_sqr(out1, a1);
}

LANES_INLINE void fp2_lanes_sub(fp2_lanes_t *out, const fp2_lanes_t *a, const fp2_lanes_t *b)
{
    fp_lanes_sub(&out->c0, &a->c0, &b->c0);
    fp_lanes_sub(&out->c1, &a->c1, &b->c1);
}

LANES_INLINE void fp2_lanes_sub_signed(fp2_lanes_t *out, const fp2_lanes_t *a, const fp2_lanes_t *b,
                                       lane_set negative)
{
    fp_lanes_sub_signed(&out->c0, &a->c0, &b->c0, negative);
    fp_lanes_sub_signed(&out->c1, &a->c1, &b->c1, negative);
}

LANES_INLINE void fp2_lanes_sub_close(fp2_lanes_t *out, const fp2_lanes_t *a, const fp2_lanes_t *b)
{
    fp_lanes_sub_close(&out->c0, &a->c0, &b->c0);
    fp_lanes_sub_close(&out->c1, &a->c1, &b->c1);
}

LANES_INLINE void fp2_lanes_sub_both(fp2_lanes_t *out, const fp2_lanes_t *a, const fp2_lanes_t *b,
                                     const fp2_lanes_t *difference)
{
    fp_lanes_sub_both(&out->c0, &a->c0, &b->c0, &difference->c0);
    fp_lanes_sub_both(&out->c1, &a->c1, &b->c1, &difference->c1);
}

LANES_INLINE void fp2_lanes_reduce(fp2_lanes_t *a)
{
    fp_lanes_reduce(&a->c0);
    fp_lanes_reduce(&a->c1);
}

LANES_INLINE void fp2_lanes_set_no_difference(fp2_lanes_t *a, lane_set which)
{
    fp_lanes_set_no_difference(&a->c0, which);
    fp_lanes_set_no_difference(&a->c1, which);
}

LANES_INLINE void fp2_lanes_choose(fp2_lanes_t *a, lane_set which, const fp2_lanes_t *b)
{
    fp_lanes_choose(&a->c0, which, &b->c0);
    fp_lanes_choose(&a->c1, which, &b->c1);
}

LANES_INLINE void fp2_lanes_swap(fp2_lanes_t *out, const fp2_lanes_t *a, int by)
{
    fp_lanes_swap(&out->c0, &a->c0, by);
    fp_lanes_swap(&out->c1, &a->c1, by);
}

LANES_INLINE lane_set fp2_lanes_maybe_zero(const fp2_lanes_t *a)
{
    return fp_lanes_maybe_zero(&a->c0) & fp_lanes_maybe_zero(&a->c1);
}

LANES_INLINE lane_set fp2_lanes_maybe_equal(const fp2_lanes_t *difference)
{
    return fp_lanes_maybe_equal(&difference->c0) & fp_lanes_maybe_equal(&difference->c1);
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
