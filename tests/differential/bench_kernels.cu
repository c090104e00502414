#include "bench_kernels.h"

#include "backend/cuda/fr.cuh"
#include "backend/cuda/point.cuh"

__device__ uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

__global__ void fill(fr *x, size_t n, uint64_t seed)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    fr v;
    for (int j = 0; j < 4; j++) {
        uint64_t w = mix(seed + 4 * i + j + 1);
        v.l[2 * j] = (uint32_t)w;
        v.l[2 * j + 1] = (uint32_t)(w >> 32);
    }
    v.l[7] &= 0x3fffffff;
    x[i] = v;
}

cuzk_status bench_fill(fr *x, size_t n, uint64_t seed, struct context *c, cuzk_error *err)
{
    if (n == 0) return CUZK_OK;
    fill<<<(unsigned)((n + 255) / 256), 256, 0, c->stream>>>(x, n, seed);
    TRY_LAUNCH();
    return CUZK_OK;
}

enum { ROUNDS = 512, BLOCKS_EACH = 16 };

template <class T> __global__ void __launch_bounds__(128) chain_mul(T *x)
{
    T *at = x + (size_t)(blockIdx.x * 128 + threadIdx.x) * 2, a = at[0], b = at[1], f = at[0];
    for (int i = 0; i < ROUNDS; i++) {
        a = mul(a, f);
        b = mul(b, f);
    }
    at[0] = a;
    at[1] = b;
}

__global__ void __launch_bounds__(128) chain_sqr(fp *x)
{
    fp *at = x + (size_t)(blockIdx.x * 128 + threadIdx.x) * 2, a = at[0], b = at[1];
    for (int i = 0; i < ROUNDS; i++) {
        a = sqr(a);
        b = sqr(b);
    }
    at[0] = a;
    at[1] = b;
}

__global__ void __launch_bounds__(128) chain_add(fr *x)
{
    fr *at = x + (size_t)(blockIdx.x * 128 + threadIdx.x) * 2, a = at[0], b = at[1];
    for (int i = 0; i < ROUNDS; i++) {
        a = add(a, b);
        b = sub(a, b);
    }
    at[0] = a;
    at[1] = b;
}

template <class F> __global__ void __launch_bounds__(64) chain_mixed(xyzz<F> *x)
{
    size_t t = blockIdx.x * 64 + threadIdx.x;
    xyzz<F> sum = x[t];
    affine<F> q = { x[t + 1].x, x[t + 2].y };
    for (int i = 0; i < ROUNDS; i++) {
        add_affine(sum, q);
        q.x = add(q.x, sum.y);
    }
    x[t] = sum;
}

cuzk_status bench_arithmetic(size_t *count, int which, void *space, struct context *c, cuzk_error *err)
{
    unsigned blocks = (unsigned)c->multiprocessors * BLOCKS_EACH;
    *count = (size_t)blocks * 128 * 2 * ROUNDS;
    switch (which) {
    case 0: chain_mul<<<blocks, 128, 0, c->stream>>>((fr *)space); break;
    case 6: chain_mul<<<blocks, 128, 48 << 10, c->stream>>>((fr *)space); break; /* 16 warps */
    case 7: chain_mul<<<blocks, 128, 48 << 10, c->stream>>>((fp *)space); break;
    case 1: chain_mul<<<blocks, 128, 0, c->stream>>>((fp *)space); break;
    case 2: chain_sqr<<<blocks, 128, 0, c->stream>>>((fp *)space); break;
    case 3: chain_mixed<<<blocks, 64, 0, c->stream>>>((xyzz<fp> *)space); break;
    case 4: chain_mixed<<<blocks, 64, 0, c->stream>>>((xyzz<fp2> *)space); break;
    default: chain_add<<<blocks, 128, 0, c->stream>>>((fr *)space);
    }
    if (which == 3 || which == 4) *count = (size_t)blocks * 64 * ROUNDS;
    TRY_LAUNCH();
    return CUZK_OK;
}
