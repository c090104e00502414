#include "backend/cuda/ntt.h"

#include "backend/cuda/fr.cuh"

#include <string.h>

/* Tables, forward and inverse alike: low[b] = c(b) for b < 2^NTT_TABLE_LOG, high[h] = c(h·2^NTT_TABLE_LOG).
 * c(h·2^q + l) = c(h·2^q)·c(l), and the inverses are multiplicative in the same way. */
enum {
    TABLE = 1 << NTT_TABLE_LOG,
    HIGH_LOG = NTT_MAX_DOMAIN_LOG - NTT_TABLE_LOG,
    HIGH = 1 << HIGH_LOG,
    TABLE_TOTAL = 2 * (TABLE + HIGH),
    PASS_LOG = 9,
    TILE_LOG = 10,
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

/* The three levels (those from position `from` up) of one round on a thread's eight elements, which differ in the
 * row bits bit, bit + 1, bit + 2. Level t works on row bit levels − 1 − t. `row` has these three bits zero.
 * `staged` holds the constants of the tile's blocks, or is NULL: they are then looked up. */
template <bool JOIN, bool STAGE>
__device__ __forceinline__ void round_levels(fr *v, const pass &p, const fr *staged, uint64_t block, uint32_t row,
                                             int bit, int from)
{
#pragma unroll
    for (int s = 0; s < 3; s++) {
        const int position = JOIN ? s : 2 - s;
        if (position < from) continue;
        int level = (int)p.levels - 1 - (bit + position);
        uint32_t above = row >> (bit + position + 1);
#pragma unroll
        for (int j = 0; j < 4 >> position; j++) {
            fr c = STAGE ? staged[(1u << level) + above + j] : constant_at(p.c, (block << level) + above + j);
#pragma unroll
            for (int i = 0; i < 1 << position; i++) {
                const int low = (j << (position + 1)) + i;
                butterfly<JOIN>(v[low], v[low + (1 << position)], c);
            }
        }
    }
}

/* What a thread block works on: 2^columns_log columns of 2^levels rows. Neighbouring threads take neighbouring
 * columns, or neighbouring rows where these are neighbours in memory. */
struct tile_shape {
    uint64_t first_column;
    uint32_t row_log, column_log; /* distances in the tile: element = row << row_log | column << column_log */
};

/* One round: gather eight elements from the tile, do the levels, put them back. */
template <bool JOIN, bool STAGE>
__device__ __forceinline__ void run_round(uint4 *tile, const pass &p, const tile_shape &s, const fr *staged, int bit,
                                          int from)
{
    uint32_t t = threadIdx.x, groups_log = p.levels - 3;
    if (t < 1u << (p.columns_log + groups_log)) {
        bool rows_first = s.row_log == 0;
        uint32_t column = rows_first ? t >> groups_log : t & ((1u << p.columns_log) - 1);
        uint32_t group = rows_first ? t & ((1u << groups_log) - 1) : t >> p.columns_log;
        uint32_t row = (group >> bit << (bit + 3)) | (group & ((1u << bit) - 1));
        uint32_t at = (row << s.row_log) + (column << s.column_log), step = 1u << (bit + s.row_log);
        uint64_t block = (s.first_column + column) >> p.stride_log;
        if (STAGE) staged += (block - (s.first_column >> p.stride_log)) << groups_log;
        fr v[8];
#pragma unroll
        for (int i = 0; i < 8; i++) v[i] = tile_load(tile, at + i * step);
        round_levels<JOIN, STAGE>(v, p, staged, block + p.offset, row, bit, from);
#pragma unroll
        for (int i = 0; i < 8; i++) tile_store(tile, at + i * step, v[i]);
    }
    __syncthreads();
}

/* The constants of all levels but the last three, for each block of the tile: that of level t and sub-block j at
 * place 2^t + j. */
__device__ __forceinline__ void stage_constants(fr *staged, const pass &p, const tile_shape &s)
{
    uint32_t each_log = p.levels - 3;
    uint64_t first = s.first_column >> p.stride_log;
    uint64_t last = (s.first_column + (1u << p.columns_log) - 1) >> p.stride_log;
    for (uint32_t i = threadIdx.x; i < (uint32_t)(last - first + 1) << each_log; i += THREADS) {
        uint32_t place = i & ((1u << each_log) - 1);
        if (place == 0) continue;
        int level = 31 - __clz(place);
        uint64_t block = first + (i >> each_log) + p.offset;
        staged[i] = constant_at(p.c, (block << level) + (place ^ (1u << level)));
    }
}

/* Copies the tile in or out. */
template <bool IN> __device__ __forceinline__ void move_tile(uint4 *tile, const pass &p, const tile_shape &s)
{
    bool rows_first = s.row_log == 0;
    for (uint32_t e = threadIdx.x; e < 1u << (p.levels + p.columns_log); e += THREADS) {
        uint32_t column = rows_first ? e >> p.levels : e & ((1u << p.columns_log) - 1);
        uint32_t row = rows_first ? e & ((1u << p.levels) - 1) : e >> p.columns_log;
        fr *at = &p.x[element_address(p, s.first_column + column, row)];
        if (IN)
            tile_store(tile, e, *at);
        else
            *at = tile_load(tile, e);
    }
    __syncthreads();
}

template <bool JOIN> __global__ void __launch_bounds__(THREADS, 512 / THREADS) run_pass(const pass p)
{
    extern __shared__ uint4 tile[];
    fr *staged = reinterpret_cast<fr *>(tile + 2 * TILE_PLACES);
    tile_shape s = { (uint64_t)blockIdx.x << p.columns_log, p.columns_log, 0 };
    if (p.stride_log == 0) s = { s.first_column, 0, p.levels };
    stage_constants(staged, p, s);
    move_tile<true>(tile, p, s);
    /* Rounds from the lowest row bits up; the highest one may have less than three levels left. */
    int rounds = ((int)p.levels + 2) / 3;
    for (int i = 0; i < rounds; i++) {
        int round = JOIN ? i : rounds - 1 - i, bit = 3 * round, from = 0;
        if (bit + 3 > (int)p.levels) {
            from = bit + 3 - (int)p.levels;
            bit -= from;
        }
        if (round == 0)
            run_round<JOIN, false>(tile, p, s, staged, bit, 0);
        else
            run_round<JOIN, true>(tile, p, s, staged, bit, from);
    }
    move_tile<false>(tile, p, s);
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

static const size_t SHARED_BYTES = 2 * TILE_PLACES * sizeof(uint4) + STAGED * sizeof(fr);

template <bool JOIN>
static cuzk_status transform(fr *x, unsigned k, bool twisted, const ntt_tables *t, struct context *c, cuzk_error *err)
{
    const fr *low = t->memory + (JOIN ? TABLE + HIGH : 0);
    constants table = { low, low + TABLE };
    if (k < 3) {
        run_small<JOIN><<<1, 1, 0, c->stream>>>(x, table, k, twisted);
        TRY_LAUNCH();
        return CUZK_OK;
    }
    unsigned passes = (k + PASS_LOG - 1) / PASS_LOG;
    for (unsigned i = 0; i < passes; i++) {
        unsigned j = JOIN ? passes - 1 - i : i;
        pass p = { x, table };
        p.first = k * j / passes;
        p.levels = k * (j + 1) / passes - p.first;
        p.stride_log = k - p.first - p.levels;
        p.columns_log = TILE_LOG - p.levels < k - p.levels ? TILE_LOG - p.levels : k - p.levels;
        p.offset = twisted ? (uint64_t)1 << p.first : 0;
        unsigned blocks = 1u << (k - p.levels - p.columns_log);
        run_pass<JOIN><<<blocks, THREADS, SHARED_BYTES, c->stream>>>(p);
        TRY_LAUNCH();
    }
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
    TRY(cudaFuncSetAttribute(run_pass<false>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)SHARED_BYTES));
    TRY(cudaFuncSetAttribute(run_pass<true>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)SHARED_BYTES));
    TRY_STATUS(context_allocate(&memory, c, TABLE_TOTAL * sizeof(fr), "the transforms' tables", err));
    out->memory = (fr *)memory;
    for (int inverse = 0; inverse < 2; inverse++) {
        fr *low = out->memory + inverse * (TABLE + HIGH);
        TRY_STATUS(fill_table(low, NTT_TABLE_LOG, 0, inverse, c, err));
        TRY_STATUS(fill_table(low + TABLE, HIGH_LOG, NTT_TABLE_LOG, inverse, c, err));
    }
    return context_wait(c, err);
}

void ntt_tables_release(ntt_tables *t, struct context *c)
{
    context_free(c, t->memory, TABLE_TOTAL * sizeof(fr));
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
    size_t n = (size_t)1 << k;
    TRY_STATUS(transform<true>(a, k, false, t, c, err));
    TRY_STATUS(transform<false>(a, k, true, t, c, err));
    TRY_STATUS(transform<true>(b, k, false, t, c, err));
    TRY_STATUS(transform<false>(b, k, true, t, c, err));
    TRY_STATUS(vector_multiply(a, b, n, c, err));
    return transform<true>(a, k, true, t, c, err);
}

cuzk_status quotient_device_finish(fr *a, fr *b, unsigned k, const void *factor_a, const void *factor_b,
                                   const ntt_tables *t, struct context *c, cuzk_error *err)
{
    size_t n = (size_t)1 << k;
    fr fa, fb;
    memcpy(&fa, factor_a, sizeof fa);
    memcpy(&fb, factor_b, sizeof fb);
    TRY_STATUS(transform<true>(b, k, false, t, c, err));
    combine_all<<<blocks_for(n), 256, 0, c->stream>>>(a, b, n, fa, fb);
    TRY_LAUNCH();
    return CUZK_OK;
}
