/* The sorting half of a multi-scalar multiplication: which point goes into which bucket.
 *
 * Each scalar is halved (glv.h) and each half v is written in signed digits: v = Σ digit_w·2^(bits·w), with
 * −2^(bits − 1) ≤ digit_w < 2^(bits − 1). A digit ±d, d ≥ 1, puts the point, or its negative, into the bucket
 * d − 1 of window w; zeros are dropped. Buckets are numbered through all windows, w·buckets + d − 1, and the
 * entries of all windows are one array in the order of their buckets: a counting sort.
 */
#ifndef CUZK_MATH_BUCKET_SORT_H
#define CUZK_MATH_BUCKET_SORT_H

#include "base/pool.h"
#include "math/fr.h"

#include <stdbool.h>

enum {
    BUCKET_MIN_BITS = 3, /* below that a half with its offset would not fit 128 bits */
    BUCKET_MAX_BITS = 20,
    BUCKET_MAX_WINDOWS = 64,
    BUCKET_MAX_POINTS = 1 << 22,
};

struct bucket_sort {
    unsigned bits, windows;
    size_t buckets;  /* of one window: 2^(bits − 1) */
    size_t capacity; /* points */
    unsigned ranges; /* parts of the points that are counted and placed at once */
    size_t stride;                        /* between the digits of two windows: not a power of two */
    uint32_t *digits;                     /* [windows][stride], two for each point */
    uint32_t *places;                     /* [windows][ranges][buckets] */
    size_t first[BUCKET_MAX_WINDOWS + 1]; /* where a window's entries begin; the last is their number */
    uint32_t *entries;
    size_t points; /* of the present run */
};

static inline unsigned bucket_windows(unsigned bits) { return (128 + bits - 1) / bits; }

/* An entry is 4·point + 2·(second half) + (negative). */
static inline size_t bucket_entry_point(uint32_t entry) { return entry >> 2; }
static inline bool bucket_entry_second(uint32_t entry) { return entry >> 1 & 1; }
static inline bool bucket_entry_negative(uint32_t entry) { return entry & 1; }

/* Makes room for `capacity` ≤ BUCKET_MAX_POINTS points: 16 bytes for each window per point, and 4 bytes for each
 * bucket and range. False without memory; bucket_sort_free is due in any case. */
bool bucket_sort_init(struct bucket_sort *sort, unsigned bits, size_t capacity, unsigned threads);
void bucket_sort_free(struct bucket_sort *sort);

/* Fills first and entries from n ≤ capacity scalars: elements of Fr, or if `canonical` plain integers below r
 * in the same four limbs. */
void bucket_sort_run(struct bucket_sort *sort, const fr_t *scalars, size_t n, bool canonical, struct pool *pool);

/* One past the last entry of a bucket; it begins where its predecessor ends. */
static inline size_t bucket_end(const struct bucket_sort *sort, size_t bucket)
{
    size_t w = bucket >> (sort->bits - 1), in_window = bucket & (sort->buckets - 1);
    return sort->first[w] + sort->places[((w + 1) * sort->ranges - 1) * sort->buckets + in_window];
}

#endif
