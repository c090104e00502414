/* sums.h for one group; sums_g1.cu and sums_g2.cu instantiate it. */
#ifndef CUZK_CUDA_SUMS_CUH
#define CUZK_CUDA_SUMS_CUH

#include "backend/cuda/memory.cuh"
#include "backend/cuda/pairs.h"
#include "backend/cuda/point.cuh"
#include "backend/cuda/sums.h"

enum {
    SUM_THREADS = 64, /* small blocks: registers decide how many threads run, and fewer go unused */
    NO_BUCKET = 0xffffffff,
};

static unsigned sum_blocks(size_t n) { return (unsigned)((n + SUM_THREADS - 1) / SUM_THREADS); }

template <class F> __device__ __forceinline__ affine<F> load_entry(const point_view &points, uint32_t value)
{
    size_t at = (size_t)(value & 0x7fffffff) * points.step;
    affine<F> p = { load((const F *)points.x + at), load((const F *)points.y + at) };
    if (value >> 31) p.y = neg(p.y);
    return p;
}

/* What a thread has of one bucket goes to the bucket, or, if the bucket began in an earlier segment, to the
 * segment's head. */
template <class F> struct bucket_writer {
    xyzz<F> *buckets, *heads;
    uint32_t *head_keys;
};

template <class F>
__global__ void __launch_bounds__(SUM_THREADS)
    accumulate(bucket_writer<F> out, const point_view points, const uint32_t *keys, const uint32_t *values,
               const uint32_t *valid, uint32_t segment)
{
    uint32_t t = blockIdx.x * SUM_THREADS + threadIdx.x, n = *valid; /* values may be NULL: 0, 1, … */
    uint64_t begin = (uint64_t)t * segment, end = begin + segment < n ? begin + segment : n;
    if (begin >= n) {
        if (begin < (uint64_t)gridDim.x * SUM_THREADS * segment) out.head_keys[t] = NO_BUCKET;
        return;
    }
    uint32_t key = keys[begin];
    bool continued = begin > 0 && keys[begin - 1] == key;
    if (!continued) out.head_keys[t] = NO_BUCKET;
    xyzz<F> sum = infinity<F>();
    for (uint64_t i = begin;; i++) {
        if (i == end || keys[i] != key) {
            store(continued ? &out.heads[t] : &out.buckets[key], sum);
            if (continued) out.head_keys[t] = key;
            if (i == end) break;
            continued = false;
            key = keys[i];
            sum = infinity<F>();
        }
        add_affine(sum, load_entry<F>(points, values ? values[i] : (uint32_t)i));
    }
}

/* Adds runs of heads to their buckets. A run that began in an earlier segment is left as a head of the next level.
 * A bucket is written by one thread only: the one in whose segment its run begins. */
template <class F>
__global__ void __launch_bounds__(SUM_THREADS)
    join_heads(bucket_writer<F> out, const xyzz<F> *heads, const uint32_t *keys, uint32_t n)
{
    uint32_t t = blockIdx.x * SUM_THREADS + threadIdx.x, begin = t * MSM_HEAD_SEGMENT;
    if (begin >= n) return;
    uint32_t end = begin + MSM_HEAD_SEGMENT < n ? begin + MSM_HEAD_SEGMENT : n, key = keys[begin];
    bool continued = begin > 0 && key != NO_BUCKET && keys[begin - 1] == key;
    if (!continued) out.head_keys[t] = NO_BUCKET;
    xyzz<F> sum = infinity<F>();
    for (uint32_t i = begin;; i++) {
        if (i == end || keys[i] != key) {
            if (key != NO_BUCKET) {
                if (!continued) add_xyzz(sum, load(&out.buckets[key]));
                store(continued ? &out.heads[t] : &out.buckets[key], sum);
                if (continued) out.head_keys[t] = key;
            }
            if (i == end) break;
            continued = false;
            key = keys[i];
            sum = infinity<F>();
        }
        if (key != NO_BUCKET) add_xyzz(sum, load(&heads[i]));
    }
}

/* Over the run of 2^run_log buckets t: plain[t] = Σ bucket_i, weighted[t] = Σ (i + 1)·bucket_i, i from 0. */
template <class F>
__global__ void __launch_bounds__(SUM_THREADS)
    reduce_buckets(xyzz<F> *plain, xyzz<F> *weighted, const xyzz<F> *buckets, uint32_t runs, unsigned run_log)
{
    uint32_t t = blockIdx.x * SUM_THREADS + threadIdx.x;
    if (t >= runs) return;
    const xyzz<F> *first = buckets + ((size_t)t << run_log);
    xyzz<F> sum = infinity<F>();
    store(&weighted[t], sum);
    for (uint32_t i = 1u << run_log; i-- > 0;) {
        add_xyzz(sum, load(&first[i]));
        xyzz<F> total = load(&weighted[t]); /* in memory: registers do not hold three points */
        add_xyzz(total, sum);
        store(&weighted[t], total);
    }
    store(&plain[t], sum);
}

/* weighted[t] += number·plain[t], where number is that of the run's first bucket in its window of 2^window_log. */
template <class F>
__global__ void __launch_bounds__(SUM_THREADS)
    weigh_runs(xyzz<F> *weighted, const xyzz<F> *plain, uint32_t runs, unsigned run_log, unsigned window_log)
{
    uint32_t t = blockIdx.x * SUM_THREADS + threadIdx.x;
    if (t >= runs) return;
    uint32_t number = (t << run_log) & ((1u << window_log) - 1);
    xyzz<F> sum = infinity<F>();
    for (int bit = 31 - __clz(number | 1); bit >= -1; bit--) {
        if (bit >= 0) double_xyzz(sum);
        if (bit < 0 || number >> bit & 1) add_xyzz(sum, load(bit < 0 ? &weighted[t] : &plain[t]));
    }
    store(&weighted[t], sum);
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

template <class F> struct msm_space {
    bucket_entries entries;
    xyzz<F> *buckets, *heads, *plain, *weighted, *spare, *windows;
    uint32_t *head_keys;
    size_t head_capacity;
    pair_space pairs;
};

static inline cuzk_status run_pairs(fp, struct point_list *list, size_t runs, unsigned rounds, pair_space *s,
                                    struct context *c, cuzk_error *err)
{
    return pairs_g1(list, runs, rounds, s, c, err);
}

static inline cuzk_status run_pairs(fp2, struct point_list *list, size_t runs, unsigned rounds, pair_space *s,
                                    struct context *c, cuzk_error *err)
{
    return pairs_g2(list, runs, rounds, s, c, err);
}

template <class F>
static cuzk_status take_space(msm_space<F> *s, const msm_plan *p, struct context *c, cuzk_error *err)
{
    TRY_STATUS(buckets_take(&s->entries, p, c, err));
    s->head_capacity = msm_heads(s->entries.capacity);
    TRY_TAKE(s->buckets, msm_buckets(p), "buckets");
    TRY_TAKE(s->heads, s->head_capacity, "heads of segments");
    TRY_TAKE(s->head_keys, s->head_capacity, "heads of segments");
    TRY_TAKE(s->plain, MSM_MAX_RUNS, "runs of buckets");
    TRY_TAKE(s->weighted, MSM_MAX_RUNS, "runs of buckets");
    TRY_TAKE(s->spare, MSM_MAX_RUNS / MSM_ROW_SPAN + MSM_MAX_WINDOWS, "parts of windows");
    TRY_TAKE(s->windows, MSM_MAX_WINDOWS, "windows");
    if (p->rounds == 0) return CUZK_OK;
    return pair_space_take(&s->pairs, sizeof(F), s->entries.capacity, msm_buckets(p), true, c, err);
}

/* A list ordered by bucket → buckets. */
template <class F>
static cuzk_status fill_buckets(msm_space<F> *s, const point_list *list, size_t buckets, struct context *c,
                                cuzk_error *err)
{
    size_t segment = (list->most + MSM_MAX_SEGMENTS - 1) / MSM_MAX_SEGMENTS;
    if (segment < MSM_MIN_SEGMENT) segment = MSM_MIN_SEGMENT;
    size_t n = (list->most + segment - 1) / segment;
    bucket_writer<F> out = { s->buckets, s->heads, s->head_keys };
    TRY(cudaMemsetAsync(s->buckets, 0, buckets * sizeof(xyzz<F>), c->stream));
    TRY(cudaMemsetAsync(s->head_keys, 0xff, s->head_capacity * sizeof(uint32_t), c->stream));
    accumulate<<<sum_blocks(n), SUM_THREADS, 0, c->stream>>>(out, list->points, list->keys,
                                                             list->numbers, list->count, (uint32_t)segment);
    TRY_LAUNCH();
    while (n > 1) {
        const xyzz<F> *heads = out.heads;
        const uint32_t *keys = out.head_keys;
        size_t next = (n + MSM_HEAD_SEGMENT - 1) / MSM_HEAD_SEGMENT;
        out.heads += n;
        out.head_keys += n;
        join_heads<<<sum_blocks(next), SUM_THREADS, 0, c->stream>>>(out, heads, keys, (uint32_t)n);
        TRY_LAUNCH();
        n = next;
    }
    return CUZK_OK;
}

/* Buckets of `count` windows of `bits` bits → s->windows[0 … count). */
template <class F>
static cuzk_status reduce_windows(msm_space<F> *s, unsigned count, unsigned bits, struct context *c, cuzk_error *err)
{
    unsigned window_log = bits - 1, run_log = 0;
    while (((size_t)count << window_log) >> run_log > MSM_MAX_RUNS) run_log++;
    if (run_log < 2) run_log = 2;
    uint32_t runs = (uint32_t)(((size_t)count << window_log) >> run_log);
    reduce_buckets<<<sum_blocks(runs), SUM_THREADS, 0, c->stream>>>(s->plain, s->weighted, s->buckets, runs, run_log);
    TRY_LAUNCH();
    weigh_runs<<<sum_blocks(runs), SUM_THREADS, 0, c->stream>>>(s->weighted, s->plain, runs, run_log, window_log);
    TRY_LAUNCH();
    return sum_all_rows(s->windows, s->weighted, s->spare, count, runs / count, c, err);
}

template <class F>
static cuzk_status msm(xyzz<F> *windows_out, const msm_plan *p, const affine<F> *points, const uint32_t *numbers,
                       fr *scalars, bool montgomery, struct context *c, cuzk_error *err)
{
    msm_space<F> s;
    size_t mark = context_mark(c);
    TRY_STATUS(take_space(&s, p, c, err));
    TRY_STATUS(buckets_prepare(scalars, montgomery, p, c, err));
    for (unsigned first = 0, count; first < p->windows; first += count) {
        unsigned bits = msm_window_bits(p, first);
        count = msm_batch(p, first);
        TRY_STATUS(buckets_sort(&s.entries, scalars, numbers, first, count, p, c, err));
        size_t buckets = (size_t)count << (bits - 1);
        point_list list = { points_in_turns(points, sizeof(F)), s.entries.values, s.entries.keys, s.entries.valid,
                            p->n * count };
        unsigned rounds = p->rounds ? pair_rounds(list.most, buckets) : 0;
        TRY_STATUS(run_pairs(F(), &list, buckets, rounds, &s.pairs, c, err));
        TRY_STATUS(fill_buckets(&s, &list, buckets, c, err));
        TRY_STATUS(reduce_windows(&s, count, bits, c, err));
        TRY(cudaMemcpyAsync(windows_out + first, s.windows, count * sizeof(xyzz<F>), cudaMemcpyDeviceToHost,
                            c->stream));
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
    point_list list = { points_in_turns(points, sizeof(F)), numbers, NULL, count, most };
    unsigned rounds = pair_rounds(most, 1);
    if (rounds != 0 && pair_space_bytes(sizeof(F), most, 1, false) <= c->arena.size - c->arena.used) {
        pair_space pairs;
        TRY_STATUS(pair_space_take(&pairs, sizeof(F), most, 1, false, c, err));
        TRY_STATUS(run_pairs(F(), &list, 1, rounds, &pairs, c, err));
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
    cuzk_status msm_##suffix(void *windows_out, const struct msm_plan *p, const void *points,                        \
                             const uint32_t *numbers, struct fr *scalars, bool montgomery, struct context *c,        \
                             cuzk_error *err)                                                                        \
    {                                                                                                                \
        return msm((xyzz<F> *)windows_out, p, (const affine<F> *)points, numbers, scalars, montgomery, c, err);      \
    }                                                                                                                \
    cuzk_status listed_##suffix(void *out, const void *points, const uint32_t *numbers, const uint32_t *count,       \
                                size_t most, struct context *c, cuzk_error *err)                                     \
    {                                                                                                                \
        return listed((xyzz<F> *)out, (const affine<F> *)points, numbers, count, most, c, err);                      \
    }

#endif
