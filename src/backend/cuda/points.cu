#include "backend/cuda/points.h"

#include "backend/cuda/point.cuh"

enum { THREADS = 128 };

/* 48 bytes, big-endian, as words, least significant first. */
__device__ __forceinline__ fp read_integer(const uint8_t *raw)
{
    fp r;
    const uint4 *from = reinterpret_cast<const uint4 *>(raw);
#pragma unroll
    for (int i = 0; i < 3; i++) {
        uint4 v = from[2 - i];
        r.l[4 * i] = __byte_perm(v.w, 0, 0x0123);
        r.l[4 * i + 1] = __byte_perm(v.z, 0, 0x0123);
        r.l[4 * i + 2] = __byte_perm(v.y, 0, 0x0123);
        r.l[4 * i + 3] = __byte_perm(v.x, 0, 0x0123);
    }
    return r;
}

/* One thread reads one coordinate in Fp: `coordinates` of them make a point, in the order of the file. Flags stand
 * in the top bits of a point's first byte; a set one makes the integer exceed p, as p has 381 bits. A point
 * that is zero throughout is refused too. */
__global__ void decode(fp *out, const uint8_t *raw, size_t n, uint32_t coordinates, uint64_t first,
                       unsigned long long *bad)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= n * coordinates) return;
    size_t point = i / coordinates;
    uint32_t k = (uint32_t)(i % coordinates);
    fp v = read_integer(raw + i * 48);
    bool fine = is_canonical<fp_modulus>(v.l);
    if (k == 0 && is_zero(v)) {
        bool zero = true;
        for (uint32_t j = 1; j < coordinates; j++) zero = zero && is_zero(read_integer(raw + (i + j) * 48));
        fine = fine && !zero;
    }
    if (!fine) atomicMin(bad, (unsigned long long)(first + point));
    /* Fp2 is c1 ‖ c0 in the file, c0 ‖ c1 here. */
    out[coordinates == 4 ? i ^ 1 : i] = mul(v, fp_montgomery_square());
}

cuzk_status points_decode(void *out, enum sums_group g, const uint8_t *raw, size_t n, uint64_t first,
                          unsigned long long *bad, cudaStream_t stream, struct context *c, cuzk_error *err)
{
    uint32_t coordinates = g == SUMS_G1 ? 2 : 4;
    if (n == 0) return CUZK_OK;
    decode<<<(unsigned)((n * coordinates + THREADS - 1) / THREADS), THREADS, 0, stream>>>((fp *)out, raw, n,
                                                                                          coordinates, first, bad);
    TRY_LAUNCH();
    return CUZK_OK;
}
