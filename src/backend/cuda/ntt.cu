#include "backend/cuda/ntt.h"

#include "backend/cuda/fr.cuh"

#include <cuda_pipeline_primitives.h>
#include <string.h>

/* Tables, forward and inverse alike: low[b] = c(b) for b < 2^NTT_TABLE_LOG, high[h] = c(h·2^NTT_TABLE_LOG),
 * powers[i·POWERS + b] = c(4b)^i for b < POWERS, i < 8.
 * c(h·2^q + l) = c(h·2^q)·c(l), and the inverses are multiplicative in the same way. */
enum {
    TABLE = 1 << NTT_TABLE_LOG,
    HIGH_LOG = NTT_MAX_DOMAIN_LOG - NTT_TABLE_LOG,
    HIGH = 1 << HIGH_LOG,
    PASS_LOG = 9,
    POWERS = 2 << (PASS_LOG - 3), /* for blocks of eight elements below block 0 or 1 of a pass */
    TABLE_SIZE = TABLE + HIGH + 8 * POWERS,
    TILE_LOG = 10,
    TILE = 1 << TILE_LOG,
    THREADS = TILE / 8,
    STAGED = TILE / 4, /* factors of the rounds above the last one, for all blocks of a tile */
};

struct constants {
    const fr *low, *high, *powers;
    fr roots[3]; /* c(1), c(2), c(3) */
};

/* In two pieces of 16 bytes; the compiler would make eight of four. */
__device__ __forceinline__ fr load(const fr *at)
{
    const uint4 *pieces = reinterpret_cast<const uint4 *>(at);
    uint4 a = pieces[0], b = pieces[1];
    return fr{ { a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w } };
}

__device__ __forceinline__ void store(fr *at, const fr &v)
{
    uint4 *pieces = reinterpret_cast<uint4 *>(at);
    pieces[0] = make_uint4(v.l[0], v.l[1], v.l[2], v.l[3]);
    pieces[1] = make_uint4(v.l[4], v.l[5], v.l[6], v.l[7]);
}

/* c(b) */
__device__ __forceinline__ fr constant_at(const constants &t, uint32_t b)
{
    fr low = load(&t.low[b & (TABLE - 1)]);
    uint32_t high = b >> NTT_TABLE_LOG;
    return high == 0 ? low : mul(low, load(&t.high[high]));
}

/* c(b)^e. Turns of the circle (math/ntt.c) in units of 2^−32: bit j of b is bit 30 − j, and half a turn is −1. */
__device__ __forceinline__ fr power_at(const constants &t, uint32_t b, uint32_t e)
{
    uint32_t turn = (__brev(b) >> 1) * e;
    fr c = constant_at(t, __brev(turn << 1));
    return turn >> 31 ? sub(fr_zero(), c) : c;
}

__global__ void extend_table(fr *table, uint32_t half, fr factor)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half) table[half + i] = mul(table[i], factor);
}

__global__ void fill_powers(fr *powers, constants t)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 8 * POWERS) powers[i] = power_at(t, 4 * (i % POWERS), i / POWERS);
}

/* ---- the tile ---- */

/* Elements are kept as two halves of 16 bytes, each half in its own part of the tile. One place is free after every
 * eight, so that threads that are eight elements apart do not share a bank; four more between the parts, so that the
 * halves of neighbours do not. */
enum { TILE_PART = TILE + TILE / 8 + 4 };

__device__ __forceinline__ uint32_t tile_place(uint32_t e) { return e + (e >> 3); }

__device__ __forceinline__ fr tile_load(const uint4 *tile, uint32_t e)
{
    uint32_t at = tile_place(e);
    uint4 a = tile[at], b = tile[at + TILE_PART];
    return fr{ { a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w } };
}

__device__ __forceinline__ void tile_store(uint4 *tile, uint32_t e, const fr &v)
{
    uint32_t at = tile_place(e);
    tile[at] = make_uint4(v.l[0], v.l[1], v.l[2], v.l[3]);
    tile[at + TILE_PART] = make_uint4(v.l[4], v.l[5], v.l[6], v.l[7]);
}

/* The levels [first, first + levels) of a transform of 2^k elements. Column q < 2^(k − levels) of the pass has
 * 2^levels rows: block q >> stride_log, and the rows stand 2^stride_log elements apart. A thread block works on
 * 2^columns_log columns; these belong to one block unless the stride is 1. */
struct pass {
    fr *x, *y;      /* y: NULL, or what x is multiplied by first; see also finish_first */
    constants c;    /* of the direction */
    unsigned first, levels, stride_log, columns_log;
    /* What kernels could compute, but would keep in registers that they lack: rows stand 2^row_log elements apart in
     * the tile; number and lowest bit of the highest round. */
    unsigned row_log, top, top_bit;
    uint32_t offset; /* of block numbers: 2^first for the twisted coset */
};

/* Rounds are counted from the lowest row bits up. A round works on the row bits bit, bit + 1, bit + 2; in the highest
 * one the `from` lowest of these belong to the round below. */
struct round_shape {
    unsigned bit, from;
};

__device__ __forceinline__ round_shape round_at(const pass &p, unsigned number)
{
    return number < p.top ? round_shape{ 3 * number, 0 } : round_shape{ p.top_bit, 3 * p.top - p.top_bit };
}

/* A thread's share: eight rows of one column in each round. Neighbouring threads take neighbouring columns, or
 * neighbouring rows where these are neighbours in memory. */
struct seat {
    bool used;
    uint32_t column, group; /* column in the tile */
    uint32_t block;         /* without the offset */
};

__device__ __forceinline__ seat take_seat(const pass &p)
{
    seat s;
    uint32_t t = threadIdx.x, groups_log = p.levels - 3;
    bool rows_first = p.stride_log == 0;
    s.used = t < 1u << (p.columns_log + groups_log);
    s.column = rows_first ? t >> groups_log : t & ((1u << p.columns_log) - 1);
    s.group = rows_first ? t & ((1u << groups_log) - 1) : t >> p.columns_log;
    uint32_t column = (blockIdx.x << p.columns_log) + s.column;
    s.block = column >> p.stride_log;
    return s;
}

/* The first of the eight rows; the others follow at distances of 2^bit. */
__device__ __forceinline__ uint32_t first_row(const seat &s, unsigned bit)
{
    return (s.group >> bit << (bit + 3)) | (s.group & ((1u << bit) - 1));
}

/* The first of the eight rows in the tile. */
__device__ __forceinline__ uint32_t first_place(const pass &p, const seat &s, unsigned bit)
{
    uint32_t column = p.stride_log == 0 ? s.column << p.levels : s.column;
    return (first_row(s, bit) << p.row_log) + column;
}

__device__ __forceinline__ void take_rows(fr *v, const uint4 *tile, const pass &p, const seat &s, unsigned bit)
{
    if (!s.used) return;
    uint32_t e = first_place(p, s, bit), step_log = bit + p.row_log;
#pragma unroll
    for (int i = 0; i < 8; i++) v[i] = tile_load(tile, e + ((uint32_t)i << step_log));
}

__device__ __forceinline__ void leave_rows(uint4 *tile, const fr *v, const pass &p, const seat &s, unsigned bit)
{
    if (!s.used) return;
    uint32_t e = first_place(p, s, bit), step_log = bit + p.row_log;
#pragma unroll
    for (int i = 0; i < 8; i++) tile_store(tile, e + ((uint32_t)i << step_log), v[i]);
}

__device__ __forceinline__ fr *row_address(fr *x, const pass &p, const seat &s, unsigned bit)
{
    uint32_t within = ((blockIdx.x << p.columns_log) + s.column) & ((1u << p.stride_log) - 1);
    size_t row = ((size_t)s.block << p.levels) + first_row(s, bit);
    return x + (row << p.stride_log) + within;
}

__device__ __forceinline__ void load_rows(fr *v, const pass &p, const seat &s, unsigned bit)
{
    if (!s.used) return;
    const fr *at = row_address(p.x, p, s, bit);
#pragma unroll
    for (int i = 0; i < 8; i++) v[i] = load(&at[(size_t)i << (bit + p.stride_log)]);
}

__device__ __forceinline__ void store_rows(fr *x, const fr *v, const pass &p, const seat &s, unsigned bit)
{
    if (!s.used) return;
    fr *at = row_address(x, p, s, bit);
#pragma unroll
    for (int i = 0; i < 8; i++) store(&at[(size_t)i << (bit + p.stride_log)], v[i]);
}

/* Begins to copy the thread's rows of x into its places of the tile. */
__device__ __forceinline__ void fetch_rows(uint4 *tile, fr *x, const pass &p, const seat &s, unsigned bit)
{
    __syncwarp();
    if (!s.used) return;
    const fr *at = row_address(x, p, s, bit);
    uint32_t e = first_place(p, s, bit), step_log = bit + p.row_log;
#pragma unroll
    for (int i = 0; i < 8; i++) {
        const fr *from = &at[(size_t)i << (bit + p.stride_log)];
        uint4 *to = &tile[tile_place(e + ((uint32_t)i << step_log))];
        __pipeline_memcpy_async(to, from, 16);
        __pipeline_memcpy_async(to + TILE_PART, &from->l[4], 16);
    }
    __pipeline_commit();
}

/* Where the stride is 1, the eight rows of a thread in the lowest round are neighbours, and those of a warp too: it
 * copies them between memory and tile in pieces of 16 bytes. */
__device__ __forceinline__ void fetch_neighbours(uint4 *tile, const fr *x, const pass &p)
{
    uint32_t first = threadIdx.x / 32 * 512 + threadIdx.x % 32, pieces = 2u << (p.levels + p.columns_log);
    const uint4 *memory = reinterpret_cast<const uint4 *>(x + ((size_t)blockIdx.x << (p.levels + p.columns_log)));
    __syncwarp();
#pragma unroll
    for (uint32_t i = first; i < first + 512; i += 32) {
        if (i < pieces) __pipeline_memcpy_async(&tile[tile_place(i / 2) + i % 2 * TILE_PART], &memory[i], 16);
    }
    __pipeline_commit();
}

__device__ __forceinline__ void wait_for_fetch()
{
    __pipeline_wait_prior(0);
    __syncwarp();
}

__device__ __forceinline__ void store_neighbours(fr *x, const uint4 *tile, const pass &p)
{
    uint32_t first = threadIdx.x / 32 * 512 + threadIdx.x % 32, pieces = 2u << (p.levels + p.columns_log);
    uint4 *memory = reinterpret_cast<uint4 *>(x + ((size_t)blockIdx.x << (p.levels + p.columns_log))), held[16];
    __syncwarp();
#pragma unroll
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t piece = first + 32 * i;
        if (piece < pieces) held[i] = tile[tile_place(piece / 2) + piece % 2 * TILE_PART];
    }
#pragma unroll
    for (uint32_t i = 0; i < 16; i++) {
        if (first + 32 * i < pieces) memory[first + 32 * i] = held[i];
    }
}

/* ---- rounds ---- */

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

/* The three levels (those from position `from` up) of block 0: five products. */
template <bool JOIN> __device__ __forceinline__ void transform_eight(fr *v, const fr *roots, unsigned from)
{
#pragma unroll
    for (int s = 0; s < 3; s++) {
        const int position = JOIN ? s : 2 - s;
        if ((unsigned)position < from) continue;
#pragma unroll
        for (int j = 0; j < 4 >> position; j++) {
#pragma unroll
            for (int i = 0; i < 1 << position; i++) {
                fr &x = v[(j << (position + 1)) + i], &y = v[(j << (position + 1)) + i + (1 << position)];
                if (j > 0) {
                    butterfly<JOIN>(x, y, roots[j - 1]);
                } else {
                    fr t = sub(x, y);
                    x = add(x, y);
                    y = t;
                }
            }
        }
    }
}

/* A polynomial modulo x^8 − c(b)^2 becomes one modulo z^8 − 1 by x = c(4b)·z: its coefficients are multiplied by the
 * factors c(4b)^i, seven products, and the levels below are those of block 0, five products: twelve, as many as by
 * butterflies with the block's own constants. The same with rows for coefficients; with the `from` lowest bits of i
 * cleared where a round has fewer levels.
 *
 * What is gained: block 0 needs no factors, and factors can bring others along. In a pass below the first one, those
 * of the highest round bring u^(row mod 8), u = c(b·2^(levels − 1)), b the pass's block; that substitution makes the
 * lowest round's blocks those below block 0, whose factors come from a small table. By themselves they would be seven
 * for eight elements, in the last pass of a large transform one product each; those of the rounds above it are 128
 * for 512 elements, staged by the thread block beforehand. */
struct factors {
    const fr *at; /* at[(i >> fold)·step] */
    unsigned fold, step;
    bool any, all; /* all: that of i = 0 is not 1 */
};

/* Staged factors for each block of the tile: 64 >> fold of the highest round, i >> fold and row mod 8; in a pass of
 * three rounds as many of the middle one, i and the number of the round's block below the pass's. */
__device__ __forceinline__ unsigned staged_log(const pass &p) { return p.levels > 6 ? p.levels - 2 : 6; }

__device__ __forceinline__ fr staged_factor(const pass &p, uint32_t block, uint32_t place)
{
    uint32_t middle = p.levels > 6 ? 1u << (p.levels - 3) : 64;
    if (place >= middle) {
        uint32_t i = (place - middle) >> (p.levels - 6), below = place & ((1u << (p.levels - 6)) - 1);
        return power_at(p.c, ((block << (p.levels - 6)) + below) << 2, i);
    }
    uint32_t i = p.levels > 6 ? place >> 3 << (3 * p.top - p.top_bit) : place >> 3;
    uint32_t row = (i << (p.levels - 3)) + (place & 7);
    return power_at(p.c, block << (p.levels - 1), (row >> 3 * p.top << 3 * p.top) + (row & 7));
}

__device__ __forceinline__ void stage_factors(fr *staged, const pass &p)
{
    unsigned each_log = staged_log(p), blocks_log = p.stride_log == 0 ? p.columns_log : 0;
    uint32_t first = (blockIdx.x << p.columns_log >> p.stride_log) + p.offset;
    for (uint32_t i = threadIdx.x; i < 1u << (each_log + blocks_log); i += THREADS)
        store(&staged[i], staged_factor(p, first + (i >> each_log), i & ((1u << each_log) - 1)));
}

__device__ __forceinline__ factors round_factors(const fr *staged, const pass &p, const seat &s, unsigned number)
{
    round_shape r = round_at(p, number);
    uint32_t below = s.group >> r.bit;
    if (p.first == 0 || number == 0) {
        uint32_t b = p.first == 0 ? (p.offset << (p.levels - 3 - r.bit)) + below : below;
        return { p.c.powers + b, r.from, (unsigned)POWERS << r.from, number < p.top || p.offset != 0, false };
    }
    if (p.stride_log == 0) staged += s.column << staged_log(p);
    if (number < p.top) {
        return { staged + (1u << (p.levels - 3)) + below, 0, 1u << (p.levels - 6), true, false };
    }
    return { staged + (s.group & 7), p.levels > 6 ? r.from : 0, 8, true, true };
}

__device__ __forceinline__ void multiply_eight(fr *v, const factors &f)
{
    if (!f.any) return;
    if (f.all) v[0] = mul(v[0], load(f.at));
#pragma unroll
    for (unsigned i = 1; i < 8; i++) v[i] = mul(v[i], load(&f.at[(i >> f.fold) * f.step]));
}

/* Between the lowest two of three rounds elements change hands within a warp, if it holds all columns of its rows. */
__device__ __forceinline__ void wait_for_tile(const pass &p, unsigned lower, bool local)
{
    if (local && lower == 0 && p.levels > 6 && (p.stride_log == 0 || p.columns_log <= 2))
        __syncwarp();
    else
        __syncthreads();
}

/* All rounds of a pass. The thread comes with its elements of the first round and leaves with those of the last one.
 * Joining, other threads' staged factors are read after the first round. `fetch`: y's rows are in the thread's places
 * of the tile afterwards, after a wait. */
template <bool JOIN, bool FETCH>
__device__ __forceinline__ void run_rounds(fr *v, uint4 *tile, const fr *staged, const pass &p, const seat &s)
{
    const unsigned first = JOIN ? 0 : p.top, last = JOIN ? p.top : 0;
#pragma unroll 1
    for (unsigned number = first;; number = JOIN ? number + 1 : number - 1) {
        round_shape r = round_at(p, number);
        if (number != first) take_rows(v, tile, p, s, r.bit);
        if (FETCH && number == last) fetch_rows(tile, p.y, p, s, r.bit);
        if (s.used) {
            if (JOIN) transform_eight<true>(v, p.c.roots, r.from);
            multiply_eight(v, round_factors(staged, p, s, number));
            if (!JOIN) transform_eight<false>(v, p.c.roots, r.from);
            if (number != last) leave_rows(tile, v, p, s, r.bit);
        }
        if (number == last) break;
        wait_for_tile(p, JOIN ? number : number - 1, !JOIN || p.first == 0);
    }
}

/* The elements of y come to the places of the thread's own. */
__device__ __forceinline__ void multiply_by(fr *v, uint4 *tile, const fr *y, const pass &p, const seat &s)
{
    fetch_neighbours(tile, y, p);
    wait_for_fetch();
    if (!s.used) return;
    uint32_t e = first_place(p, s, 0);
#pragma unroll
    for (int i = 0; i < 8; i++) v[i] = mul(v[i], tile_load(tile, e + i));
}

template <bool JOIN>
__global__ void __launch_bounds__(THREADS, 512 / THREADS) run_pass(const __grid_constant__ pass p)
{
    extern __shared__ uint4 tile[];
    fr *staged = reinterpret_cast<fr *>(tile + 2 * TILE_PART), v[8];
    const bool by_tile = p.stride_log == 0;
    seat s = take_seat(p);
    if (JOIN && by_tile)
        fetch_neighbours(tile, p.x, p);
    else
        load_rows(v, p, s, JOIN ? 0 : p.top_bit);
    if (p.first != 0) stage_factors(staged, p);
    if (JOIN && by_tile) {
        wait_for_fetch();
        take_rows(v, tile, p, s, 0);
        if (p.y) multiply_by(v, tile, p.y, p, s);
    }
    if (!JOIN && p.first != 0) __syncthreads();
    run_rounds<JOIN, false>(v, tile, staged, p, s);
    if (JOIN || !by_tile) {
        store_rows(p.x, v, p, s, JOIN ? p.top_bit : 0);
    } else {
        leave_rows(tile, v, p, s, 0);
        store_neighbours(p.x, tile, p);
    }
}

/* The end of x's interpolation and y ← factor_y·y + factor_x·x: first pass, stride > 1. */
__global__ void __launch_bounds__(THREADS, 512 / THREADS)
    finish_first(const __grid_constant__ pass p, const fr factor_x, const fr factor_y)
{
    extern __shared__ uint4 tile[];
    fr v[8];
    seat s = take_seat(p);
    load_rows(v, p, s, 0);
    run_rounds<true, true>(v, tile, nullptr, p, s);
    wait_for_fetch();
    if (s.used) {
        uint32_t e = first_place(p, s, p.top_bit), step_log = p.top_bit + p.row_log;
#pragma unroll
        for (int i = 0; i < 8; i++) {
            fr y = tile_load(tile, e + ((uint32_t)i << step_log));
            v[i] = add(mul(v[i], factor_x), mul(y, factor_y));
        }
    }
    store_rows(p.y, v, p, s, p.top_bit);
}

/* Domains of less than eight elements: one thread. */
template <bool JOIN> __global__ void run_small(fr *x, constants c, unsigned k, uint32_t twisted)
{
    for (unsigned i = 0; i < k; i++) {
        unsigned level = JOIN ? k - 1 - i : i;
        uint32_t n = 1u << (k - 1 - level);
        for (uint32_t b = 0; b < 1u << level; b++) {
            fr f = constant_at(c, b + (twisted << level));
            for (uint32_t j = 0; j < n; j++) butterfly<JOIN>(x[2 * n * b + j], x[2 * n * b + n + j], f);
        }
    }
}

enum { TILE_BYTES = 2 * TILE_PART * sizeof(uint4), STAGED_BYTES = STAGED * sizeof(fr) };

static unsigned pass_count(unsigned k) { return (k + PASS_LOG - 1) / PASS_LOG; }

static constants constants_of(const ntt_tables *t, bool inverse)
{
    constants c = { t->memory + inverse * TABLE_SIZE };
    c.high = c.low + TABLE;
    c.powers = c.high + HIGH;
    memcpy(c.roots, t->roots[inverse], sizeof c.roots);
    return c;
}

static pass pass_at(fr *x, unsigned k, unsigned number, bool twisted, const constants &c)
{
    unsigned passes = pass_count(k);
    pass p = { x, NULL, c };
    p.first = k * number / passes;
    p.levels = k * (number + 1) / passes - p.first;
    p.stride_log = k - p.first - p.levels;
    p.columns_log = TILE_LOG - p.levels < k - p.levels ? TILE_LOG - p.levels : k - p.levels;
    if (p.stride_log == 0 && p.levels <= 6 && p.columns_log > 2) p.columns_log = 2; /* for STAGED */
    p.row_log = p.stride_log == 0 ? 0 : p.columns_log;
    p.top = (p.levels - 1) / 3;
    p.top_bit = p.levels - 3;
    p.offset = twisted ? 1u << p.first : 0;
    return p;
}

static unsigned tiles_of(const pass *p) { return 1u << (p->first + p->stride_log - p->columns_log); }

/* The passes [begin, end), in the direction's order. `y`: NULL, or what x is multiplied by before it is
 * interpolated. */
template <bool JOIN>
static cuzk_status run_passes(fr *x, fr *y, unsigned k, bool twisted, unsigned begin, unsigned end,
                              const ntt_tables *t, struct context *c, cuzk_error *err)
{
    for (unsigned i = begin; i < end; i++) {
        pass p = pass_at(x, k, JOIN ? begin + end - 1 - i : i, twisted, constants_of(t, JOIN));
        if (p.stride_log == 0) p.y = y;
        run_pass<JOIN><<<tiles_of(&p), THREADS, TILE_BYTES + STAGED_BYTES, c->stream>>>(p);
        TRY_LAUNCH();
    }
    return CUZK_OK;
}

template <bool JOIN>
static cuzk_status transform(fr *x, unsigned k, bool twisted, const ntt_tables *t, struct context *c, cuzk_error *err)
{
    if (k >= 3) return run_passes<JOIN>(x, NULL, k, twisted, 0, pass_count(k), t, c, err);
    run_small<JOIN><<<1, 1, 0, c->stream>>>(x, constants_of(t, JOIN), k, twisted);
    TRY_LAUNCH();
    return CUZK_OK;
}

/* 7^((r − 1)/2^32), of order 2^32 (math/ntt.c), in Montgomery form */
static const fr ROOT = { { 0x5f0e466a, 0xb9b58d8c, 0x1819d7ec, 0x5b1b4c80, 0x52a31e64, 0x0af53ae3, 0x19e9b27b,
                           0x5bf3adda } };

/* The generator of the subgroup of order 2^k, or its inverse. */
static fr root_of_unity(unsigned k, bool inverse)
{
    fr root = ROOT, power = fr_one();
    for (unsigned i = k; i < 32; i++) root = mul(root, root);
    if (!inverse) return root;
    for (unsigned i = 0; i < k; i++) { /* root^(2^k − 1) */
        power = mul(power, root);
        root = mul(root, root);
    }
    return power;
}

/* table[b] = c(b·2^shift), b < 2^log: c(2^s) is a root of unity of order 2^(s + 2). */
static cuzk_status fill_table(fr *table, unsigned log, unsigned shift, bool inverse, struct context *c,
                              cuzk_error *err)
{
    fr one = fr_one();
    TRY(cudaMemcpyAsync(table, &one, sizeof one, cudaMemcpyHostToDevice, c->stream));
    for (unsigned s = 0; s < log && s + shift + 2 <= 32; s++) {
        uint32_t half = 1u << s;
        extend_table<<<(half + 255) / 256, 256, 0, c->stream>>>(table, half, root_of_unity(s + shift + 2, inverse));
        TRY_LAUNCH();
    }
    return CUZK_OK;
}

cuzk_status ntt_tables_create(ntt_tables *out, struct context *c, cuzk_error *err)
{
    void *memory;
    out->memory = NULL;
    TRY_STATUS(context_allocate(&memory, c, 2 * TABLE_SIZE * sizeof(fr), "the transforms' tables", err));
    out->memory = (fr *)memory;
    for (int inverse = 0; inverse < 2; inverse++) {
        fr *low = out->memory + inverse * TABLE_SIZE;
        fr roots[3] = { root_of_unity(2, inverse), root_of_unity(3, inverse) };
        roots[2] = mul(roots[0], roots[1]);
        memcpy(out->roots[inverse], roots, sizeof roots);
        TRY_STATUS(fill_table(low, NTT_TABLE_LOG, 0, inverse, c, err));
        TRY_STATUS(fill_table(low + TABLE, HIGH_LOG, NTT_TABLE_LOG, inverse, c, err));
        fill_powers<<<8 * POWERS / 256, 256, 0, c->stream>>>(low + TABLE + HIGH, constants{ low, low + TABLE });
        TRY_LAUNCH();
    }
    return context_wait(c, err);
}

void ntt_tables_release(ntt_tables *t, struct context *c)
{
    context_free(c, t->memory, 2 * TABLE_SIZE * sizeof(fr));
    t->memory = NULL;
}

cuzk_status ntt_device_evaluate(fr *x, unsigned k, bool twisted, const ntt_tables *t, struct context *c,
                                cuzk_error *err)
{
    return transform<false>(x, k, twisted, t, c, err);
}

cuzk_status ntt_device_interpolate(fr *x, unsigned k, bool twisted, const ntt_tables *t, struct context *c,
                                   cuzk_error *err)
{
    return transform<true>(x, k, twisted, t, c, err);
}

__global__ void bit_reverse(fr *out, const fr *in, unsigned k)
{
    uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >> k) return;
    out[i] = in[k == 0 ? 0 : __brevll(i) >> (64 - k)];
}

static unsigned blocks_for(size_t n) { return (unsigned)((n + 255) / 256); }

cuzk_status ntt_device_bit_reverse(fr *out, const fr *in, unsigned k, struct context *c, cuzk_error *err)
{
    bit_reverse<<<blocks_for((size_t)1 << k), 256, 0, c->stream>>>(out, in, k);
    TRY_LAUNCH();
    return CUZK_OK;
}

enum { SCALE_RUN = 32 };

/* Each thread scales SCALE_RUN neighbours. */
__global__ void scale_powers(fr *x, size_t n, fr first, fr ratio)
{
    size_t i = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * SCALE_RUN;
    fr factor = first, square = ratio;
    for (size_t e = i; e != 0; e >>= 1) {
        if (e & 1) factor = mul(factor, square);
        square = mul(square, square);
    }
    for (size_t j = i; j < n && j < i + SCALE_RUN; j++) {
        x[j] = mul(x[j], factor);
        factor = mul(factor, ratio);
    }
}

cuzk_status ntt_device_scale(fr *x, size_t n, const void *first, const void *ratio, struct context *c,
                             cuzk_error *err)
{
    fr f, r;
    memcpy(&f, first, sizeof f);
    memcpy(&r, ratio, sizeof r);
    scale_powers<<<blocks_for((n + SCALE_RUN - 1) / SCALE_RUN), 256, 0, c->stream>>>(x, n, f, r);
    TRY_LAUNCH();
    return CUZK_OK;
}

__global__ void multiply_all(fr *a, const fr *b, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = mul(a[i], b[i]);
}

cuzk_status vector_multiply(fr *a, const fr *b, size_t n, struct context *c, cuzk_error *err)
{
    multiply_all<<<blocks_for(n), 256, 0, c->stream>>>(a, b, n);
    TRY_LAUNCH();
    return CUZK_OK;
}

__global__ void combine_all(fr *a, const fr *b, size_t n, fr factor_a, fr factor_b)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = add(mul(a[i], factor_a), mul(b[i], factor_b));
}

cuzk_status quotient_device_product(fr *a, fr *b, unsigned k, const ntt_tables *t, struct context *c, cuzk_error *err)
{
    TRY_STATUS(transform<true>(a, k, false, t, c, err));
    TRY_STATUS(transform<false>(a, k, true, t, c, err));
    TRY_STATUS(transform<true>(b, k, false, t, c, err));
    TRY_STATUS(transform<false>(b, k, true, t, c, err));
    if (k >= 3) return run_passes<true>(a, b, k, true, 0, pass_count(k), t, c, err);
    TRY_STATUS(vector_multiply(a, b, (size_t)1 << k, c, err));
    return transform<true>(a, k, true, t, c, err);
}

cuzk_status quotient_device_finish(fr *a, fr *b, unsigned k, const void *factor_a, const void *factor_b,
                                   const ntt_tables *t, struct context *c, cuzk_error *err)
{
    size_t n = (size_t)1 << k;
    fr fa, fb;
    memcpy(&fa, factor_a, sizeof fa);
    memcpy(&fb, factor_b, sizeof fb);
    if (k <= PASS_LOG) {
        TRY_STATUS(transform<true>(b, k, false, t, c, err));
        combine_all<<<blocks_for(n), 256, 0, c->stream>>>(a, b, n, fa, fb);
        TRY_LAUNCH();
        return CUZK_OK;
    }
    TRY_STATUS(run_passes<true>(b, NULL, k, false, 1, pass_count(k), t, c, err));
    pass p = pass_at(b, k, 0, false, constants_of(t, true));
    p.y = a;
    finish_first<<<tiles_of(&p), THREADS, TILE_BYTES, c->stream>>>(p, fb, fa);
    TRY_LAUNCH();
    return CUZK_OK;
}
