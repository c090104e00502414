#include "math/pairing.h"
#include "math/random.h"
#include "test.h"

static g1_affine_t g1_times(const fr_t *k)
{
    g1_t p;
    g1_affine_t out;
    g1_from_affine(&p, &G1_GENERATOR);
    g1_mul_fr_var(&p, &p, k);
    g1_to_affine_var(&out, &p);
    return out;
}

static g2_affine_t g2_times(const fr_t *k)
{
    g2_t p;
    g2_affine_t out;
    g2_from_affine(&p, &G2_GENERATOR);
    g2_mul_fr_var(&p, &p, k);
    g2_to_affine_var(&out, &p);
    return out;
}

static gt_t pair(const g1_affine_t *p, const g2_affine_t *q)
{
    gt_t out;
    pairing_var(&out, p, q);
    return out;
}

static gt_t gt_power(const gt_t *a, const uint64_t *e, int limbs)
{
    gt_t out = FP12_ONE;
    for (int bit = 64 * limbs; bit-- > 0;) {
        fp12_sqr(&out, &out);
        if (e[bit / 64] >> (bit % 64) & 1) fp12_mul(&out, &out, a);
    }
    return out;
}

static gt_t gt_power_fr(const gt_t *a, const fr_t *k)
{
    uint64_t e[4];
    fr_to_limbs(e, k);
    return gt_power(a, e, 4);
}

/* The textbook: points of E over Fp12 in affine coordinates, a full line function, no sparseness. */
struct point12 {
    fp12_t x, y;
};

/* f · (the line through a and b, or the tangent, at p); a becomes a + b. Verticals lie in a proper subfield and
 * drop out in the end. */
static void textbook_step(fp12_t *f, struct point12 *a, const struct point12 *b, const struct point12 *p)
{
    fp12_t slope, t, line;
    if (fp12_equal(&a->x, &b->x)) {
        fp12_sqr(&t, &a->x);
        fp6_add(&slope.c0, &t.c0, &t.c0);
        fp6_add(&slope.c1, &t.c1, &t.c1);
        fp6_add(&slope.c0, &slope.c0, &t.c0);
        fp6_add(&slope.c1, &slope.c1, &t.c1);
        fp6_add(&t.c0, &a->y.c0, &a->y.c0);
        fp6_add(&t.c1, &a->y.c1, &a->y.c1);
    } else {
        fp6_sub(&slope.c0, &b->y.c0, &a->y.c0);
        fp6_sub(&slope.c1, &b->y.c1, &a->y.c1);
        fp6_sub(&t.c0, &b->x.c0, &a->x.c0);
        fp6_sub(&t.c1, &b->x.c1, &a->x.c1);
    }
    fp12_inv_var(&t, &t);
    fp12_mul(&slope, &slope, &t);
    /* y_p − y_a − slope·(x_p − x_a) */
    fp6_sub(&t.c0, &p->x.c0, &a->x.c0);
    fp6_sub(&t.c1, &p->x.c1, &a->x.c1);
    fp12_mul(&t, &t, &slope);
    fp6_sub(&line.c0, &p->y.c0, &a->y.c0);
    fp6_sub(&line.c1, &p->y.c1, &a->y.c1);
    fp6_sub(&line.c0, &line.c0, &t.c0);
    fp6_sub(&line.c1, &line.c1, &t.c1);
    fp12_mul(f, f, &line);

    struct point12 sum;
    fp12_sqr(&sum.x, &slope);
    fp6_sub(&sum.x.c0, &sum.x.c0, &a->x.c0);
    fp6_sub(&sum.x.c1, &sum.x.c1, &a->x.c1);
    fp6_sub(&sum.x.c0, &sum.x.c0, &b->x.c0);
    fp6_sub(&sum.x.c1, &sum.x.c1, &b->x.c1);
    fp6_sub(&t.c0, &a->x.c0, &sum.x.c0);
    fp6_sub(&t.c1, &a->x.c1, &sum.x.c1);
    fp12_mul(&t, &t, &slope);
    fp6_sub(&sum.y.c0, &t.c0, &a->y.c0);
    fp6_sub(&sum.y.c1, &t.c1, &a->y.c1);
    *a = sum;
}

static gt_t textbook_pairing(const g1_affine_t *p, const g2_affine_t *q)
{
    /* (x, y) of the twist is (x/w^2, y/w^3) on E. */
    const fp12_t w = { FP6_ZERO, FP6_ONE };
    fp12_t w2, w3, f = FP12_ONE, t;
    fp12_sqr(&w2, &w);
    fp12_mul(&w3, &w2, &w);
    fp12_inv_var(&w2, &w2);
    fp12_inv_var(&w3, &w3);
    struct point12 point = { FP12_ONE, FP12_ONE }, base = point, running;
    point.x.c0.c0.c0 = p->x;
    point.y.c0.c0.c0 = p->y;
    base.x.c0.c0 = q->x;
    base.y.c0.c0 = q->y;
    fp12_mul(&base.x, &base.x, &w2);
    fp12_mul(&base.y, &base.y, &w3);
    running = base;
    for (int i = 62; i >= 0; i--) {
        fp12_sqr(&f, &f);
        struct point12 same = running;
        textbook_step(&f, &running, &same, &point);
        if (UINT64_C(0xd201000000010000) >> i & 1) textbook_step(&f, &running, &base, &point);
    }
    fp12_inv_var(&f, &f); /* the parameter is negative */

    /* ^(p^6 − 1)(p^2 + 1), then ^(3·(p^4 − p^2 + 1)/r) */
    static const uint64_t hard[] = {
        0xaf444bdcaaab2f6b, 0xefcb3800a61a66d5, 0xb116bba59a18123a, 0x554e727d129be6a3,
        0x8a65dbc1cc35fe5a, 0x6574220c23e5b6cc, 0x8c72178bc76a791c, 0xb415c7da454d4863,
        0x37d47f639b68a630, 0x6a6a2b0ab1c47526, 0x6c9ae9625394f594, 0x6163cbf00bf566e4,
        0x877c5e22f2639411, 0xb0f5836ba82b62de, 0xe3ae662e47a24ea0, 0x8d69012b6d183f47,
        0xbcf13296f7a83fce, 0x7b69b9acc2cc45ea, 0x4237aa494c159cdc, 0x002e3941b8817705
    };
    fp12_inv_var(&t, &f);
    fp12_t g = f;
    for (int i = 0; i < 6; i++) fp12_frobenius(&g, &g);
    fp12_mul(&g, &g, &t);
    t = g;
    fp12_frobenius(&t, &t);
    fp12_frobenius(&t, &t);
    fp12_mul(&g, &g, &t);
    return gt_power(&g, hard, sizeof hard / sizeof hard[0]);
}

static void pairing__matches_the_textbook(void **state)
{
    (void)state;
    struct random random = { 71 };
    for (int i = 0; i < 3; i++) {
        fr_t a = fr_random(&random), b = fr_random(&random);
        g1_affine_t p = g1_times(&a);
        g2_affine_t q = g2_times(&b);
        gt_t expected = textbook_pairing(&p, &q), actual = pair(&p, &q);
        assert_true(fp12_equal(&expected, &actual));
    }
}

static void pairing__is_bilinear(void **state)
{
    (void)state;
    struct random random = { 72 };
    gt_t base = pair(&G1_GENERATOR, &G2_GENERATOR);
    for (int i = 0; i < 4; i++) {
        fr_t a = fr_random(&random), b = fr_random(&random), ab;
        g1_affine_t pa = g1_times(&a), pab;
        g2_affine_t qb = g2_times(&b), qab;
        fr_mul(&ab, &a, &b);
        pab = g1_times(&ab);
        qab = g2_times(&ab);
        gt_t expected = gt_power_fr(&base, &ab), x = pair(&pa, &qb);
        assert_true(fp12_equal(&x, &expected));
        x = pair(&pab, &G2_GENERATOR);
        assert_true(fp12_equal(&x, &expected));
        x = pair(&G1_GENERATOR, &qab);
        assert_true(fp12_equal(&x, &expected));
    }
}

static void pairing__is_not_degenerate_and_has_order_r(void **state)
{
    (void)state;
    gt_t base = pair(&G1_GENERATOR, &G2_GENERATOR);
    assert_false(fp12_is_one(&base));
    gt_t x = gt_power(&base, FR_MODULUS, 4);
    assert_true(fp12_is_one(&x));
}

static void pairing__infinity_gives_one(void **state)
{
    (void)state;
    gt_t x = pair(&G1_AFFINE_INFINITY, &G2_GENERATOR);
    assert_true(fp12_is_one(&x));
    x = pair(&G1_GENERATOR, &G2_AFFINE_INFINITY);
    assert_true(fp12_is_one(&x));
    x = pair(&G1_AFFINE_INFINITY, &G2_AFFINE_INFINITY);
    assert_true(fp12_is_one(&x));
    assert_true(pairing_product_is_one_var(NULL, NULL, 0));
}

/* Products of up to 20 pairs, so that more than one loop is needed, with infinities among them. */
static void pairing_product__matches_single_pairings(void **state)
{
    (void)state;
    enum { N = 20 };
    struct random random = { 73 };
    static struct g2_prepared prepared[N];
    const struct g2_prepared *q[N];
    g1_affine_t p[N];
    gt_t expected = FP12_ONE, product;
    fr_t sum = FR_ZERO;
    for (int i = 0; i < N; i++) {
        fr_t a = i == 3 ? FR_ZERO : fr_random(&random), b = i == 5 ? FR_ZERO : fr_random(&random), ab;
        fr_mul(&ab, &a, &b);
        if (i < N - 1) fr_add(&sum, &sum, &ab);
        p[i] = g1_times(&a);
        g2_affine_t point = g2_times(&b);
        g2_prepare_var(&prepared[i], &point);
        q[i] = &prepared[i];
        product = pair(&p[i], &point);
        fp12_mul(&expected, &expected, &product);
        pairing_product_var(&product, p, q, (size_t)i + 1);
        assert_true(fp12_equal(&product, &expected));
    }
    /* Replace the last pair by one that makes the whole product one, and then by another. */
    fr_t a = fr_random(&random), last;
    fr_inv_var(&last, &a);
    fr_mul(&last, &last, &sum);
    fr_neg(&last, &last);
    g2_affine_t point = g2_times(&a);
    g2_prepare_var(&prepared[N - 1], &point);
    p[N - 1] = g1_times(&last);
    assert_true(pairing_product_is_one_var(p, q, N));
    fr_add(&last, &last, &FR_ONE);
    p[N - 1] = g1_times(&last);
    assert_false(pairing_product_is_one_var(p, q, N));
}

static void prepare_many__matches_one_by_one(void **state)
{
    (void)state;
    enum { N = 37 };
    struct random random = { 65 };
    static g2_affine_t q[N];
    static struct g2_prepared many[N], one;
    for (int i = 0; i < N; i++) {
        fr_t k = fr_random(&random);
        q[i] = i % 11 == 4 ? G2_AFFINE_INFINITY : g2_times(&k);
    }
    q[8] = q[9];
    for (size_t n = 0; n <= N; n += n < 20 ? 1 : 17) {
        memset(many, 0, sizeof many);
        g2_prepare_many_var(many, q, n);
        for (size_t i = 0; i < n; i++) {
            g2_prepare_var(&one, &q[i]);
            assert_int_equal(one.infinity, many[i].infinity);
            if (!one.infinity) assert_memory_equal(one.line, many[i].line, sizeof one.line);
        }
    }
}

static void miller_loop_shared__gives_the_same_product(void **state)
{
    (void)state;
    enum { N = 19 };
    struct random random = { 66 };
    static struct g2_prepared prepared[N];
    const struct g2_prepared *q[N];
    g1_affine_t p[N];
    for (int i = 0; i < N; i++) {
        fr_t k = fr_random(&random), l = fr_random(&random);
        g2_affine_t h = g2_times(&l);
        p[i] = g1_times(&k);
        g2_prepare_var(&prepared[i], &h);
        q[i] = &prepared[i];
    }
    for (unsigned threads = 1; threads <= 20; threads += threads < 4 ? 1 : 8) {
        struct pool *pool;
        assert_int_equal(pool_create(&pool, threads, NULL), CUZK_OK);
        for (size_t n = 0; n <= N; n++) {
            fp12_t one, shared;
            pairing_miller_loop_var(&one, p, q, n);
            pairing_miller_loop_shared_var(&shared, p, q, n, pool);
            assert_true(fp12_equal(&one, &shared));
        }
        pool_destroy(pool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(pairing__matches_the_textbook),
        test(pairing__is_bilinear),
        test(pairing__is_not_degenerate_and_has_order_r),
        test(pairing__infinity_gives_one),
        test(pairing_product__matches_single_pairings),
        test(prepare_many__matches_one_by_one),
        test(miller_loop_shared__gives_the_same_product),
    };
    return run_tests(tests);
}
