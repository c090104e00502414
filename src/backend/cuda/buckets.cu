#include "backend/cuda/buckets.h"

#include "backend/cuda/fr.cuh"
#include "backend/cuda/runs.h"
#include "backend/cuda/sort.h"

enum { THREADS = 256 };

/* Entries that are sorted at once: enough to fill any device. */
#define BATCH_ENTRIES ((size_t)1 << 28)

static unsigned blocks_for(size_t n) { return (unsigned)((n + THREADS - 1) / THREADS); }

/* `count` windows that cover 256 bits. */
static void cut_windows(msm_plan *p, unsigned count)
{
    p->windows = count;
    p->bits = (256 + count - 1) / count;
    p->wide = 256 - count * (p->bits - 1);
}

/* Multiplications in the field: 6 for an addition, of which each entry takes one and each bucket two (runs.h); and
 * sorting an entry takes as long as 1. */
static double plan_cost(const msm_plan *p)
{
    double cost = 0;
    for (unsigned w = 0; w < p->windows; w++) {
        cost += (double)p->n * 7 + (double)((size_t)1 << (msm_window_bits(p, w) - 1)) * 12;
    }
    return cost;
}

static void choose_windows(msm_plan *p)
{
    msm_plan other = *p;
    cut_windows(p, MSM_MAX_WINDOWS);
    for (unsigned count = (256 + MSM_MAX_BITS - 1) / MSM_MAX_BITS; count < MSM_MAX_WINDOWS; count++) {
        cut_windows(&other, count);
        if (plan_cost(&other) < plan_cost(p)) cut_windows(p, count);
    }
}

static size_t rounded(size_t bytes) { return (bytes + 255) / 256 * 256; }

/* Exactly what buckets_take and sums.cuh take with so many windows at once. Does it fit? */
static bool fits(msm_plan *p, unsigned batch, size_t field_bytes, size_t limit)
{
    p->batch = batch;
    size_t entries = p->n * batch, buckets = msm_buckets(p);
    p->sort_bytes = sort_pairs_bytes(entries);
    p->bytes = 4 * rounded(entries * 4) + rounded(p->sort_bytes) + 256;
    p->bytes += run_space_bytes(entries, buckets) + pair_space_bytes(field_bytes, run_most_pairs(entries, buckets));
    p->bytes += rounded(2 * run_places(entries, buckets) * field_bytes) + rounded(MSM_TERMS * 4 * field_bytes);
    p->bytes += 4096;
    return p->bytes <= limit;
}

/* As many windows at once as there is room for, as long as these are few entries: small sums need the width, large
 * ones have it. */
bool msm_plan_make(msm_plan *out, size_t n, size_t field_bytes, size_t limit)
{
    msm_plan p = { n };
    choose_windows(&p);
    size_t wide = BATCH_ENTRIES / n;
    unsigned batch = wide < 1 ? 1 : wide < p.windows ? (unsigned)wide : p.windows;
    while (!fits(&p, batch, field_bytes, limit)) {
        if (--batch == 0) return false;
    }
    if (batch < p.windows) { /* even out the last batches */
        unsigned narrow = p.windows - p.wide, most = narrow > p.wide ? narrow : p.wide;
        unsigned batches = (most + batch - 1) / batch;
        if (!fits(&p, (most + batches - 1) / batches, field_bytes, limit)) return false;
    }
    *out = p;
    return true;
}

struct offset {
    uint32_t l[8];
};

__global__ void prepare(fr *scalars, size_t n, offset o, bool montgomery)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    fr s = scalars[i];
    if (montgomery) s = leave(s);
    s.l[0] = add_cc(s.l[0], o.l[0]);
#pragma unroll
    for (int j = 1; j < 7; j++) s.l[j] = addc_cc(s.l[j], o.l[j]);
    s.l[7] = addc(s.l[7], o.l[7]);
    scalars[i] = s;
}

cuzk_status buckets_prepare(fr *scalars, bool montgomery, const msm_plan *p, struct context *c, cuzk_error *err)
{
    offset o = { { 0 } };
    for (unsigned w = 0; w + 1 < p->windows; w++) {
        unsigned bit = msm_window_start(p, w + 1) - 1;
        o.l[bit / 32] |= 1u << (bit % 32);
    }
    if (p->n == 0) return CUZK_OK;
    prepare<<<blocks_for(p->n), THREADS, 0, c->stream>>>(scalars, p->n, o, montgomery);
    TRY_LAUNCH();
    return CUZK_OK;
}

/* A batch: its first window begins at bit `start`; the first `wide` have `bits` bits, the others one less; `top`: its
 * last window is the top one. */
struct digits {
    unsigned bits, wide, start, count;
    bool top;
};

/* Keys and values of a batch's windows of all scalars. */
__global__ void make_entries(uint32_t *keys, uint32_t *values, const fr *prepared, const uint32_t *numbers, size_t n,
                             const digits d, uint32_t none)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    fr scalar = prepared[i];
    const uint32_t *s = scalar.l;
    uint32_t number = numbers ? numbers[i] : (uint32_t)i;
    for (unsigned k = 0, bit = d.start; k < d.count; k++) {
        unsigned bits = d.bits - (k >= d.wide), word = bit / 32;
        uint64_t pair = 0;
#pragma unroll
        for (unsigned j = 0; j < 8; j++) { /* no run-time index: the scalar stays in registers */
            if (j == word) pair |= s[j];
            if (j == word + 1) pair |= (uint64_t)s[j] << 32;
        }
        int digit = (int)((uint32_t)(pair >> (bit % 32)) & ((1u << bits) - 1));
        if (k + 1 < d.count || !d.top) digit -= 1 << (bits - 1);
        uint32_t magnitude = (uint32_t)abs(digit);
        keys[k * n + i] = digit == 0 ? none : (k << (d.bits - 1)) + magnitude - 1;
        values[k * n + i] = number | (digit < 0 ? 0x80000000u : 0);
        bit += bits;
    }
}

/* Number of keys below `none` in a sorted array. */
__global__ void count_valid(uint32_t *valid, const uint32_t *keys, size_t n, uint32_t none)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (keys[middle] < none)
            low = middle + 1;
        else
            high = middle;
    }
    *valid = (uint32_t)low;
}

cuzk_status buckets_take(bucket_entries *out, const msm_plan *p, struct context *c, cuzk_error *err)
{
    char *space;
    *out = bucket_entries{};
    out->capacity = p->n * p->batch;
    for (int i = 0; i < 2; i++) {
        TRY_TAKE(out->key_space[i], out->capacity, "bucket numbers");
        TRY_TAKE(out->value_space[i], out->capacity, "point numbers");
    }
    TRY_TAKE(out->valid, 1, "a counter");
    TRY_TAKE(space, p->sort_bytes, "sorting");
    out->sort_space = space;
    return CUZK_OK;
}

cuzk_status buckets_sort(bucket_entries *e, const fr *prepared, const uint32_t *numbers, unsigned first,
                         unsigned count, const msm_plan *p, struct context *c, cuzk_error *err)
{
    size_t entries = p->n * count;
    digits d = { msm_window_bits(p, first), count, msm_window_start(p, first), count, first + count == p->windows };
    if (first < p->wide && p->wide - first < count) d.wide = p->wide - first;
    uint32_t none = (uint32_t)count << (d.bits - 1);
    int key_bits = 0, place = 0;
    while (none >> key_bits) key_bits++;
    make_entries<<<blocks_for(p->n), THREADS, 0, c->stream>>>(e->key_space[0], e->value_space[0], prepared, numbers,
                                                              p->n, d, none);
    TRY_LAUNCH();
    TRY(sort_pairs(&place, e->key_space, e->value_space, entries, key_bits, e->sort_space, p->sort_bytes, c->stream));
    e->keys = e->key_space[place];
    e->values = e->value_space[place];
    count_valid<<<1, 1, 0, c->stream>>>(e->valid, e->keys, entries, none);
    TRY_LAUNCH();
    return CUZK_OK;
}

__device__ __forceinline__ uint64_t masked(const uint64_t *selection, const uint64_t *mask, size_t w)
{
    return selection[w] & (mask ? mask[w] : ~(uint64_t)0);
}

__global__ void count_bits(uint32_t *counts, const uint64_t *selection, const uint64_t *mask, size_t words)
{
    size_t w = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (w < words)
        counts[w] = __popcll(masked(selection, mask, w));
    else if (w == words)
        counts[w] = 0;
}

__global__ void write_numbers(uint32_t *out, uint32_t *count, const uint32_t *starts, const uint64_t *selection,
                              const uint64_t *mask, const uint32_t *before, size_t words)
{
    size_t w = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (w > words) return;
    uint32_t at = starts[w];
    if (w == words) {
        *count = at;
        return;
    }
    uint64_t set = masked(selection, mask, w), all = mask ? mask[w] : 0;
    uint32_t base = mask ? before[w] : 0;
    while (set) {
        int bit = __ffsll((long long)set) - 1;
        set &= set - 1;
        out[at++] = mask ? base + __popcll(all & (((uint64_t)1 << bit) - 1)) : (uint32_t)(w * 64 + bit);
    }
}

cuzk_status bits_select(uint32_t *out, uint32_t *count, const uint64_t *selection, const uint64_t *mask,
                        const uint32_t *before, size_t words, struct context *c, cuzk_error *err)
{
    size_t bytes = scan_bytes(words + 1), mark = context_mark(c);
    uint32_t *counts, *starts;
    char *space;
    TRY_TAKE(counts, words + 1, "counts of selected points");
    TRY_TAKE(starts, words + 1, "places of selected points");
    TRY_TAKE(space, bytes, "a scan");
    count_bits<<<blocks_for(words + 1), THREADS, 0, c->stream>>>(counts, selection, mask, words);
    TRY_LAUNCH();
    TRY(scan_exclusive(starts, counts, words + 1, space, bytes, c->stream));
    write_numbers<<<blocks_for(words + 1), THREADS, 0, c->stream>>>(out, count, starts, selection, mask, before,
                                                                    words);
    TRY_LAUNCH();
    context_release(c, mark);
    return CUZK_OK;
}
