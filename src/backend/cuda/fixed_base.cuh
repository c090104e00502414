/* fixed_base.h for one group: what a thread does, which also compiles for the host, and the kernels.
 * fixed_base_g1.cu and fixed_base_g2.cu instantiate it. */
#ifndef CUZK_CUDA_FIXED_BASE_CUH
#define CUZK_CUDA_FIXED_BASE_CUH

#include "backend/cuda/fr.cuh"
#include "backend/cuda/inverse.cuh"
#include "backend/cuda/point.cuh"
#ifdef __CUDACC__
#include "backend/cuda/memory.cuh"
#endif

#include <stddef.h>

enum { FIXED_THREADS = 128, FIXED_GROUP = 16 };

/* memory.cuh's load and store, for the host too. */
template <class T> HD T fetch(const T *p)
{
#ifdef __CUDA_ARCH__
    return load(p);
#else
    return *p;
#endif
}

template <class T> HD void put(T *p, const T &v)
{
#ifdef __CUDA_ARCH__
    store(p, v);
#else
    *p = v;
#endif
}

FP_FUNCTION fp fixed_invert(const fp a) { return invert_fp(a); }

HD fp2 fixed_invert(const fp2 &a)
{
    fp t = fixed_invert(add(sqr(a.c0), sqr(a.c1)));
    return fp2{ mul(a.c0, t), neg(mul(a.c1, t)) };
}

/* k >>= bits, 0 < bits < 32 */
HD void shift_right(fr &k, uint32_t bits)
{
#pragma unroll
    for (int i = 0; i < 7; i++) k.l[i] = k.l[i] >> bits | k.l[i + 1] << (32 - bits);
    k.l[7] >>= bits;
}

/* k·P for an integer k ≤ 2^255. The digit of a window is what stands there and the carry from below; one above
 * half counts as what it lacks to the next window's unit. */
template <class F> HD xyzz<F> fixed_product(fr k, const affine<F> *window, uint32_t bits, uint32_t windows)
{
    xyzz<F> sum = infinity<F>();
    uint32_t carry = 0, half = 1u << (bits - 1);
    for (uint32_t left = windows; left > 0; left--, window += half) {
        uint32_t digit = (left > 1 ? k.l[0] & (2 * half - 1) : k.l[0]) + carry;
        shift_right(k, bits);
        bool minus = left > 1 && digit > half;
        carry = minus;
        if (minus) digit = 2 * half - digit;
        if (digit == 0) continue;
        affine<F> entry = fetch(&window[digit - 1]);
        if (minus) entry.y = neg(entry.y);
        add_affine(sum, entry);
    }
    return sum;
}

/* The integer of which entry i of a table is the product. */
HD fr fixed_entry_scalar(size_t i, uint32_t bits, uint32_t windows)
{
    size_t w = i >> (bits - 1);
    if (w > windows - 1) w = windows - 1;
    uint64_t multiple = i - (w << (bits - 1)) + 1;
    uint32_t shift = bits * (uint32_t)w, word = shift / 32;
    fr k;
#pragma unroll
    for (uint32_t j = 0; j < 8; j++) {
        uint32_t v = 0;
        if (j == word) v = (uint32_t)(multiple << (shift % 32));
        if (j == word + 1) v = (uint32_t)(multiple << (shift % 32) >> 32);
        k.l[j] = v;
    }
    return k;
}

HD uint32_t swap_bytes(uint32_t v)
{
#ifdef __CUDA_ARCH__
    return __byte_perm(v, 0, 0x0123);
#else
    return __builtin_bswap32(v);
#endif
}

/* 48 bytes, big-endian; `flags` go into the first one. */
HD void encode(fp *out, const fp &a, uint32_t flags)
{
    fp integer, bytes;
    montgomery_leave<fp_modulus>(integer.l, a.l);
#pragma unroll
    for (int i = 0; i < 12; i++) bytes.l[i] = swap_bytes(integer.l[11 - i]);
    bytes.l[0] |= flags;
    put(out, bytes);
}

/* In Fp2 the flags belong to the first half, c1. */
HD void encode(fp *out, const fp2 &a, uint32_t flags)
{
    encode(out, a.c1, flags);
    encode(out + 1, a.c0, 0);
}

/* Infinity is the flag 0x40 and zeros. */
template <class F> HD void encode(void *points, size_t i, const affine<F> &p)
{
    const size_t coordinates = sizeof(F) / sizeof(fp);
    fp *out = static_cast<fp *>(points) + 2 * coordinates * i;
    encode(out, p.x, is_infinity(p) ? 0x40 : 0);
    encode(out + coordinates, p.y, 0);
}

/* x/zz and y/zzz, where `inverse` is 1/zzz: zz^3 = zzz^2, so 1/zz = (zz/zzz)^2. */
template <class F> HD affine<F> fixed_affine(const xyzz<F> &p, const F &inverse)
{
    F ratio = mul(p.zz, inverse);
    return affine<F>{ mul(p.x, sqr(ratio)), mul(p.y, inverse) };
}

/* The sums t, t + threads, … below n into affine form, with one inversion: their products first, then back. t < n. */
template <class F>
HD void fixed_normalise(void *out, bool encoded, const xyzz<F> *sums, F *before, uint32_t n, uint32_t t,
                        uint32_t threads)
{
    F inverse;
    set_one(inverse);
    for (size_t i = t; i < n; i += threads) {
        F z = fetch(&sums[i].zzz);
        put(&before[i], inverse);
        if (!is_zero(z)) inverse = mul(inverse, z);
    }
    inverse = fixed_invert(inverse);
    uint32_t last = t + (n - 1 - t) / threads * threads;
    for (uint32_t i = last;; i -= threads) {
        xyzz<F> p = fetch(&sums[i]);
        affine<F> q;
        set_infinity(q);
        if (!is_infinity(p)) {
            q = fixed_affine(p, mul(inverse, fetch(&before[i])));
            inverse = mul(inverse, p.zzz);
        }
        if (encoded) encode(out, i, q);
        else put(static_cast<affine<F> *>(out) + i, q);
        if (i == t) break;
    }
}

#ifdef __CUDACC__

#include "backend/cuda/fixed_base.h"

template <class F>
__global__ void __launch_bounds__(FIXED_THREADS)
    fixed_products(xyzz<F> *sums, const fr *scalars, bool integers, uint32_t n, const affine<F> *table, uint32_t bits,
                   uint32_t windows)
{
    uint32_t i = blockIdx.x * FIXED_THREADS + threadIdx.x;
    if (i >= n) return;
    fr k = load(&scalars[i]);
    if (!integers) k = leave(k);
    store(&sums[i], fixed_product(k, table, bits, windows));
}

template <class F>
__global__ void __launch_bounds__(FIXED_THREADS)
    fixed_normalise_all(void *out, bool encoded, const xyzz<F> *sums, F *before, uint32_t n, uint32_t threads)
{
    uint32_t t = blockIdx.x * FIXED_THREADS + threadIdx.x;
    if (t < threads && t < n) fixed_normalise(out, encoded, sums, before, n, t, threads);
}

static unsigned fixed_blocks(size_t n) { return (unsigned)((n + FIXED_THREADS - 1) / FIXED_THREADS); }

template <class F>
static cuzk_status fixed_multiply(void *out, enum fixed_form form, const struct fixed_base *t, const fr *scalars,
                                  bool integers, size_t n, struct fixed_work *work, struct context *c,
                                  cuzk_error *err)
{
    xyzz<F> *sums = (xyzz<F> *)work->sums;
    uint32_t count = (uint32_t)n, threads = (count + FIXED_GROUP - 1) / FIXED_GROUP;
    if (n == 0) return CUZK_OK;
    fixed_products<<<fixed_blocks(n), FIXED_THREADS, 0, c->stream>>>(sums, scalars, integers, count,
                                                                     (const affine<F> *)t->points, t->bits,
                                                                     t->windows);
    TRY_LAUNCH();
    fixed_normalise_all<<<fixed_blocks(threads), FIXED_THREADS, 0, c->stream>>>(out, form == FIXED_ENCODED, sums,
                                                                                (F *)work->before, count, threads);
    TRY_LAUNCH();
    return CUZK_OK;
}

#endif
#endif
