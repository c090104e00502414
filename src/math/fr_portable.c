/* Montgomery arithmetic after Koç, Acar, Kaliski, "Analyzing and comparing Montgomery multiplication
 * algorithms" (IEEE Micro 1996): coarsely integrated operand scanning. Because r < 2^255, the intermediate
 * result of each round fits four limbs and one carry word, which needs no carry of its own. */
#include "math/kernels.h"
#include "math/limbs.h"

#include <string.h>

#define R0 0xffffffff00000001
#define R1 0x53bda402fffe5bfe
#define R2 0x3339d80809a1d805
#define R3 0x73eda753299d7d48

/* Brings a value below 2r (and below 2^256) under r. */
static inline void reduce_once(uint64_t out[4], const uint64_t t[4])
{
    uint64_t borrow = 0;
    uint64_t d0 = limb_sbb(t[0], R0, &borrow);
    uint64_t d1 = limb_sbb(t[1], R1, &borrow);
    uint64_t d2 = limb_sbb(t[2], R2, &borrow);
    uint64_t d3 = limb_sbb(t[3], R3, &borrow);
    uint64_t keep = 0 - borrow;
    out[0] = limb_select(keep, t[0], d0);
    out[1] = limb_select(keep, t[1], d1);
    out[2] = limb_select(keep, t[2], d2);
    out[3] = limb_select(keep, t[3], d3);
}

void fr_add_portable(fr_t *out, const fr_t *a, const fr_t *b)
{
    uint64_t t[4], carry = 0;
    UNROLL
    for (int i = 0; i < 4; i++) t[i] = limb_adc(a->l[i], b->l[i], &carry);
    reduce_once(out->l, t);
}

void fr_sub_portable(fr_t *out, const fr_t *a, const fr_t *b)
{
    uint64_t t[4], borrow = 0, carry = 0;
    UNROLL
    for (int i = 0; i < 4; i++) t[i] = limb_sbb(a->l[i], b->l[i], &borrow);
    uint64_t mask = 0 - borrow;
    UNROLL
    for (int i = 0; i < 4; i++) out->l[i] = limb_adc(t[i], mask & FR_MODULUS[i], &carry);
}

/* One reduction round: adds the multiple of r that clears t[0] and shifts the rest, returning the carry word.
 * −1/r mod 2^64 is −(2^32 + 1) and the lowest limb of r is 2^64 − 2^32 + 1, so the factor and its product
 * with that limb need shifts only. */
static inline uint64_t reduce_word(uint64_t t[4])
{
    uint64_t m = 0 - t[0] - (t[0] << 32);
    /* (m·R0 + t[0]) / 2^64 */
    uint64_t carry = m - (m >> 32) - (uint64_t)(m < (m << 32)) + (uint64_t)(t[0] != 0);
    t[0] = limb_mac(t[1], m, R1, &carry);
    t[1] = limb_mac(t[2], m, R2, &carry);
    t[2] = limb_mac(t[3], m, R3, &carry);
    return carry;
}

void fr_mul_portable(fr_t *out, const fr_t *a, const fr_t *b)
{
    uint64_t t[4] = { 0, 0, 0, 0 };
    UNROLL
    for (int i = 0; i < 4; i++) {
        uint64_t high = 0;
        UNROLL
        for (int j = 0; j < 4; j++) t[j] = limb_mac(t[j], a->l[j], b->l[i], &high);
        t[3] = high + reduce_word(t);
    }
    reduce_once(out->l, t);
}

void fr_sqr_portable(fr_t *out, const fr_t *a) { fr_mul_portable(out, a, a); }

void fr_dot_unreduced_portable(uint64_t out[5], const fr_t *a, const fr_t *b, size_t n)
{
    /* 16·r² < 3.3·2^512, so nine limbs hold the sum, and (sum + m·r)/2^256 < 8.3r. */
    uint64_t t[9] = { 0 };
    for (size_t k = 0; k < n; k++) {
        uint64_t carry_out = 0;
        UNROLL
        for (int i = 0; i < 4; i++) {
            uint64_t carry = 0;
            UNROLL
            for (int j = 0; j < 4; j++) t[i + j] = limb_mac(t[i + j], a[k].l[j], b[k].l[i], &carry);
            t[i + 4] = limb_adc(t[i + 4], carry, &carry_out);
        }
        t[8] += carry_out;
    }
    uint64_t carry_out = 0;
    UNROLL
    for (int i = 0; i < 4; i++) {
        uint64_t low[4] = { t[i], t[i + 1], t[i + 2], t[i + 3] };
        uint64_t carry = reduce_word(low);
        memcpy(&t[i + 1], low, 3 * sizeof low[0]);
        t[i + 4] = limb_adc(t[i + 4], carry, &carry_out);
    }
    t[8] += carry_out;
    memcpy(out, &t[4], 5 * sizeof out[0]);
}

#if !defined(__x86_64__) && !defined(__aarch64__)
void fr_add(fr_t *out, const fr_t *a, const fr_t *b) { fr_add_portable(out, a, b); }
void fr_sub(fr_t *out, const fr_t *a, const fr_t *b) { fr_sub_portable(out, a, b); }
#endif
