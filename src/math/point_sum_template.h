/* Sums of selected points, once for G1 and once for G2: point_sum.c defines the macros. The contract is in
 * point_sum.h. */

/* What one thread works with. */
struct POINT(lanes) {
    POINT(affine_t) sums[POINT_SUM_LANES];
    POINT(affine_t) waiting[POINT_SUM_LANES]; /* selected, not yet added */
    struct POINT(addition) list[POINT_SUM_LANES];
    size_t waiting_count;
};

struct POINT(point_sum) {
    struct pool *pool;
    struct POINT(lanes) *lanes; /* [threads] */
    /* The chunk under way. */
    const POINT(affine_t) *points;
    const uint64_t *selected;
    size_t first_bit;
};

static void POINT(empty_lanes)(struct POINT(lanes) *lanes)
{
    memset(lanes->sums, 0, sizeof lanes->sums);
    lanes->waiting_count = 0;
}

static void POINT(add_waiting)(struct POINT(lanes) *lanes)
{
    POINT(batch_accumulate)(lanes->sums, lanes->waiting, lanes->waiting_count, lanes->list);
    lanes->waiting_count = 0;
}

static void POINT(select)(void *context, size_t begin, size_t end, unsigned worker)
{
    const struct POINT(point_sum) *s = context;
    struct POINT(lanes) *lanes = &s->lanes[worker];
    while (begin < end) {
        size_t bit = s->first_bit + begin, left = 64 - bit % 64;
        if (left > end - begin) left = end - begin;
        uint64_t word = s->selected ? s->selected[bit / 64] >> bit % 64 : UINT64_MAX;
        if (left < 64) word &= (UINT64_C(1) << left) - 1;
        for (; word; word &= word - 1) {
            lanes->waiting[lanes->waiting_count++] = s->points[begin + (size_t)__builtin_ctzll(word)];
            if (lanes->waiting_count == POINT_SUM_LANES) POINT(add_waiting)(lanes);
        }
        begin += left;
    }
}

void POINT(point_sum_add)(struct POINT(point_sum) *sum, const POINT(affine_t) *points, size_t n,
                          const uint64_t *selected, size_t first_bit)
{
    sum->points = points;
    sum->selected = selected;
    sum->first_bit = first_bit;
    pool_for(sum->pool, n, SELECT_GRAIN, POINT(select), sum);
}

/* Leaves the sum of thread i's lanes in its first lane. */
static void POINT(sum_lanes)(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    const struct POINT(point_sum) *s = context;
    for (size_t i = begin; i < end; i++) {
        struct POINT(lanes) *lanes = &s->lanes[i];
        POINT(add_waiting)(lanes);
        POINT(batch_sum)(&lanes->sums[0], lanes->sums, POINT_SUM_LANES, lanes->list);
    }
}

void POINT(point_sum_finish)(POINT(t) *out, struct POINT(point_sum) *sum)
{
    unsigned threads = pool_threads(sum->pool);
    pool_for(sum->pool, threads, 1, POINT(sum_lanes), sum);
    *out = INFINITY_XYZZ;
    for (unsigned i = 0; i < threads; i++) {
        POINT(add_mixed)(out, out, &sum->lanes[i].sums[0]);
        POINT(empty_lanes)(&sum->lanes[i]);
    }
}

cuzk_status POINT(point_sum_create)(struct POINT(point_sum) **out, struct pool *pool, cuzk_error *err)
{
    unsigned threads = pool_threads(pool);
    struct POINT(point_sum) *sum = calloc(1, sizeof *sum);
    *out = NULL;
    if (sum) sum->lanes = malloc(threads * sizeof *sum->lanes);
    if (!sum || !sum->lanes) {
        free(sum);
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory to sum points with %u threads", threads);
    }
    sum->pool = pool;
    for (unsigned i = 0; i < threads; i++) POINT(empty_lanes)(&sum->lanes[i]);
    *out = sum;
    return CUZK_OK;
}

void POINT(point_sum_destroy)(struct POINT(point_sum) *sum)
{
    if (!sum) return;
    free(sum->lanes);
    free(sum);
}

cuzk_status POINT(sum_selected)(POINT(t) *out, const POINT(affine_t) *points, size_t n,
                                const uint64_t *selected, struct pool *pool, cuzk_error *err)
{
    struct POINT(point_sum) *sum;
    cuzk_status status = POINT(point_sum_create)(&sum, pool, err);
    if (status != CUZK_OK) return status;
    POINT(point_sum_add)(sum, points, n, selected, 0);
    POINT(point_sum_finish)(out, sum);
    POINT(point_sum_destroy)(sum);
    return CUZK_OK;
}
