#include "bench_kernels.h"

#include "backend/cuda/fp_wide.cuh"
#include "backend/cuda/fr.cuh"
#include "backend/cuda/point.cuh"

static __device__ uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9; /* splitmix64 */
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* A number below p: random, or one where carries go wrong. */
static __device__ fp sample(uint64_t seed)
{
    fp x;
    uint64_t kind = mix(seed) & 15;
    for (int j = 0; j < 12; j++) {
        uint32_t w = (uint32_t)mix(seed * 16 + j + 1);
        if (kind == 8) w = 0;
        if (kind == 9) w = j == 0;
        if (kind == 10) w = fp_modulus::P(j) - (j == 0);
        if (kind > 10) w = w & 1 ? 0xffffffff : 0;
        x.l[j] = w;
    }
    if (kind < 8 || kind > 10) x.l[11] %= fp_modulus::P(11);
    return x;
}

__global__ void check_squares(uint32_t *different)
{
    fp a = sample((uint64_t)blockIdx.x * blockDim.x + threadIdx.x), apart = sqr_wide(a);
    if (!is_zero(sub(mul(a, a), apart)) || !is_canonical<fp_modulus>(apart.l)) atomicAdd(different, 1);
}

cuzk_status bench_check_squares(uint32_t *different, struct context *c, cuzk_error *err)
{
    uint32_t *count = (uint32_t *)context_take(c, 4);
    if (!count) return context_exhausted(c, "a comparison", err);
    TRY(cudaMemsetAsync(count, 0, 4, c->stream));
    check_squares<<<1 << 15, 128, 0, c->stream>>>(count);
    TRY_LAUNCH();
    TRY(cudaMemcpyAsync(different, count, 4, cudaMemcpyDeviceToHost, c->stream));
    return context_wait(c, err);
}

enum { ROUNDS = 512, BLOCKS_EACH = 16 };

struct products {
    template <class T> static __device__ __forceinline__ T of(const T &a, const T &b) { return mul(a, b); }
};
struct squares {
    static __device__ __forceinline__ fp of(const fp &a, const fp &) { return sqr(a); }
};
struct squares_apart {
    static __device__ __forceinline__ fp of(const fp &a, const fp &) { return sqr_wide(a); }
};

template <class OPERATION, class T> __global__ void __launch_bounds__(128) chain(T *x)
{
    T *at = x + (size_t)(blockIdx.x * 128 + threadIdx.x) * 2, a = at[0], b = at[1], f = at[0];
    for (int i = 0; i < ROUNDS; i++) {
        a = OPERATION::of(a, f);
        b = OPERATION::of(b, f);
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

template <class OPERATION, class T> static void launch(void *x, unsigned blocks, unsigned shared, cudaStream_t stream)
{
    chain<OPERATION, T><<<blocks, 128, shared, stream>>>((T *)x);
}

template <class F> static void launch_mixed(void *x, unsigned blocks, unsigned, cudaStream_t stream)
{
    chain_mixed<<<blocks, 64, 0, stream>>>((xyzz<F> *)x);
}

static void launch_add(void *x, unsigned blocks, unsigned, cudaStream_t stream)
{
    chain_add<<<blocks, 128, 0, stream>>>((fr *)x);
}

enum { FEW = 48 << 10 }; /* of shared memory: four blocks on a multiprocessor */

struct operation {
    const char *name;
    void (*launch)(void *x, unsigned blocks, unsigned shared, cudaStream_t stream);
    unsigned shared, each; /* operations of a thread in a round */
};

static const struct operation OPERATIONS[] = {
    { "fr mul", launch<products, fr>, 0, 2 },
    { "fr mul, 16 warps", launch<products, fr>, FEW, 2 },
    { "fr add, sub", launch_add, 0, 2 },
    { "fp mul", launch<products, fp>, 0, 2 },
    { "fp mul, 16 warps", launch<products, fp>, FEW, 2 },
    { "fp sqr", launch<squares, fp>, 0, 2 },
    { "fp sqr, apart", launch<squares_apart, fp>, 0, 2 },
    { "g1 mixed", launch_mixed<fp>, 0, 1 },
    { "g2 mixed", launch_mixed<fp2>, 0, 1 },
};
enum { OPERATION_COUNT = sizeof OPERATIONS / sizeof *OPERATIONS };

const char *bench_arithmetic_name(int which) { return which < OPERATION_COUNT ? OPERATIONS[which].name : NULL; }

cuzk_status bench_arithmetic(size_t *count, int which, void *space, struct context *c, cuzk_error *err)
{
    const struct operation *o = &OPERATIONS[which];
    unsigned blocks = (unsigned)c->multiprocessors * BLOCKS_EACH;
    *count = (size_t)blocks * (o->each == 1 ? 64 : 128) * o->each * ROUNDS;
    o->launch(space, blocks, o->shared, c->stream);
    TRY_LAUNCH();
    return CUZK_OK;
}
