/* Rounds of affine additions: each round adds neighbours with the same key and so halves the list. A batch of
 * additions shares one inversion (Montgomery's trick, as math/batch_affine.h): 5 multiplications and a squaring
 * each, where a mixed addition in extended coordinates takes 10. C and C++.
 *
 * A round takes elements 2p and 2p + 1 together. With equal keys they become one; with different keys both stay, so
 * that runs of keys need no alignment: a run of n elements becomes one of at most n/2 + 1. Three steps: a kernel
 * multiplies the divisors of each thread's pairs and keeps the products before each, the threads' products are
 * inverted together, and a second kernel goes back and adds.
 */
#ifndef CUZK_CUDA_PAIRS_H
#define CUZK_CUDA_PAIRS_H

#include "backend/cuda/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Points in device memory: the coordinates of point i at x and y + i·step field elements. Those of a parameter file
 * take turns (step 2); what rounds leave stands in two arrays (step 1), as half of the kernels read x alone. */
struct point_view {
    const void *x, *y;
    uint32_t step;
};

static inline struct point_view points_in_turns(const void *points, size_t field_bytes)
{
    struct point_view v = { points, (const char *)points + field_bytes, 2 };
    return v;
}

/* A list of points, ordered by key. Element i is the point numbers[i] & 0x7fffffff of `points`, its negative if bit 31
 * is set; `numbers` NULL: point i. `keys` NULL: all keys are equal; otherwise they are aligned to 8 bytes. */
struct point_list {
    struct point_view points;
    const uint32_t *numbers, *keys;
    const uint32_t *count; /* one number, on the device */
    size_t most;           /* what *count cannot exceed */
};

/* What the rounds of lists up to some length need, taken from the arena. */
struct pair_space {
    void *points[2]; /* results, in turns: all x, then all y */
    size_t capacity[2];
    uint32_t *keys[2], *counts;
    void *products, *inverses, *scratch;
    uint32_t *splits, *flags;
    void *scan_space;
    size_t scan_bytes;
    bool keyed;
};

enum { PAIR_MAX_ROUNDS = 16, PAIR_LEAST_GROUP = 4, PAIR_MAX_GROUP = 64 };

/* Elements that may be left of `most` after a round; `runs`: how many different keys there can be. */
static inline size_t pair_most(size_t most, size_t runs)
{
    size_t half = (most + 1) / 2, splits = runs < half ? runs : half;
    return half + splits;
}

/* How many rounds pay: until about four elements are left for each key, and enough in all to fill a device. */
unsigned pair_rounds(size_t most, size_t runs);

size_t pair_space_bytes(size_t field_bytes, size_t most, size_t runs, bool keyed);
cuzk_status pair_space_take(struct pair_space *out, size_t field_bytes, size_t most, size_t runs, bool keyed,
                            struct context *c, cuzk_error *err);

/* *list becomes a list with the same sum for each key. */
cuzk_status pairs_g1(struct point_list *list, size_t runs, unsigned rounds, struct pair_space *s, struct context *c,
                     cuzk_error *err);
cuzk_status pairs_g2(struct point_list *list, size_t runs, unsigned rounds, struct pair_space *s, struct context *c,
                     cuzk_error *err);

#ifdef __cplusplus
}
#endif
#endif
