#include "math/multiples.h"

#include "math/random.h"
#include "test.h"

#define POINT(name) g1_##name
#define FIELD(name) fp_##name
#define GENERATOR G1_GENERATOR
#include "math/points.h"

enum { POINTS = 9, ROWS = 43 * 2 * POINTS };

static g1_affine_t rows[ROWS];
static struct g1_addition list[ROWS / 2];

/* Scalars at the edges: small ones of both signs, r's neighbours, halves with all bits set. */
static fr_t some_scalar(struct random *random, int i)
{
    fr_t k = fr_random(random);
    if (i < 12) fr_from_i64(&k, i - 6);
    if (i == 12) fr_from_u64(&k, UINT64_MAX);
    return k;
}

static void halves__join_to_the_scalar(void **state)
{
    (void)state;
    struct random random = { 90 };
    for (int i = 0; i < 300; i++) {
        fr_t k = some_scalar(&random, i), joined;
        struct halves h;
        halves_of(&h, &k);
        halves_join(&joined, &h);
        assert_true(fr_equal(&k, &joined));
    }
}

static void multiples__are_multiples(void **state)
{
    (void)state;
    struct random random = { 91 };
    g1_affine_t points[POINTS];
    fr_t logs[POINTS];
    g1_progression(points, logs, POINTS, &random);
    points[3] = G1_AFFINE_INFINITY;
    for (unsigned bits = 3; bits <= 10; bits++) {
        struct g1_multiples table;
        assert_int_equal(g1_multiples_create(&table, points, POINTS, bits, NULL), CUZK_OK);
        for (size_t i = 0; i < POINTS; i++) {
            g1_t sum = G1_INFINITY, at;
            for (size_t m = 0; m < (size_t)1 << (bits - 1); m++) {
                g1_add_mixed(&sum, &sum, &points[i]);
                g1_from_affine(&at, &table.at[m * POINTS + i]);
                assert_true(g1_equal(&sum, &at));
            }
        }
        g1_multiples_release(&table);
        g1_multiples_release(&table);
    }
}

static void products__are_right_with_any_window(void **state)
{
    (void)state;
    struct random random = { 92 };
    g1_affine_t points[POINTS];
    fr_t logs[POINTS];
    g1_progression(points, logs, POINTS, &random);
    points[3] = G1_AFFINE_INFINITY;
    for (unsigned bits = 3; bits <= 10; bits++) {
        struct g1_multiples table;
        assert_int_equal(g1_multiples_create(&table, points, POINTS, bits, NULL), CUZK_OK);
        for (int i = 0; i < 40; i++) {
            fr_t k = some_scalar(&random, i);
            struct halves h;
            g1_t expected, actual;
            halves_of(&h, &k);
            g1_from_affine(&expected, &points[i % POINTS]);
            g1_mul_fr_var(&expected, &expected, &k);
            g1_multiples_mul_var(&actual, &table, (size_t)i % POINTS, &h, HALF_LENGTH);
            assert_true(g1_equal(&expected, &actual));
        }
        g1_multiples_release(&table);
    }
}

static void sums__are_right_with_any_window(void **state)
{
    (void)state;
    struct random random = { 93 };
    g1_affine_t points[POINTS];
    fr_t logs[POINTS], scalars[POINTS];
    struct halves h[POINTS];
    g1_progression(points, logs, POINTS, &random);
    points[4] = points[5];
    logs[4] = logs[5];
    g1_affine_neg(&points[6], &points[5]);
    fr_neg(&logs[6], &logs[5]);
    for (unsigned bits = 3; bits <= 10; bits++) {
        struct g1_multiples table;
        assert_int_equal(g1_multiples_create(&table, points, POINTS, bits, NULL), CUZK_OK);
        for (size_t begin = 0; begin < POINTS; begin++) {
            for (size_t n = 0; n <= POINTS - begin; n++) {
                g1_t actual, expected;
                for (size_t i = 0; i < n; i++) {
                    scalars[i] = n == 4 ? FR_ONE : some_scalar(&random, (int)(begin * n + i));
                    halves_of(&h[i], &scalars[i]);
                }
                expected = g1_expected_sum(logs + begin, scalars, n);
                assert_true(multiples_rows(bits, n, HALF_LENGTH) <= ROWS);
                g1_multiples_sum_var(&actual, &table, begin, h, n, HALF_LENGTH, rows, list);
                assert_true(g1_equal(&expected, &actual));
            }
        }
        g1_multiples_release(&table);
    }
}

/* Halves of 64 bits, as random factors have them, at their extremes. */
static void short_halves__are_right(void **state)
{
    (void)state;
    struct random random = { 94 };
    g1_affine_t point;
    fr_t log;
    struct g1_multiples table;
    g1_progression(&point, &log, 1, &random);
    assert_int_equal(g1_multiples_create(&table, &point, 1, 4, NULL), CUZK_OK);
    const int64_t some = (int64_t)random_u64(&random);
    const int64_t edges[] = { 0, 1, -1, 7, 8, -8, -9, INT64_MAX, INT64_MIN, INT64_MIN + 1, some };
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        for (size_t j = 0; j < sizeof edges / sizeof edges[0]; j++) {
            const struct halves h = { edges[i], edges[j] };
            g1_t expected, actual, sum;
            fr_t k;
            halves_join(&k, &h);
            g1_from_affine(&expected, &point);
            g1_mul_fr_var(&expected, &expected, &k);
            g1_multiples_mul_var(&actual, &table, 0, &h, 64);
            assert_true(g1_equal(&expected, &actual));
            g1_multiples_sum_var(&sum, &table, 0, &h, 1, 64, rows, list);
            assert_true(g1_equal(&expected, &sum));
        }
    }
    g1_multiples_release(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(halves__join_to_the_scalar),
        test(multiples__are_multiples),
        test(products__are_right_with_any_window),
        test(sums__are_right_with_any_window),
        test(short_halves__are_right),
    };
    return run_tests(tests);
}
