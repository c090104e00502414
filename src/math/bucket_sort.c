/* Digits. Adding Σ 2^(bits·w + bits − 1) to a half makes every digit nonnegative, so that each can be read on
 * its own: digit_w is the field of `bits` bits at bits·w, less 2^(bits − 1). The highest window has the bits
 * that are left of 128 and its offset is half of its own range. */
#include "math/bucket_sort.h"

#include "base/huge.h"
#include "math/glv.h"

#include <stdlib.h>
#include <string.h>

enum { SPLIT_GRAIN = 1024 };

struct bucket_half {
    uint64_t word[2]; /* offset added */
};

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
    *s = (struct bucket_sort){ .bits = bits, .capacity = capacity };
    s->windows = bucket_windows(bits);
    s->buckets = (size_t)1 << (bits - 1);
    /* Two tasks for each thread, but not so many that their counters outgrow the entries. */
    s->ranges = (2 * threads + s->windows - 1) / s->windows;
    size_t useful = capacity / s->buckets;
    if (threads == 1 || useful == 0) useful = 1;
    if (s->ranges > useful) s->ranges = (unsigned)useful;
    size_t halves = 2 * capacity * sizeof *s->halves, entries = 2 * capacity * s->windows * sizeof *s->entries;
    size_t places = s->windows * s->ranges * s->buckets * sizeof *s->places;
    s->halves = malloc(halves);
    s->places = malloc(places);
    s->entries = malloc(entries);
    huge_advise(s->halves, halves);
    huge_advise(s->places, places);
    huge_advise(s->entries, entries);
    return s->halves && s->places && s->entries;
}

void bucket_sort_free(struct bucket_sort *s)
{
    free(s->halves);
    free(s->places);
    free(s->entries);
    *s = (struct bucket_sort){ 0 };
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
        for (int k = 0; k < 2; k++) {
            limb_wide v = (limb_wide)half[k] + task->offset;
            task->sort->halves[2 * i + k] = (struct bucket_half){ { (uint64_t)v, (uint64_t)(v >> 64) } };
        }
    }
}

/* Part of the halves, and where its digits of window w stand: in one word of a half, or across both. */
struct part {
    const struct bucket_half *begin, *end;
    size_t first; /* number of the first half */
    unsigned word, shift;
    bool across;
    uint32_t mask, zero;
    uint32_t *places;
};

static struct part part_of(const struct bucket_sort *s, size_t index)
{
    unsigned w = (unsigned)(index / s->ranges), bit = w * s->bits, width = window_width(s, w);
    size_t range = index % s->ranges, size = (s->points + s->ranges - 1) / s->ranges;
    size_t first = range * size, last = first + size;
    if (last > s->points) last = s->points;
    if (first > last) first = last;
    return (struct part){
        .begin = s->halves + 2 * first,
        .end = s->halves + 2 * last,
        .first = 2 * first,
        .word = bit / 64,
        .shift = bit % 64,
        .across = bit % 64 + width > 64,
        .mask = (uint32_t)((UINT64_C(1) << width) - 1),
        .zero = UINT32_C(1) << (width - 1),
        .places = s->places + index * s->buckets,
    };
}

/* 0 for nothing, or twice the bucket's number plus 2, plus 1 if the point is to be negated. */
static inline uint32_t read_digit(const struct bucket_half *half, const struct part *p)
{
    uint64_t v = half->word[p->word] >> p->shift;
    if (p->across) v |= half->word[1] << (64 - p->shift);
    uint32_t field = (uint32_t)v & p->mask;
    return field >= p->zero ? 2 * (field - p->zero) : 2 * (p->zero - field) + 1;
}

static void count_digits(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    const struct task *task = context;
    for (size_t index = begin; index < end; index++) {
        struct part p = part_of(task->sort, index);
        memset(p.places, 0, task->sort->buckets * sizeof *p.places);
        for (const struct bucket_half *half = p.begin; half < p.end; half++) {
            uint32_t digit = read_digit(half, &p);
            if (digit) p.places[digit / 2 - 1]++;
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
        for (const struct bucket_half *half = p.begin; half < p.end; half++, entry += 2) {
            uint32_t digit = read_digit(half, &p);
            if (digit) entries[p.places[digit / 2 - 1]++] = entry | (digit & 1);
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
