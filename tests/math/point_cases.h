/* The laws of a curve group, once for G1 and once for G2. The including test defines POINT(name), FIELD(name),
 * GENERATOR, INFINITY_AFFINE, INFINITY_POINT, CURVE_B, COFACTOR (limbs), SMALL_ORDER, the order of some points of
 * the curve, and SMALL_EXPONENT, the curve's order divided by the square of that prime (these points form a
 * plane, so that this suffices). */

/* A point of the curve with a random x, hardly ever in the subgroup. */
static POINT(affine_t) curve_point(struct random *random)
{
    POINT(affine_t) p;
    FIELD(t) square;
    do {
        p.x = FIELD(random)(random);
        FIELD(sqr)(&square, &p.x);
        FIELD(mul)(&square, &square, &p.x);
        FIELD(add)(&square, &square, &CURVE_B);
    } while (!FIELD(sqrt_var)(&p.y, &square));
    assert_true(POINT(on_curve)(&p));
    return p;
}

static POINT(affine_t) group_point(struct random *random)
{
    POINT(t) p;
    POINT(affine_t) out;
    uint64_t k[4] = { random_u64(random), random_u64(random), random_u64(random), random_u64(random) };
    POINT(from_affine)(&p, &GENERATOR);
    POINT(mul_var)(&p, &p, k, 4);
    POINT(to_affine_var)(&out, &p);
    return out;
}

/* The same point with other coordinates. */
static POINT(t) disguise(struct random *random, const POINT(affine_t) *p)
{
    POINT(t) out;
    FIELD(t) z = FIELD(random)(random);
    POINT(from_affine)(&out, p);
    if (POINT(affine_is_infinity)(p)) {
        out.x = FIELD(random)(random); /* arbitrary by contract */
        out.y = FIELD(random)(random);
    }
    FIELD(t) zz, zzz;
    FIELD(sqr)(&zz, &z);
    FIELD(mul)(&zzz, &zz, &z);
    FIELD(mul)(&out.x, &out.x, &zz);
    FIELD(mul)(&out.y, &out.y, &zzz);
    FIELD(mul)(&out.zz, &out.zz, &zz);
    FIELD(mul)(&out.zzz, &out.zzz, &zzz);
    return out;
}

static void check_point(const POINT(affine_t) *expected, const POINT(t) *actual)
{
    POINT(affine_t) affine;
    POINT(t) point;
    POINT(to_affine_var)(&affine, actual);
    assert_true(POINT(affine_equal)(expected, &affine));
    POINT(from_affine)(&point, expected);
    assert_true(POINT(equal)(actual, &point));
    assert_int_equal(POINT(is_infinity)(actual), POINT(affine_is_infinity)(expected));
}

/* Chord and tangent with affine coordinates, as in a textbook. */
static POINT(affine_t) textbook_sum(const POINT(affine_t) *p, const POINT(affine_t) *q)
{
    FIELD(t) slope, t;
    POINT(affine_t) out;
    if (POINT(affine_is_infinity)(p)) return *q;
    if (POINT(affine_is_infinity)(q)) return *p;
    if (FIELD(equal)(&p->x, &q->x)) {
        FIELD(add)(&t, &p->y, &q->y);
        if (FIELD(is_zero)(&t)) return INFINITY_AFFINE;
        FIELD(inv_var)(&t, &t);
        FIELD(sqr)(&slope, &p->x);
        FIELD(mul)(&slope, &slope, &t);
        FIELD(double)(&t, &slope);
        FIELD(add)(&slope, &slope, &t);
    } else {
        FIELD(sub)(&t, &q->x, &p->x);
        FIELD(inv_var)(&t, &t);
        FIELD(sub)(&slope, &q->y, &p->y);
        FIELD(mul)(&slope, &slope, &t);
    }
    FIELD(sqr)(&t, &slope);
    FIELD(sub)(&t, &t, &p->x);
    FIELD(sub)(&out.x, &t, &q->x);
    FIELD(sub)(&t, &p->x, &out.x);
    FIELD(mul)(&t, &t, &slope);
    FIELD(sub)(&out.y, &t, &p->y);
    return out;
}

static void check_sums(struct random *random, const POINT(affine_t) *p, const POINT(affine_t) *q,
                       const POINT(affine_t) *sum)
{
    POINT(t) a, b, x;
    POINT(from_affine)(&a, p);
    POINT(from_affine)(&b, q);
    POINT(add)(&x, &a, &b);
    check_point(sum, &x);
    a = disguise(random, p);
    b = disguise(random, q);
    POINT(add)(&x, &a, &b);
    check_point(sum, &x);
    POINT(add_mixed)(&x, &a, q);
    check_point(sum, &x);
    x = a;
    POINT(add)(&x, &x, &b);
    check_point(sum, &x);
    x = b;
    POINT(add)(&x, &a, &x);
    check_point(sum, &x);
    x = a;
    POINT(add_mixed)(&x, &x, q);
    check_point(sum, &x);
}

static void point__every_sum_in_a_small_subgroup(void **state)
{
    (void)state;
    struct random random = { 21 };
    POINT(affine_t) multiple[SMALL_ORDER];
    POINT(t) p, d;
    do {
        POINT(affine_t) q = curve_point(&random);
        POINT(from_affine)(&p, &q);
        POINT(mul_var)(&p, &p, SMALL_EXPONENT, SMALL_EXPONENT_LIMBS);
    } while (POINT(is_infinity)(&p));
    multiple[0] = INFINITY_AFFINE;
    POINT(to_affine_var)(&multiple[1], &p);
    for (int i = 2; i < SMALL_ORDER; i++) multiple[i] = textbook_sum(&multiple[i - 1], &multiple[1]);
    POINT(affine_t) last = textbook_sum(&multiple[SMALL_ORDER - 1], &multiple[1]);
    assert_true(POINT(affine_is_infinity)(&last));

    for (int i = 0; i < SMALL_ORDER; i++) {
        assert_true(POINT(on_curve)(&multiple[i]));
        assert_int_equal(POINT(in_subgroup_var)(&multiple[i]), i == 0);
        d = disguise(&random, &multiple[i]);
        POINT(double)(&d, &d);
        check_point(&multiple[2 * i % SMALL_ORDER], &d);
        d = disguise(&random, &multiple[i]);
        POINT(neg)(&d, &d);
        check_point(&multiple[(SMALL_ORDER - i) % SMALL_ORDER], &d);
        for (int j = 0; j < SMALL_ORDER; j++) {
            check_sums(&random, &multiple[i], &multiple[j], &multiple[(i + j) % SMALL_ORDER]);
            d = disguise(&random, &multiple[i]);
            p = disguise(&random, &multiple[j]);
            assert_int_equal(POINT(equal)(&d, &p), i == j);
        }
        for (uint64_t k = 0; k < 2 * SMALL_ORDER; k++) {
            d = disguise(&random, &multiple[i]);
            POINT(mul_var)(&d, &d, &k, 1);
            check_point(&multiple[(uint64_t)i * k % SMALL_ORDER], &d);
        }
    }
}

static void point__random_sums_match_the_textbook(void **state)
{
    (void)state;
    struct random random = { 22 };
    for (int i = 0; i < 20; i++) {
        POINT(affine_t) p = i % 2 ? group_point(&random) : curve_point(&random), q = curve_point(&random);
        POINT(affine_t) negative;
        POINT(affine_neg)(&negative, &p);
        const POINT(affine_t) *second[] = { &q, &p, &negative, &INFINITY_AFFINE };
        for (int k = 0; k < 4; k++) {
            POINT(affine_t) sum = textbook_sum(&p, second[k]);
            assert_true(POINT(on_curve)(&sum));
            check_sums(&random, &p, second[k], &sum);
            check_sums(&random, second[k], &p, &sum);
        }
    }
}

static void point_mul__is_linear_and_periodic(void **state)
{
    (void)state;
    struct random random = { 23 };
    POINT(t) g, x, y, z;
    POINT(from_affine)(&g, &GENERATOR);
    assert_true(POINT(on_curve)(&GENERATOR));
    POINT(mul_var)(&x, &g, FR_MODULUS, 4);
    assert_true(POINT(is_infinity)(&x));
    for (int i = 0; i < 10; i++) {
        fr_t a = fr_random(&random), b = fr_random(&random), c;
        POINT(mul_fr_var)(&x, &g, &a);
        POINT(mul_fr_var)(&y, &g, &b);
        POINT(add)(&x, &x, &y);
        fr_add(&c, &a, &b);
        POINT(mul_fr_var)(&z, &g, &c);
        assert_true(POINT(equal)(&x, &z));
        POINT(mul_fr_var)(&x, &y, &a);
        fr_mul(&c, &a, &b);
        POINT(mul_fr_var)(&z, &g, &c);
        assert_true(POINT(equal)(&x, &z));
        /* against doubling and adding */
        uint64_t k[4];
        fr_to_limbs(k, &a);
        x = INFINITY_POINT;
        for (int bit = 255; bit >= 0; bit--) {
            POINT(double)(&x, &x);
            if (k[bit / 64] >> bit % 64 & 1) POINT(add_mixed)(&x, &x, &GENERATOR);
        }
        POINT(mul_fr_var)(&z, &g, &a);
        assert_true(POINT(equal)(&x, &z));
    }
    POINT(mul_var)(&x, &g, NULL, 0);
    assert_true(POINT(is_infinity)(&x));
    POINT(mul_var)(&x, &INFINITY_POINT, FR_MODULUS, 4);
    assert_true(POINT(is_infinity)(&x));
}

static void point_batch_to_affine__matches_single(void **state)
{
    (void)state;
    enum { N = 17 };
    struct random random = { 24 };
    POINT(t) in[N];
    POINT(affine_t) expected[N], out[N];
    FIELD(t) scratch[N];
    for (int i = 0; i < N; i++) {
        expected[i] = i % 5 == 2 || i == N - 1 ? INFINITY_AFFINE : curve_point(&random);
        in[i] = disguise(&random, &expected[i]);
    }
    for (size_t n = 0; n <= N; n++) {
        memset(out, 0xff, sizeof out);
        POINT(batch_to_affine_var)(out, in, n, scratch);
        for (size_t i = 0; i < n; i++) assert_true(POINT(affine_equal)(&out[i], &expected[i]));
    }
}

static void point_in_subgroup__agrees_with_multiplication_by_r(void **state)
{
    (void)state;
    struct random random = { 25 };
    POINT(t) x;
    assert_true(POINT(in_subgroup_var)(&GENERATOR));
    assert_true(POINT(in_subgroup_var)(&INFINITY_AFFINE));
    for (int i = 0; i < 12; i++) {
        POINT(affine_t) q = curve_point(&random), cleared, outside, g = group_point(&random);
        POINT(from_affine)(&x, &q);
        POINT(mul_var)(&x, &x, FR_MODULUS, 4);
        assert_false(POINT(is_infinity)(&x));
        assert_false(POINT(in_subgroup_var)(&q));
        POINT(to_affine_var)(&outside, &x); /* its order divides the cofactor */
        assert_false(POINT(in_subgroup_var)(&outside));

        POINT(from_affine)(&x, &q);
        POINT(mul_var)(&x, &x, COFACTOR, sizeof COFACTOR / sizeof COFACTOR[0]);
        POINT(to_affine_var)(&cleared, &x);
        assert_true(POINT(in_subgroup_var)(&cleared));
        assert_true(POINT(in_subgroup_var)(&g));
        q = textbook_sum(&g, &outside);
        assert_false(POINT(in_subgroup_var)(&q));
    }
}

static void point_on_curve__refuses_others(void **state)
{
    (void)state;
    struct random random = { 26 };
    POINT(affine_t) p = GENERATOR;
    assert_true(POINT(on_curve)(&INFINITY_AFFINE));
    FIELD(add)(&p.x, &p.x, &FIELD_ONE);
    assert_false(POINT(on_curve)(&p));
    p = curve_point(&random);
    FIELD(double)(&p.y, &p.y);
    assert_false(POINT(on_curve)(&p));
    p = GENERATOR;
    memset(&p.x, 0, sizeof p.x);
    assert_false(POINT(on_curve)(&p));
    assert_false(POINT(affine_is_infinity)(&p));
    p = GENERATOR;
    memset(&p.y, 0, sizeof p.y);
    assert_false(POINT(affine_is_infinity)(&p));
}

#define POINT_TESTS                                                                                            \
    test(point__every_sum_in_a_small_subgroup), test(point__random_sums_match_the_textbook),                   \
        test(point_mul__is_linear_and_periodic), test(point_batch_to_affine__matches_single),                  \
        test(point_in_subgroup__agrees_with_multiplication_by_r), test(point_on_curve__refuses_others)
