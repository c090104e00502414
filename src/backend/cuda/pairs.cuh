/* pairs.h for one group; pairs_g1.cu and pairs_g2.cu instantiate it. */
#ifndef CUZK_CUDA_PAIRS_CUH
#define CUZK_CUDA_PAIRS_CUH

#include "backend/cuda/fp_wide.cuh"
#include "backend/cuda/inverse.cuh"
#include "backend/cuda/memory.cuh"
#include "backend/cuda/pairs.h"
#include "backend/cuda/point.cuh"

enum { PAIR_THREADS = 128, INVERT_GROUP = 8, INVERT_EACH_MOST = 16384 };

/* Threads in a block of pair_sums, four of which share a multiprocessor: in Fp registers for 16 warps, in Fp2 for
 * 8. */
template <class F> struct pair_sums_block {
    static constexpr unsigned THREADS = sizeof(F) == sizeof(fp) ? 128 : 64;
};

static unsigned pair_blocks(size_t n) { return (unsigned)((n + PAIR_THREADS - 1) / PAIR_THREADS); }

static __device__ __noinline__ fp invert(const fp a) { return invert_fp(a); }

static __device__ __forceinline__ fp2 invert(const fp2 &a)
{
    fp t = invert(add(sqr(a.c0), sqr(a.c1)));
    return fp2{ mul(a.c0, t), neg(mul(a.c1, t)) };
}

/* Products of groups: thread t has the elements t, t + threads, …; before[i] is the product of those of its group in
 * front of i, all[t] that of all. Nothing to do (as in the two kernels after it) if there are no pairs. */
template <class F>
__global__ void __launch_bounds__(PAIR_THREADS)
    group_products(F *before, F *all, const F *x, uint32_t n, uint32_t threads, const uint32_t *pairs)
{
    uint32_t t = blockIdx.x * PAIR_THREADS + threadIdx.x;
    if (t >= threads || *pairs == 0) return;
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
    group_inverses(F *x, const F *before, const F *all, uint32_t n, uint32_t threads, const uint32_t *pairs)
{
    uint32_t t = blockIdx.x * PAIR_THREADS + threadIdx.x;
    if (t >= threads || t >= n || *pairs == 0) return;
    F inverse = load(&all[t]);
    uint32_t last = t + (n - 1 - t) / threads * threads;
    for (uint32_t i = last;; i -= threads) {
        F value = load(&x[i]);
        store(&x[i], mul(inverse, load(&before[i])));
        if (i == t) break;
        inverse = mul(inverse, value);
    }
}

template <class F>
__global__ void __launch_bounds__(PAIR_THREADS) invert_each(F *x, uint32_t n, const uint32_t *pairs)
{
    uint32_t t = blockIdx.x * PAIR_THREADS + threadIdx.x;
    if (t < n && *pairs != 0) store(&x[t], invert(load(&x[t])));
}

/* x, n non-zero elements, become their inverses; x and scratch have room for n·8/7 + 64. */
template <class F>
static cuzk_status invert_all(F *x, F *scratch, uint32_t n, const uint32_t *pairs, struct context *c, cuzk_error *err)
{
    if (n <= INVERT_EACH_MOST) {
        invert_each<<<pair_blocks(n), PAIR_THREADS, 0, c->stream>>>(x, n, pairs);
        TRY_LAUNCH();
        return CUZK_OK;
    }
    uint32_t threads = (n + INVERT_GROUP - 1) / INVERT_GROUP;
    group_products<<<pair_blocks(threads), PAIR_THREADS, 0, c->stream>>>(scratch, x + n, x, n, threads, pairs);
    TRY_LAUNCH();
    TRY_STATUS(invert_all(x + n, scratch + n, threads, pairs, c, err));
    group_inverses<<<pair_blocks(threads), PAIR_THREADS, 0, c->stream>>>(x, scratch, x + n, n, threads, pairs);
    TRY_LAUNCH();
    return CUZK_OK;
}

/* Points that pairs are taken from, as in point_view. */
template <class F> struct pair_source {
    const F *x, *y;
    uint32_t step;
};

/* The numbers of a pair's elements, with the sign in bit 31, and are there both? A pair past the end has those of
 * another, since what is not wanted is read all the same: number 0 need not exist (a chunk of a section begins
 * anywhere). */
struct pair_numbers {
    uint32_t a, b;
    bool wanted;
};

/* Two ways to say which pairs a round has: `both` is how many have two elements, `all` counts a last one that has
 * but one. */
struct listed_pairs {
    const index_pair *pairs;
    const uint32_t *targets, *count;

    __device__ __forceinline__ uint32_t elements() const { return *count; }
    static __device__ __forceinline__ uint32_t both(uint32_t n) { return n; }
    static __device__ __forceinline__ uint32_t all(uint32_t n) { return n; }
    __device__ __forceinline__ pair_numbers fetch(uint64_t p, uint32_t n) const
    {
        if (n == 0) return pair_numbers{ 0, 0, false };
        uint2 pair = reinterpret_cast<const uint2 *>(pairs)[p < n ? p : 0];
        return pair_numbers{ pair.x, pair.y, p < n };
    }
    __device__ __forceinline__ uint32_t target(uint32_t p, uint32_t a) const { return targets ? targets[p] : a; }
};

struct neighbours {
    const uint32_t *numbers, *count;

    __device__ __forceinline__ uint32_t elements() const { return *count; }
    static __device__ __forceinline__ uint32_t both(uint32_t n) { return n / 2; }
    static __device__ __forceinline__ uint32_t all(uint32_t n) { return (n + 1) / 2; }
    __device__ __forceinline__ pair_numbers fetch(uint64_t p, uint32_t n) const
    {
        pair_numbers r = { 0, 0, 2 * p + 1 < n };
        if (n == 0) return r;
        uint32_t i = 2 * p < n ? (uint32_t)(2 * p) : 0;
        r.a = numbers ? numbers[i] : i;
        r.b = !r.wanted ? r.a : numbers ? numbers[i + 1] : i + 1;
        return r;
    }
    static __device__ __forceinline__ uint32_t target(uint32_t p, uint32_t) { return p; }
};

enum pair_kind { PAIR_ADD, PAIR_DOUBLE, PAIR_TAKE_FIRST, PAIR_TAKE_SECOND, PAIR_VANISH };

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

/* How many elements a round of halving leaves. */
static __global__ void count_half(uint32_t *next, const uint32_t *count) { *next = (*count + 1) / 2; }

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
template <class F, class PAIRS>
__global__ void __launch_bounds__(PAIR_THREADS)
    pair_products(F *products, F *all, const pair_source<F> s, const PAIRS pairs, uint32_t threads)
{
    __shared__ uint4 space[PAIR_THREADS / 32][32 * warp_xs<F>::EACH];
    uint4 *shared = space[threadIdx.x / 32];
    uint32_t t = blockIdx.x * PAIR_THREADS + threadIdx.x, first = t & ~31u;
    uint32_t n = pairs.elements(), both = pairs.both(n);
    uint64_t beyond = t < threads ? 0 : UINT64_MAX / 4; /* such threads have no pairs */
    F product;
    set_one(product);
    if (first >= threads) return;
    pair_numbers now = pairs.fetch(t + beyond, n), next = pairs.fetch(t + beyond + threads, n);
    warp_xs<F> x;
    if (both != 0) fetch_xs(x, s, now);
    for (uint64_t p = first; p < both; p += threads) {
        F a, b, divisor;
        uint64_t mine = p + (threadIdx.x & 31);
        deal_xs(a, b, shared, x);
        fetch_xs(x, s, next);
        pair_numbers later = pairs.fetch(mine + beyond + 2 * (uint64_t)threads, n);
        if (now.wanted) {
            store(&products[mine], product); /* pair_sums reads it in any case */
            if (classify(divisor, s, now.a, now.b, a, b) <= PAIR_DOUBLE) product = pair_mul(product, divisor);
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

/* What pair_sums needs of a pair, in shared memory: each thread has five places. As soon as an operand is in
 * registers, that of the thread's next pair is on its way to its place, so that nobody waits for memory; the
 * registers would not hold them. */
enum pair_operand { X_A, X_B, PRODUCT, Y_A, Y_B, PAIR_OPERANDS };

template <class F> struct pair_places {
    static constexpr unsigned PIECES = sizeof(F) / 16, THREADS = pair_sums_block<F>::THREADS;
    uint4 piece[PAIR_OPERANDS * PIECES][THREADS];

    __device__ __forceinline__ void fetch(pair_operand o, const F *from)
    {
#pragma unroll
        for (unsigned i = 0; i < PIECES; i++) {
            uint32_t to = (uint32_t)__cvta_generic_to_shared(&piece[o * PIECES + i][threadIdx.x]);
            asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to),
                         "l"(reinterpret_cast<const uint4 *>(from) + i)
                         : "memory");
        }
    }

    __device__ __forceinline__ F take(pair_operand o) const
    {
        F r;
#pragma unroll
        for (unsigned i = 0; i < PIECES; i++) {
            reinterpret_cast<uint4 *>(&r)[i] = piece[o * PIECES + i][threadIdx.x];
        }
        return r;
    }
};

__device__ __forceinline__ void await_fetches() { asm volatile("cp.async.wait_all;" ::: "memory"); }

/* Fetches operands [first, end) of pair p, if it has two elements. */
template <class F>
__device__ __forceinline__ void fetch_operands(pair_places<F> &places, int first, int end, const pair_source<F> &s,
                                               const F *products, const pair_numbers &pair, uint32_t p)
{
    if (!pair.wanted) return;
    size_t a = (size_t)(pair.a & 0x7fffffff) * s.step, b = (size_t)(pair.b & 0x7fffffff) * s.step;
    const F *from[PAIR_OPERANDS] = { &s.x[a], &s.x[b], &products[p], &s.y[a], &s.y[b] };
#pragma unroll
    for (int o = 0; o < PAIR_OPERANDS; o++) {
        if (o >= first && o < end) places.fetch((pair_operand)o, from[o]);
    }
}

template <class F> struct pair_target {
    F *x, *y;
};

/* Backwards through the same pairs; all[t] is now the inverse of the thread's product. */
template <class F, class PAIRS>
__global__ void __launch_bounds__(pair_sums_block<F>::THREADS, 4)
    pair_sums(pair_target<F> out, const pair_source<F> s, const PAIRS pairs, const F *products, const F *all,
              uint32_t threads)
{
    __shared__ pair_places<F> places;
    uint32_t t = blockIdx.x * places.THREADS + threadIdx.x, n = pairs.elements(), count = pairs.all(n);
    if (t >= threads || t >= count) return;
    F inverse = load(&all[t]);
    uint32_t last = t + (count - 1 - t) / threads * threads;
    pair_numbers now = pairs.fetch(last, n), next = { 0, 0, false };
    fetch_operands(places, X_A, PAIR_OPERANDS, s, products, now, last);
    if (last != t) next = pairs.fetch(last - threads, n);
    for (uint32_t p = last;; p -= threads) {
        uint32_t at = pairs.target(p, now.a), before = p - threads; /* next is pair `before`, if there is one */
        pair_numbers later = { 0, 0, false };
        if (p >= 2 * (uint64_t)threads) later = pairs.fetch(before - threads, n);
        affine<F> r;
        F divisor, bx;
        pair_kind kind = PAIR_TAKE_FIRST;
        await_fetches();
        if (now.wanted) {
            r.x = places.take(X_A);
            bx = places.take(X_B);
            kind = classify(divisor, s, now.a, now.b, r.x, bx);
        }
        fetch_operands(places, X_A, PRODUCT, s, products, next, before);
        if (kind <= PAIR_DOUBLE) {
            F slope = pair_mul(inverse, places.take(PRODUCT)), ay = places.take(Y_A), by = places.take(Y_B);
            fetch_operands(places, PRODUCT, PAIR_OPERANDS, s, products, next, before);
            inverse = pair_mul(inverse, divisor);
            if (now.a >> 31) ay = neg(ay);
            if (now.b >> 31) by = neg(by);
            slope = pair_mul(slope, kind == PAIR_ADD ? sub(by, ay) : tangent_rise(r.x));
            F x = sub(sub(pair_sqr(slope), r.x), bx);
            r.y = sub(mul(sub(r.x, x), slope), ay);
            r.x = x;
        } else {
            fetch_operands(places, PRODUCT, PAIR_OPERANDS, s, products, next, before);
            uint32_t only = kind == PAIR_TAKE_SECOND ? now.b : now.a;
            r = affine<F>{ x_of(s, only), y_of(s, only) };
            if (kind == PAIR_VANISH) set_infinity(r);
        }
        store(&out.x[at], r.x);
        store(&out.y[at], r.y);
        if (p == t) break;
        now = next;
        next = later;
    }
}

/* Pairs of one thread: many share an inversion, but every place of the device should be taken; four times over, so
 * that it ends in step, where there are enough. */
static uint32_t pair_group(size_t pairs, const struct context *c)
{
    size_t wave = (size_t)c->multiprocessors * 512;
    size_t group = pairs / (pairs >> 23 ? 4 * wave : wave) + 1;
    return group < PAIR_LEAST_GROUP ? PAIR_LEAST_GROUP : group > PAIR_MAX_GROUP ? PAIR_MAX_GROUP : (uint32_t)group;
}

/* One round of at most `most` pairs. */
template <class F, class PAIRS>
static cuzk_status one_round(F *to, size_t capacity, const point_view *v, const PAIRS &pairs, size_t most,
                             pair_space *s, struct context *c, cuzk_error *err)
{
    uint32_t group = pair_group(most, c), threads = (uint32_t)((most + group - 1) / group);
    constexpr unsigned block = pair_sums_block<F>::THREADS;
    pair_source<F> from = { (const F *)v->x, (const F *)v->y, v->step };
    pair_target<F> target = { to, to + capacity };
    F *products = (F *)s->products, *all = (F *)s->inverses;
    pair_products<<<pair_blocks(threads), PAIR_THREADS, 0, c->stream>>>(products, all, from, pairs, threads);
    TRY_LAUNCH();
    TRY_STATUS(invert_all(all, (F *)s->scratch, threads, pairs.count, c, err));
    pair_sums<<<(threads + block - 1) / block, block, 0, c->stream>>>(target, from, pairs, products, all, threads);
    TRY_LAUNCH();
    return CUZK_OK;
}

template <class F>
static cuzk_status add_listed(void *to, size_t capacity, const point_view *from, const pair_list *list, pair_space *s,
                              struct context *c, cuzk_error *err)
{
    listed_pairs pairs = { list->pairs, list->targets, list->count };
    return one_round((F *)to, capacity, from, pairs, list->most, s, c, err);
}

template <class F>
static cuzk_status halve(struct point_list *list, unsigned rounds, halving_space *s, struct context *c,
                         cuzk_error *err)
{
    for (unsigned round = 0; round < rounds; round++) {
        size_t half = (list->most + 1) / 2, capacity = s->capacity[round & 1];
        uint32_t *count = &s->counts[round];
        neighbours pairs = { list->numbers, list->count };
        F *to = (F *)s->points[round & 1];
        TRY_STATUS(one_round(to, capacity, &list->points, pairs, half, &s->pairs, c, err));
        count_half<<<1, 1, 0, c->stream>>>(count, list->count);
        TRY_LAUNCH();
        *list = point_list{ points_apart(to, capacity, sizeof(F)), NULL, count, half };
    }
    return CUZK_OK;
}

/* The entries of pairs.h. */
#define PAIRS_INSTANCE(suffix, F)                                                                                    \
    cuzk_status pairs_add_##suffix(void *to, size_t capacity, const struct point_view *from,                         \
                                   const struct pair_list *list, struct pair_space *s, struct context *c,            \
                                   cuzk_error *err)                                                                  \
    {                                                                                                                \
        return add_listed<F>(to, capacity, from, list, s, c, err);                                                   \
    }                                                                                                                \
    cuzk_status halve_##suffix(struct point_list *list, unsigned rounds, struct halving_space *s, struct context *c, \
                               cuzk_error *err)                                                                      \
    {                                                                                                                \
        return halve<F>(list, rounds, s, c, err);                                                                    \
    }

#endif
