/* The CPU backend's primitives: small, because what stands behind them has tests of its own in tests/math. */
#include "backend/chain.h"
#include "backend/cpu/cpu.h"
#include "math/ntt.h"
#include "r1cs/evaluate.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

static fr_t *random_vector(size_t n, const char *label)
{
    fr_t *x = malloc(n * sizeof *x);
    for (size_t i = 0; i < n; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s/%zu", label, i);
        scalar_from_label(&x[i], text);
    }
    return x;
}

/* Σ coefficients[i] · x^i */
static fr_t value_at(const fr_t *coefficients, size_t n, const fr_t *x)
{
    fr_t y = FR_ZERO;
    for (size_t i = n; i-- > 0;) {
        fr_mul(&y, &y, x);
        fr_add(&y, &y, &coefficients[i]);
    }
    return y;
}

static void ntt__evaluates_on_domain_and_coset(void **state)
{
    (void)state;
    struct backend b;
    assert_int_equal(cpu_backend_open(&b, NULL, NULL), CUZK_OK);
    for (unsigned k = 0; k <= 5; k++) {
        size_t m = (size_t)1 << k;
        fr_t *f = random_vector(m, "ntt"), *x = malloc(m * sizeof *x), root, point, seven;
        ntt_root(&root, k);
        fr_from_u64(&seven, 7);
        for (int coset = 0; coset < 2; coset++) {
            memcpy(x, f, m * sizeof *x);
            assert_int_equal(backend_ntt(x, k, coset ? NTT_COSET_FORWARD : NTT_FORWARD, &b, NULL), CUZK_OK);
            point = coset ? seven : FR_ONE;
            for (size_t i = 0; i < m; i++) {
                fr_t want = value_at(f, m, &point);
                assert_true(fr_equal(&x[i], &want));
                fr_mul(&point, &point, &root);
            }
            assert_int_equal(backend_ntt(x, k, coset ? NTT_COSET_INVERSE : NTT_INVERSE, &b, NULL), CUZK_OK);
            assert_memory_equal(x, f, m * sizeof *x);
        }
        free(f);
        free(x);
    }
    assert_int_equal(backend_ntt(NULL, NTT_MAX_LOG + 1, NTT_FORWARD, &b, NULL), CUZK_ERR_USAGE);
    backend_close(&b);
}

/* A·B − C = h·(x^m − 1) at a random point, C by interpolation of the products. */
static void quotient__divides_exactly(void **state)
{
    (void)state;
    struct backend b;
    assert_int_equal(cpu_backend_open(&b, NULL, NULL), CUZK_OK);
    for (unsigned k = 0; k <= 6; k++) {
        size_t m = (size_t)1 << k;
        fr_t *a = random_vector(m, "a"), *v = random_vector(m, "b"), *c = malloc(m * sizeof *c), *h;
        h = malloc(m * sizeof *h);
        memcpy(h, a, m * sizeof *h);
        for (size_t i = 0; i < m; i++) fr_mul(&c[i], &a[i], &v[i]);
        assert_int_equal(backend_quotient(h, v, k, &b, NULL), CUZK_OK);
        assert_true(fr_is_zero(&h[m - 1]));
        assert_int_equal(backend_ntt(a, k, NTT_INVERSE, &b, NULL), CUZK_OK);
        assert_int_equal(backend_ntt(v, k, NTT_INVERSE, &b, NULL), CUZK_OK);
        assert_int_equal(backend_ntt(c, k, NTT_INVERSE, &b, NULL), CUZK_OK);
        fr_t x, left, right, t;
        scalar_from_label(&x, "point");
        left = value_at(a, m, &x);
        t = value_at(v, m, &x);
        fr_mul(&left, &left, &t);
        t = value_at(c, m, &x);
        fr_sub(&left, &left, &t);
        fr_pow_u64_var(&t, &x, m);
        fr_sub(&t, &t, &FR_ONE);
        right = value_at(h, m, &x);
        fr_mul(&right, &right, &t);
        assert_true(fr_equal(&left, &right));
        free(a);
        free(v);
        free(c);
        free(h);
    }
    backend_close(&b);
}

static void sums__are_those_of_the_definition(void **state)
{
    (void)state;
    enum { N = 70 };
    struct backend b;
    g1_affine_t g1[N];
    g2_affine_t g2[N];
    g1_t want1, got1;
    g2_t want2, got2;
    fr_t *scalars = random_vector(N, "sum");
    uint64_t selected[2] = { 0x123456789abcdef0u, 0x2a };
    assert_int_equal(cpu_backend_open(&b, NULL, NULL), CUZK_OK);
    g1_from_affine(&want1, &G1_GENERATOR);
    g2_from_affine(&want2, &G2_GENERATOR);
    for (int i = 0; i < N; i++) {
        g1_to_affine_var(&g1[i], &want1);
        g2_to_affine_var(&g2[i], &want2);
        g1_add_mixed(&want1, &want1, &G1_GENERATOR);
        g2_add_mixed(&want2, &want2, &G2_GENERATOR);
    }

    g1_t all1 = G1_INFINITY, some1 = G1_INFINITY;
    g2_t all2 = G2_INFINITY, some2 = G2_INFINITY;
    for (int i = 0; i < N; i++) {
        g1_from_affine(&want1, &g1[i]);
        g1_mul_fr_var(&want1, &want1, &scalars[i]);
        g1_add(&all1, &all1, &want1);
        g2_from_affine(&want2, &g2[i]);
        g2_mul_fr_var(&want2, &want2, &scalars[i]);
        g2_add(&all2, &all2, &want2);
        if (!(selected[i / 64] >> i % 64 & 1)) continue;
        g1_add_mixed(&some1, &some1, &g1[i]);
        g2_add_mixed(&some2, &some2, &g2[i]);
    }
    assert_int_equal(backend_msm_g1(&got1, g1, scalars, N, &b, NULL), CUZK_OK);
    assert_true(g1_equal(&got1, &all1));
    assert_int_equal(backend_msm_g2(&got2, g2, scalars, N, &b, NULL), CUZK_OK);
    assert_true(g2_equal(&got2, &all2));
    assert_int_equal(backend_sum_selected_g1(&got1, g1, N, selected, &b, NULL), CUZK_OK);
    assert_true(g1_equal(&got1, &some1));
    assert_int_equal(backend_sum_selected_g2(&got2, g2, N, selected, &b, NULL), CUZK_OK);
    assert_true(g2_equal(&got2, &some2));
    free(scalars);
    backend_close(&b);
}

static void evaluate__gives_every_row(void **state)
{
    (void)state;
    struct backend b;
    struct backend_circuit c;
    struct witness w;
    struct circuit *circuit = mixed_circuit(3);
    assert_int_equal(cpu_backend_open(&b, NULL, NULL), CUZK_OK);
    assert_int_equal(backend_circuit_load(&c, &b, circuit, NULL), CUZK_OK);
    mixed_witness(&w, circuit, "rows");
    fr_t *rows[MATRICES];
    for (int m = 0; m < MATRICES; m++) {
        rows[m] = malloc(circuit->rows * sizeof **rows);
        assert_int_equal(backend_evaluate(rows[m], &c, &w, (enum matrix_name)m, NULL), CUZK_OK);
    }
    for (uint32_t i = 0; i < circuit->rows; i++) {
        fr_t product;
        fr_mul(&product, &rows[MATRIX_A][i], &rows[MATRIX_B][i]);
        assert_true(fr_equal(&product, &rows[MATRIX_C][i]));
    }
    for (int m = 0; m < MATRICES; m++) free(rows[m]);
    witness_destroy(&w);
    backend_circuit_drop(&c);
    circuit_free(circuit);
    backend_close(&b);
}

/* A backend with nothing but a name: every default. */
static void defaults__are_as_documented(void **state)
{
    (void)state;
    static const struct backend_ops ops = { .name = "bare" };
    struct backend b = { .ops = &ops };
    struct backend_description d;
    struct backend_circuit c;
    cuzk_error err = { "" };
    struct circuit *circuit = chain_circuit(3, 1);
    backend_describe(&d, &b);
    assert_string_equal(d.device, "");
    assert_int_equal(backend_health(&b, &err), CUZK_OK);
    assert_int_equal(backend_circuit_load(&c, &b, circuit, &err), CUZK_OK);
    assert_int_equal(c.layout.b_input_count, 1); /* the first result, squared by the next row */
    assert_int_equal(c.layout.b_inputs[0], 1);
    assert_int_equal(backend_prove_bytes(&c), 0);
    assert_int_equal(backend_ntt(NULL, 1, NTT_FORWARD, &b, &err), CUZK_ERR_UNAVAILABLE);
    assert_string_equal(err.detail, "backend bare has no transforms");
    assert_int_equal(backend_msm_g1(NULL, NULL, NULL, 0, &b, &err), CUZK_ERR_UNAVAILABLE);
    backend_circuit_drop(&c);
    backend_circuit_drop(&c);
    circuit_free(circuit);
    backend_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(ntt__evaluates_on_domain_and_coset), test(quotient__divides_exactly),
        test(sums__are_those_of_the_definition),  test(evaluate__gives_every_row),
        test(defaults__are_as_documented),
    };
    return run_tests(tests);
}
