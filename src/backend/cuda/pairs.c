#include "backend/cuda/pairs.h"

#include "backend/cuda/sort.h"

unsigned pair_rounds(size_t most, size_t runs)
{
    unsigned rounds = 0;
    while (rounds < PAIR_MAX_ROUNDS && most >= (size_t)1 << 19 && most / 5 >= runs) {
        most = pair_most(most, runs);
        rounds++;
    }
    return rounds;
}

/* Thread products of a round at most (pair_group of pairs.cuh, for any device of up to 256 multiprocessors), and
 * the levels of their inversion. */
static size_t thread_products(size_t pairs)
{
    size_t full = pairs / PAIR_MAX_GROUP + 700000, small = pairs / PAIR_LEAST_GROUP + 1;
    size_t threads = small < full ? small : full;
    return threads + threads / 8 + 64;
}

static size_t rounded(size_t bytes) { return (bytes + 255) / 256 * 256; }

size_t pair_space_bytes(size_t field_bytes, size_t most, size_t runs, bool keyed)
{
    size_t pairs = (most + 1) / 2, first = pair_most(most, runs), second = pair_most(first, runs);
    size_t threads = thread_products(pairs);
    size_t bytes = rounded(first * 2 * field_bytes) + rounded(second * 2 * field_bytes) + 256;
    bytes += rounded(pairs * field_bytes) + 2 * rounded(threads * field_bytes);
    if (keyed)
        bytes +=
            rounded(first * 4) + rounded(second * 4) + 2 * rounded((pairs + 1) * 4) + rounded(scan_bytes(pairs + 1));
    return bytes + 4096;
}

cuzk_status pair_space_take(struct pair_space *s, size_t field_bytes, size_t most, size_t runs, bool keyed,
                            struct context *c, cuzk_error *err)
{
    size_t pairs = (most + 1) / 2, first = pair_most(most, runs), second = pair_most(first, runs);
    size_t threads = thread_products(pairs);
    *s = (struct pair_space){ .keyed = keyed, .scan_bytes = scan_bytes(pairs + 1), .capacity = { first, second } };
    bool taken = (s->points[0] = context_take(c, first * 2 * field_bytes)) != NULL;
    taken = taken && (s->points[1] = context_take(c, second * 2 * field_bytes)) != NULL;
    taken = taken && (s->counts = context_take(c, (PAIR_MAX_ROUNDS + 1) * sizeof *s->counts)) != NULL;
    taken = taken && (s->products = context_take(c, pairs * field_bytes)) != NULL;
    taken = taken && (s->inverses = context_take(c, threads * field_bytes)) != NULL;
    taken = taken && (s->scratch = context_take(c, threads * field_bytes)) != NULL;
    if (keyed) {
        taken = taken && (s->keys[0] = context_take(c, first * 4)) != NULL;
        taken = taken && (s->keys[1] = context_take(c, second * 4)) != NULL;
        taken = taken && (s->flags = context_take(c, (pairs + 1) * 4)) != NULL;
        taken = taken && (s->splits = context_take(c, (pairs + 1) * 4)) != NULL;
        taken = taken && (s->scan_space = context_take(c, s->scan_bytes)) != NULL;
    }
    return taken ? CUZK_OK : context_exhausted(c, "rounds of additions", err);
}
