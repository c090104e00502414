/* Runs of sorted entries, one for each bucket, and which of their elements are added in which round. Like buckets.h
 * it knows nothing of points. C and C++.
 *
 * A run of L entries takes ⌈log2 L⌉ rounds and exactly L − 1 additions: no pair is listed that is not added, so that
 * no lane of a warp idles where runs begin or end. Round 0 adds entries 2q and 2q + 1 of the run to its element q, or
 * leaves an odd last entry as it is; round r adds element q + 2^(r − 1) to element q, for q = 0, 2^r, 2·2^r, … The
 * bucket is what element 0 is in the end. Elements have places: 0 is at place `bucket`, the others of a run are
 * together from place buckets + before[bucket] on (run_place in runs.cuh), where before[b] counts the pairs of round
 * 0 in the runs in front of b, which are at least as many as their elements but one each.
 *
 * Then buckets B_0 … B_(n − 1) of a window, n = 2^m, are reduced in their places: round t = 0 … m − 1 adds the
 * elements at a and a + 2^t, where a mod 2^(t + 1) is 0 or 2^s for an s < t. In the end Σ B_j is at place 0 and, at
 * 2^s, the sum of those B_j whose j has bit s. That makes two additions for each bucket, all of them of neighbours in
 * a list.
 */
#ifndef CUZK_CUDA_RUNS_H
#define CUZK_CUDA_RUNS_H

#include "backend/cuda/buckets.h"
#include "backend/cuda/pairs.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RUN_MAX_ROUNDS = 31 };

/* Arrays for so many entries in so many buckets, taken from the arena. */
struct run_space {
    size_t most_entries, most_buckets, entries, buckets; /* room, and what runs_find was given last */
    uint32_t *begin, *end;       /* of each bucket's entries; equal if there are none */
    uint32_t *amount, *before;   /* buckets + 1: pairs of round 0, and those in front of the run's */
    uint32_t *owner;             /* the bucket of place buckets + i */
    uint32_t *targets;           /* places of round 0's results */
    struct index_pair *pairs[2]; /* lists, in turns */
    uint32_t *counts;            /* of pairs, for each round */
    void *scan_space;
    size_t scan_bytes;
};

/* Places that may be taken: the size of the arrays of points. */
static inline size_t run_places(size_t entries, size_t buckets) { return buckets + entries / 2; }

/* Rounds for runs of at most so many entries. */
static inline unsigned run_rounds(size_t longest)
{
    unsigned rounds = 0;
    while (((size_t)1 << rounds) < longest) rounds++;
    return rounds;
}

/* Pairs of a round at most: L entries give ⌊⌈L/2^round⌉/2⌋ of them, which is none if there are no more than 2^round
 * and otherwise at most L/2^(round + 1) + 1/2. */
static inline size_t run_most(size_t entries, size_t buckets, unsigned round)
{
    size_t by_runs = (entries >> (round + 1)) + buckets / 2 + 1, by_entries = entries / (((size_t)1 << round) + 1);
    if (round == 0) return entries / 2;
    return by_runs < by_entries ? by_runs : by_entries;
}

static inline size_t run_reduction_pairs(size_t buckets, unsigned t) { return (buckets >> (t + 1)) * (t + 1); }

/* Pairs of any list of round 0, or of any other. */
static inline size_t run_most_pairs(size_t entries, size_t buckets)
{
    return (entries > buckets ? entries : buckets) / 2 + 1;
}
static inline size_t run_most_later(size_t entries, size_t buckets)
{
    return (entries / 3 > buckets / 2 ? entries / 3 : buckets / 2) + 1;
}

size_t run_space_bytes(size_t entries, size_t buckets);
cuzk_status run_space_take(struct run_space *out, size_t entries, size_t buckets, struct context *c, cuzk_error *err);

/* Finds the runs of e's valid entries, `count` at most, in `buckets` buckets. */
cuzk_status runs_find(struct run_space *s, const struct bucket_entries *e, size_t count, size_t buckets,
                      struct context *c, cuzk_error *err);

/* The list of round `round`, after that of the round before. */
cuzk_status runs_list(struct pair_list *out, struct run_space *s, const struct bucket_entries *e, unsigned round,
                      struct context *c, cuzk_error *err);

/* The list of round t of the reduction of all buckets. */
cuzk_status runs_reduction(struct pair_list *out, struct run_space *s, unsigned t, struct context *c,
                           cuzk_error *err);

#ifdef __cplusplus
}
#endif
#endif
