/* 1/a in Fp by division steps, the method of math/modinv.h (Bernstein, Yang, "Fast constant-time gcd computation
 * and modular inversion", TCHES 2019) in 32-bit words: 30 steps at a time on the low words, collected in a matrix,
 * which is then applied to the full numbers. An exponentiation takes half a millisecond of latency; this a
 * fraction of it, which matters because every round of additions waits for it.
 *
 * Numbers are signed, in 13 limbs of 30 bits: all but the highest lie in [0, 2^30). The steps have no branches, so
 * that the threads of a warp stay together; the loop ends when all of them are done. */
#ifndef CUZK_CUDA_INVERSE_CUH
#define CUZK_CUDA_INVERSE_CUH

#include "backend/cuda/fp.cuh"

struct inverse_number {
    int32_t l[13];
};

struct inverse_matrix {
    int32_t u, v, q, r;
};

enum { INVERSE_LIMBS = 13, INVERSE_MASK = 0x3fffffff };

HD int32_t inverse_prime(int i)
{
    constexpr int32_t p[13] = { 0x3fffaaab, 0x27fbffff, 0x153ffffb, 0x2affffac, 0x30f6241e, 0x034a83da, 0x112bf673,
                                0x12e13ce1, 0x2cd76477, 0x1ed90d2e, 0x29a4b1ba, 0x3a8e5ff9, 0x001a0111 };
    return p[i];
}

/* 30 division steps on the low words; `zeta` is −(δ + 1/2) with δ starting at 1/2, which needs fewer steps than 1
 * (Wuille, "Bounds on divsteps iterations in safegcd", 2021). The matrix is scaled by 2^30. */
HD int32_t inverse_steps(inverse_matrix &t, int32_t zeta, uint32_t f, uint32_t g)
{
    uint32_t u = 1, v = 0, q = 0, r = 1;
#pragma unroll 6
    for (int i = 0; i < 30; i++) {
        uint32_t swap = (uint32_t)(zeta >> 31), odd = 0 - (g & 1); /* δ > 0, g odd */
        /* g ± f, with the sign that the swap asks for */
        uint32_t x = (f ^ swap) - swap, y = (u ^ swap) - swap, z = (v ^ swap) - swap;
        g += x & odd;
        q += y & odd;
        r += z & odd;
        swap &= odd;
        zeta = (int32_t)(((uint32_t)zeta ^ swap) - 1);
        f += g & swap;
        u += q & swap;
        v += r & swap;
        g >>= 1;
        u <<= 1;
        v <<= 1;
    }
    t = inverse_matrix{ (int32_t)u, (int32_t)v, (int32_t)q, (int32_t)r };
    return zeta;
}

/* (f, g) = matrix·(f, g)/2^30; the division is exact. */
HD void inverse_update_fg(inverse_number &f, inverse_number &g, const inverse_matrix &t)
{
    int64_t cf = (int64_t)t.u * f.l[0] + (int64_t)t.v * g.l[0];
    int64_t cg = (int64_t)t.q * f.l[0] + (int64_t)t.r * g.l[0];
    cf >>= 30;
    cg >>= 30;
#pragma unroll
    for (int i = 1; i < INVERSE_LIMBS; i++) {
        cf += (int64_t)t.u * f.l[i] + (int64_t)t.v * g.l[i];
        cg += (int64_t)t.q * f.l[i] + (int64_t)t.r * g.l[i];
        f.l[i - 1] = (int32_t)cf & INVERSE_MASK;
        g.l[i - 1] = (int32_t)cg & INVERSE_MASK;
        cf >>= 30;
        cg >>= 30;
    }
    f.l[INVERSE_LIMBS - 1] = (int32_t)cf;
    g.l[INVERSE_LIMBS - 1] = (int32_t)cg;
}

/* (d, e) = matrix·(d, e)/2^30 modulo p; both stay in (−2p, p). */
HD void inverse_update_de(inverse_number &d, inverse_number &e, const inverse_matrix &t)
{
    const uint32_t inverse_of_prime = 0x00030003; /* modulo 2^30 */
    int32_t sign_d = d.l[INVERSE_LIMBS - 1] >> 31, sign_e = e.l[INVERSE_LIMBS - 1] >> 31;
    int32_t md = (t.u & sign_d) + (t.v & sign_e), me = (t.q & sign_d) + (t.r & sign_e);
    int64_t cd = (int64_t)t.u * d.l[0] + (int64_t)t.v * e.l[0];
    int64_t ce = (int64_t)t.q * d.l[0] + (int64_t)t.r * e.l[0];
    md -= (int32_t)((inverse_of_prime * (uint32_t)cd + (uint32_t)md) & INVERSE_MASK);
    me -= (int32_t)((inverse_of_prime * (uint32_t)ce + (uint32_t)me) & INVERSE_MASK);
    cd += (int64_t)inverse_prime(0) * md;
    ce += (int64_t)inverse_prime(0) * me;
    cd >>= 30;
    ce >>= 30;
#pragma unroll
    for (int i = 1; i < INVERSE_LIMBS; i++) {
        cd += (int64_t)t.u * d.l[i] + (int64_t)t.v * e.l[i] + (int64_t)inverse_prime(i) * md;
        ce += (int64_t)t.q * d.l[i] + (int64_t)t.r * e.l[i] + (int64_t)inverse_prime(i) * me;
        d.l[i - 1] = (int32_t)cd & INVERSE_MASK;
        e.l[i - 1] = (int32_t)ce & INVERSE_MASK;
        cd >>= 30;
        ce >>= 30;
    }
    d.l[INVERSE_LIMBS - 1] = (int32_t)cd;
    e.l[INVERSE_LIMBS - 1] = (int32_t)ce;
}

/* d = (flip ? −d : d) + (p if negative), carried */
HD void inverse_normalise(inverse_number &d, int32_t flip)
{
#pragma unroll
    for (int pass = 0; pass < 2; pass++) {
        int32_t add = d.l[INVERSE_LIMBS - 1] >> 31, sign = pass == 0 ? flip : 0, carry = 0;
#pragma unroll
        for (int i = 0; i < INVERSE_LIMBS; i++) {
            int32_t v = d.l[i] + (inverse_prime(i) & add);
            v = (v ^ sign) - sign + carry;
            d.l[i] = i < INVERSE_LIMBS - 1 ? v & INVERSE_MASK : v;
            carry = v >> 30;
        }
    }
}

/* The inverse of an element in Montgomery form, which is not zero (zero gives zero). */
HD fp invert_fp(const fp &a)
{
    inverse_number f, g, d, e;
#pragma unroll
    for (int i = 0; i < INVERSE_LIMBS; i++) {
        int bit = 30 * i, word = bit / 32, shift = bit % 32;
        uint32_t v = a.l[word] >> shift;
        if (shift > 2 && word + 1 < 12) v |= a.l[word + 1] << (32 - shift);
        f.l[i] = inverse_prime(i);
        g.l[i] = (int32_t)(v & INVERSE_MASK);
        d.l[i] = 0;
        e.l[i] = i == 0;
    }
    int32_t zeta = -1;
    for (;;) {
        inverse_matrix t;
        zeta = inverse_steps(t, zeta, (uint32_t)f.l[0] | (uint32_t)f.l[1] << 30,
                             (uint32_t)g.l[0] | (uint32_t)g.l[1] << 30);
        inverse_update_de(d, e, t);
        inverse_update_fg(f, g, t);
        int32_t any = g.l[0];
#pragma unroll
        for (int i = 1; i < INVERSE_LIMBS; i++) any |= g.l[i];
        if (any == 0) break;
    }
    /* d·a = f = ±1 */
    inverse_normalise(d, f.l[INVERSE_LIMBS - 1] >> 31);
    fp r;
#pragma unroll
    for (int j = 0; j < 12; j++) {
        int bit = 32 * j, limb = bit / 30, shift = bit % 30;
        uint32_t v = (uint32_t)d.l[limb] >> shift;
        v |= (uint32_t)d.l[limb + 1] << (30 - shift);
        if (shift > 28 && limb + 2 < INVERSE_LIMBS) v |= (uint32_t)d.l[limb + 2] << (60 - shift);
        r.l[j] = v;
    }
    /* 2^1152 mod p: from 1/(a·2^384) to 2^384/a */
    const fp cube = { { 0xd94ca1e0, 0xed48ac6b, 0x03a7adf8, 0x315f831e, 0x615e29dd, 0x9a53352a, 0x921e1761,
                        0x34c04e5e, 0x65724728, 0x2512d435, 0x91755d4d, 0x0aa63460 } };
    return mul(r, cube);
}

#endif
