/* Montgomery arithmetic after Koç, Acar, Kaliski, "Analyzing and comparing Montgomery multiplication
 * algorithms" (IEEE Micro 1996): coarsely integrated operand scanning for single products, separated operand
 * scanning for wide ones. Because p < 2^381, the intermediate result of each round fits six limbs and one carry
 * word, which needs no carry of its own; factors up to 2^382 are fine as long as their product is below
 * p·2^384. */
#include "math/fp_wide.h"
#include "math/kernels.h"
#include "math/limbs.h"

#include <string.h>

/* −1/p mod 2^64 */
#define MONTGOMERY_FACTOR 0x89f3fffcfffcfffd

/* Brings a value below 2p under p. */
static inline void reduce_once(uint64_t out[6], const uint64_t t[6])
{
    uint64_t d[6], borrow = 0;
    UNROLL
    for (int i = 0; i < 6; i++) d[i] = limb_sbb(t[i], FP_MODULUS[i], &borrow);
    UNROLL
    for (int i = 0; i < 6; i++) out[i] = limb_select(0 - borrow, t[i], d[i]);
}

void fp_add_portable(fp_t *out, const fp_t *a, const fp_t *b)
{
    uint64_t t[6], carry = 0;
    UNROLL
    for (int i = 0; i < 6; i++) t[i] = limb_adc(a->l[i], b->l[i], &carry);
    reduce_once(out->l, t);
}

void fp_sub_portable(fp_t *out, const fp_t *a, const fp_t *b)
{
    uint64_t t[6], borrow = 0, carry = 0;
    UNROLL
    for (int i = 0; i < 6; i++) t[i] = limb_sbb(a->l[i], b->l[i], &borrow);
    uint64_t mask = 0 - borrow;
    UNROLL
    for (int i = 0; i < 6; i++) out->l[i] = limb_adc(t[i], mask & FP_MODULUS[i], &carry);
}

/* One reduction round: adds the multiple of p that clears t[0] and shifts the rest, returning the carry word. */
static inline uint64_t reduce_word(uint64_t t[6])
{
    uint64_t m = t[0] * MONTGOMERY_FACTOR, carry = 0;
    (void)limb_mac(t[0], m, FP_MODULUS[0], &carry);
    UNROLL
    for (int i = 1; i < 6; i++) t[i - 1] = limb_mac(t[i], m, FP_MODULUS[i], &carry);
    return carry;
}

void fp_mul_portable(fp_t *out, const fp_t *a, const fp_t *b)
{
    uint64_t t[6] = { 0 };
    UNROLL
    for (int i = 0; i < 6; i++) {
        uint64_t high = 0;
        UNROLL
        for (int j = 0; j < 6; j++) t[j] = limb_mac(t[j], a->l[j], b->l[i], &high);
        t[5] = high + reduce_word(t);
    }
    reduce_once(out->l, t);
}

void fp_sqr_portable(fp_t *out, const fp_t *a) { fp_mul_portable(out, a, a); }

void fp_mul_wide(fp_wide_t *out, const fp_t *a, const fp_t *b)
{
    uint64_t t[12] = { 0 };
    UNROLL
    for (int i = 0; i < 6; i++) {
        uint64_t carry = 0;
        UNROLL
        for (int j = 0; j < 6; j++) t[i + j] = limb_mac(t[i + j], a->l[j], b->l[i], &carry);
        t[i + 6] = carry;
    }
    memcpy(out->l, t, sizeof t);
}

void fp_reduce_wide(fp_t *out, const fp_wide_t *a)
{
    uint64_t t[6], carry = 0;
    memcpy(t, a->l, sizeof t);
    UNROLL
    for (int i = 0; i < 6; i++) t[5] = reduce_word(t);
    UNROLL
    for (int i = 0; i < 6; i++) t[i] = limb_adc(t[i], a->l[i + 6], &carry);
    reduce_once(out->l, t);
}

void fp_add_unreduced(fp_t *out, const fp_t *a, const fp_t *b)
{
    uint64_t carry = 0;
    UNROLL
    for (int i = 0; i < 6; i++) out->l[i] = limb_adc(a->l[i], b->l[i], &carry);
}

void fp_wide_add(fp_wide_t *out, const fp_wide_t *a, const fp_wide_t *b)
{
    uint64_t carry = 0;
    UNROLL
    for (int i = 0; i < 12; i++) out->l[i] = limb_adc(a->l[i], b->l[i], &carry);
}

void fp_wide_sub_unreduced(fp_wide_t *out, const fp_wide_t *a, const fp_wide_t *b)
{
    uint64_t borrow = 0;
    UNROLL
    for (int i = 0; i < 12; i++) out->l[i] = limb_sbb(a->l[i], b->l[i], &borrow);
}

void fp_wide_sub(fp_wide_t *out, const fp_wide_t *a, const fp_wide_t *b)
{
    uint64_t borrow = 0, carry = 0;
    UNROLL
    for (int i = 0; i < 12; i++) out->l[i] = limb_sbb(a->l[i], b->l[i], &borrow);
    uint64_t mask = 0 - borrow;
    UNROLL
    for (int i = 0; i < 6; i++) out->l[i + 6] = limb_adc(out->l[i + 6], mask & FP_MODULUS[i], &carry);
}

void fp2_add_portable(fp2_t *out, const fp2_t *a, const fp2_t *b)
{
    fp_add_portable(&out->c0, &a->c0, &b->c0);
    fp_add_portable(&out->c1, &a->c1, &b->c1);
}

void fp2_sub_portable(fp2_t *out, const fp2_t *a, const fp2_t *b)
{
    fp_sub_portable(&out->c0, &a->c0, &b->c0);
    fp_sub_portable(&out->c1, &a->c1, &b->c1);
}

void fp2_mul_portable(fp2_t *out, const fp2_t *a, const fp2_t *b)
{
    /* Karatsuba: (a0 + a1)(b0 + b1) − a0·b0 − a1·b1 is a sum of products, so never negative. */
    fp_wide_t low, high, cross;
    fp_t sum_a, sum_b;
    fp_add_unreduced(&sum_a, &a->c0, &a->c1);
    fp_add_unreduced(&sum_b, &b->c0, &b->c1);
    fp_mul_wide(&cross, &sum_a, &sum_b);
    fp_mul_wide(&low, &a->c0, &b->c0);
    fp_mul_wide(&high, &a->c1, &b->c1);
    fp_wide_sub_unreduced(&cross, &cross, &low);
    fp_wide_sub_unreduced(&cross, &cross, &high);
    fp_wide_sub(&low, &low, &high);
    fp_reduce_wide(&out->c0, &low);
    fp_reduce_wide(&out->c1, &cross);
}

void fp2_sqr_portable(fp2_t *out, const fp2_t *a)
{
    /* (a0 + a1)(a0 − a1) + 2·a0·a1·u; the factors need no reduction (see above). */
    fp_t sum, difference, twice;
    fp_add_unreduced(&sum, &a->c0, &a->c1);
    fp_sub_portable(&difference, &a->c0, &a->c1);
    fp_add_unreduced(&twice, &a->c0, &a->c0);
    fp_mul_portable(&out->c1, &twice, &a->c1);
    fp_mul_portable(&out->c0, &sum, &difference);
}

#if !defined(__x86_64__) && !defined(__aarch64__)
void fp_add(fp_t *out, const fp_t *a, const fp_t *b) { fp_add_portable(out, a, b); }
void fp_sub(fp_t *out, const fp_t *a, const fp_t *b) { fp_sub_portable(out, a, b); }
void fp2_add(fp2_t *out, const fp2_t *a, const fp2_t *b) { fp2_add_portable(out, a, b); }
void fp2_sub(fp2_t *out, const fp2_t *a, const fp2_t *b) { fp2_sub_portable(out, a, b); }
#endif
