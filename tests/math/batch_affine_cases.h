/* Batched additions in one group, against POINT(add_mixed): included twice by batch_affine_test.c. */
#include "math/points.h"

enum { POINT(N) = 40 };

static void POINT(check_sum)(const POINT(affine_t) *actual, const POINT(affine_t) *a, const POINT(affine_t) *b)
{
    POINT(t) sum;
    POINT(affine_t) expected;
    POINT(from_affine)(&sum, a);
    POINT(add_mixed)(&sum, &sum, b);
    POINT(to_affine_var)(&expected, &sum);
    assert_true(POINT(affine_equal)(&expected, actual));
}

/* Every pair of infinity, a point, its negative and other points, in batches of every size. */
static void POINT(batch_add__is_complete)(void **state)
{
    (void)state;
    struct random random = { 30 };
    POINT(affine_t) p[8], out[64];
    struct POINT(addition) list[64];
    fr_t logs[8];
    POINT(progression)(p, logs, 8, &random);
    p[0] = AFFINE_INFINITY;
    POINT(affine_neg)(&p[2], &p[1]);
    POINT(affine_neg)(&p[4], &p[3]);
    for (int n = 0; n <= 64; n++) {
        for (int i = 0; i < n; i++) {
            list[i].out = &out[i];
            list[i].a = &p[i / 8];
            list[i].b = &p[i % 8];
        }
        POINT(batch_add)(list, (size_t)n);
        for (int i = 0; i < n; i++) POINT(check_sum)(&out[i], &p[i / 8], &p[i % 8]);
    }
    /* Only cases without a division. */
    for (int i = 0; i < 8; i++) {
        list[i].out = &out[i];
        list[i].a = &p[i % 2 ? 1 : 0];
        list[i].b = &p[i % 2 ? 2 : i];
    }
    POINT(batch_add)(list, 8);
    for (int i = 0; i < 8; i++) POINT(check_sum)(&out[i], list[i].a, list[i].b);
}

/* The sums are the same, and no more is fetched than was asked for. */
static void POINT(batch_add_fetching__adds_as_well)(void **state)
{
    (void)state;
    struct random random = { 33 };
    POINT(affine_t) p[POINT(N)], plain[POINT(N)], fetching[POINT(N)];
    struct POINT(addition) list[POINT(N)];
    const void *elements[3 * POINT(N)];
    fr_t logs[POINT(N)];
    POINT(progression)(p, logs, POINT(N), &random);
    p[11] = AFFINE_INFINITY;
    for (size_t i = 0; i < 3 * POINT(N); i++) elements[i] = i % 2 ? &p[i % POINT(N)].y : &p[i % POINT(N)].x;
    for (size_t n = 0; n <= POINT(N); n++) {
        for (size_t count = 0; count <= 3 * POINT(N); count += 24) {
            struct fetch_ahead fetch = { elements, elements + count };
            for (int round = 0; round < 2; round++) {
                for (size_t i = 0; i < n; i++) {
                    list[i].out = round ? &fetching[i] : &plain[i];
                    list[i].a = &p[i];
                    list[i].b = &p[POINT(N) - 1 - i];
                }
                if (round) POINT(batch_add_fetching)(list, n, &fetch);
                else POINT(batch_add)(list, n);
            }
            assert_memory_equal(plain, fetching, n * sizeof *plain);
            assert_true(fetch.next >= elements && fetch.next <= elements + count);
        }
    }
}

static void POINT(batch_add__doubles_points_of_order_two)(void **state)
{
    (void)state;
    /* Not on the curve, but the rule must hold: y = 0 means −P = P. */
    POINT(affine_t) p = GENERATOR, out;
    memset(&p.y, 0, sizeof p.y);
    struct POINT(addition) addition = { .out = &out, .a = &p, .b = &p };
    POINT(batch_add)(&addition, 1);
    assert_true(POINT(affine_is_infinity)(&out));
}

static void POINT(batch_accumulate__adds_in_place)(void **state)
{
    (void)state;
    struct random random = { 31 };
    POINT(affine_t) a[POINT(N)], b[POINT(N)], sums[POINT(N)];
    struct POINT(addition) list[POINT(N)];
    fr_t logs[POINT(N)];
    POINT(progression)(a, logs, POINT(N), &random);
    POINT(progression)(b, logs, POINT(N), &random);
    b[3] = a[3];
    POINT(affine_neg)(&b[5], &a[5]);
    a[7] = b[9] = AFFINE_INFINITY;
    memcpy(sums, a, sizeof a);
    POINT(batch_accumulate)(sums, b, POINT(N), list);
    for (int i = 0; i < POINT(N); i++) POINT(check_sum)(&sums[i], &a[i], &b[i]);
}

static void POINT(batch_sum__of_any_number)(void **state)
{
    (void)state;
    struct random random = { 32 };
    POINT(affine_t) p[POINT(N)], copy[POINT(N)], sum;
    struct POINT(addition) list[POINT(N) / 2];
    fr_t logs[POINT(N)];
    POINT(progression)(p, logs, POINT(N), &random);
    for (size_t n = 0; n <= POINT(N); n++) {
        memcpy(copy, p, sizeof p);
        POINT(batch_sum)(&sum, copy, n, list);
        POINT(t) expected = POINT(expected_sum)(logs, NULL, n), actual;
        POINT(from_affine)(&actual, &sum);
        assert_true(POINT(equal)(&expected, &actual));
    }
    /* Equal points double again and again. */
    for (int i = 0; i < POINT(N); i++) copy[i] = p[0];
    POINT(batch_sum)(&sum, copy, 32, list);
    POINT(t) expected, actual;
    POINT(from_affine)(&expected, &p[0]);
    for (int i = 0; i < 5; i++) POINT(double)(&expected, &expected);
    POINT(from_affine)(&actual, &sum);
    assert_true(POINT(equal)(&expected, &actual));
}
