#include "backend/cuda/measure.h"

#include "backend/cuda/fp.cuh"
#include "backend/cuda/fr.cuh"

enum { THREADS = 128, ROUNDS = 2048, BLOCKS_EACH = 16, CHAINS = 2 };

static __device__ uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9; /* splitmix64 */
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

__global__ void fill_random(fr *x, size_t n, uint64_t seed)
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

cuzk_status measure_fill(fr *x, size_t n, uint64_t seed, struct context *c, cuzk_error *err)
{
    if (n == 0) return CUZK_OK;
    fill_random<<<(unsigned)((n + 255) / 256), 256, 0, c->stream>>>(x, n, seed);
    TRY_LAUNCH();
    return CUZK_OK;
}

template <class T> __global__ void __launch_bounds__(THREADS) products(T *x)
{
    T *at = x + (size_t)(blockIdx.x * THREADS + threadIdx.x) * CHAINS, a = at[0], b = at[1], f = at[0];
    for (int i = 0; i < ROUNDS; i++) {
        a = mul(a, f);
        b = mul(b, f);
    }
    at[0] = a;
    at[1] = b;
}

template <class T> static cuzk_status rate(double *out, struct context *c, cuzk_error *err)
{
    unsigned blocks = (unsigned)c->multiprocessors * BLOCKS_EACH;
    size_t mark = context_mark(c), threads = (size_t)blocks * THREADS;
    T *x;
    cudaEvent_t from, to;
    float ms = 0;
    TRY_TAKE(x, threads * CHAINS, "field elements");
    TRY(cudaMemsetAsync(x, 1, threads * CHAINS * sizeof *x, c->stream));
    TRY(cudaEventCreate(&from));
    TRY(cudaEventCreate(&to));
    for (int i = 0; i < 2; i++) { /* once to warm up */
        TRY(cudaEventRecord(from, c->stream));
        products<<<blocks, THREADS, 0, c->stream>>>(x);
        TRY_LAUNCH();
        TRY(cudaEventRecord(to, c->stream));
    }
    TRY(cudaEventSynchronize(to));
    TRY(cudaEventElapsedTime(&ms, from, to));
    cudaEventDestroy(from);
    cudaEventDestroy(to);
    *out = (double)threads * CHAINS * ROUNDS / (1e-3 * ms);
    context_release(c, mark);
    return CUZK_OK;
}

cuzk_status measure_products(double *fr_rate, double *fp_rate, struct context *c, cuzk_error *err)
{
    TRY_STATUS(rate<fr>(fr_rate, c, err));
    return rate<fp>(fp_rate, c, err);
}
