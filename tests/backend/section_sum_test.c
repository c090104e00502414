/* Sums over sections against the plain definition, Σ value · point, for chunks of any size. */
#include "backend/cpu/section_sum.h"

#include "backend/chain.h"
#include "backend/folder.h"
#include "math/msm.h"
#include "r1cs/evaluate.h"
#include "test.h"

#include <stdlib.h>

/* The values of a section's points, in their order. */
static fr_t *section_values(const struct section_terms *terms, const struct witness *w, size_t count)
{
    fr_t *values = malloc(count * sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i < terms->input_count; i++) {
        values[n++] = w->inputs[terms->inputs ? terms->inputs[i] : i];
    }
    for (uint32_t v = 0; v < w->circuit->aux; v++) {
        if (!terms->dense || bitmap_has(terms->dense, v)) values[n++] = witness_value(w, v);
    }
    assert_int_equal(n, count);
    return values;
}

static const size_t chunks[] = { 1, 65, SECTION_CHUNK };
enum { CHUNKS = sizeof chunks / sizeof chunks[0] };

/* Exactly as much as is promised to be enough. */
static void *scratch(const struct section_terms *terms, const struct circuit *c, const struct pool *pool)
{
    void *memory = malloc(section_sum_bytes(terms->chunk, c->inputs, c->wides, pool_threads(pool)));
    assert_non_null(memory);
    return memory;
}

static void compare_g1(struct section_terms terms, const struct params_file *file, const struct witness *w,
                       struct pool *pool)
{
    size_t count = file->counts.section[terms.section];
    fr_t *values = section_values(&terms, w, count);
    g1_affine_t *points = malloc(count * sizeof *points);
    g1_t want, got;
    assert_int_equal(params_decode_g1(points, file, terms.section, 0, count, POINT_CHECK_CURVE, NULL, NULL), CUZK_OK);
    assert_int_equal(g1_msm(&want, points, values, count, NULL, NULL), CUZK_OK);
    for (size_t i = 0; i < CHUNKS; i++) {
        terms.chunk = chunks[i];
        struct g1_msm *msm;
        struct pool *threads = i == 1 ? pool : NULL;
        void *memory = scratch(&terms, w->circuit, threads);
        assert_int_equal(g1_msm_create(&msm, count, threads, NULL), CUZK_OK);
        assert_int_equal(g1_section_sum(&got, &terms, file, w, memory, msm, threads, NULL), CUZK_OK);
        assert_true(g1_equal(&got, &want));
        g1_msm_destroy(msm);
        free(memory);
    }
    free(values);
    free(points);
}

static void compare_g2(struct section_terms terms, const struct params_file *file, const struct witness *w,
                       struct pool *pool)
{
    size_t count = file->counts.section[SRS_B_G2];
    fr_t *values = section_values(&terms, w, count);
    g2_affine_t *points = malloc(count * sizeof *points);
    g2_t want, got;
    assert_int_equal(params_decode_g2(points, file, 0, count, POINT_CHECK_CURVE, NULL, NULL), CUZK_OK);
    assert_int_equal(g2_msm(&want, points, values, count, NULL, NULL), CUZK_OK);
    for (size_t i = 0; i < CHUNKS; i++) {
        terms.chunk = chunks[i];
        struct g2_msm *msm;
        struct pool *threads = i == 1 ? pool : NULL;
        void *memory = scratch(&terms, w->circuit, threads);
        assert_int_equal(g2_msm_create(&msm, count, threads, NULL), CUZK_OK);
        assert_int_equal(g2_section_sum(&got, &terms, file, w, memory, msm, threads, NULL), CUZK_OK);
        assert_true(g2_equal(&got, &want));
        g2_msm_destroy(msm);
        free(memory);
    }
    free(values);
    free(points);
}

static void compare_all(struct circuit *circuit, struct witness *w)
{
    struct pool *pool;
    struct backend b;
    struct backend_circuit c;
    struct params_file file;
    cuzk_error err = { "" };
    if (witness_check(w, NULL, &err) != CUZK_OK) fail_msg("%s", err.detail);
    assert_int_equal(pool_create(&pool, 3, NULL), CUZK_OK);
    assert_int_equal(cpu_backend_open(&b, pool, NULL), CUZK_OK);
    assert_int_equal(backend_circuit_load(&c, &b, circuit, NULL), CUZK_OK);
    char *folder = test_params_make(&file, &c, "sum");
    struct section_terms terms = { .section = SRS_L };
    compare_g1(terms, &file, w, pool);
    terms = (struct section_terms){ .section = SRS_A, .input_count = circuit->inputs };
    terms.dense = &circuit->dense[MATRIX_A];
    compare_g1(terms, &file, w, pool);
    terms = (struct section_terms){ .section = SRS_B_G1, .inputs = c.layout.b_inputs };
    terms.input_count = c.layout.b_input_count;
    terms.dense = &circuit->dense[MATRIX_B];
    compare_g1(terms, &file, w, pool);
    terms.section = SRS_B_G2;
    compare_g2(terms, &file, w, pool);
    test_params_remove(folder, &file, "sum");
    backend_circuit_drop(&c);
    backend_close(&b);
    pool_destroy(pool);
    witness_destroy(w);
    circuit_free(circuit);
}

static void sums__of_wide_values(void **state)
{
    (void)state;
    for (uint32_t n = 62; n <= 66; n += 2) {
        struct circuit *circuit = chain_circuit(n, 2);
        struct witness w;
        chain_witness(&w, circuit, "sum");
        compare_all(circuit, &w);
    }
    struct circuit *circuit = chain_circuit(300, 3);
    struct witness w;
    chain_witness(&w, circuit, "sum");
    compare_all(circuit, &w);
}

static void sums__of_bits_and_wide_values(void **state)
{
    (void)state;
    const uint32_t blocks[] = { 1, 5, 16 };
    for (size_t i = 0; i < 3; i++) {
        struct circuit *circuit = mixed_circuit(blocks[i]);
        struct witness w;
        mixed_witness(&w, circuit, "sum");
        compare_all(circuit, &w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(sums__of_wide_values),
        test(sums__of_bits_and_wide_values),
    };
    return run_tests(tests);
}
