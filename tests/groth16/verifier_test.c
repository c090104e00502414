#include "groth16/vectors.h"
#include "groth16/verifier.h"

#include <pthread.h>

enum { PROOFS = 5, CALLERS = 4 };

/* Everything of one vector. */
struct vector {
    struct verifier *v;
    struct proof proof, without_randomness;
    fr_t *inputs;
    size_t input_count;
};

static struct vector vector[PROOFS];

static int load(void **state)
{
    (void)state;
    json_t *proofs = vectors_load("proofs.json"), *p;
    size_t i;
    json_array_foreach(proofs, i, p)
    {
        struct verifying_key vk;
        uint8_t bytes[PROOF_BYTES];
        vector_key(&vk, text_at(p, "circuit"));
        vector[i].v = malloc(sizeof *vector[i].v);
        verifier_create(vector[i].v, &vk);
        assert_null(vk.ic);
        hex_at(bytes, PROOF_BYTES, p, "proof");
        assert_int_equal(proof_decode(&vector[i].proof, bytes, NULL), CUZK_OK);
        hex_at(bytes, PROOF_BYTES, p, "proof_r0_s0");
        assert_int_equal(proof_decode(&vector[i].without_randomness, bytes, NULL), CUZK_OK);
        vector[i].inputs = frs_at(&vector[i].input_count, p, "inputs");
    }
    assert_int_equal(i, PROOFS);
    json_decref(proofs);
    return 0;
}

static int unload(void **state)
{
    (void)state;
    for (int i = 0; i < PROOFS; i++) {
        verifier_release(vector[i].v);
        free(vector[i].v);
        free(vector[i].inputs);
    }
    return 0;
}

static void check__accepts_the_oracle(void **state)
{
    (void)state;
    for (int i = 0; i < PROOFS; i++) {
        const struct vector *x = &vector[i];
        assert_int_equal(verifier_check(x->v, &x->proof, x->inputs, x->input_count, NULL, NULL), CUZK_OK);
        assert_int_equal(verifier_check(x->v, &x->without_randomness, x->inputs, x->input_count, NULL, NULL),
                         CUZK_OK);
    }
}

static void check__refuses_every_other_input(void **state)
{
    (void)state;
    for (int i = 0; i < PROOFS; i++) {
        const struct vector *x = &vector[i];
        for (size_t k = 0; k < x->input_count; k += k < 4 ? 1 : 11) {
            cuzk_error err = { "" };
            fr_t saved = x->inputs[k];
            fr_add(&x->inputs[k], &x->inputs[k], &FR_ONE);
            assert_int_equal(verifier_check(x->v, &x->proof, x->inputs, x->input_count, NULL, &err), CUZK_REFUSED);
            assert_string_equal(err.detail, "the proof does not hold");
            x->inputs[k] = saved;
        }
    }
}

static void check__refuses_other_keys_and_proofs(void **state)
{
    (void)state;
    const struct vector *a = &vector[0], *b = &vector[1]; /* the same circuit, two sectors */
    assert_int_equal(a->input_count, b->input_count);
    assert_int_equal(verifier_check(a->v, &b->proof, a->inputs, a->input_count, NULL, NULL), CUZK_REFUSED);
    assert_int_equal(verifier_check(a->v, &a->proof, b->inputs, a->input_count, NULL, NULL), CUZK_REFUSED);
    struct proof mixed = a->proof;
    mixed.c = a->without_randomness.c;
    assert_int_equal(verifier_check(a->v, &mixed, a->inputs, a->input_count, NULL, NULL), CUZK_REFUSED);
}

static void check__refuses_other_counts(void **state)
{
    (void)state;
    const struct vector *x = &vector[0];
    cuzk_error err = { "" };
    assert_int_equal(verifier_check(x->v, &x->proof, x->inputs, x->input_count - 1, NULL, &err), CUZK_ERR_DATA);
    assert_string_equal(err.detail, "38 public inputs, the verifying key is for 39");
    assert_int_equal(verifier_check(x->v, &x->proof, x->inputs, 0, NULL, &err), CUZK_ERR_DATA);
    const fr_t *inputs[] = { x->inputs, x->inputs };
    const struct proof twice[] = { x->proof, x->proof };
    assert_int_equal(verifier_check_all(x->v, twice, inputs, 38, 2, NULL, &err), CUZK_ERR_DATA);
    assert_int_equal(verifier_check_all(x->v, twice, inputs, 39, 0, NULL, &err), CUZK_ERR_USAGE);
}

static void check_all__is_as_strict_as_one_by_one(void **state)
{
    (void)state;
    const struct vector *a = &vector[0], *b = &vector[1];
    struct pool *pool;
    assert_int_equal(pool_create(&pool, 3, NULL), CUZK_OK);
    struct proof proofs[] = { a->proof, b->proof, a->without_randomness, b->without_randomness };
    const fr_t *inputs[] = { a->inputs, b->inputs, a->inputs, b->inputs };
    for (size_t n = 1; n <= 4; n++) {
        assert_int_equal(verifier_check_all(a->v, proofs, inputs, a->input_count, n, pool, NULL), CUZK_OK);
    }
    for (size_t bad = 0; bad < 4; bad++) {
        char expected[64];
        cuzk_error err = { "" };
        struct proof saved = proofs[bad];
        g1_affine_neg(&proofs[bad].c, &proofs[bad].c);
        assert_int_equal(verifier_check_all(a->v, proofs, inputs, a->input_count, 4, pool, &err), CUZK_REFUSED);
        snprintf(expected, sizeof expected, "partition %zu: the proof does not hold", bad);
        assert_string_equal(err.detail, expected);
        proofs[bad] = saved;
    }
    /* Faults that cancel in a plain sum do not cancel under random factors. */
    g1_affine_t c0 = proofs[0].c;
    proofs[0].c = proofs[2].c;
    proofs[2].c = c0;
    assert_int_equal(verifier_check_all(a->v, proofs, inputs, a->input_count, 4, pool, NULL), CUZK_REFUSED);
    pool_destroy(pool);
}

/* Keys with many inputs have no tables of multiples; here they are taken away. The pool changes between checks. */
static void check_all__needs_no_tables(void **state)
{
    (void)state;
    const struct vector *a = &vector[0], *b = &vector[1];
    struct proof proofs[] = { a->proof, b->proof, a->without_randomness };
    const fr_t *inputs[] = { a->inputs, b->inputs, a->inputs };
    g1_multiples_release(&a->v->multiples);
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct pool *pool;
        assert_int_equal(pool_create(&pool, threads, NULL), CUZK_OK);
        for (size_t n = 1; n <= 3; n++) {
            assert_int_equal(verifier_check_all(a->v, proofs, inputs, a->input_count, n, pool, NULL), CUZK_OK);
            inputs[0] = b->inputs;
            assert_int_equal(verifier_check_all(a->v, proofs, inputs, a->input_count, n, pool, NULL), CUZK_REFUSED);
            inputs[0] = a->inputs;
        }
        pool_destroy(pool);
    }
}

/* What one of several threads checks, again and again: one proof, two, one, … so that the memory that a check
 * leaves is now large enough for the next and now not. */
struct caller {
    const struct verifier *v;
    const struct proof *proofs;
    const fr_t *const *inputs;
    size_t input_count;
    struct pool *pool;
    cuzk_status expected;
    unsigned wrong;
};

static void *call(void *argument)
{
    struct caller *c = argument;
    for (size_t i = 0; i < 6; i++) {
        c->wrong += verifier_check_all(c->v, c->proofs, c->inputs, c->input_count, 1 + i % 2, c->pool, NULL) !=
                    c->expected;
    }
    return NULL;
}

/* Half of the callers have the right inputs, half of another sector's; half share a pool, half have none. */
static void call_from_all(const struct vector *a, const struct vector *b)
{
    const struct proof proofs[] = { a->proof, a->without_randomness };
    const fr_t *const right[] = { a->inputs, a->inputs }, *const wrong[] = { b->inputs, b->inputs };
    struct caller callers[CALLERS];
    pthread_t threads[CALLERS];
    struct pool *pool;
    assert_int_equal(pool_create(&pool, 2, NULL), CUZK_OK);
    for (int i = 0; i < CALLERS; i++) {
        bool holds = i % 2 == 0;
        callers[i] = (struct caller){ a->v, proofs, holds ? right : wrong, a->input_count,
                                      i < CALLERS / 2 ? pool : NULL, holds ? CUZK_OK : CUZK_REFUSED, 0 };
    }
    for (int i = 0; i < CALLERS; i++) assert_int_equal(pthread_create(&threads[i], NULL, call, &callers[i]), 0);
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(callers[i].wrong, 0);
    }
    pool_destroy(pool);
}

static void check_all__serves_many_threads(void **state)
{
    (void)state;
    call_from_all(&vector[0], &vector[1]); /* its key has no tables by now */
    call_from_all(&vector[1], &vector[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(check__accepts_the_oracle),
        test(check__refuses_every_other_input),
        test(check__refuses_other_keys_and_proofs),
        test(check__refuses_other_counts),
        test(check_all__is_as_strict_as_one_by_one),
        test(check_all__needs_no_tables), /* changes the key of the first vector */
        test(check_all__serves_many_threads),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
