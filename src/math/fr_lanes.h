/* Fr eight elements at a time (ifma.h): what transforms need, private to them.
 *
 * An fr_lanes_t holds residues modulo r in five limbs of 52 bits, in the Montgomery form of fr_t, x·2^256. The
 * multiplication divides by 2^260, so one factor is shifted up by 4 bits beforehand. Values are multiples of r
 * above what they stand for, as far as each function says; 260 bits hold 35·r. "Loose" limbs still have their
 * carries.
 */
#ifndef CUZK_MATH_FR_LANES_H
#define CUZK_MATH_FR_LANES_H

#include "math/fr.h"
#include "math/ifma.h"

enum { FR_LANE_LIMBS = 5 };

typedef struct fr_lanes {
    lanes_t l[FR_LANE_LIMBS];
} fr_lanes_t;

/* r, 2^255 − r, and −1/r modulo 2^52 */
static const uint64_t FR_LANE_R[FR_LANE_LIMBS] = { 0xfffff00000001, 0x02fffe5bfefff, 0x9a1d80553bda4, 0x7d483339d8080,
                                                   0x073eda753299d };
static const uint64_t FR_LANE_REST[FR_LANE_LIMBS] = { 0x00000ffffffff, 0xfd0001a401000, 0x65e27faac425b,
                                                      0x82b7ccc627f7f, 0x00c1258acd662 };
#define FR_LANE_MONTGOMERY 0xffffeffffffff

/* Words of 64 bits into limbs of 52 bits, and back. */
LANES_INLINE void fr_lanes_split(fr_lanes_t *out, const lanes_t w[4])
{
    const lanes_t mask = lanes_all(LANE_LIMB_MASK);
    out->l[0] = _mm512_and_si512(w[0], mask);
    LANES_UNROLL
    for (int i = 1; i < 4; i++) {
        lanes_t low = _mm512_srli_epi64(w[i - 1], 64 - 12 * i), high = _mm512_slli_epi64(w[i], 12 * i);
        out->l[i] = _mm512_and_si512(_mm512_or_si512(low, high), mask);
    }
    out->l[4] = _mm512_srli_epi64(w[3], 16);
}

LANES_INLINE void fr_lanes_join(lanes_t w[4], const fr_lanes_t *a)
{
    LANES_UNROLL
    for (int i = 0; i < 4; i++) {
        w[i] = _mm512_or_si512(_mm512_srli_epi64(a->l[i], 12 * i), _mm512_slli_epi64(a->l[i + 1], 52 - 12 * i));
    }
}

/* Eight neighbours in memory; to store they must be canonical. */
LANES_INLINE void fr_lanes_load(fr_lanes_t *out, const fr_t *x)
{
    lanes_t row[8];
    LANES_UNROLL
    for (int i = 0; i < 8; i++) row[i] = _mm512_maskz_loadu_epi64(0x0f, &x[i]);
    lanes_transpose(row);
    fr_lanes_split(out, row);
}

LANES_INLINE void fr_lanes_store(fr_t *x, const fr_lanes_t *a)
{
    lanes_t row[8];
    fr_lanes_join(row, a);
    row[4] = row[5] = row[6] = row[7] = _mm512_setzero_si512();
    lanes_transpose(row);
    LANES_UNROLL
    for (int i = 0; i < 8; i++) _mm512_mask_storeu_epi64(&x[i], 0x0f, row[i]);
}

/* A second factor: a·2^4, for a below 2r. */
LANES_INLINE void fr_lanes_shift(fr_lanes_t *a)
{
    const lanes_t mask = lanes_all(LANE_LIMB_MASK);
    LANES_UNROLL
    for (int i = FR_LANE_LIMBS - 1; i > 0; i--) {
        lanes_t high = _mm512_slli_epi64(a->l[i], 4), low = _mm512_srli_epi64(a->l[i - 1], 48);
        a->l[i] = _mm512_and_si512(_mm512_or_si512(high, low), mask);
    }
    a->l[0] = _mm512_and_si512(_mm512_slli_epi64(a->l[0], 4), mask);
}

/* A second factor that is the same in all lanes, or one of its own in each. */
LANES_INLINE void fr_lanes_factor_all(fr_lanes_t *out, const fr_t *c)
{
    lanes_t w[4];
    LANES_UNROLL
    for (int i = 0; i < 4; i++) w[i] = lanes_all(c->l[i]);
    fr_lanes_split(out, w);
    fr_lanes_shift(out);
}

LANES_INLINE void fr_lanes_factor_each(fr_lanes_t *out, const fr_t *const c[8])
{
    lanes_t row[8];
    LANES_UNROLL
    for (int i = 0; i < 8; i++) row[i] = _mm512_maskz_loadu_epi64(0x0f, c[i]);
    lanes_transpose(row);
    fr_lanes_split(out, row);
    fr_lanes_shift(out);
}

/* a·b/2^260, loose. For a < k·r and a factor b made from a canonical value the result is below (0.453·k + 1)·r. */
LANES_INLINE void fr_lanes_mul(fr_lanes_t *out, const fr_lanes_t *a, const fr_lanes_t *b)
{
    const lanes_t zero = _mm512_setzero_si512(), factor = lanes_all(FR_LANE_MONTGOMERY);
    lanes_t t[FR_LANE_LIMBS + 1];
    LANES_UNROLL
    for (int i = 0; i <= FR_LANE_LIMBS; i++) t[i] = zero;
    LANES_UNROLL
    for (int i = 0; i < FR_LANE_LIMBS; i++) {
        LANES_UNROLL
        for (int j = 0; j < FR_LANE_LIMBS; j++) t[j] = _mm512_madd52lo_epu64(t[j], a->l[j], b->l[i]);
        lanes_t m = _mm512_madd52lo_epu64(zero, t[0], factor);
        LANES_UNROLL
        for (int j = 0; j < FR_LANE_LIMBS; j++) t[j] = _mm512_madd52lo_epu64(t[j], m, lanes_all(FR_LANE_R[j]));
        t[1] = _mm512_add_epi64(t[1], _mm512_srli_epi64(t[0], 52));
        LANES_UNROLL
        for (int j = 0; j < FR_LANE_LIMBS; j++) {
            t[j] = _mm512_madd52hi_epu64(t[j + 1], m, lanes_all(FR_LANE_R[j]));
            t[j] = _mm512_madd52hi_epu64(t[j], a->l[j], b->l[i]);
        }
        t[FR_LANE_LIMBS] = zero;
    }
    LANES_UNROLL
    for (int i = 0; i < FR_LANE_LIMBS; i++) out->l[i] = t[i];
}

/* Replaces what stands above bit 255, q·2^255, by q·(2^255 − r): a < k·r becomes less than (1.105 + 0.095·k)·r.
 * The result is loose, a must not be. */
LANES_INLINE void fr_lanes_fold(fr_lanes_t *a)
{
    lanes_t q = _mm512_srli_epi64(a->l[4], 47);
    a->l[4] = _mm512_and_si512(a->l[4], lanes_all((UINT64_C(1) << 47) - 1));
    LANES_UNROLL
    for (int i = 0; i < FR_LANE_LIMBS; i++) a->l[i] = _mm512_madd52lo_epu64(a->l[i], q, lanes_all(FR_LANE_REST[i]));
    LANES_UNROLL
    for (int i = 0; i < FR_LANE_LIMBS - 1; i++) {
        a->l[i + 1] = _mm512_madd52hi_epu64(a->l[i + 1], q, lanes_all(FR_LANE_REST[i]));
    }
}

/* Below 35·r to canonical. */
LANES_INLINE void fr_lanes_canonical(fr_lanes_t *a)
{
    for (int i = 0; i < 2; i++) {
        fr_lanes_fold(a);
        lanes_carry(a->l, FR_LANE_LIMBS);
    }
    lanes_subtract_once(a->l, FR_LANE_R, FR_LANE_LIMBS);
}

/* a + b, and a − b + multiple·r. Both may be loose, the results are not. */
LANES_INLINE void fr_lanes_add(fr_lanes_t *out, const fr_lanes_t *a, const fr_lanes_t *b)
{
    LANES_UNROLL
    for (int i = 0; i < FR_LANE_LIMBS; i++) out->l[i] = _mm512_add_epi64(a->l[i], b->l[i]);
    lanes_carry(out->l, FR_LANE_LIMBS);
}

LANES_INLINE void fr_lanes_sub(fr_lanes_t *out, const fr_lanes_t *a, const fr_lanes_t *b, uint64_t multiple)
{
    LANES_UNROLL
    for (int i = 0; i < FR_LANE_LIMBS; i++) {
        lanes_t difference = _mm512_sub_epi64(a->l[i], b->l[i]);
        out->l[i] = _mm512_add_epi64(difference, lanes_all(multiple * FR_LANE_R[i]));
    }
    lanes_carry(out->l, FR_LANE_LIMBS);
}

#endif
