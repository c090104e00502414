#include "backend/cuda/ntt.h"

#include "backend/cuda/fr.cuh"

/* Tables, forward and inverse alike: low[b] = c(b) for b < 2^NTT_TABLE_LOG, high[h] = c(h·2^NTT_TABLE_LOG).
 * c(h·2^q + l) = c(h·2^q)·c(l), and the inverses are multiplicative in the same way. */
enum {
    TABLE = 1 << NTT_TABLE_LOG,
    HIGH_LOG = NTT_MAX_DOMAIN_LOG - NTT_TABLE_LOG,
    HIGH = 1 << HIGH_LOG,
    TABLE_TOTAL = 2 * (TABLE + HIGH),
    PASS_LOG = 9,
    TILE_LOG = 11,
    TILE = 1 << TILE_LOG,
    THREADS = TILE / 8,
    STAGED = TILE / 8, /* constants of the levels above the last three, for all blocks of a tile */
};

struct constants {
    const fr *low, *high;
};

/* c(b) */
__device__ __forceinline__ fr constant_at(const constants &t, uint64_t b)
{
    fr low = t.low[b & (TABLE - 1)];
    uint32_t high = (uint32_t)(b >> NTT_TABLE_LOG);
    return high == 0 ? low : mul(low, t.high[high]);
}

__global__ void extend_table(fr *table, uint32_t half, fr factor)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half) table[half + i] = mul(table[i], factor);
}

/* A place in the tile: one free place after every eight, so that threads that are eight elements apart do not
 * share a bank. */
__device__ __forceinline__ uint32_t tile_place(uint32_t e) { return e + (e >> 3); }

enum { TILE_PLACES = TILE + TILE / 8 };

/* Elements are kept as two halves of 16 bytes, each half in its own part of the tile. */
__device__ __forceinline__ fr tile_load(const uint4 *tile, uint32_t e)
{
    uint32_t at = tile_place(e);
    uint4 a = tile[at], b = tile[at + TILE_PLACES];
    return fr{ { a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w } };
}

__device__ __forceinline__ void tile_store(uint4 *tile, uint32_t e, const fr &v)
{
    uint32_t at = tile_place(e);
    tile[at] = make_uint4(v.l[0], v.l[1], v.l[2], v.l[3]);
    tile[at + TILE_PLACES] = make_uint4(v.l[4], v.l[5], v.l[6], v.l[7]);
}

/* The levels [first, first + levels) of a transform of 2^k elements. Column q < 2^(k − levels) of the pass has
 * 2^levels rows: block q >> stride_log, and the rows stand 2^stride_log elements apart. */
struct pass {
    fr *x;
    constants c;
    unsigned first, levels, stride_log, columns_log;
    uint64_t offset; /* of block numbers: 2^first for the twisted coset */
};

__device__ __forceinline__ uint64_t element_address(const pass &p, uint64_t column, uint32_t row)
{
    uint64_t block = column >> p.stride_log, within = column & (((uint64_t)1 << p.stride_log) - 1);
    return (((block << p.levels) + row) << p.stride_log) + within;
}

/* (x, y) ← (x + c·y, x − c·y), or (x + y, (x − y)/c) where c is the inverse */
template <bool JOIN> __device__ __forceinline__ void butterfly(fr &x, fr &y, const fr &c)
{
    if (JOIN) {
        fr t = sub(x, y);
        x = add(x, y);
        y = mul(t, c);
    } else {
        fr t = mul(y, c);
        y = sub(x, t);
        x = add(x, t);
    }
}

/* Levels of one round on a thread's eight elements, which differ in the three row bits from `bit` up. Level
 * t works on row bit levels − 1 − t. `row` is the thread's row with these bits zero. */
template <bool JOIN, bool STAGE>
__device__ __forceinline__ void round_levels(fr *v, const pass &p, const fr *staged, uint64_t block,
                                             uint32_t row, int bit, int from, int to)
{
#pragma unroll
    for (int s = 0; s < 3; s++) {
        int position = JOIN ? s : 2 - s; /* among the thread's three bits */
        if (position < from || position >= to) continue;
        int level = (int)p.levels - 1 - (bit + position);
        uint32_t above = row >> (bit + position + 1);
#pragma unroll
        for (int j = 0; j < 4 >> position; j++) { /* sub-blocks that the thread has a share in */
            uint32_t sub_block = above + j;
            fr c = STAGE ? staged[(1u << level) + sub_block]
                         : constant_at(p.c, (block << level) + sub_block);
#pragma unroll
            for (int i = 0; i < 1 << position; i++) {
                int low = (j << (position + 1)) + i;
                butterfly<JOIN>(v[low], v[low + (1 << position)], c);
            }
        }
    }
}

/* One round: gather eight elements from the tile, do the levels, put them back. */
template <bool JOIN, bool STAGE>
__device__ __forceinline__ void run_round(uint4 *tile, const pass &p, const fr *staged, uint32_t tile_columns,
                                          uint64_t first_column, int bit, int from, int to)
{
    uint32_t columns_log = p.columns_log, t = threadIdx.x, column, group;
    bool contiguous = p.stride_log == 0;
    if (contiguous) {
        group = t & ((1u << (p.levels - 3)) - 1);
        column = t >> (p.levels - 3);
    } else {
        column = t & ((1u << columns_log) - 1);
        group = t >> columns_log;
    }
    if (column < tile_columns) {
        uint32_t low = group & ((1u << bit) - 1);
        uint32_t row = ((group >> bit) << (bit + 3)) + low;
        uint32_t row_step = contiguous ? 1 : 1u << columns_log;
        uint32_t at = contiguous ? (column << p.levels) + row : (row << columns_log) + column;
        uint64_t block = ((first_column + column) >> p.stride_log) + p.offset;
        uint32_t first_block = (uint32_t)(((first_column + column) >> p.stride_log) -
                                          (first_column >> p.stride_log));
        fr v[8];
#pragma unroll
        for (int i = 0; i < 8; i++) v[i] = tile_load(tile, at + (i << bit) * row_step);
        round_levels<JOIN, STAGE>(v, p, staged + ((size_t)first_block << (p.levels - 3)), block, row, bit, from,
                                  to);
#pragma unroll
        for (int i = 0; i < 8; i++) tile_store(tile, at + (i << bit) * row_step, v[i]);
    }
    __syncthreads();
}

/* Copies the tile's columns in or out. */
template <bool IN>
__device__ __forceinline__ void move_tile(uint4 *tile, const pass &p, uint32_t tile_columns,
                                          uint64_t first_column)
{
    bool contiguous = p.stride_log == 0;
    for (uint32_t e = threadIdx.x; e < TILE; e += THREADS) {
        uint32_t column = contiguous ? e >> p.levels : e & ((1u << p.columns_log) - 1);
        uint32_t row = contiguous ? e & ((1u << p.levels) - 1) : e >> p.columns_log;
        if (column >= tile_columns) continue;
        fr *at = &p.x[element_address(p, first_column + column, row)];
        if (IN) tile_store(tile, e, *at);
        else *at = tile_load(tile, e);
    }
    __syncthreads();
}

/* One tile per thread block. p.levels ≥ 3; the rounds cover row bits from the top in steps of three, the last
 * one (bits 0 to 2) only does what is left. */
template <bool JOIN> __global__ void __launch_bounds__(THREADS, 2) run_pass(const pass p)
{
    extern __shared__ uint4 tile[];
    fr *staged = reinterpret_cast<fr *>(tile + 2 * TILE_PLACES);
    uint64_t columns = (uint64_t)1 << (p.columns_log < 63 ? 0 : 0);
    columns = (uint64_t)gridDim.x << p.columns_log;
    uint32_t tile_columns = 1u << p.columns_log;
    uint64_t first_column = (uint64_t)blockIdx.x << p.columns_log;
    (void)columns;

    move_tile<true>(tile, p, tile_columns, first_column);
    /* Constants of all levels but the last three, for each block that the tile touches. */
    if (p.levels > 3) {
        uint64_t first_block = first_column >> p.stride_log;
        uint32_t blocks = (uint32_t)(((first_column + tile_columns - 1) >> p.stride_log) - first_block) + 1;
        uint32_t each_log = p.levels - 3;
        for (uint32_t i = threadIdx.x; i < blocks << each_log; i += THREADS) {
            uint32_t in_block = i & ((1u << each_log) - 1);
            if (in_block == 0) continue;
            int level = 31 - __clz(in_block);
            uint64_t block = first_block + (i >> each_log) + p.offset;
            staged[i] = constant_at(p.c, (block << level) + (in_block - (1u << level)));
        }
        __syncthreads();
    }
    int rounds = ((int)p.levels + 2) / 3;
    if (JOIN) {
        for (int r = rounds - 1; r >= 0; r--) {
            int bit = (int)p.levels - 3 * (r + 1), from = bit < 0 ? 0 : 0, to = 3;
            if (bit < 0) {
                to = 3 + bit;
                bit = 0;
            }
            if (r == rounds - 1) run_round<true, false>(tile, p, staged, tile_columns, first_column, bit, from, to);
            else run_round<true, true>(tile, p, staged, tile_columns, first_column, bit, from, to);
        }
    } else {
        for (int r = 0; r < rounds; r++) {
            int bit = (int)p.levels - 3 * (r + 1), to = 3;
            if (bit < 0) {
                to = 3 + bit;
                bit = 0;
            }
            if (r == rounds - 1) run_round<false, false>(tile, p, staged, tile_columns, first_column, bit, 0, to);
            else run_round<false, true>(tile, p, staged, tile_columns, first_column, bit, 0, to);
        }
    }
    move_tile<false>(tile, p, tile_columns, first_column);
}
