/* Sums of n products, once for G1 and once for G2: sums.c defines the macros. */
#include "math/points.h"

struct POINT(sums) {
    size_t n;
    unsigned threads;
    struct pool *pool;
    const POINT(affine_t) *points;
    const fr_t *scalars;
    struct POINT(msm) *msm;
    struct tiling tiling;
    limb_t **scratch; /* of each thread */
    PEER() *tiles;
    POINT(t) ours;
    PEER() theirs;
};

static void POINT(sum_ours)(void *context)
{
    struct POINT(sums) *s = context;
    POINT(msm_add)(s->msm, s->points, s->scalars, s->n, true);
    POINT(msm_finish)(&s->ours, s->msm);
}

static void POINT(run_tiles)(void *context, size_t begin, size_t end, unsigned worker)
{
    struct POINT(sums) *s = context;
    const struct tiling *t = &s->tiling;
    for (size_t i = begin; i < end; i++) {
        size_t window = t->windows - 1 - i / t->columns, column = i % t->columns;
        size_t first = column * (s->n / t->columns);
        size_t count = column == t->columns - 1 ? s->n - first : s->n / t->columns;
        const PEER(_affine) *const points[2] = { (const PEER(_affine) *)(s->points + first), NULL };
        const byte *const scalars[2] = { (const byte *)(s->scalars + first), NULL };
        PEER(s_tile_pippenger)(&s->tiles[i], points, count, scalars, SCALAR_BITS, s->scratch[worker],
                               window * t->bits, t->bits);
    }
}

static void POINT(sum_theirs)(void *context)
{
    struct POINT(sums) *s = context;
    const struct tiling *t = &s->tiling;
    if (s->threads == 1 || s->n < FEW_POINTS) {
        const PEER(_affine) *const points[2] = { (const PEER(_affine) *)s->points, NULL };
        const byte *const scalars[2] = { (const byte *)s->scalars, NULL };
        PEER(s_mult_pippenger)(&s->theirs, points, s->n, scalars, SCALAR_BITS, s->scratch[0]);
        return;
    }
    pool_for(s->pool, t->windows * t->columns, 1, POINT(run_tiles), s);
    s->theirs = s->tiles[0];
    for (size_t i = 1; i < t->windows * t->columns; i++) {
        for (size_t k = 0; i % t->columns == 0 && k < t->bits; k++) PEER(_double)(&s->theirs, &s->theirs);
        PEER(_add_or_double)(&s->theirs, &s->theirs, &s->tiles[i]);
    }
}

static bool POINT(sums_agree)(const void *context)
{
    const struct POINT(sums) *s = context;
    POINT(affine_t) a;
    PEER(_affine) b;
    POINT(to_affine_var)(&a, &s->ours);
    PEER(_to_affine)(&b, &s->theirs);
    return memcmp(&a, &b, sizeof a) == 0;
}

static void POINT(compare_size)(struct settings *settings, struct POINT(sums) *s)
{
    size_t tile = PEER(s_mult_pippenger_scratch_sizeof)(0), whole = PEER(s_mult_pippenger_scratch_sizeof)(s->n);
    s->pool = start_pool(s->threads);
    s->tiling = choose_tiling(s->n, s->threads);
    s->scratch = take_memory(s->threads * sizeof *s->scratch);
    s->tiles = take_memory(s->tiling.windows * s->tiling.columns * sizeof *s->tiles);
    for (unsigned i = 0; i < s->threads; i++) {
        size_t bytes = tile << (s->tiling.bits - 1);
        if (bytes < whole) bytes = whole;
        s->scratch[i] = take_memory(bytes);
        memset(s->scratch[i], 0, bytes); /* a tile begins with empty buckets and leaves them empty */
    }
    if (POINT(msm_create)(&s->msm, s->n, s->pool, NULL) != CUZK_OK) abort();
    struct contest c = { TITLE, s->n, s->threads, POINT(sum_ours), POINT(sum_theirs), POINT(sums_agree), s };
    contest_run(settings, &c);
    POINT(msm_destroy)(s->msm);
    for (unsigned i = 0; i < s->threads; i++) free(s->scratch[i]);
    free(s->scratch);
    free(s->tiles);
    pool_destroy(s->pool);
}

/* Sizes 2^log_min … 2^log_max, each with one thread and with all of them. */
static void POINT(compare)(struct settings *settings, const fr_t *scalars, unsigned log_min, unsigned log_max,
                           unsigned step)
{
    size_t most = (size_t)1 << log_max;
    POINT(affine_t) *points = take_memory(most * sizeof *points);
    fr_t *logs = take_memory(most * sizeof *logs);
    struct random random = { 3 };
    POINT(progression)(points, logs, most, &random);
    for (unsigned k = log_min; k <= log_max; k += step) {
        for (unsigned threads = 1;; threads = settings->threads) {
            struct POINT(sums) s = { .n = (size_t)1 << k, .threads = threads, .points = points, .scalars = scalars };
            POINT(compare_size)(settings, &s);
            if (threads == settings->threads) break;
        }
    }
    free(points);
    free(logs);
}
