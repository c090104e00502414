/* Digits. Adding Σ 2^(bits·w + bits − 1) to a half makes every digit nonnegative, so that each can be read on
 * its own: digit_w is the field of `bits` bits at bits·w, less 2^(bits − 1). The highest window has the bits
 * that are left of 128 and its offset is half of its own range. */
#include "math/bucket_sort.h"

#include "base/huge.h"
#include "math/glv.h"

#include <stdlib.h>
#include <string.h>

enum { SPLIT_GRAIN = 1024 };

struct task {
    struct bucket_sort *sort;
    const fr_t *scalars;
    bool canonical;
    limb_wide offset;
};

static unsigned window_width(const struct bucket_sort *s, unsigned w)
{
    unsigned left = 128 - w * s->bits;
    return left < s->bits ? left : s->bits;
}

static limb_wide digit_offset(const struct bucket_sort *s)
{
    limb_wide offset = 0;
    for (unsigned w = 0; w < s->windows; w++) {
        offset += (limb_wide)1 << (w * s->bits + window_width(s, w) - 1);
    }
    return offset;
}

bool bucket_sort_init(struct bucket_sort *s, unsigned bits, size_t capacity, unsigned threads)
{
    *s = (struct bucket_sort){ .bits = bits, .capacity = capacity, .stride = 2 * capacity + 16 };
    s->windows = bucket_windows(bits);
    s->buckets = (size_t)1 << (bits - 1);
    /* Two tasks for each thread, but not so many that their counters outgrow the entries. */
    s->ranges = (2 * threads + s->windows - 1) / s->windows;
    size_t useful = capacity / s->buckets;
    if (threads == 1 || useful == 0) useful = 1;
    if (s->ranges > useful) s->ranges = (unsigned)useful;
    size_t entries = 2 * capacity * s->windows * sizeof *s->entries;
    size_t digits = s->stride * s->windows * sizeof *s->digits;
    size_t places = s->windows * s->ranges * s->buckets * sizeof *s->places;
    s->digits = malloc(digits);
    s->places = malloc(places);
    s->entries = malloc(entries);
    huge_advise(s->digits, digits);
    huge_advise(s->places, places);
    huge_advise(s->entries, entries);
    return s->digits && s->places && s->entries;
}

void bucket_sort_free(struct bucket_sort *s)
{
    free(s->digits);
    free(s->places);
    free(s->entries);
    *s = (struct bucket_sort){ 0 };
}

/* 0 for nothing, or twice the bucket's number plus 2, plus 1 if the point is to be negated. Without a branch, which
 * would be mispredicted every other time. */
static inline uint32_t encode_digit(uint32_t field, uint32_t zero)
{
    uint32_t digit = field - zero, negative = 0 - (digit >> 31);
    return 2 * ((digit ^ negative) - negative) - negative;
}

/* All digits of half number `index`, to which the offset has been added. */
static inline void read_digits(const struct task *task, size_t index, limb_wide half)
{
    const struct bucket_sort *s = task->sort;
    const unsigned bits = s->bits;
    const uint32_t mask = ((uint32_t)1 << bits) - 1, zero = (uint32_t)1 << (bits - 1);
    const unsigned windows = s->windows;
    const size_t stride = s->stride;
    uint64_t low = (uint64_t)half, high = (uint64_t)(half >> 64);
    uint32_t *digit = s->digits + index;
    for (unsigned w = 1; w < windows; w++, digit += stride) {
        *digit = encode_digit((uint32_t)low & mask, zero);
        low = low >> bits | high << (64 - bits);
        high >>= bits;
    }
    *digit = encode_digit((uint32_t)low, (uint32_t)1 << (window_width(s, windows - 1) - 1));
}

static void split_scalars(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    const struct task *task = context;
    for (size_t i = begin; i < end; i++) {
        uint64_t limbs[4];
        limb_wide_signed half[2];
        if (task->canonical) {
            memcpy(limbs, task->scalars[i].l, sizeof limbs);
        } else {
            fr_to_limbs(limbs, &task->scalars[i]);
        }
        glv_split(&half[0], &half[1], limbs);
        for (size_t k = 0; k < 2; k++) read_digits(task, 2 * i + k, (limb_wide)half[k] + task->offset);
    }
}

/* The digits of one window for part of the points. */
struct part {
    const uint32_t *digits, *end;
    size_t first; /* number of the first half */
    uint32_t *places;
};

static struct part part_of(const struct bucket_sort *s, size_t index)
{
    size_t range = index % s->ranges, size = (s->points + s->ranges - 1) / s->ranges;
    size_t first = range * size, last = first + size;
    if (last > s->points) last = s->points;
    if (first > last) first = last;
    const uint32_t *digits = s->digits + s->stride * (index / s->ranges);
    return (struct part){ digits + 2 * first, digits + 2 * last, 2 * first, s->places + index * s->buckets };
}

static void count_digits(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    const struct task *task = context;
    for (size_t index = begin; index < end; index++) {
        struct part p = part_of(task->sort, index);
        memset(p.places, 0, task->sort->buckets * sizeof *p.places);
        for (const uint32_t *digit = p.digits; digit < p.end; digit++) {
            if (*digit) p.places[*digit / 2 - 1]++;
        }
    }
}

/* Turns the counts of window w into places, and leaves the window's total in first[w + 1]. */
static void add_counts(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    const struct task *task = context;
    struct bucket_sort *s = task->sort;
    for (size_t w = begin; w < end; w++) {
        uint32_t *places = s->places + w * s->ranges * s->buckets, sum = 0;
        for (size_t bucket = 0; bucket < s->buckets; bucket++) {
            for (size_t range = 0; range < s->ranges; range++) {
                uint32_t count = places[range * s->buckets + bucket];
                places[range * s->buckets + bucket] = sum;
                sum += count;
            }
        }
        s->first[w + 1] = sum;
    }
}

static void place_entries(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    const struct task *task = context;
    struct bucket_sort *s = task->sort;
    for (size_t index = begin; index < end; index++) {
        struct part p = part_of(s, index);
        uint32_t *entries = s->entries + s->first[index / s->ranges];
        uint32_t entry = (uint32_t)p.first << 1;
        for (const uint32_t *digit = p.digits; digit < p.end; digit++, entry += 2) {
            if (*digit) entries[p.places[*digit / 2 - 1]++] = entry | (*digit & 1);
        }
    }
}

void bucket_sort_run(struct bucket_sort *s, const fr_t *scalars, size_t n, bool canonical, struct pool *pool)
{
    struct task task = { s, scalars, canonical, digit_offset(s) };
    s->points = n;
    pool_for(pool, n, SPLIT_GRAIN, split_scalars, &task);
    pool_for(pool, s->windows * s->ranges, 1, count_digits, &task);
    pool_for(pool, s->windows, 1, add_counts, &task);
    s->first[0] = 0;
    for (unsigned w = 0; w < s->windows; w++) s->first[w + 1] += s->first[w];
    pool_for(pool, s->windows * s->ranges, 1, place_entries, &task);
}
