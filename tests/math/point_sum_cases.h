/* Sums of selected points in one group: included twice by point_sum_test.c. */
#include "math/points.h"

static void POINT(check_selected)(const POINT(affine_t) *points, const fr_t *logs, size_t n,
                                  const uint64_t *selected, struct pool *pool)
{
    fr_t sum = FR_ZERO;
    for (size_t i = 0; i < n; i++) {
        if (!selected || selected[i / 64] >> i % 64 & 1) fr_add(&sum, &sum, &logs[i]);
    }
    POINT(t) expected = POINT(expected_sum)(&sum, NULL, 1), actual;
    assert_int_equal(POINT(sum_selected)(&actual, points, n, selected, pool, NULL), CUZK_OK);
    if (!POINT(equal)(&expected, &actual)) fail_msg("n = %zu, %u threads", n, pool_threads(pool));
}

static void POINT(sum_selected__with_any_bitmap_and_threads)(void **state)
{
    (void)state;
    struct random random = { 70 };
    POINT(affine_t) *points = malloc(POINTS * sizeof *points);
    fr_t *logs = malloc(POINTS * sizeof *logs);
    uint64_t selected[POINTS / 64 + 1], none[POINTS / 64 + 1] = { 0 };
    POINT(progression)(points, logs, POINTS, &random);
    for (unsigned threads = 1; threads <= 5; threads += threads < 3 ? 1 : 2) {
        struct pool *pool;
        assert_int_equal(pool_create(&pool, threads, NULL), CUZK_OK);
        for (size_t i = 0; i <= POINTS / 64; i++) selected[i] = random_limb(&random);
        const size_t sizes[] = { 0, 1, 63, 64, 65, 1000, 1023, 1025, POINTS };
        for (int k = 0; k < 9; k++) POINT(check_selected)(points, logs, sizes[k], selected, pool);
        POINT(check_selected)(points, logs, POINTS, NULL, pool);
        POINT(check_selected)(points, logs, POINTS, none, pool);
        pool_destroy(pool);
    }
    free(points);
    free(logs);
}

static void POINT(sum_selected__of_equal_opposite_and_infinite_points)(void **state)
{
    (void)state;
    enum { N = 2100 };
    struct random random = { 71 };
    static POINT(affine_t) points[N];
    static fr_t logs[N];
    POINT(progression)(points, logs, N, &random);
    for (int i = 0; i < N; i++) {
        if (i % 5 == 0) points[i] = points[0], logs[i] = logs[0];
        if (i % 5 == 1) POINT(affine_neg)(&points[i], &points[i - 1]), fr_neg(&logs[i], &logs[i - 1]);
        if (i % 5 == 2 && i > 1024) points[i] = points[i - 1024], logs[i] = logs[i - 1024];
        if (i % 5 == 3) points[i] = AFFINE_INFINITY, logs[i] = FR_ZERO;
    }
    POINT(check_selected)(points, logs, N, NULL, NULL);
    for (int i = 0; i < N; i++) points[i] = points[1], logs[i] = logs[1];
    POINT(check_selected)(points, logs, N, NULL, NULL);
}

/* Chunks at odd bit positions, and a second sum with the same lanes. */
static void POINT(point_sum__in_chunks)(void **state)
{
    (void)state;
    enum { N = 1500 };
    struct random random = { 72 };
    static POINT(affine_t) points[N];
    static fr_t logs[N];
    uint64_t selected[N / 64 + 1];
    struct POINT(point_sum) *sum;
    POINT(progression)(points, logs, N, &random);
    for (size_t i = 0; i <= N / 64; i++) selected[i] = random_u64(&random);
    assert_int_equal(POINT(point_sum_create)(&sum, NULL, NULL), CUZK_OK);
    for (int repeat = 0; repeat < 2; repeat++) {
        const size_t cut[] = { 0, 0, 1, 62, 63, 130, 1200, N };
        fr_t log = FR_ZERO;
        for (int k = repeat ? 3 : 1; k < 8; k++) {
            POINT(point_sum_add)(sum, points + cut[k - 1], cut[k] - cut[k - 1], selected, cut[k - 1]);
        }
        for (size_t i = cut[repeat ? 2 : 0]; i < N; i++) {
            if (selected[i / 64] >> i % 64 & 1) fr_add(&log, &log, &logs[i]);
        }
        POINT(t) expected = POINT(expected_sum)(&log, NULL, 1), actual;
        POINT(point_sum_finish)(&actual, sum);
        assert_true(POINT(equal)(&expected, &actual));
    }
    POINT(t) actual;
    POINT(point_sum_finish)(&actual, sum);
    assert_true(POINT(is_infinity)(&actual));
    POINT(point_sum_destroy)(sum);
    POINT(point_sum_destroy)(NULL);
}
