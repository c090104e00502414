/* Where the elements of runs stand and which pairs a list has (runs.h), one entry or pair at a time. Also compiled
 * for the host, where tests/cuda_host checks it without a card. */
#ifndef CUZK_CUDA_RUNS_CUH
#define CUZK_CUDA_RUNS_CUH

#include "backend/cuda/limbs.cuh"
#include "backend/cuda/runs.h"

struct runs {
    const uint32_t *begin, *end, *before;
    uint32_t buckets;
};

HD unsigned trailing_zeros(uint32_t x) /* of a number that is not 0 */
{
#ifdef __CUDA_ARCH__
    return (unsigned)__ffs((int)x) - 1;
#else
    return (unsigned)__builtin_ctz(x);
#endif
}

/* Elements that round 0 leaves. */
HD uint32_t run_elements(const runs &r, uint32_t bucket) { return (r.end[bucket] - r.begin[bucket] + 1) / 2; }

/* Multiples of 2^n among the elements of a run stand in front of its others, for each n, so that every round finds
 * what it adds in one piece. */
HD uint32_t run_place(const runs &r, uint32_t bucket, uint32_t element)
{
    if (element == 0) return bucket;
    unsigned n = trailing_zeros(element) + 1;
    return r.buckets + r.before[bucket] + ((run_elements(r, bucket) - 1) >> n) + (element >> n);
}

/* The element at place buckets + before[bucket] + rank. */
HD uint32_t run_element_at(uint32_t rank, uint32_t elements)
{
    unsigned n = 1;
    while ((elements - 1) >> n > rank) n++;
    return (2 * (rank - ((elements - 1) >> n)) + 1) << (n - 1);
}

/* Notes where the run of sorted entry i of n begins or ends. */
HD void run_mark(uint32_t *begin, uint32_t *end, const uint32_t *keys, uint32_t i, uint32_t n)
{
    uint32_t key = keys[i];
    if (i == 0 || keys[i - 1] != key) begin[key] = i;
    if (i + 1 == n || keys[i + 1] != key) end[key] = i + 1;
}

/* Round 0: entry i is the first of a pair, the second of one, or left alone. */
HD void run_list_first(index_pair *pairs, uint32_t *targets, uint32_t *owner, const runs &r, const uint32_t *keys,
                       const uint32_t *values, uint32_t i)
{
    uint32_t bucket = keys[i], entry = i - r.begin[bucket], element = entry / 2;
    if (entry & 1) return;
    uint32_t place = run_place(r, bucket, element), pair = r.before[bucket] + element;
    if (element > 0) owner[place - r.buckets] = bucket;
    if (i + 1 == r.end[bucket]) return;
    pairs[pair] = index_pair{ values[i], values[i + 1] };
    targets[pair] = place;
}

/* What round 0 leaves alone: the entry that goes to *place as it is. False if the bucket has none. An empty bucket
 * has no entry, and its place becomes infinity. */
HD bool run_single(uint32_t *place, uint32_t *entry, const runs &r, uint32_t bucket)
{
    uint32_t begin = r.begin[bucket], end = r.end[bucket], entries = end - begin;
    *place = run_place(r, bucket, entries / 2);
    *entry = end - 1;
    return entries == 0 || entries % 2 == 1;
}

/* Is place a, where the round before left a sum, the first of a pair of round `round`? */
HD bool run_continues(index_pair &pair, const runs &r, const uint32_t *owner, uint32_t a, unsigned round)
{
    uint32_t step = 1u << (round - 1), bucket = a < r.buckets ? a : owner[a - r.buckets];
    uint32_t elements = run_elements(r, bucket);
    uint32_t element = a < r.buckets ? 0 : run_element_at(a - r.buckets - r.before[bucket], elements);
    if ((element & (2 * step - 1)) != 0 || element + step >= elements) return false;
    pair = index_pair{ a, run_place(r, bucket, element + step) };
    return true;
}

/* Pair p of round t of the reduction. */
HD index_pair run_reduction_pair(uint32_t p, unsigned t)
{
    uint32_t kind = p % (t + 1), a = (p / (t + 1) << (t + 1)) + (kind == 0 ? 0 : 1u << (kind - 1));
    return index_pair{ a, a + (1u << t) };
}

#endif
