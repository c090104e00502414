#include "math/fp12.h"
#include "math/random.h"
#include "test.h"

static fp6_t fp6_random(struct random *random)
{
    fp6_t out;
    out.c0 = fp2_random(random);
    out.c1 = fp2_random(random);
    out.c2 = fp2_random(random);
    return out;
}

static fp12_t fp12_random(struct random *random)
{
    fp12_t out;
    out.c0 = fp6_random(random);
    out.c1 = fp6_random(random);
    return out;
}

/* Fp12 as polynomials in w over Fp2 with w^6 = 1 + u, multiplied term by term. */
struct polynomial {
    fp2_t a[6];
};

static struct polynomial expand(const fp12_t *f)
{
    return (struct polynomial){ { f->c0.c0, f->c1.c0, f->c0.c1, f->c1.c1, f->c0.c2, f->c1.c2 } };
}

static fp12_t collect(const struct polynomial *f)
{
    return (fp12_t){ { f->a[0], f->a[2], f->a[4] }, { f->a[1], f->a[3], f->a[5] } };
}

static fp12_t schoolbook(const fp12_t *f, const fp12_t *g)
{
    struct polynomial a = expand(f), b = expand(g), out;
    memset(&out, 0, sizeof out);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            fp2_t t;
            fp2_mul(&t, &a.a[i], &b.a[j]);
            if (i + j >= 6) fp2_mul_nonresidue(&t, &t);
            fp2_add(&out.a[(i + j) % 6], &out.a[(i + j) % 6], &t);
        }
    }
    return collect(&out);
}

static void fp6__operations_match_schoolbook(void **state)
{
    (void)state;
    struct random random = { 61 };
    for (int i = 0; i < 30; i++) {
        fp12_t a = { fp6_random(&random), FP6_ZERO }, b = { fp6_random(&random), FP6_ZERO }, expected;
        fp6_t x;
        if (i % 5 == 1) a.c0.c1 = FP2_ZERO;
        if (i % 5 == 2) b.c0.c2 = FP2_ZERO;
        expected = schoolbook(&a, &b);
        assert_true(fp6_is_zero(&expected.c1));
        fp6_mul(&x, &a.c0, &b.c0);
        assert_true(fp6_equal(&x, &expected.c0));
        x = a.c0;
        fp6_mul(&x, &x, &b.c0);
        assert_true(fp6_equal(&x, &expected.c0));
        x = b.c0;
        fp6_mul(&x, &a.c0, &x);
        assert_true(fp6_equal(&x, &expected.c0));

        fp6_inv_var(&x, &a.c0);
        fp6_mul(&x, &x, &a.c0);
        assert_true(fp6_equal(&x, &FP6_ONE));
        fp6_add(&x, &a.c0, &b.c0);
        fp6_sub(&x, &x, &a.c0);
        assert_true(fp6_equal(&x, &b.c0));
        fp6_neg(&x, &x);
        fp6_add(&x, &x, &b.c0);
        assert_true(fp6_is_zero(&x));

        b.c0.c2 = FP2_ZERO;
        expected = schoolbook(&a, &b);
        x = a.c0;
        fp6_mul_sparse(&x, &x, &b.c0.c0, &b.c0.c1);
        assert_true(fp6_equal(&x, &expected.c0));
        b.c0 = (fp6_t){ FP2_ZERO, FP2_ONE, FP2_ZERO };
        expected = schoolbook(&a, &b);
        x = a.c0;
        fp6_mul_nonresidue(&x, &x);
        assert_true(fp6_equal(&x, &expected.c0));
    }
    fp6_t zero = FP6_ZERO;
    fp6_inv_var(&zero, &zero);
    assert_true(fp6_is_zero(&zero));
}

static void fp12__operations_match_schoolbook(void **state)
{
    (void)state;
    struct random random = { 62 };
    for (int i = 0; i < 30; i++) {
        fp12_t a = fp12_random(&random), b = fp12_random(&random), expected, x;
        expected = schoolbook(&a, &b);
        fp12_mul(&x, &a, &b);
        assert_true(fp12_equal(&x, &expected));
        x = a;
        fp12_mul(&x, &x, &b);
        assert_true(fp12_equal(&x, &expected));
        x = b;
        fp12_mul(&x, &a, &x);
        assert_true(fp12_equal(&x, &expected));
        expected = schoolbook(&a, &a);
        x = a;
        fp12_sqr(&x, &x);
        assert_true(fp12_equal(&x, &expected));
        x = a;
        fp12_inv_var(&x, &x);
        fp12_mul(&x, &x, &a);
        assert_true(fp12_is_one(&x));
        struct polynomial line = { { b.c0.c0, FP2_ZERO, b.c0.c1, FP2_ONE, FP2_ZERO, FP2_ZERO } };
        fp12_t l = collect(&line);
        expected = schoolbook(&a, &l);
        x = a;
        fp12_mul_line(&x, &x, &b.c0.c0, &b.c0.c1);
        assert_true(fp12_equal(&x, &expected));
    }
    fp12_t zero = { FP6_ZERO, FP6_ZERO };
    assert_false(fp12_is_one(&zero));
    fp12_inv_var(&zero, &zero);
    assert_true(fp12_equal(&zero, &(fp12_t){ FP6_ZERO, FP6_ZERO }));
}

static fp12_t power(const fp12_t *a, const uint64_t *e, int limbs)
{
    fp12_t out = FP12_ONE;
    for (int bit = 64 * limbs; bit-- > 0;) {
        fp12_sqr(&out, &out);
        if (e[bit / 64] >> (bit % 64) & 1) fp12_mul(&out, &out, a);
    }
    return out;
}

static void fp12_frobenius__is_the_power_p(void **state)
{
    (void)state;
    struct random random = { 63 };
    for (int i = 0; i < 3; i++) {
        fp12_t a = fp12_random(&random), expected = power(&a, FP_MODULUS, 6), x = a, y;
        fp12_frobenius(&x, &x);
        assert_true(fp12_equal(&x, &expected));
        for (int k = 1; k < 6; k++) fp12_frobenius(&x, &x);
        fp12_conjugate(&y, &a);
        assert_true(fp12_equal(&x, &y));
        for (int k = 6; k < 12; k++) fp12_frobenius(&x, &x);
        assert_true(fp12_equal(&x, &a));
    }
}

static void fp12_cyclotomic_sqr__matches_sqr(void **state)
{
    (void)state;
    struct random random = { 64 };
    for (int i = 0; i < 20; i++) {
        /* a^((p^6 − 1)(p^2 + 1)) */
        fp12_t a = fp12_random(&random), t, expected;
        fp12_inv_var(&t, &a);
        fp12_conjugate(&a, &a);
        fp12_mul(&a, &a, &t);
        fp12_frobenius(&t, &a);
        fp12_frobenius(&t, &t);
        fp12_mul(&a, &a, &t);
        fp12_sqr(&expected, &a);
        fp12_cyclotomic_sqr(&a, &a);
        assert_true(fp12_equal(&a, &expected));
        fp12_conjugate(&t, &a);
        fp12_mul(&t, &t, &a);
        assert_true(fp12_is_one(&t));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(fp6__operations_match_schoolbook),
        test(fp12__operations_match_schoolbook),
        test(fp12_frobenius__is_the_power_p),
        test(fp12_cyclotomic_sqr__matches_sqr),
    };
    return run_tests(tests);
}
