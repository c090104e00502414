#include "groth16/randomness.h"
#include "groth16/vectors.h"

static void insecure_seed__hashes_labels(void **state)
{
    (void)state;
    struct toxic t;
    fr_t alpha;
    assert_int_equal(toxic_from_insecure_seed(&t, "cuzk-test-srs/v1", NULL), CUZK_OK);
    scalar_from_label(&alpha, "cuzk-test-srs/v1/alpha");
    assert_true(fr_equal(&t.alpha, &alpha));
    assert_false(fr_equal(&t.alpha, &t.beta));
    assert_false(fr_equal(&t.gamma, &t.delta));

    char seed[LABEL_MAX + 2];
    cuzk_error err = { "" };
    memset(seed, 'x', sizeof seed);
    seed[LABEL_MAX + 1] = '\0';
    assert_int_equal(toxic_from_insecure_seed(&t, seed, &err), CUZK_ERR_USAGE);
    assert_non_null(strstr(err.detail, "129 characters, at most 128 expected"));
    seed[LABEL_MAX] = '\0';
    assert_int_equal(toxic_from_insecure_seed(&t, seed, &err), CUZK_OK);
}

/* r and s of the oracle's proofs follow from their tags. */
static void tag__gives_the_randomness_of_the_oracle(void **state)
{
    (void)state;
    json_t *proofs = vectors_load("proofs.json"), *p;
    size_t i;
    json_array_foreach(proofs, i, p)
    {
        struct proof_randomness x;
        fr_t r, s;
        fr_at(&r, p, "r");
        fr_at(&s, p, "s");
        assert_int_equal(proof_randomness_from_tag(&x, text_at(p, "tag"), 0, NULL), CUZK_OK);
        assert_true(fr_equal(&x.r, &r));
        assert_true(fr_equal(&x.s, &s));
    }
    assert_int_equal(i, 5);
    json_decref(proofs);
}

static void tag__names_the_partition(void **state)
{
    (void)state;
    struct proof_randomness x, y;
    assert_int_equal(proof_randomness_from_tag(&x, "T/12", 0, NULL), CUZK_OK);
    assert_int_equal(proof_randomness_from_tag(&y, "T", 12, NULL), CUZK_OK);
    assert_true(fr_equal(&x.r, &y.r));
    assert_true(fr_equal(&x.s, &y.s));

    char tag[LABEL_MAX + 2];
    memset(tag, 'x', sizeof tag);
    tag[LABEL_MAX + 1] = '\0';
    assert_int_equal(proof_randomness_from_tag(&x, tag, 0, NULL), CUZK_ERR_USAGE);
    tag[LABEL_MAX] = '\0';
    assert_int_equal(proof_randomness_from_tag(&x, tag, SIZE_MAX, NULL), CUZK_OK);
}

static void draw__differs_every_time(void **state)
{
    (void)state;
    struct proof_randomness x, y;
    assert_int_equal(proof_randomness_draw(&x, NULL), CUZK_OK);
    assert_int_equal(proof_randomness_draw(&y, NULL), CUZK_OK);
    assert_false(fr_equal(&x.r, &y.r));
    assert_false(fr_equal(&x.s, &y.s));
    assert_false(fr_equal(&x.r, &x.s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(insecure_seed__hashes_labels),
        test(tag__gives_the_randomness_of_the_oracle),
        test(tag__names_the_partition),
        test(draw__differs_every_time),
    };
    return run_tests(tests);
}
