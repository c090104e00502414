#include "backend/cuda/pairs.h"

enum { HALVING_MAX_ROUNDS = 16, HALVING_LEAST = 1 << 19 };

unsigned halving_rounds(size_t most)
{
    unsigned rounds = 0;
    while (rounds < HALVING_MAX_ROUNDS && most >= HALVING_LEAST) {
        most = (most + 1) / 2;
        rounds++;
    }
    return rounds;
}

/* Thread products of a round at most (pair_group of pairs.cuh, for any device of up to 256 multiprocessors), and
 * the levels of their inversion. */
static size_t thread_products(size_t pairs)
{
    size_t full = pairs / PAIR_MAX_GROUP + 4 * 256 * 512, small = pairs / PAIR_LEAST_GROUP + 1;
    size_t threads = small < full ? small : full;
    return threads + threads / 7 + 64;
}

static size_t rounded(size_t bytes) { return (bytes + 255) / 256 * 256; }

size_t pair_space_bytes(size_t field_bytes, size_t pairs)
{
    return rounded(pairs * field_bytes) + 2 * rounded(thread_products(pairs) * field_bytes) + 1024;
}

cuzk_status pair_space_take(struct pair_space *s, size_t field_bytes, size_t pairs, struct context *c,
                            cuzk_error *err)
{
    size_t threads = thread_products(pairs);
    *s = (struct pair_space){ NULL, NULL, NULL };
    bool taken = (s->products = context_take(c, pairs * field_bytes)) != NULL;
    taken = taken && (s->inverses = context_take(c, threads * field_bytes)) != NULL;
    taken = taken && (s->scratch = context_take(c, threads * field_bytes)) != NULL;
    return taken ? CUZK_OK : context_exhausted(c, "a round of additions", err);
}

size_t halving_space_bytes(size_t field_bytes, size_t most)
{
    size_t first = (most + 1) / 2, second = (first + 1) / 2;
    return rounded(first * 2 * field_bytes) + rounded(second * 2 * field_bytes) +
           pair_space_bytes(field_bytes, first) + 1024;
}

cuzk_status halving_space_take(struct halving_space *s, size_t field_bytes, size_t most, struct context *c,
                               cuzk_error *err)
{
    size_t first = (most + 1) / 2, second = (first + 1) / 2;
    *s = (struct halving_space){ .capacity = { first, second } };
    bool taken = (s->points[0] = context_take(c, first * 2 * field_bytes)) != NULL;
    taken = taken && (s->points[1] = context_take(c, second * 2 * field_bytes)) != NULL;
    taken = taken && (s->counts = context_take(c, HALVING_MAX_ROUNDS * sizeof *s->counts)) != NULL;
    if (!taken) return context_exhausted(c, "rounds of additions", err);
    return pair_space_take(&s->pairs, field_bytes, first, c, err);
}
