/* Multiples of one point in one group: included twice by fixed_base_test.c. */
#include "math/points.h"

static void POINT(check_multiple)(const POINT(affine_t) *actual, const POINT(affine_t) *base, const fr_t *scalar)
{
    POINT(t) expected;
    POINT(affine_t) affine;
    POINT(from_affine)(&expected, base);
    POINT(mul_fr_var)(&expected, &expected, scalar);
    POINT(to_affine_var)(&affine, &expected);
    assert_true(POINT(affine_equal)(&affine, actual));
}

/* Tables of every window size that `expected` can choose, scalars at the edges and random ones. */
static void POINT(fixed_base_mul__with_any_window)(void **state)
{
    (void)state;
    enum { N = 60 };
    struct random random = { 80 };
    POINT(affine_t) out[N], base = GENERATOR;
    fr_t scalars[N];
    for (int i = 0; i < N; i++) {
        fr_from_i64(&scalars[i], i - 10);
        if (i >= 20 && i < 30) fr_from_u64(&scalars[i], UINT64_MAX >> 6 * (i - 20));
        if (i >= 30) scalars[i] = fr_random(&random);
    }
    for (size_t expected = 0; expected <= LARGEST_TABLE; expected = expected ? 4 * expected : 1) {
        struct POINT(fixed_base) *table;
        assert_int_equal(POINT(fixed_base_create)(&table, &base, expected, NULL, NULL), CUZK_OK);
        POINT(fixed_base_mul)(out, table, scalars, N);
        for (int i = (int)(expected % 7); i < N; i += 3) POINT(check_multiple)(&out[i], &base, &scalars[i]);
        POINT(fixed_base_mul)(out, table, scalars, 0);
        POINT(fixed_base_destroy)(table);
    }
    POINT(fixed_base_destroy)(NULL);
}

static void POINT(fixed_base_mul__with_any_number_of_threads)(void **state)
{
    (void)state;
    enum { N = 2500 };
    struct random random = { 81 };
    static POINT(affine_t) out[4][N];
    static fr_t scalars[N];
    POINT(affine_t) base;
    fr_t log;
    POINT(progression)(&base, &log, 1, &random);
    for (int i = 0; i < N; i++) scalars[i] = fr_random(&random);
    scalars[7] = FR_ZERO;
    for (int t = 0; t < 4; t++) {
        const unsigned threads[] = { 1, 2, 3, 5 };
        struct pool *pool;
        struct POINT(fixed_base) *table;
        assert_int_equal(pool_create(&pool, threads[t], NULL), CUZK_OK);
        assert_int_equal(POINT(fixed_base_create)(&table, &base, N, pool, NULL), CUZK_OK);
        POINT(fixed_base_mul)(out[t], table, scalars, N);
        POINT(fixed_base_destroy)(table);
        pool_destroy(pool);
        assert_memory_equal(out[t], out[0], sizeof out[0]);
    }
    for (int i = 7; i < N; i += 250) POINT(check_multiple)(&out[0][i], &base, &scalars[i]);
}

static void POINT(fixed_base_mul__of_infinity)(void **state)
{
    (void)state;
    struct POINT(fixed_base) *table;
    POINT(affine_t) out[3], base = AFFINE_INFINITY;
    fr_t scalars[3] = { FR_ZERO, FR_ONE };
    fr_from_i64(&scalars[2], -1);
    assert_int_equal(POINT(fixed_base_create)(&table, &base, 3, NULL, NULL), CUZK_OK);
    POINT(fixed_base_mul)(out, table, scalars, 3);
    for (int i = 0; i < 3; i++) assert_true(POINT(affine_is_infinity)(&out[i]));
    POINT(fixed_base_destroy)(table);
}
