#include "backend/cuda/runs.cuh"

#include "backend/cuda/sort.h"

enum { THREADS = 256, APPEND_EACH = 4 };

static unsigned blocks_for(size_t n) { return (unsigned)((n + THREADS - 1) / THREADS); }

/* ---- space ---- */

static size_t rounded(size_t bytes) { return (bytes + 255) / 256 * 256; }

size_t run_space_bytes(size_t entries, size_t buckets)
{
    return 2 * rounded(buckets * 4) + 2 * rounded((buckets + 1) * 4) + 2 * rounded((entries / 2 + 1) * 4) +
           rounded(run_most_pairs(entries, buckets) * sizeof(struct index_pair)) +
           rounded(run_most_later(entries, buckets) * sizeof(struct index_pair)) + rounded(scan_bytes(buckets + 1)) +
           4096;
}

cuzk_status run_space_take(struct run_space *s, size_t entries, size_t buckets, struct context *c, cuzk_error *err)
{
    char *space;
    *s = run_space{ entries, buckets, 0, 0 };
    s->scan_bytes = scan_bytes(buckets + 1);
    TRY_TAKE(s->begin, buckets, "runs");
    TRY_TAKE(s->end, buckets, "runs");
    TRY_TAKE(s->amount, buckets + 1, "runs");
    TRY_TAKE(s->before, buckets + 1, "runs");
    TRY_TAKE(s->owner, entries / 2 + 1, "runs");
    TRY_TAKE(s->targets, entries / 2 + 1, "runs");
    TRY_TAKE(s->pairs[0], run_most_pairs(entries, buckets), "pairs of points");
    TRY_TAKE(s->pairs[1], run_most_later(entries, buckets), "pairs of points");
    TRY_TAKE(s->counts, RUN_MAX_ROUNDS + 1, "counters");
    TRY_TAKE(space, s->scan_bytes, "a scan");
    s->scan_space = space;
    return CUZK_OK;
}

/* ---- runs ---- */

__global__ void mark_runs(uint32_t *begin, uint32_t *end, const uint32_t *keys, const uint32_t *valid)
{
    uint32_t i = blockIdx.x * THREADS + threadIdx.x, n = *valid;
    if (i < n) run_mark(begin, end, keys, i, n);
}

__global__ void count_first(uint32_t *amount, const uint32_t *begin, const uint32_t *end, uint32_t buckets)
{
    uint32_t b = blockIdx.x * THREADS + threadIdx.x;
    if (b <= buckets) amount[b] = b < buckets ? (end[b] - begin[b]) / 2 : 0;
}

cuzk_status runs_find(struct run_space *s, const struct bucket_entries *e, size_t count, size_t buckets,
                      struct context *c, cuzk_error *err)
{
    if (count > s->most_entries || buckets > s->most_buckets) return context_exhausted(c, "runs of entries", err);
    s->entries = count;
    s->buckets = buckets;
    TRY(cudaMemsetAsync(s->begin, 0, buckets * sizeof *s->begin, c->stream));
    TRY(cudaMemsetAsync(s->end, 0, buckets * sizeof *s->end, c->stream));
    TRY(cudaMemsetAsync(s->counts, 0, (RUN_MAX_ROUNDS + 1) * sizeof *s->counts, c->stream));
    mark_runs<<<blocks_for(count), THREADS, 0, c->stream>>>(s->begin, s->end, e->keys, e->valid);
    TRY_LAUNCH();
    count_first<<<blocks_for(buckets + 1), THREADS, 0, c->stream>>>(s->amount, s->begin, s->end, (uint32_t)buckets);
    TRY_LAUNCH();
    TRY(scan_exclusive(s->before, s->amount, buckets + 1, s->scan_space, s->scan_bytes, c->stream));
    return CUZK_OK;
}

/* ---- lists ---- */

__global__ void list_first(index_pair *pairs, uint32_t *targets, uint32_t *owner, const runs r, const uint32_t *keys,
                           const uint32_t *values, const uint32_t *valid)
{
    uint32_t i = blockIdx.x * THREADS + threadIdx.x;
    if (i < *valid) run_list_first(pairs, targets, owner, r, keys, values, i);
}

/* Appends the pairs of round `round` to `out`: in order, but for blocks of them that overtake each other. The order
 * is what makes the rounds read memory in one piece. */
__global__ void list_next(index_pair *out, uint32_t *count, const runs r, const index_pair *pairs,
                          const uint32_t *targets, const uint32_t *owner, const uint32_t *pair_count, unsigned round)
{
    __shared__ uint32_t warp_at[THREADS / 32];
    uint32_t lane = threadIdx.x & 31, warp = threadIdx.x / 32, in_front[APPEND_EACH], mine = 0, total = 0;
    uint32_t n = *pair_count, first = blockIdx.x * (THREADS * APPEND_EACH) + warp * (32 * APPEND_EACH) + lane;
    index_pair pair[APPEND_EACH];
    if (blockIdx.x * (THREADS * APPEND_EACH) >= n) return;
#pragma unroll
    for (int k = 0; k < APPEND_EACH; k++) {
        uint32_t p = first + k * 32;
        bool wanted = p < n && run_continues(pair[k], r, owner, targets ? targets[p] : pairs[p].a, round);
        uint32_t ballot = __ballot_sync(0xffffffff, wanted);
        in_front[k] = total + __popc(ballot & ((1u << lane) - 1));
        mine |= (uint32_t)wanted << k;
        total += __popc(ballot);
    }
    if (lane == 0) warp_at[warp] = total;
    __syncthreads();
    if (threadIdx.x == 0) {
        uint32_t sum = 0;
        for (int w = 0; w < THREADS / 32; w++) {
            uint32_t of_warp = warp_at[w];
            warp_at[w] = sum;
            sum += of_warp;
        }
        sum = atomicAdd(count, sum);
        for (int w = 0; w < THREADS / 32; w++) warp_at[w] += sum;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < APPEND_EACH; k++) {
        if (mine >> k & 1) out[warp_at[warp] + in_front[k]] = pair[k];
    }
}

cuzk_status runs_list(struct pair_list *out, struct run_space *s, const struct bucket_entries *e, unsigned round,
                      struct context *c, cuzk_error *err)
{
    runs r = { s->begin, s->end, s->before, (uint32_t)s->buckets };
    struct index_pair *pairs = s->pairs[round & 1];
    size_t most = run_most(s->entries, s->buckets, round);
    if (round == 0) {
        list_first<<<blocks_for(s->entries), THREADS, 0, c->stream>>>(pairs, s->targets, s->owner, r, e->keys,
                                                                     e->values, e->valid);
        TRY_LAUNCH();
        *out = pair_list{ pairs, s->targets, s->before + s->buckets, most };
        return CUZK_OK;
    }
    const uint32_t *before = round == 1 ? s->before + s->buckets : s->counts + round - 1;
    unsigned blocks = blocks_for((run_most(s->entries, s->buckets, round - 1) + APPEND_EACH - 1) / APPEND_EACH);
    list_next<<<blocks, THREADS, 0, c->stream>>>(pairs, s->counts + round, r, s->pairs[(round - 1) & 1],
                                                 round == 1 ? s->targets : NULL, s->owner, before, round);
    TRY_LAUNCH();
    *out = pair_list{ pairs, NULL, s->counts + round, most };
    return CUZK_OK;
}

__global__ void list_reduction(index_pair *pairs, uint32_t *count, uint32_t n, unsigned t)
{
    uint32_t p = blockIdx.x * THREADS + threadIdx.x;
    if (p == 0) *count = n;
    if (p < n) pairs[p] = run_reduction_pair(p, t);
}

cuzk_status runs_reduction(struct pair_list *out, struct run_space *s, unsigned t, struct context *c,
                           cuzk_error *err)
{
    uint32_t n = (uint32_t)run_reduction_pairs(s->buckets, t);
    list_reduction<<<blocks_for(n), THREADS, 0, c->stream>>>(s->pairs[1], s->counts, n, t);
    TRY_LAUNCH();
    *out = pair_list{ s->pairs[1], NULL, s->counts, n };
    return CUZK_OK;
}
