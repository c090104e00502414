/* sums.h for one group; sums_g1.cu and sums_g2.cu instantiate it. */
#ifndef CUZK_CUDA_SUMS_CUH
#define CUZK_CUDA_SUMS_CUH

#include "backend/cuda/memory.cuh"
#include "backend/cuda/pairs.h"
#include "backend/cuda/point.cuh"
#include "backend/cuda/runs.cuh"
#include "backend/cuda/sums.h"

enum {
    SUM_THREADS = 64, /* small blocks: registers decide how many threads run, and fewer go unused */
    TERM_THREADS = 128,
    TERM_LOG = 9, /* places of a window that are left to sum_terms: rounds of so few pairs are bound by latency */
};

static unsigned sum_blocks(size_t n) { return (unsigned)((n + SUM_THREADS - 1) / SUM_THREADS); }

template <class F> __device__ __forceinline__ affine<F> load_entry(const point_view &points, uint32_t value)
{
    size_t at = (size_t)(value & 0x7fffffff) * points.step;
    affine<F> p = { load((const F *)points.x + at), load((const F *)points.y + at) };
    if (value >> 31) p.y = neg(p.y);
    return p;
}

/* What round 0 does not add: a bucket's odd last entry goes to its place as it is, an empty bucket is infinity. Six
 * threads have a bucket, and write a third of x or of y each. */
template <class F>
__global__ void settle_singles(F *x, F *y, const point_view points, const uint32_t *values, const runs r)
{
    constexpr unsigned PIECES = sizeof(F) / 16, EACH = PIECES / 3;
    uint64_t thread = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t bucket = (uint32_t)(thread / 6), part = (uint32_t)(thread % 6), place, entry;
    if (bucket >= r.buckets || !run_single(&place, &entry, r, bucket)) return;
    F value;
    set_zero(value);
    if (r.begin[bucket] != r.end[bucket]) {
        uint32_t number = values[entry];
        size_t at = (size_t)(number & 0x7fffffff) * points.step;
        value = load((const F *)(part < 3 ? points.x : points.y) + at);
        if (part >= 3 && number >> 31) value = neg(value);
    }
    uint4 *to = reinterpret_cast<uint4 *>((part < 3 ? x : y) + place);
#pragma unroll
    for (unsigned i = 0; i < PIECES; i++) {
        if (i / EACH == part % 3) to[i] = reinterpret_cast<const uint4 *>(&value)[i];
    }
}

/* Points of 2^log places each are windows after `rounds` rounds of the reduction; block (i, w) adds up term i of
 * window w: i = 0 is the sum of its buckets, i > 0 that of those with bit i − 1. Windows have `bits` terms, those
 * from number `narrow` on one less. */
template <class F>
__global__ void __launch_bounds__(TERM_THREADS)
    sum_terms(xyzz<F> *out, const F *x, const F *y, unsigned log, unsigned rounds, unsigned bits, unsigned narrow)
{
    __shared__ uint4 space[TERM_THREADS / 2 * sizeof(xyzz<F>) / sizeof(uint4)];
    xyzz<F> *shared = reinterpret_cast<xyzz<F> *>(space), sum = infinity<F>();
    unsigned i = blockIdx.x, w = blockIdx.y, bit = i > rounds ? i - 1 - rounds : 32;
    if (i >= bits - (w >= narrow)) return;
    size_t first = ((size_t)w << log) + (i > 0 && i <= rounds ? (size_t)1 << (i - 1) : 0);
    for (uint32_t q = threadIdx.x; q < 1u << (log - rounds); q += TERM_THREADS) {
        size_t place = first + ((size_t)q << rounds);
        if (bit == 32 || q >> bit & 1) add_affine(sum, affine<F>{ load(&x[place]), load(&y[place]) });
    }
    for (uint32_t half = TERM_THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x >= half && threadIdx.x < 2 * half) store(&shared[threadIdx.x - half], sum);
        __syncthreads();
        if (threadIdx.x < half) add_xyzz(sum, load(&shared[threadIdx.x]));
        __syncthreads();
    }
    if (threadIdx.x == 0) store(&out[w * bits - (w > narrow ? w - narrow : 0) + i], sum);
}

/* Each row of `length` points becomes gridDim.x points: block x of row y adds its share. */
template <class F>
__global__ void __launch_bounds__(SUM_THREADS) sum_rows(xyzz<F> *out, const xyzz<F> *in, uint32_t length)
{
    __shared__ uint4 space[SUM_THREADS / 2 * sizeof(xyzz<F>) / sizeof(uint4)];
    xyzz<F> *shared = reinterpret_cast<xyzz<F> *>(space), sum = infinity<F>();
    const xyzz<F> *row = in + (size_t)blockIdx.y * length;
    for (uint32_t i = blockIdx.x * SUM_THREADS + threadIdx.x; i < length; i += gridDim.x * SUM_THREADS) {
        add_xyzz(sum, load(&row[i]));
    }
    for (uint32_t half = SUM_THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x >= half && threadIdx.x < 2 * half) store(&shared[threadIdx.x - half], sum);
        __syncthreads();
        if (threadIdx.x < half) add_xyzz(sum, load(&shared[threadIdx.x]));
        __syncthreads();
    }
    if (threadIdx.x == 0) store(&out[blockIdx.y * gridDim.x + blockIdx.x], sum);
}

/* out[t] = the sum of the listed points t, t + threads, … */
template <class F>
__global__ void __launch_bounds__(SUM_THREADS)
    sum_listed(xyzz<F> *out, const point_view points, const uint32_t *numbers, const uint32_t *count)
{
    uint32_t t = blockIdx.x * SUM_THREADS + threadIdx.x, n = *count, threads = gridDim.x * SUM_THREADS;
    xyzz<F> sum = infinity<F>();
    for (uint64_t i = t; i < n; i += threads) {
        add_affine(sum, load_entry<F>(points, numbers ? numbers[i] : (uint32_t)i));
    }
    store(&out[t], sum);
}

/* rows × length points in `from` → rows points in `to`; `spare` has room for rows·length/MSM_ROW_SPAN + rows. */
template <class F>
static cuzk_status sum_all_rows(xyzz<F> *to, const xyzz<F> *from, xyzz<F> *spare, uint32_t rows, uint32_t length,
                                struct context *c, cuzk_error *err)
{
    uint32_t parts = (length + SUM_THREADS * MSM_ROW_SPAN - 1) / (SUM_THREADS * MSM_ROW_SPAN);
    if (parts > 1) {
        sum_rows<<<dim3(parts, rows), SUM_THREADS, 0, c->stream>>>(spare, from, length);
        TRY_LAUNCH();
        from = spare;
        length = parts;
    }
    sum_rows<<<dim3(1, rows), SUM_THREADS, 0, c->stream>>>(to, from, length);
    TRY_LAUNCH();
    return CUZK_OK;
}

static inline cuzk_status add_pairs(fp, void *to, size_t capacity, const point_view *from, const pair_list *list,
                                    pair_space *s, struct context *c, cuzk_error *err)
{
    return pairs_add_g1(to, capacity, from, list, s, c, err);
}

static inline cuzk_status add_pairs(fp2, void *to, size_t capacity, const point_view *from, const pair_list *list,
                                    pair_space *s, struct context *c, cuzk_error *err)
{
    return pairs_add_g2(to, capacity, from, list, s, c, err);
}

static inline cuzk_status halve_list(fp, point_list *list, unsigned rounds, halving_space *s, struct context *c,
                                     cuzk_error *err)
{
    return halve_g1(list, rounds, s, c, err);
}

static inline cuzk_status halve_list(fp2, point_list *list, unsigned rounds, halving_space *s, struct context *c,
                                     cuzk_error *err)
{
    return halve_g2(list, rounds, s, c, err);
}

template <class F> struct msm_space {
    bucket_entries entries;
    run_space runs;
    pair_space pairs;
    F *x; /* `places` x, then as many y */
    size_t places;
    xyzz<F> *terms;
};

template <class F>
static cuzk_status take_space(msm_space<F> *s, const msm_plan *p, struct context *c, cuzk_error *err)
{
    size_t entries = p->n * p->batch, buckets = msm_buckets(p);
    s->places = run_places(entries, buckets);
    TRY_STATUS(buckets_take(&s->entries, p, c, err));
    TRY_STATUS(run_space_take(&s->runs, entries, buckets, c, err));
    TRY_STATUS(pair_space_take(&s->pairs, sizeof(F), run_most_pairs(entries, buckets), c, err));
    TRY_TAKE(s->x, 2 * s->places, "buckets");
    TRY_TAKE(s->terms, MSM_TERMS, "terms of windows");
    return CUZK_OK;
}

/* The batch's sorted entries → buckets, in the first places. */
template <class F>
static cuzk_status fill_buckets(msm_space<F> *s, const point_view *points, size_t n, size_t entries, size_t buckets,
                                struct context *c, cuzk_error *err)
{
    const point_view places = points_apart(s->x, s->places, sizeof(F));
    TRY_STATUS(runs_find(&s->runs, &s->entries, entries, buckets, c, err));
    const runs r = { s->runs.begin, s->runs.end, s->runs.before, (uint32_t)buckets };
    settle_singles<<<sum_blocks(6 * buckets), SUM_THREADS, 0, c->stream>>>(s->x, s->x + s->places, *points,
                                                                           s->entries.values, r);
    TRY_LAUNCH();
    unsigned rounds = run_rounds(n); /* a window has one entry of each scalar */
    for (unsigned round = 0; round < rounds; round++) {
        pair_list list;
        TRY_STATUS(runs_list(&list, &s->runs, &s->entries, round, c, err));
        TRY_STATUS(add_pairs(F(), s->x, s->places, round == 0 ? points : &places, &list, &s->pairs, c, err));
    }
    return CUZK_OK;
}

/* Buckets of `count` windows, 2^log each → the batch's terms, from s->terms on. */
template <class F>
static cuzk_status reduce_buckets(msm_space<F> *s, const msm_plan *p, unsigned first, unsigned count, unsigned log,
                                  struct context *c, cuzk_error *err)
{
    const point_view places = points_apart(s->x, s->places, sizeof(F));
    unsigned rounds = log > TERM_LOG ? log - TERM_LOG : 0;
    for (unsigned t = 0; t < rounds; t++) {
        pair_list list;
        TRY_STATUS(runs_reduction(&list, &s->runs, t, c, err));
        TRY_STATUS(add_pairs(F(), s->x, s->places, &places, &list, &s->pairs, c, err));
    }
    unsigned wide = p->wide > first ? p->wide - first : count; /* a batch of narrow windows is of one width too */
    sum_terms<<<dim3(log + 1, count), TERM_THREADS, 0, c->stream>>>(s->terms, s->x, s->x + s->places, log, rounds,
                                                                    log + 1, wide);
    TRY_LAUNCH();
    return CUZK_OK;
}

template <class F>
static cuzk_status msm(xyzz<F> *terms_out, const msm_plan *p, const affine<F> *points, const uint32_t *numbers,
                       fr *scalars, bool montgomery, struct context *c, cuzk_error *err)
{
    msm_space<F> s;
    size_t mark = context_mark(c);
    const point_view view = points_in_turns(points, sizeof(F));
    TRY_STATUS(take_space(&s, p, c, err));
    TRY_STATUS(buckets_prepare(scalars, montgomery, p, c, err));
    for (unsigned first = 0, count; first < p->windows; first += count) {
        unsigned log = msm_window_bits(p, first) - 1, start = msm_window_start(p, first);
        count = msm_batch(p, first);
        TRY_STATUS(buckets_sort(&s.entries, scalars, numbers, first, count, p, c, err));
        TRY_STATUS(fill_buckets(&s, &view, p->n, p->n * count, (size_t)count << log, c, err));
        TRY_STATUS(reduce_buckets(&s, p, first, count, log, c, err));
        unsigned terms = msm_window_start(p, first + count) - start;
        TRY(cudaMemcpyAsync(terms_out + start, s.terms, terms * sizeof(xyzz<F>), cudaMemcpyDeviceToHost, c->stream));
    }
    context_release(c, mark);
    return CUZK_OK;
}

/* Thread blocks of sum_listed: what the device runs at once. */
static inline unsigned listed_blocks(const struct context *c) { return (unsigned)c->multiprocessors * 5; }

template <class F>
static cuzk_status listed(xyzz<F> *out, const affine<F> *points, const uint32_t *numbers, const uint32_t *count,
                          size_t most, struct context *c, cuzk_error *err)
{
    xyzz<F> *parts, *spare, *sum;
    size_t mark = context_mark(c);
    uint32_t threads = listed_blocks(c) * SUM_THREADS;
    TRY_TAKE(parts, threads, "partial sums");
    TRY_TAKE(spare, threads / MSM_ROW_SPAN + 1, "partial sums");
    TRY_TAKE(sum, 1, "a sum");
    point_list list = { points_in_turns(points, sizeof(F)), numbers, count, most };
    unsigned rounds = halving_rounds(most);
    if (rounds != 0 && halving_space_bytes(sizeof(F), most) <= c->arena.size - c->arena.used) {
        halving_space space;
        TRY_STATUS(halving_space_take(&space, sizeof(F), most, c, err));
        TRY_STATUS(halve_list(F(), &list, rounds, &space, c, err));
    }
    sum_listed<<<listed_blocks(c), SUM_THREADS, 0, c->stream>>>(parts, list.points, list.numbers,
                                                                list.count);
    TRY_LAUNCH();
    TRY_STATUS(sum_all_rows(sum, parts, spare, 1, threads, c, err));
    TRY(cudaMemcpyAsync(out, sum, sizeof *sum, cudaMemcpyDeviceToHost, c->stream));
    context_release(c, mark);
    return CUZK_OK;
}

/* The entries that sums.c calls. */
#define SUMS_INSTANCE(suffix, F)                                                                                     \
    cuzk_status msm_##suffix(void *terms_out,   const struct msm_plan *p, const void *points,                        \
                             const uint32_t *numbers, struct fr *scalars, bool montgomery, struct context *c,        \
                             cuzk_error *err)                                                                        \
    {                                                                                                                \
        return msm((xyzz<F> *)terms_out, p, (const affine<F> *)points, numbers, scalars, montgomery, c, err);      \
    }                                                                                                                \
    cuzk_status listed_##suffix(void *out, const void *points, const uint32_t *numbers, const uint32_t *count,       \
                                size_t most, struct context *c, cuzk_error *err)                                     \
    {                                                                                                                \
        return listed((xyzz<F> *)out, (const affine<F> *)points, numbers, count, most, c, err);                      \
    }

#endif
