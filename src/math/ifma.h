/* Eight numbers at a time with AVX-512 IFMA: what Fp and Fr share. Functions marked LANES or LANES_INLINE are
 * compiled for such processors, whatever the compiler's flags are, and may be called only if cpu_level() (cpu.h)
 * is CPU_IFMA.
 *
 * VPMADD52 multiplies the low 52 bits of two words and adds the low or the high 52 bits of the product to a
 * 64-bit word. So numbers are kept in limbs of 52 bits, a vector for each limb with eight numbers side by side,
 * and carries wait in the upper twelve bits (Gueron, Krasnov, "Accelerating big integer arithmetic using Intel
 * IFMA extensions", ARITH 2016).
 */
#ifndef CUZK_MATH_IFMA_H
#define CUZK_MATH_IFMA_H

#include <immintrin.h>
#include <stdint.h>

typedef __m512i lanes_t;   /* one word of each of eight numbers */
typedef __mmask8 lane_set; /* a subset of the eight */

#define LANE_LIMB_MASK ((UINT64_C(1) << 52) - 1)
#define LANES __attribute__((target("avx512f,avx512dq,avx512vl,avx512ifma")))
#define LANES_INLINE LANES static inline __attribute__((always_inline))
#define LANES_FUNCTION LANES static __attribute__((noinline, unused))

/* Stands in front of a loop over limbs, so that they live in registers. */
#define LANES_UNROLL _Pragma("GCC unroll 16")

LANES_INLINE lanes_t lanes_all(uint64_t word) { return _mm512_set1_epi64((long long)word); }

/* Brings `n` limbs with carries, positive or negative, into [0, 2^52); the highest keeps its own. */
LANES_INLINE void lanes_carry(lanes_t *limb, int n)
{
    const lanes_t mask = lanes_all(LANE_LIMB_MASK);
    LANES_UNROLL
    for (int i = 0; i < n - 1; i++) {
        limb[i + 1] = _mm512_add_epi64(limb[i + 1], _mm512_srai_epi64(limb[i], 52));
        limb[i] = _mm512_and_si512(limb[i], mask);
    }
}

/* a, or a − m where that is not negative; m is the same number in all lanes. */
LANES_INLINE void lanes_subtract_once(lanes_t *a, const uint64_t *m, int n)
{
    lanes_t t[8];
    LANES_UNROLL
    for (int i = 0; i < n; i++) t[i] = _mm512_sub_epi64(a[i], lanes_all(m[i]));
    lanes_carry(t, n);
    lane_set negative = _mm512_movepi64_mask(t[n - 1]);
    LANES_UNROLL
    for (int i = 0; i < n; i++) a[i] = _mm512_mask_mov_epi64(t[i], negative, a[i]);
}

/* Eight rows of eight words into eight columns. */
LANES_INLINE void lanes_transpose(lanes_t row[8])
{
    lanes_t pair[8], half[8];
    LANES_UNROLL
    for (int i = 0; i < 8; i += 2) {
        pair[i] = _mm512_unpacklo_epi64(row[i], row[i + 1]);
        pair[i + 1] = _mm512_unpackhi_epi64(row[i], row[i + 1]);
    }
    /* pair[2i + k] holds words k, k + 2, k + 4, k + 6 of rows 2i and 2i + 1. */
    LANES_UNROLL
    for (int k = 0; k < 2; k++) {
        half[k] = _mm512_shuffle_i64x2(pair[k], pair[k + 2], 0x88);
        half[k + 2] = _mm512_shuffle_i64x2(pair[k], pair[k + 2], 0xdd);
        half[k + 4] = _mm512_shuffle_i64x2(pair[k + 4], pair[k + 6], 0x88);
        half[k + 6] = _mm512_shuffle_i64x2(pair[k + 4], pair[k + 6], 0xdd);
    }
    LANES_UNROLL
    for (int k = 0; k < 4; k++) {
        row[k] = _mm512_shuffle_i64x2(half[k], half[k + 4], 0x88);
        row[k + 4] = _mm512_shuffle_i64x2(half[k], half[k + 4], 0xdd);
    }
}

#endif
