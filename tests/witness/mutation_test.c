/* Flip any bit, or change any wide value, of a valid witness, and a row must fail: nothing is left unconstrained. */
#include "base/bytes.h"
#include "circuit/compile.h"
#include "circuit/post.h"
#include "r1cs/evaluate.h"
#include "test.h"
#include "witness/sealed.h"

#include <stdlib.h>

/* Changes variable v; a second call undoes it. */
static void mutate(struct witness *w, uint32_t v)
{
    const struct ranked_bitmap *wide = &w->circuit->wide;
    uint32_t rank = bitmap_rank(wide, v);
    if (bitmap_has(wide, v)) fr_neg(&w->wides[rank], &w->wides[rank]);
    else w->bits[(v - rank) >> 6] ^= UINT64_C(1) << ((v - rank) & 63);
}

static bool is_zero_wide(const struct witness *w, uint32_t v)
{
    fr_t value = witness_value(w, v);
    return bitmap_has(&w->circuit->wide, v) && fr_is_zero(&value);
}

/* Every variable of one slot with one challenge. */
static void post_slot__every_variable_is_constrained(void **state)
{
    (void)state;
    struct vanilla_job *job = sealed_job("winning-42");
    struct builder *b = NULL;
    struct circuit *c = NULL;
    struct slots s;
    struct witness w;
    cuzk_error err = { "" };
    assert_int_equal(builder_create(&b, &err), CUZK_OK);
    post_describe(b, job->shape, 1, 1);
    assert_int_equal(builder_finish(&c, b, &err), CUZK_OK);
    builder_free(b);
    assert_int_equal(witness_create(&w, c, &err), CUZK_OK);
    slots_begin(&s, &w);
    struct post_input one = { .slot_count = 1, .slots = job->inputs[0].post.slots };
    post_assign(&s, job->shape, &one);
    struct assignment a = { s.ints, s.int_count, (const uint8_t(*)[32])s.nodes, s.node_count, 1 };
    assert_int_equal(witness_fill(&w, &a, NULL, &err), CUZK_OK);
    assert_int_equal(witness_check(&w, NULL, &err), CUZK_OK);
    for (uint32_t v = 0; v < c->aux; v++) {
        if (is_zero_wide(&w, v)) continue; /* its negation is itself */
        mutate(&w, v);
        if (witness_check(&w, NULL, &err) != CUZK_REFUSED) fail_msg("variable %u is not constrained", v);
        mutate(&w, v);
    }
    assert_int_equal(witness_check(&w, NULL, &err), CUZK_OK);
    witness_destroy(&w);
    circuit_free(c);
    vanilla_job_free(job);
}

/* Some variables, spread over a whole PoRep and of an update: SHA-256, labels, columns, selections. */
static void check_sample(const char *name, uint32_t step)
{
    struct vanilla_job *job = sealed_job(name);
    struct circuit *c = NULL;
    struct witness w;
    cuzk_error err = { "" };
    struct pool *pool;
    assert_int_equal(pool_create(&pool, 0, &err), CUZK_OK);
    assert_int_equal(circuit_compile(&c, job->kind, job->shape, &err), CUZK_OK);
    assert_int_equal(witness_create(&w, c, &err), CUZK_OK);
    assert_int_equal(circuit_fill(&w, &job->inputs[0], NULL, &err), CUZK_OK);
    for (uint32_t v = step / 2; v < c->aux; v += step) {
        if (is_zero_wide(&w, v)) continue;
        mutate(&w, v);
        if (witness_check(&w, pool, &err) != CUZK_REFUSED) fail_msg("%s: variable %u is not constrained", name, v);
        mutate(&w, v);
    }
    witness_destroy(&w);
    circuit_free(c);
    pool_destroy(pool);
    vanilla_job_free(job);
}

static void whole_circuits__sampled_variables_are_constrained(void **state)
{
    (void)state;
    check_sample("porep-42", 260017);
    check_sample("update-42", 170021);
}

int main(void)
{
    const struct CMUnitTest tests[] = { test(post_slot__every_variable_is_constrained),
                                        test(whole_circuits__sampled_variables_are_constrained) };
    return run_tests(tests);
}
