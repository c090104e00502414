/* The half of a multi-scalar multiplication that knows nothing of points: signed digits, and a sort of all
 * (bucket, point) pairs by bucket. C and C++.
 *
 * 256 bits are cut into windows of c and, above them, of c − 1 bits, so that no bucket is there in vain. A scalar s
 * is written as Σ d_w·2^start(w), w < windows. With the offset Σ_{w < windows − 1} 2^(start(w + 1) − 1) added, digit
 * w is a plain field of its window's bits less half of its range: no carries, so each window is read on its own.
 * The top digit has no offset and is not negative; as scalars are below 2^255 it is at most half of its range. A
 * digit ±d, d ≥ 1, puts the point or its negative into bucket d − 1 of its window.
 */
#ifndef CUZK_CUDA_BUCKETS_H
#define CUZK_CUDA_BUCKETS_H

#include "backend/cuda/context.h"

#ifdef __cplusplus
extern "C" {
#endif

struct fr;

enum {
    MSM_MAX_BITS = 26,
    MSM_MAX_WINDOWS = 85, /* of at least three bits */
    MSM_TERMS = 256,      /* one for each bit of the windows */
    MSM_ROW_SPAN = 16     /* points that a thread of the last sums of selected points adds up at least */
};

/* How a sum of n points is done: at most `batch` windows at a time, with `bytes` of workspace. The first `wide`
 * windows have `bits` bits, the others one less. */
struct msm_plan {
    size_t n;
    unsigned bits, wide, windows, batch;
    size_t sort_bytes; /* of the sorting library */
    size_t bytes;
};

/* Entries are sorted by key: (window in the batch) << (bits of the first − 1) | bucket; `valid` of them count, the
 * others (zero digits) stand behind. A value is the point's number, with bit 31 for its negative. */
struct bucket_entries {
    const uint32_t *keys, *values; /* one of the pairs below, once sorted */
    uint32_t *valid;               /* one number, on the device */
    uint32_t *key_space[2], *value_space[2];
    void *sort_space;
    size_t capacity;
};

static inline unsigned msm_window_bits(const struct msm_plan *p, unsigned w) { return p->bits - (w >= p->wide); }
static inline unsigned msm_window_start(const struct msm_plan *p, unsigned w)
{
    return w * p->bits - (w > p->wide ? w - p->wide : 0);
}

/* Windows of the batch that begins with `first`: all of one width, unless one batch takes them all. */
static inline unsigned msm_batch(const struct msm_plan *p, unsigned first)
{
    if (p->batch >= p->windows) return p->windows;
    unsigned left = (first < p->wide ? p->wide : p->windows) - first;
    return left < p->batch ? left : p->batch;
}

/* Buckets of one batch, at most. */
static inline size_t msm_buckets(const struct msm_plan *p) { return (size_t)p->batch << (p->bits - 1); }

/* Chooses windows and batch for n < 2^31 points over a field of `field_bytes` within `limit` bytes. False if
 * even one window does not fit. */
bool msm_plan_make(struct msm_plan *out, size_t n, size_t field_bytes, size_t limit);

/* scalars[i] (canonical unless `montgomery`) + the offset, in place. */
cuzk_status buckets_prepare(struct fr *scalars, bool montgomery, const struct msm_plan *p, struct context *c,
                            cuzk_error *err);

/* Takes the arrays for a whole plan from the arena. */
cuzk_status buckets_take(struct bucket_entries *out, const struct msm_plan *p, struct context *c, cuzk_error *err);

/* Fills and sorts the entries of windows [first, first + count), a batch. Scalar i is point numbers[i]'s, or
 * point i's if `numbers` is NULL. */
cuzk_status buckets_sort(struct bucket_entries *e, const struct fr *prepared, const uint32_t *numbers, unsigned first,
                         unsigned count, const struct msm_plan *p, struct context *c, cuzk_error *err);

/* The numbers of the set bits of (selection & mask), counted among the bits of the mask; mask NULL: all ones.
 * `before[w]`: bits of the mask in the words before w (NULL with a NULL mask). Writes *count numbers in
 * ascending order; `out` has room for all. Needs 8·words + some MB of the arena. */
cuzk_status bits_select(uint32_t *out, uint32_t *count, const uint64_t *selection, const uint64_t *mask,
                        const uint32_t *before, size_t words, struct context *c, cuzk_error *err);

#ifdef __cplusplus
}
#endif
#endif
