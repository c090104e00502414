/* Multi-scalar multiplication in one group: included twice by msm_test.c. Expected sums come from known
 * discrete logarithms, and in small cases from one multiplication for each point. */
#include "math/points.h"

static void POINT(check_msm)(const POINT(affine_t) *points, const fr_t *logs, const fr_t *scalars, size_t n,
                             struct pool *pool)
{
    POINT(t) expected = POINT(expected_sum)(logs, scalars, n), actual;
    assert_int_equal(POINT(msm)(&actual, points, scalars, n, pool, NULL), CUZK_OK);
    if (!POINT(equal)(&expected, &actual)) fail_msg("n = %zu, %u threads", n, pool_threads(pool));
}

static void POINT(msm__matches_single_multiplications)(void **state)
{
    (void)state;
    struct random random = { 60 };
    POINT(affine_t) points[6];
    fr_t logs[6], scalars[6];
    POINT(progression)(points, logs, 6, &random);
    for (size_t n = 0; n <= 6; n++) {
        POINT(t) expected = XYZZ_INFINITY, term, actual;
        for (size_t i = 0; i < n; i++) {
            scalars[i] = fr_random(&random);
            POINT(from_affine)(&term, &points[i]);
            POINT(mul_fr_var)(&term, &term, &scalars[i]);
            POINT(add)(&expected, &expected, &term);
        }
        assert_int_equal(POINT(msm)(&actual, points, scalars, n, NULL, NULL), CUZK_OK);
        assert_true(POINT(equal)(&expected, &actual));
    }
}

static void POINT(msm__of_every_small_size)(void **state)
{
    (void)state;
    struct random random = { 61 };
    POINT(affine_t) points[33];
    fr_t logs[33], scalars[33];
    POINT(progression)(points, logs, 33, &random);
    for (size_t n = 0; n <= 33; n++) {
        for (size_t i = 0; i < n; i++) scalars[i] = fr_random(&random);
        POINT(check_msm)(points, logs, scalars, n, NULL);
    }
}

/* Sizes around powers of two, where the window changes, with any number of threads. */
static void POINT(msm__with_any_number_of_threads)(void **state)
{
    (void)state;
    const unsigned threads[] = { 1, 2, 3, 5 };
    struct random random = { 62 };
    const size_t most = MOST + 1;
    POINT(affine_t) *points = malloc(most * sizeof *points);
    fr_t *logs = malloc(most * sizeof *logs), *scalars = malloc(most * sizeof *scalars);
    POINT(progression)(points, logs, most, &random);
    for (size_t i = 0; i < most; i++) scalars[i] = fr_random(&random);
    for (int t = 0; t < 4; t++) {
        struct pool *pool;
        assert_int_equal(pool_create(&pool, threads[t], NULL), CUZK_OK);
        POINT(check_msm)(points, logs, scalars, most, pool);
        for (size_t n = 64; n < most / 4; n *= 2) {
            POINT(check_msm)(points, logs, scalars, n - 1, pool);
            POINT(check_msm)(points, logs, scalars, n + 1, pool);
        }
        pool_destroy(pool);
    }
    free(points);
    free(logs);
    free(scalars);
}

/* Scalars at the edges of the field and of the halves, infinity, equal and opposite points. */
static void POINT(msm__of_edge_cases)(void **state)
{
    (void)state;
    enum { N = 200 };
    struct random random = { 63 };
    POINT(affine_t) points[N];
    fr_t logs[N], scalars[N];
    POINT(progression)(points, logs, N, &random);
    for (int i = 0; i < N; i++) {
        if (i % 10 == 4) points[i] = AFFINE_INFINITY, logs[i] = FR_ZERO;
        if (i % 10 == 5 && i > 10) points[i] = points[i - 10], logs[i] = logs[i - 10];
        if (i % 10 == 6) POINT(affine_neg)(&points[i], &points[i - 1]), fr_neg(&logs[i], &logs[i - 1]);
    }
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < N; i++) {
            fr_from_i64(&scalars[i], i / 10 - 5);
            if (round == 1) fr_from_u64(&scalars[i], (uint64_t)1 << (i / 10 * 3));
            if (round == 1 && i % 3 == 0) fr_sqr(&scalars[i], &scalars[i]);
            if (round == 2) scalars[i] = fr_random(&random);
            /* Equal points with equal scalars, opposite points with equal scalars. */
            if (round == 3) scalars[i] = i % 10 == 5 || i % 10 == 6 ? scalars[0] : fr_random(&random);
        }
        for (size_t n = 0; n <= N; n += 25) POINT(check_msm)(points, logs, scalars, n, NULL);
    }
}

static void POINT(msm__with_all_scalars_equal)(void **state)
{
    (void)state;
    enum { N = 3000 };
    struct random random = { 64 };
    static POINT(affine_t) points[N];
    static fr_t logs[N], scalars[N];
    struct pool *pool;
    assert_int_equal(pool_create(&pool, 3, NULL), CUZK_OK);
    POINT(progression)(points, logs, N, &random);
    for (int round = 0; round < 5; round++) {
        fr_t scalar = fr_random(&random);
        if (round < 3) fr_from_i64(&scalar, round - 1);
        for (int i = 0; i < N; i++) scalars[i] = scalar;
        if (round == 4) { /* all points equal too */
            for (int i = 0; i < N; i++) points[i] = points[0], logs[i] = logs[0];
        }
        POINT(check_msm)(points, logs, scalars, N, pool);
    }
    pool_destroy(pool);
}

/* A workspace made for any number of points takes any other, in pieces, in either form, again and again. */
static void POINT(msm_add__in_pieces)(void **state)
{
    (void)state;
    enum { N = 700 };
    struct random random = { 65 };
    POINT(affine_t) points[N];
    fr_t logs[N], scalars[N], canonical[N];
    POINT(progression)(points, logs, N, &random);
    for (int i = 0; i < N; i++) {
        scalars[i] = fr_random(&random);
        fr_to_limbs(canonical[i].l, &scalars[i]);
    }
    const size_t expected[] = { 0, 1, 100, 5000, LARGEST };
    for (int k = 0; k < 5; k++) {
        struct POINT(msm) *msm;
        assert_int_equal(POINT(msm_create)(&msm, expected[k], NULL, NULL), CUZK_OK);
        for (int repeat = 0; repeat < 2; repeat++) {
            const size_t cut[] = { 0, 0, 1, 130, 131, 400, N };
            size_t n = repeat ? 400 : N;
            for (int i = 1; i < (repeat ? 6 : 7); i++) {
                size_t at = cut[i - 1];
                POINT(msm_add)(msm, points + at, (i % 2 ? canonical : scalars) + at, cut[i] - at, i % 2);
            }
            POINT(t) sum, wanted = POINT(expected_sum)(logs, scalars, n);
            POINT(msm_finish)(&sum, msm);
            assert_true(POINT(equal)(&sum, &wanted));
            POINT(msm_finish)(&sum, msm);
            assert_true(POINT(is_infinity)(&sum));
        }
        POINT(msm_destroy)(msm);
    }
    POINT(msm_destroy)(NULL);
}
