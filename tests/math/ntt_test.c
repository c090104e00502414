#include "math/ntt.h"
#include "math/quotient.h"
#include "math/random.h"
#include "test.h"

#include <stdlib.h>

static fr_t *random_vector(size_t n, uint64_t seed)
{
    struct random random = { seed };
    fr_t *x = malloc(n * sizeof *x);
    for (size_t i = 0; i < n; i++) x[i] = fr_random(&random);
    return x;
}

static fr_t *copy_vector(const fr_t *x, size_t n)
{
    fr_t *y = malloc(n * sizeof *y);
    memcpy(y, x, n * sizeof *y);
    return y;
}

/* Σ c[i]·x^i */
static fr_t horner(const fr_t *c, size_t n, const fr_t *x)
{
    fr_t sum = FR_ZERO;
    while (n-- > 0) {
        fr_mul(&sum, &sum, x);
        fr_add(&sum, &sum, &c[n]);
    }
    return sum;
}

static struct ntt_domain *domain_of(unsigned k)
{
    struct ntt_domain *domain;
    assert_int_equal(ntt_domain_create(&domain, k, NULL, NULL), CUZK_OK);
    return domain;
}

/* shift·ω^i; shift 0 stands for that of the twisted coset. */
static fr_t point(unsigned k, uint64_t shift, size_t i)
{
    fr_t root, factor;
    ntt_root(&root, k);
    fr_pow_u64_var(&root, &root, i);
    if (shift) {
        fr_from_u64(&factor, shift);
    } else {
        ntt_root(&factor, k + 1);
    }
    fr_mul(&root, &root, &factor);
    return root;
}

static void ntt_root__has_the_order_it_says(void **state)
{
    (void)state;
    for (unsigned k = 0; k <= NTT_MAX_LOG; k++) {
        fr_t root, power;
        ntt_root(&root, k);
        fr_pow_u64_var(&power, &root, (uint64_t)1 << k);
        assert_true(fr_is_one(&power));
        if (k == 0) continue;
        fr_pow_u64_var(&power, &root, (uint64_t)1 << (k - 1));
        assert_false(fr_is_one(&power));
    }
    fr_t root, expected;
    const uint64_t canonical[4] = { 0x3829971f439f0d2b, 0xb63683508c2280b9, 0xd09b681922c813b4, 0x16a2a19edfe81f20 };
    ntt_root(&root, NTT_MAX_LOG);
    assert_true(fr_from_limbs(&expected, canonical));
    assert_true(fr_equal(&root, &expected));
}

static void ntt_domain__refuses_more_than_2_to_the_32(void **state)
{
    (void)state;
    struct ntt_domain *domain;
    assert_int_equal(ntt_domain_create(&domain, 33, NULL, NULL), CUZK_ERR_USAGE);
    assert_null(domain);
    ntt_domain_destroy(NULL);
    domain = domain_of(5);
    assert_int_equal(ntt_domain_log(domain), 5);
    assert_int_equal(ntt_domain_size(domain), 32);
    ntt_domain_destroy(domain);
}

static void ntt_position__reverses_bits(void **state)
{
    (void)state;
    assert_int_equal(ntt_position(0, 0), 0);
    assert_int_equal(ntt_position(1, 1), 1);
    assert_int_equal(ntt_position(3, 5), 24);
    assert_int_equal(ntt_position(0x12345678, 32), 0x1e6a2c48);
    for (size_t i = 0; i < 64; i++) assert_int_equal(ntt_position(ntt_position(i, 6), 6), i);
}

static void transforms__match_evaluation_at_each_point(void **state)
{
    (void)state;
    for (unsigned k = 0; k <= 6; k++) {
        size_t m = (size_t)1 << k;
        struct ntt_domain *domain = domain_of(k);
        fr_t *x = random_vector(m, k + 1);
        for (int kind = 0; kind < 4; kind++) {
            fr_t *y = copy_vector(x, m);
            if (kind == 0) ntt_forward(y, domain, NULL);
            if (kind == 1) ntt_coset_forward(y, domain, NULL);
            if (kind == 2) ntt_evaluate(y, NTT_PLAIN, domain, NULL);
            if (kind == 3) ntt_evaluate(y, NTT_TWISTED, domain, NULL);
            for (size_t i = 0; i < m; i++) {
                fr_t at = point(k, kind == 1 ? 7 : kind == 3 ? 0 : 1, i);
                fr_t expected = horner(x, m, &at);
                assert_true(fr_equal(&expected, &y[kind < 2 ? i : ntt_position(i, k)]));
            }
            free(y);
        }
        free(x);
        ntt_domain_destroy(domain);
    }
}

/* The four pairs of transforms give back what they were given, whatever the number of threads, and the values
 * in between do not depend on it. */
static void check_round_trips(unsigned k, struct pool *pool, const fr_t *x, fr_t *const values[4])
{
    size_t m = (size_t)1 << k;
    struct ntt_domain *domain;
    assert_int_equal(ntt_domain_create(&domain, k, pool, NULL), CUZK_OK);
    fr_t size;
    fr_from_u64(&size, m);
    for (int kind = 0; kind < 4; kind++) {
        fr_t *y = copy_vector(x, m);
        if (kind == 0) ntt_forward(y, domain, pool);
        if (kind == 1) ntt_coset_forward(y, domain, pool);
        if (kind >= 2) ntt_evaluate(y, kind == 2 ? NTT_PLAIN : NTT_TWISTED, domain, pool);
        if (pool_threads(pool) == 1) memcpy(values[kind], y, m * sizeof *y);
        assert_memory_equal(values[kind], y, m * sizeof *y);
        if (kind == 0) ntt_inverse(y, domain, pool);
        if (kind == 1) ntt_coset_inverse(y, domain, pool);
        if (kind >= 2) ntt_interpolate(y, kind == 2 ? NTT_PLAIN : NTT_TWISTED, domain, pool);
        for (size_t i = 0; i < m; i++) {
            fr_t expected = x[i];
            if (kind >= 2) fr_mul(&expected, &expected, &size);
            if (!fr_equal(&expected, &y[i])) fail_msg("kind %d, size 2^%u, element %zu", kind, k, i);
        }
        free(y);
    }
    ntt_domain_destroy(domain);
}

static void transforms__round_trip_with_any_number_of_threads(void **state)
{
    (void)state;
    const unsigned sizes[] = { 0, 1, 4, 10, 12, 13, 14 }, threads[] = { 1, 2, 3, 5 };
    for (size_t t = 0; t < 7; t++) {
        unsigned k = sizes[t];
        fr_t *x = random_vector((size_t)1 << k, 50 + k), *values[4];
        for (int kind = 0; kind < 4; kind++) values[kind] = malloc(sizeof(fr_t) << k);
        for (size_t i = 0; i < 4; i++) {
            struct pool *pool;
            assert_int_equal(pool_create(&pool, threads[i], NULL), CUZK_OK);
            check_round_trips(k, pool, x, values);
            pool_destroy(pool);
        }
        for (size_t i = 0; i < 6; i++) {
            size_t at = i * 0x9e3779b97f4a7c15 & (((size_t)1 << k) - 1);
            fr_t where = point(k, 7, at), expected = horner(x, (size_t)1 << k, &where);
            assert_true(fr_equal(&expected, &values[1][at]));
            where = point(k, 0, at);
            expected = horner(x, (size_t)1 << k, &where);
            assert_true(fr_equal(&expected, &values[3][ntt_position(at, k)]));
        }
        for (int kind = 0; kind < 4; kind++) free(values[kind]);
        free(x);
    }
}

/* first·Σ (ratio·x)^i over i < 2^k */
static fr_t geometric_sum(unsigned k, const fr_t *first, const fr_t *ratio, const fr_t *x)
{
    fr_t q, sum, denominator;
    fr_mul(&q, ratio, x);
    fr_sub(&denominator, &q, &FR_ONE);
    fr_pow_u64_var(&sum, &q, (uint64_t)1 << k);
    fr_sub(&sum, &sum, &FR_ONE);
    fr_inv_var(&denominator, &denominator);
    fr_mul(&sum, &sum, &denominator);
    fr_mul(&sum, &sum, first);
    return sum;
}

/* 2^21 has two passes above the blocks, and constants that the table does not hold. The coefficients are a
 * geometric series, whose values are known. */
static void transforms__match_evaluation_in_a_large_domain(void **state)
{
    (void)state;
    const unsigned k = 21;
    const size_t m = (size_t)1 << k;
    struct random random = { 3 };
    struct ntt_domain *domain = domain_of(k);
    fr_t *x = malloc(m * sizeof *x), size, expected, where;
    fr_t first = fr_random(&random), ratio = fr_random(&random);
    ntt_powers(x, &first, &ratio, domain, NULL);
    ntt_evaluate(x, NTT_TWISTED, domain, NULL);
    for (size_t i = 0; i < 200; i++) {
        size_t at = i * 0x9e3779b97f4a7c15 % m;
        where = point(k, 0, at);
        expected = geometric_sum(k, &first, &ratio, &where);
        assert_true(fr_equal(&expected, &x[ntt_position(at, k)]));
    }
    ntt_interpolate(x, NTT_TWISTED, domain, NULL);
    fr_from_u64(&size, m);
    fr_mul(&expected, &first, &size);
    for (size_t i = 0; i < m; i++) {
        if (!fr_equal(&x[i], &expected)) fail_msg("element %zu", i);
        fr_mul(&expected, &expected, &ratio);
    }
    free(x);
    ntt_domain_destroy(domain);
}

static void transforms__turn_convolution_into_products(void **state)
{
    (void)state;
    const unsigned k = 6;
    const size_t m = (size_t)1 << k, half = m / 2;
    struct ntt_domain *domain = domain_of(k);
    fr_t *a = random_vector(m, 5), *b = random_vector(m, 6), expected[64] = { { { 0 } } };
    for (size_t i = half; i < m; i++) a[i] = b[i] = FR_ZERO;
    for (size_t i = 0; i < half; i++) {
        for (size_t j = 0; j < half; j++) {
            fr_t product;
            fr_mul(&product, &a[i], &b[j]);
            fr_add(&expected[i + j], &expected[i + j], &product);
        }
    }
    ntt_forward(a, domain, NULL);
    ntt_forward(b, domain, NULL);
    for (size_t i = 0; i < m; i++) fr_mul(&a[i], &a[i], &b[i]);
    ntt_inverse(a, domain, NULL);
    assert_memory_equal(a, expected, sizeof expected);
    free(a);
    free(b);
    ntt_domain_destroy(domain);
}

static void ntt_lagrange__interpolates_any_polynomial(void **state)
{
    (void)state;
    struct random random = { 8 };
    for (unsigned k = 0; k <= 13; k += k < 6 ? 1 : 7) {
        size_t m = (size_t)1 << k;
        struct ntt_domain *domain = domain_of(k);
        fr_t *c = random_vector(m, 9), *values = copy_vector(c, m), *basis = malloc(m * sizeof *basis);
        ntt_forward(values, domain, NULL);
        for (int inside = 0; inside < 2; inside++) {
            fr_t tau = inside ? point(k, 1, m / 3) : fr_random(&random), sum = FR_ZERO, term;
            ntt_lagrange(basis, &tau, domain, NULL);
            for (size_t i = 0; i < m; i++) {
                fr_mul(&term, &basis[i], &values[i]);
                fr_add(&sum, &sum, &term);
                if (inside) assert_true(i == m / 3 ? fr_is_one(&basis[i]) : fr_is_zero(&basis[i]));
            }
            fr_t expected = horner(c, m, &tau);
            assert_true(fr_equal(&sum, &expected));
        }
        free(c);
        free(values);
        free(basis);
        ntt_domain_destroy(domain);
    }
}

/* A(x)·B(x) − C(x) = h(x)·(x^m − 1) at a random point. */
static void check_quotient(unsigned k, struct pool *pool)
{
    size_t m = (size_t)1 << k;
    struct random random = { k + 100 };
    struct ntt_domain *domain = domain_of(k);
    fr_t *a = random_vector(m, k + 20), *b = random_vector(m, k + 21), *c = copy_vector(a, m);
    for (size_t i = 0; i < m; i++) fr_mul(&c[i], &c[i], &b[i]);
    fr_t *h = copy_vector(a, m), *second = copy_vector(b, m), x = fr_random(&random);
    ntt_bit_reverse(h, domain, pool);
    ntt_bit_reverse(second, domain, pool);
    quotient_product(h, second, domain, pool);
    memcpy(second, c, m * sizeof *c);
    ntt_bit_reverse(second, domain, pool);
    quotient_finish(h, second, domain, pool);
    assert_true(fr_is_zero(&h[m - 1]));
    ntt_inverse(a, domain, pool);
    ntt_inverse(b, domain, pool);
    ntt_inverse(c, domain, pool);
    fr_t left = horner(a, m, &x), right = horner(h, m, &x), t = horner(b, m, &x);
    fr_mul(&left, &left, &t);
    t = horner(c, m, &x);
    fr_sub(&left, &left, &t);
    fr_pow_u64_var(&t, &x, m);
    fr_sub(&t, &t, &FR_ONE);
    fr_mul(&right, &right, &t);
    assert_true(fr_equal(&left, &right));
    free(a);
    free(b);
    free(c);
    free(h);
    free(second);
    ntt_domain_destroy(domain);
}

static void quotient__times_vanishing_polynomial_is_the_remainder(void **state)
{
    (void)state;
    struct pool *pool;
    assert_int_equal(pool_create(&pool, 3, NULL), CUZK_OK);
    for (unsigned k = 0; k <= 6; k++) check_quotient(k, NULL);
    check_quotient(13, pool);
    pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(ntt_root__has_the_order_it_says),
        test(ntt_domain__refuses_more_than_2_to_the_32),
        test(ntt_position__reverses_bits),
        test(transforms__match_evaluation_at_each_point),
        test(transforms__round_trip_with_any_number_of_threads),
        test(transforms__match_evaluation_in_a_large_domain),
        test(transforms__turn_convolution_into_products),
        test(ntt_lagrange__interpolates_any_polynomial),
        test(quotient__times_vanishing_polynomial_is_the_remainder),
    };
    return run_tests(tests);
}
