/* pairs.h for one group; pairs_g1.cu and pairs_g2.cu instantiate it. */
#ifndef CUZK_CUDA_PAIRS_CUH
#define CUZK_CUDA_PAIRS_CUH

#include "backend/cuda/fp_wide.cuh"
#include "backend/cuda/inverse.cuh"
#include "backend/cuda/memory.cuh"
#include "backend/cuda/pairs.h"
#include "backend/cuda/point.cuh"
#include "backend/cuda/sort.h"

enum { PAIR_THREADS = 128, INVERT_GROUP = 16, INVERT_EACH_MOST = 4096 };

/* Blocks of pair_sums on a multiprocessor at least: in Fp registers for 16 warps. */
template <class F> constexpr int pair_sums_blocks() { return sizeof(F) == sizeof(fp) ? 4 : 1; }

static unsigned pair_blocks(size_t n) { return (unsigned)((n + PAIR_THREADS - 1) / PAIR_THREADS); }

static __device__ __noinline__ fp invert(const fp a) { return invert_fp(a); }

static __device__ __forceinline__ fp2 invert(const fp2 &a)
{
    fp t = invert(add(sqr(a.c0), sqr(a.c1)));
    return fp2{ mul(a.c0, t), neg(mul(a.c1, t)) };
}

/* Products of groups: thread t has the elements t, t + threads, …; before[i] is the product of those of its group in
 * front of i, all[t] that of all. */
template <class F>
__global__ void __launch_bounds__(PAIR_THREADS)
    group_products(F *before, F *all, const F *x, uint32_t n, uint32_t threads)
{
    uint32_t t = blockIdx.x * PAIR_THREADS + threadIdx.x;
    if (t >= threads) return;
    F product;
    set_one(product);
    for (uint32_t i = t; i < n; i += threads) {
        store(&before[i], product);
        product = mul(product, load(&x[i]));
    }
    store(&all[t], product);
}

/* x becomes its inverse, with all[t] the inverse of the group's product. */
template <class F>
__global__ void __launch_bounds__(PAIR_THREADS)
    group_inverses(F *x, const F *before, const F *all, uint32_t n, uint32_t threads)
{
    uint32_t t = blockIdx.x * PAIR_THREADS + threadIdx.x;
    if (t >= threads || t >= n) return;
    F inverse = load(&all[t]);
    uint32_t last = t + (n - 1 - t) / threads * threads;
    for (uint32_t i = last;; i -= threads) {
        F value = load(&x[i]);
        store(&x[i], mul(inverse, load(&before[i])));
        if (i == t) break;
        inverse = mul(inverse, value);
    }
}

template <class F> __global__ void __launch_bounds__(PAIR_THREADS) invert_each(F *x, uint32_t n)
{
    uint32_t t = blockIdx.x * PAIR_THREADS + threadIdx.x;
    if (t < n) store(&x[t], invert(load(&x[t])));
}

/* x, n non-zero elements, become their inverses; x and scratch have room for n·9/8 + 64. */
template <class F> static cuzk_status invert_all(F *x, F *scratch, uint32_t n, struct context *c, cuzk_error *err)
{
    if (n <= INVERT_EACH_MOST) {
        invert_each<<<pair_blocks(n), PAIR_THREADS, 0, c->stream>>>(x, n);
        TRY_LAUNCH();
        return CUZK_OK;
    }
    uint32_t threads = (n + INVERT_GROUP - 1) / INVERT_GROUP;
    group_products<<<pair_blocks(threads), PAIR_THREADS, 0, c->stream>>>(scratch, x + n, x, n, threads);
    TRY_LAUNCH();
    TRY_STATUS(invert_all(x + n, scratch + n, threads, c, err));
    group_inverses<<<pair_blocks(threads), PAIR_THREADS, 0, c->stream>>>(x, scratch, x + n, n, threads);
    TRY_LAUNCH();
    return CUZK_OK;
}

template <class F> struct pair_source {
    const F *x, *y; /* as in point_view */
    uint32_t step;
    const uint32_t *numbers, *keys, *count;
};

enum pair_kind { PAIR_NONE, PAIR_ADD, PAIR_DOUBLE, PAIR_TAKE_FIRST, PAIR_TAKE_SECOND, PAIR_VANISH, PAIR_SPLIT };

/* The number of element i, with the sign in bit 31. */
template <class F> __device__ __forceinline__ uint32_t number_of(const pair_source<F> &s, uint32_t i)
{
    return s.numbers ? s.numbers[i] : i;
}

template <class F> __device__ __forceinline__ F x_of(const pair_source<F> &s, uint32_t number)
{
    return load(&s.x[(size_t)(number & 0x7fffffff) * s.step]);
}

template <class F> __device__ __forceinline__ F y_of(const pair_source<F> &s, uint32_t number)
{
    F y = load(&s.y[(size_t)(number & 0x7fffffff) * s.step]);
    return number >> 31 ? neg(y) : y;
}

__device__ __forceinline__ uint32_t low_word(const fp &a) { return a.l[0]; }
__device__ __forceinline__ uint32_t low_word(const fp2 &a) { return a.c0.l[0]; }

/* What happens to two elements, and the divisor of the slope in cases ADD and DOUBLE. */
template <class F>
__device__ __forceinline__ pair_kind classify(F &divisor, const pair_source<F> &s, uint32_t a, uint32_t b,
                                              const F &ax, const F &bx)
{
    divisor = sub(bx, ax);
    if (low_word(divisor) != 0 && low_word(ax) != 0 && low_word(bx) != 0) return PAIR_ADD;
    /* rare: an infinity, x = 0, or equal x; or a low word that happens to be 0 */
    bool a_zero = is_zero(ax), b_zero = is_zero(bx);
    if (!is_zero(divisor) && !a_zero && !b_zero) return PAIR_ADD;
    F ay = y_of(s, a), by = y_of(s, b);
    if (a_zero && is_zero(ay)) return PAIR_TAKE_SECOND;
    if (b_zero && is_zero(by)) return PAIR_TAKE_FIRST;
    if (!is_zero(divisor)) return PAIR_ADD;
    divisor = twice(ay);
    return is_zero(sub(ay, by)) && !is_zero(ay) ? PAIR_DOUBLE : PAIR_VANISH;
}

/* flags[p]: do the elements of pair p have different keys? flags[pairs] = 0 */
static __global__ void mark_splits(uint32_t *flags, const uint32_t *keys, const uint32_t *count, uint32_t pairs)
{
    uint32_t p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p > pairs) return;
    uint64_t second = 2 * (uint64_t)p + 1;
    flags[p] = p < pairs && second < *count && keys[second - 1] != keys[second];
}

/* How many elements there are after the round. */
static __global__ void count_round(uint32_t *next, const uint32_t *count, const uint32_t *splits, uint32_t pairs)
{
    *next = (*count + 1) / 2 + (splits ? splits[pairs] : 0);
}

/* Products that stay below 2p where nobody compares them, and squares apart, in Fp; in Fp2 a function each. */
__device__ __forceinline__ fp pair_mul(const fp &a, const fp &b) { return mul_lazy(a, b); }
__device__ __forceinline__ fp2 pair_mul(const fp2 &a, const fp2 &b) { return mul(a, b); }
__device__ __forceinline__ fp pair_sqr(const fp &a) { return sqr_wide(a); }
__device__ __forceinline__ fp2 pair_sqr(const fp2 &a) { return sqr(a); }
__device__ __forceinline__ fp reduced(const fp &a)
{
    fp r;
    reduce_once<fp_modulus>(r.l, a.l);
    return r;
}
__device__ __forceinline__ fp2 reduced(const fp2 &a) { return a; }

/* The numbers of a pair's elements, and are they to be added? Those of a pair past the end are 0. */
struct pair_numbers {
    uint32_t a, b;
    bool wanted;
};

template <class F>
__device__ __forceinline__ pair_numbers fetch_numbers(const pair_source<F> &s, uint64_t p, uint32_t n)
{
    pair_numbers r = { 0, 0, 2 * p + 1 < n };
    if (!r.wanted) return r;
    if (s.keys) { /* both of a pair in one piece */
        uint2 keys = reinterpret_cast<const uint2 *>(s.keys)[p];
        r.wanted = keys.x == keys.y;
    }
    r.a = (uint32_t)(2 * p);
    r.b = r.a + 1;
    if (s.numbers) { /* a list may begin anywhere */
        r.a = s.numbers[2 * p];
        r.b = s.numbers[2 * p + 1];
    }
    return r;
}

/* The x of a warp's 64 elements, fetched by all lanes together, 16 bytes each: neighbours read neighbours, so that no
 * sector of a point is asked for twice. Piece i of element e of the warp is piece e·PIECES + i. */
template <class F> struct warp_xs {
    static constexpr unsigned PIECES = sizeof(F) / 16, EACH = 2 * PIECES;
    uint4 piece[EACH];
};

template <class F>
__device__ __forceinline__ void fetch_xs(warp_xs<F> &x, const pair_source<F> &s, const pair_numbers &r)
{
    constexpr unsigned PIECES = warp_xs<F>::PIECES;
#pragma unroll
    for (unsigned k = 0; k < warp_xs<F>::EACH; k++) {
        unsigned at = (threadIdx.x & 31) + 32 * k, element = at / PIECES;
        uint32_t a = __shfl_sync(0xffffffff, r.a, element / 2), b = __shfl_sync(0xffffffff, r.b, element / 2);
        const F *from = &s.x[(size_t)((element & 1 ? b : a) & 0x7fffffff) * s.step];
        x.piece[k] = reinterpret_cast<const uint4 *>(from)[at % PIECES];
    }
}

/* Each lane gets its own pair's, through the warp's part of shared memory. */
template <class F>
__device__ __forceinline__ void deal_xs(F &a, F &b, uint4 *shared, const warp_xs<F> &x)
{
    constexpr unsigned PIECES = warp_xs<F>::PIECES;
    unsigned lane = threadIdx.x & 31;
    __syncwarp();
#pragma unroll
    for (unsigned k = 0; k < warp_xs<F>::EACH; k++) shared[lane + 32 * k] = x.piece[k];
    __syncwarp();
    a = load(reinterpret_cast<const F *>(&shared[2 * lane * PIECES]));
    b = load(reinterpret_cast<const F *>(&shared[(2 * lane + 1) * PIECES]));
}

/* products[p] = the product of the divisors of the thread's pairs in front of p; all[t] that of all. Thread t has the
 * pairs t, t + threads, … The kernel waits for memory more than it multiplies: while a pair is worked on, the next
 * one's coordinates and the numbers of the one after that are on their way. Warps stay together to the end. */
template <class F>
__global__ void __launch_bounds__(PAIR_THREADS)
    pair_products(F *products, F *all, const pair_source<F> s, uint32_t threads)
{
    __shared__ uint4 space[PAIR_THREADS / 32][32 * warp_xs<F>::EACH];
    uint4 *shared = space[threadIdx.x / 32];
    uint32_t t = blockIdx.x * PAIR_THREADS + threadIdx.x, first = t & ~31u, n = *s.count;
    uint64_t beyond = t < threads ? 0 : UINT64_MAX / 4; /* such threads have no pairs */
    F product;
    set_one(product);
    if (first >= threads) return;
    pair_numbers now = fetch_numbers(s, t + beyond, n), next = fetch_numbers(s, t + beyond + threads, n);
    warp_xs<F> x;
    if (n != 0) fetch_xs(x, s, now);
    for (uint64_t p = first; 2 * p + 1 < n; p += threads) {
        F a, b, divisor;
        uint64_t mine = p + (threadIdx.x & 31);
        deal_xs(a, b, shared, x);
        fetch_xs(x, s, next);
        pair_numbers later = fetch_numbers(s, mine + beyond + 2 * (uint64_t)threads, n);
        if (now.wanted && classify(divisor, s, now.a, now.b, a, b) <= PAIR_DOUBLE) {
            store(&products[mine], product);
            product = pair_mul(product, divisor);
        }
        now = next;
        next = later;
    }
    if (t < threads) store(&all[t], reduced(product));
}

/* 3x², for the rare doubling: not inlined */
template <class F> RARE F tangent_rise(const F x)
{
    F square = call_sqr(x);
    return add(twice(square), square);
}

template <class F> struct pair_target {
    F *x, *y;
    uint32_t *keys;
    const uint32_t *splits;
};

/* Backwards through the same pairs; all[t] is now the inverse of the thread's product. */
template <class F>
__global__ void __launch_bounds__(PAIR_THREADS, pair_sums_blocks<F>())
    pair_sums(pair_target<F> out, const pair_source<F> s, const F *products, const F *all, uint32_t threads)
{
    uint32_t t = blockIdx.x * PAIR_THREADS + threadIdx.x, n = *s.count, pairs = (n + 1) / 2;
    if (t >= threads || t >= pairs) return;
    F inverse = load(&all[t]);
    uint32_t last = t + (pairs - 1 - t) / threads * threads;
    for (uint32_t p = last;; p -= threads) {
        uint32_t i = 2 * p, at = p + (out.splits ? out.splits[p] : 0), a = number_of(s, i);
        affine<F> r;
        r.x = x_of(s, a);
        pair_kind kind = PAIR_TAKE_FIRST;
        if (out.keys) out.keys[at] = s.keys[i];
        if (i + 1 < n) {
            uint32_t b = number_of(s, i + 1);
            if (s.keys && s.keys[i] != s.keys[i + 1]) {
                kind = PAIR_SPLIT;
                store(&out.x[at + 1], x_of(s, b));
                store(&out.y[at + 1], y_of(s, b));
                out.keys[at + 1] = s.keys[i + 1];
            } else {
                F divisor, bx = x_of(s, b);
                kind = classify(divisor, s, a, b, r.x, bx);
                if (kind <= PAIR_DOUBLE) {
                    F slope = pair_mul(inverse, load(&products[p])), ay = y_of(s, a);
                    inverse = pair_mul(inverse, divisor);
                    F rise;
                    if (kind == PAIR_ADD)
                        rise = sub(y_of(s, b), ay);
                    else
                        rise = tangent_rise(r.x);
                    slope = pair_mul(slope, rise);
                    F x = sub(sub(pair_sqr(slope), r.x), bx);
                    r.y = sub(mul(sub(r.x, x), slope), ay);
                    r.x = x;
                } else if (kind == PAIR_TAKE_SECOND) {
                    r = affine<F>{ bx, y_of(s, b) };
                } else if (kind == PAIR_VANISH) {
                    set_infinity(r);
                }
            }
        }
        if (kind == PAIR_TAKE_FIRST || kind == PAIR_SPLIT) r.y = y_of(s, a);
        store(&out.x[at], r.x);
        store(&out.y[at], r.y);
        if (p == t) break;
    }
}

/* Pairs of one thread: many share an inversion, but the device should be full. */
static uint32_t pair_group(size_t pairs, const struct context *c)
{
    size_t group = pairs / ((size_t)c->multiprocessors * 2048);
    return group < PAIR_LEAST_GROUP ? PAIR_LEAST_GROUP : group > PAIR_MAX_GROUP ? PAIR_MAX_GROUP : (uint32_t)group;
}

template <class F>
static cuzk_status one_round(struct point_list *list, size_t runs, unsigned round, struct pair_space *s,
                             struct context *c, cuzk_error *err)
{
    size_t pairs = (list->most + 1) / 2;
    uint32_t group = pair_group(pairs, c), threads = (uint32_t)((pairs + group - 1) / group);
    uint32_t *count = &s->counts[round];
    const struct point_view *v = &list->points;
    pair_source<F> from = { (const F *)v->x, (const F *)v->y, v->step, list->numbers, list->keys, list->count };
    F *x = (F *)s->points[round & 1], *y = x + s->capacity[round & 1];
    pair_target<F> to = { x, y, list->keys ? s->keys[round & 1] : NULL, list->keys ? s->splits : NULL };
    F *products = (F *)s->products, *all = (F *)s->inverses;
    if (list->keys) {
        mark_splits<<<(unsigned)(pairs / 256 + 1), 256, 0, c->stream>>>(s->flags, list->keys, list->count,
                                                                        (uint32_t)pairs);
        TRY_LAUNCH();
        TRY(scan_exclusive(s->splits, s->flags, pairs + 1, s->scan_space, s->scan_bytes, c->stream));
    }
    count_round<<<1, 1, 0, c->stream>>>(count, list->count, to.splits, (uint32_t)pairs);
    TRY_LAUNCH();
    pair_products<<<pair_blocks(threads), PAIR_THREADS, 0, c->stream>>>(products, all, from, threads);
    TRY_LAUNCH();
    TRY_STATUS(invert_all(all, (F *)s->scratch, threads, c, err));
    pair_sums<<<pair_blocks(threads), PAIR_THREADS, 0, c->stream>>>(to, from, products, all, threads);
    TRY_LAUNCH();
    *list = point_list{ { x, y, 1 }, NULL, to.keys, count,
                        list->keys ? pair_most(list->most, runs) : (list->most + 1) / 2 };
    return CUZK_OK;
}

template <class F>
static cuzk_status all_rounds(struct point_list *list, size_t runs, unsigned rounds, struct pair_space *s,
                              struct context *c, cuzk_error *err)
{
    for (unsigned round = 0; round < rounds; round++) TRY_STATUS(one_round<F>(list, runs, round, s, c, err));
    return CUZK_OK;
}

#endif
