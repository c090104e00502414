/* Scalars of fixed_base.h. */
#include "backend/cuda/fixed_base.cuh"

enum { THREADS = 256 };

static unsigned blocks(size_t n) { return (unsigned)((n + THREADS - 1) / THREADS); }

__global__ void table_scalars(fr *scalars, size_t first, size_t n, uint32_t bits, uint32_t windows)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < n) store(&scalars[i], fixed_entry_scalar(first + i, bits, windows));
}

cuzk_status fixed_table_scalars(fr *scalars, const struct fixed_base *t, size_t first, size_t n, struct context *c,
                                cuzk_error *err)
{
    table_scalars<<<blocks(n), THREADS, 0, c->stream>>>(scalars, first, n, t->bits, t->windows);
    TRY_LAUNCH();
    return CUZK_OK;
}

__global__ void ones(fr *scalars, size_t n)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < n) store(&scalars[i], fr_one());
}

cuzk_status fixed_ones(fr *scalars, size_t n, struct context *c, cuzk_error *err)
{
    ones<<<blocks(n), THREADS, 0, c->stream>>>(scalars, n);
    TRY_LAUNCH();
    return CUZK_OK;
}
