/* The object styles of bench/ compute what the fill programs compute; the comparison would notice if they did not. */
#include "synthesis/label.h"
#include "test.h"
#include "witness/sealed.h"

#include "r1cs/evaluate.h"

#include <string.h>

static struct vanilla_job *job;
static struct circuit *circuit;
static struct witness program;
static cuzk_error err;

static const struct porep_input *input(void) { return &job->inputs[0].porep; }

static int begin(void **state)
{
    (void)state;
    uint64_t allocated = 0;
    job = sealed_job("porep-42");
    if (labels_compile(&circuit, job->shape, &err) != CUZK_OK) return -1;
    if (witness_create(&program, circuit, &err) != CUZK_OK) return -1;
    return labels_fill(&program, &allocated, job->shape, input(), &err) == CUZK_OK && allocated > 0 ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    witness_destroy(&program);
    circuit_free(circuit);
    vanilla_job_free(job);
    return 0;
}

static void synthesise(struct constraint_system *cs, bool temporaries)
{
    cs_begin(cs, temporaries);
    if (labels_synthesise(cs, job->shape, input(), &err) != CUZK_OK) fail_msg("%s", err.detail);
}

static void program__satisfies_every_row(void **state)
{
    (void)state;
    if (witness_check(&program, NULL, &err) != CUZK_OK) fail_msg("%s", err.detail);
    assert_true(circuit->aux > 2000000);
}

static void styles__agree_in_every_value_and_row(void **state)
{
    (void)state;
    uint64_t bytes[2];
    size_t total[2];
    for (int temporaries = 0; temporaries < 2; temporaries++) {
        struct constraint_system cs;
        synthesise(&cs, temporaries);
        if (labels_compare(&cs, &program, &err) != CUZK_OK) fail_msg("%s", err.detail);
        bytes[temporaries] = cs.heap.bytes;
        total[temporaries] = cs.a_aux.total + cs.b_aux.total;
        cs_release(&cs);
    }
    assert_true(bytes[1] > bytes[0] + bytes[0] / 10); /* that is what the temporaries are */
    assert_int_equal(total[0], total[1]);
    assert_int_equal(total[0], (size_t)circuit->dense[0].total + circuit->dense[1].total);
}

static void differs(const struct constraint_system *cs, const char *part)
{
    cuzk_error found = { "" };
    assert_int_equal(labels_compare(cs, &program, &found), CUZK_ERR_INTERNAL);
    if (!strstr(found.detail, part)) fail_msg("'%s' does not say '%s'", found.detail, part);
}

static void comparison__names_what_differs(void **state)
{
    (void)state;
    struct constraint_system cs;
    synthesise(&cs, false);
    struct {
        fr_t *at;
        const char *part;
    } places[] = { { &cs.aux.at[1234567], "variable 1234567" }, { &cs.inputs.at[2], "public input 2" },
                   { &cs.a.at[77], "row 77 of A" }, { &cs.b.at[2000000], "row 2000000 of B" },
                   { &cs.c.at[cs.c.count - 1], "of C" } };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        fr_t right = *places[i].at;
        fr_add(places[i].at, &right, &FR_ONE);
        differs(&cs, places[i].part);
        *places[i].at = right;
    }
    cs.aux.count--;
    differs(&cs, "variables");
    cs.aux.count++;
    assert_int_equal(labels_compare(&cs, &program, &err), CUZK_OK);
    cs_release(&cs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(program__satisfies_every_row),
        test(styles__agree_in_every_value_and_row),
        test(comparison__names_what_differs),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
