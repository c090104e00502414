/* Rounds of affine additions. The additions of a round share inversions (Montgomery's trick, as math/batch_affine.h):
 * 5 multiplications and a squaring each, where a mixed addition in extended coordinates takes 10. A kernel multiplies
 * the divisors of each thread's pairs and keeps the products before each, the threads' products are inverted
 * together, and a second kernel goes back and adds. C and C++.
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

static inline struct point_view points_apart(const void *points, size_t capacity, size_t field_bytes)
{
    struct point_view v = { points, (const char *)points + capacity * field_bytes, 1 };
    return v;
}

/* Numbers of two points, bit 31 set for the negative of one. */
struct index_pair {
    uint32_t a, b;
};

/* What a round adds: no point is in two pairs. The sum of pair i goes to place targets[i], or to place a of the pair
 * if `targets` is NULL. */
struct pair_list {
    const struct index_pair *pairs;
    const uint32_t *targets;
    const uint32_t *count; /* one number, on the device */
    size_t most;           /* what *count cannot exceed; not 0 */
};

/* A list of points that are all to be added. Element i is the point numbers[i] & 0x7fffffff of `points`, its negative
 * if bit 31 is set; `numbers` NULL: point i. */
struct point_list {
    struct point_view points;
    const uint32_t *numbers;
    const uint32_t *count; /* one number, on the device */
    size_t most;           /* what *count cannot exceed */
};

/* What a round of so many pairs needs, taken from the arena. */
struct pair_space {
    void *products, *inverses, *scratch;
};

size_t pair_space_bytes(size_t field_bytes, size_t pairs);
cuzk_status pair_space_take(struct pair_space *out, size_t field_bytes, size_t pairs, struct context *c,
                            cuzk_error *err);

enum { PAIR_LEAST_GROUP = 4, PAIR_MAX_GROUP = 64 };

/* One round of a list: from `from` to `to`, arrays of `capacity` x and then y, which may be where `from` points. */
cuzk_status pairs_add_g1(void *to, size_t capacity, const struct point_view *from, const struct pair_list *list,
                         struct pair_space *s, struct context *c, cuzk_error *err);
cuzk_status pairs_add_g2(void *to, size_t capacity, const struct point_view *from, const struct pair_list *list,
                         struct pair_space *s, struct context *c, cuzk_error *err);

/* How many rounds pay for one long sum: as long as they fill a device. */
unsigned halving_rounds(size_t most);

/* What these rounds need. */
struct halving_space {
    void *points[2]; /* results, in turns: all x, then all y */
    size_t capacity[2];
    uint32_t *counts;
    struct pair_space pairs;
};

size_t halving_space_bytes(size_t field_bytes, size_t most);
cuzk_status halving_space_take(struct halving_space *out, size_t field_bytes, size_t most, struct context *c,
                               cuzk_error *err);

/* Adds neighbours, `rounds` times: *list becomes a list with the same sum. */
cuzk_status halve_g1(struct point_list *list, unsigned rounds, struct halving_space *s, struct context *c,
                     cuzk_error *err);
cuzk_status halve_g2(struct point_list *list, unsigned rounds, struct halving_space *s, struct context *c,
                     cuzk_error *err);

#ifdef __cplusplus
}
#endif
#endif
