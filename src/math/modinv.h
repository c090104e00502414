/* Modular inversion by division steps: Bernstein, Yang, "Fast constant-time gcd computation and modular
 * inversion" (TCHES 2019), here in variable time.
 *
 * A division step maps (δ, f, g), f odd, to (1 − δ, g, (g − f)/2) if δ > 0 and g is odd, and else to
 * (1 + δ, f, (g + (g mod 2)·f)/2). The low 62 bits of f and g decide the next 62 steps, so these are done on
 * single words and collected in a 2×2 matrix, which is then applied to the full f and g (divided by 2^62) and,
 * modulo the modulus, to the cofactors d and e with d·x = f and e·x = g. When g is 0, f is ±gcd = ±1.
 *
 * Numbers are signed, in limbs of 62 bits: all but the highest limb lie in [0, 2^62).
 */
#ifndef CUZK_MATH_MODINV_H
#define CUZK_MATH_MODINV_H

#include "math/limbs.h"

#include <string.h>

#define MODINV_MAX 7
#define MODINV_MASK (UINT64_MAX >> 2)

struct modinv_modulus {
    int64_t l[MODINV_MAX];
    uint64_t inverse; /* of the modulus, modulo 2^62 */
};

struct modinv_matrix {
    int64_t u, v, q, r;
};

/* 62 division steps on the low words; `eta` is −δ. The matrix is scaled by 2^62. */
static inline int64_t modinv_steps(struct modinv_matrix *t, int64_t eta, uint64_t f, uint64_t g)
{
    uint64_t u = 1, v = 0, q = 0, r = 1; /* (u, v): new f from old (f, g); (q, r): new g */
    int left = 62;
    for (;;) {
        int zeros = __builtin_ctzll(g | UINT64_MAX << left); /* steps that only halve g */
        g >>= zeros;
        u <<= zeros;
        v <<= zeros;
        eta -= zeros;
        left -= zeros;
        if (left == 0) break;
        if (eta < 0) {
            uint64_t old_f = f, old_u = u, old_v = v;
            eta = -eta;
            f = g, g = 0 - old_f;
            u = q, q = 0 - old_u;
            v = r, r = 0 - old_v;
        }
        /* The next eta + 1 steps do not swap, so as many low bits of g may be cleared at once; six at most:
         * f·(2 − f^2) is the inverse of f modulo 2^6. */
        int64_t run = eta + 1 < left ? eta + 1 : left;
        uint64_t mask = UINT64_MAX >> (64 - run) & 63;
        uint64_t w = f * g * (f * f - 2) & mask;
        g += f * w;
        q += u * w;
        r += v * w;
    }
    *t = (struct modinv_matrix){ (int64_t)u, (int64_t)v, (int64_t)q, (int64_t)r };
    return eta;
}

/* (f, g) = matrix·(f, g) / 2^62; the division is exact. */
static inline void modinv_update_fg(int64_t *f, int64_t *g, const struct modinv_matrix *t, int n)
{
    limb_wide_signed cf = (limb_wide_signed)t->u * f[0] + (limb_wide_signed)t->v * g[0];
    limb_wide_signed cg = (limb_wide_signed)t->q * f[0] + (limb_wide_signed)t->r * g[0];
    cf >>= 62;
    cg >>= 62;
    for (int i = 1; i < n; i++) {
        cf += (limb_wide_signed)t->u * f[i] + (limb_wide_signed)t->v * g[i];
        cg += (limb_wide_signed)t->q * f[i] + (limb_wide_signed)t->r * g[i];
        f[i - 1] = (int64_t)((uint64_t)cf & MODINV_MASK);
        g[i - 1] = (int64_t)((uint64_t)cg & MODINV_MASK);
        cf >>= 62;
        cg >>= 62;
    }
    f[n - 1] = (int64_t)cf;
    g[n - 1] = (int64_t)cg;
}

/* (d, e) = matrix·(d, e) / 2^62 modulo the modulus; both stay in (−2·modulus, modulus). */
static inline void modinv_update_de(int64_t *d, int64_t *e, const struct modinv_matrix *t,
                                    const struct modinv_modulus *m, int n)
{
    /* Multiples of the modulus: once for each negative operand, and what clears the low 62 bits. */
    int64_t sign_d = d[n - 1] >> 63, sign_e = e[n - 1] >> 63;
    int64_t md = (t->u & sign_d) + (t->v & sign_e);
    int64_t me = (t->q & sign_d) + (t->r & sign_e);
    limb_wide_signed cd = (limb_wide_signed)t->u * d[0] + (limb_wide_signed)t->v * e[0];
    limb_wide_signed ce = (limb_wide_signed)t->q * d[0] + (limb_wide_signed)t->r * e[0];
    md -= (int64_t)((m->inverse * (uint64_t)cd + (uint64_t)md) & MODINV_MASK);
    me -= (int64_t)((m->inverse * (uint64_t)ce + (uint64_t)me) & MODINV_MASK);
    cd += (limb_wide_signed)m->l[0] * md;
    ce += (limb_wide_signed)m->l[0] * me;
    cd >>= 62;
    ce >>= 62;
    UNROLL
    for (int i = 1; i < n; i++) {
        cd += (limb_wide_signed)t->u * d[i] + (limb_wide_signed)t->v * e[i];
        ce += (limb_wide_signed)t->q * d[i] + (limb_wide_signed)t->r * e[i];
        cd += (limb_wide_signed)m->l[i] * md;
        ce += (limb_wide_signed)m->l[i] * me;
        d[i - 1] = (int64_t)((uint64_t)cd & MODINV_MASK);
        e[i - 1] = (int64_t)((uint64_t)ce & MODINV_MASK);
        cd >>= 62;
        ce >>= 62;
    }
    d[n - 1] = (int64_t)cd;
    e[n - 1] = (int64_t)ce;
}

/* d + k·modulus, carried. */
static inline void modinv_add_multiple(int64_t *d, const struct modinv_modulus *m, int64_t k, int n)
{
    int64_t carry = 0;
    for (int i = 0; i < n; i++) {
        int64_t t = d[i] + k * m->l[i] + carry;
        d[i] = i < n - 1 ? (int64_t)((uint64_t)t & MODINV_MASK) : t;
        carry = t >> 62;
    }
}

/* Shortens f and g while their top limbs are only signs. */
static inline int modinv_shrink(int64_t *f, int64_t *g, int n)
{
    while (n > 1) {
        int64_t top_f = f[n - 1], top_g = g[n - 1];
        if ((top_f != 0 && top_f != -1) || (top_g != 0 && top_g != -1)) break;
        /* The sign moves into the two spare bits of the limb below. */
        f[n - 2] |= (int64_t)((uint64_t)top_f << 62);
        g[n - 2] |= (int64_t)((uint64_t)top_g << 62);
        n--;
    }
    return n;
}

/* out = 1/in for 0 < in < modulus, as `words` 64-bit limbs; zero gives zero. `n` is the number of 62-bit
 * limbs: at least two bits more than the modulus has must fit. */
static inline void modinv_var(uint64_t *out, const uint64_t *in, const struct modinv_modulus *m, int words,
                              int n)
{
    int64_t f[MODINV_MAX], g[MODINV_MAX], d[MODINV_MAX] = { 0 }, e[MODINV_MAX] = { 1 };
    memcpy(f, m->l, sizeof f);
    for (int i = 0; i < n; i++) {
        int bit = 62 * i, word = bit / 64, shift = bit % 64;
        uint64_t v = in[word] >> shift;
        if (shift > 2 && word + 1 < words) v |= in[word + 1] << (64 - shift);
        g[i] = (int64_t)(v & MODINV_MASK);
    }
    int64_t eta = -1;
    int length = n;
    uint64_t any;
    do {
        struct modinv_matrix t;
        eta = modinv_steps(&t, eta, (uint64_t)f[0], (uint64_t)g[0]);
        modinv_update_de(d, e, &t, m, n);
        modinv_update_fg(f, g, &t, length);
        any = 0;
        for (int i = 0; i < length; i++) any |= (uint64_t)g[i];
        length = modinv_shrink(f, g, length);
    } while (any);

    /* d lies in (−2·modulus, modulus) and d·in = f = ±1 (or in was zero, and d is a multiple of it). */
    if (d[n - 1] < 0) modinv_add_multiple(d, m, 1, n);
    if (f[length - 1] < 0) {
        int64_t carry = 0;
        for (int i = 0; i < n; i++) {
            int64_t t = carry - d[i];
            d[i] = i < n - 1 ? (int64_t)((uint64_t)t & MODINV_MASK) : t;
            carry = t >> 62;
        }
    }
    if (d[n - 1] < 0) modinv_add_multiple(d, m, 1, n);
    for (int i = 0; i < words; i++) {
        int bit = 64 * i, limb = bit / 62, shift = bit % 62;
        uint64_t v = (uint64_t)d[limb] >> shift;
        if (limb + 1 < n) v |= (uint64_t)d[limb + 1] << (62 - shift);
        out[i] = v;
    }
}

#endif
