#include "math/random.h"
#include "test.h"

#define SAMPLES 40

static void samples(fp2_t out[SAMPLES])
{
    struct random random = { 11 };
    fp_t edge[4];
    int n = 0;
    edge[0] = FP_ZERO;
    edge[1] = FP_ONE;
    fp_neg(&edge[2], &FP_ONE);
    memcpy(edge[3].l, FP_MODULUS, sizeof edge[3].l); /* the largest Montgomery form */
    edge[3].l[0]--;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            out[n].c0 = edge[i];
            out[n++].c1 = edge[j];
        }
    }
    while (n < SAMPLES) out[n++] = fp2_random(&random);
}

static void fp2__operations_match_their_definition(void **state)
{
    (void)state;
    fp2_t s[SAMPLES], x, expected;
    fp_t t;
    samples(s);
    for (int i = 0; i < SAMPLES; i++) {
        for (int j = 0; j < SAMPLES; j++) {
            const fp2_t *a = &s[i], *b = &s[j];
            fp_mul(&expected.c0, &a->c0, &b->c0);
            fp_mul(&t, &a->c1, &b->c1);
            fp_sub(&expected.c0, &expected.c0, &t);
            fp_mul(&expected.c1, &a->c0, &b->c1);
            fp_mul(&t, &a->c1, &b->c0);
            fp_add(&expected.c1, &expected.c1, &t);
            fp2_mul(&x, a, b);
            assert_true(fp2_equal(&x, &expected));
            x = *a;
            fp2_mul(&x, &x, b);
            assert_true(fp2_equal(&x, &expected));
            x = *b;
            fp2_mul(&x, a, &x);
            assert_true(fp2_equal(&x, &expected));

            fp2_add(&x, a, b);
            fp2_sub(&x, &x, b);
            assert_true(fp2_equal(&x, a));
            x = *a;
            fp2_mul_fp(&x, &x, &b->c1);
            fp_mul(&expected.c0, &a->c0, &b->c1);
            fp_mul(&expected.c1, &a->c1, &b->c1);
            assert_true(fp2_equal(&x, &expected));
        }
        x = s[i];
        fp2_sqr(&x, &x);
        fp2_mul(&expected, &s[i], &s[i]);
        assert_true(fp2_equal(&x, &expected));
        x = s[i];
        fp2_mul_fp(&x, &x, &x.c0);
        fp_sqr(&expected.c0, &s[i].c0);
        fp_mul(&expected.c1, &s[i].c1, &s[i].c0);
        assert_true(fp2_equal(&x, &expected));
        fp2_double(&x, &s[i]);
        fp2_add(&expected, &s[i], &s[i]);
        assert_true(fp2_equal(&x, &expected));
        fp2_neg(&x, &s[i]);
        fp2_add(&x, &x, &s[i]);
        assert_true(fp2_is_zero(&x));
        const fp2_t nonresidue = { FP_ONE, FP_ONE };
        x = s[i];
        fp2_mul_nonresidue(&x, &x);
        fp2_mul(&expected, &s[i], &nonresidue);
        assert_true(fp2_equal(&x, &expected));
    }
}

static void fp2_conjugate__is_the_power_p(void **state)
{
    (void)state;
    fp2_t s[SAMPLES], x, y;
    samples(s);
    for (int i = 0; i < SAMPLES; i += 3) {
        fp2_conjugate(&x, &s[i]);
        fp2_pow_var(&y, &s[i], FP_MODULUS, 6);
        assert_true(fp2_equal(&x, &y));
    }
}

static void fp2__inverses(void **state)
{
    (void)state;
    fp2_t s[SAMPLES], batch[SAMPLES], scratch[SAMPLES], x, y;
    samples(s);
    memcpy(batch, s, sizeof s);
    fp2_batch_inv_var(batch, SAMPLES, scratch);
    for (int i = 0; i < SAMPLES; i++) {
        fp2_inv_var(&x, &s[i]);
        assert_true(fp2_equal(&x, &batch[i]));
        fp2_mul(&y, &x, &s[i]);
        assert_true(fp2_is_zero(&s[i]) ? fp2_is_zero(&x) : fp2_is_one(&y));
        y = s[i];
        fp2_inv_var(&y, &y);
        assert_true(fp2_equal(&x, &y));
    }
}

static void fp2_sqrt__squares_have_roots_and_others_none(void **state)
{
    (void)state;
    fp2_t s[SAMPLES], square, root, negative;
    samples(s);
    for (int i = 0; i < SAMPLES; i++) {
        fp2_sqr(&square, &s[i]);
        assert_true(fp2_sqrt_var(&root, &square));
        fp2_neg(&negative, &root);
        assert_true(fp2_equal(&root, &s[i]) || fp2_equal(&negative, &s[i]));
        /* 1 + u is not a square */
        fp2_mul_nonresidue(&square, &square);
        assert_int_equal(fp2_sqrt_var(&square, &square), fp2_is_zero(&s[i]));
    }
}

static void fp2_is_larger__second_coordinate_decides(void **state)
{
    (void)state;
    fp_t minus_one;
    fp_neg(&minus_one, &FP_ONE);
    assert_false(fp2_is_larger(&FP2_ZERO));
    assert_false(fp2_is_larger(&FP2_ONE));
    assert_true(fp2_is_larger(&(fp2_t){ minus_one, FP_ZERO }));
    assert_false(fp2_is_larger(&(fp2_t){ minus_one, FP_ONE }));
    assert_true(fp2_is_larger(&(fp2_t){ FP_ONE, minus_one }));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(fp2__operations_match_their_definition),
        test(fp2_conjugate__is_the_power_p),
        test(fp2__inverses),
        test(fp2_sqrt__squares_have_roots_and_others_none),
        test(fp2_is_larger__second_coordinate_decides),
    };
    return run_tests(tests);
}
