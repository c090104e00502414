/* CUZK_TIMING=1 cuzk prove: marks for every stage, and together they are the whole but for one per cent (or 2 ms). */
#define _GNU_SOURCE
#include "cli/cases.h"
#include "path/marks.h"

#include <jansson.h>

enum { TRIES = 6 };

static const char *const outer[] = { "entry_prep", "open", "prove", "verify", "reply" };
static const char *const inner[] = { "witness", "workspace", "evaluate", "quotient", "msm_h",
                                     "msm_l",   "msm_a",     "msm_b_g1", "msm_b_g2", "epilogue" };

static double sum_of(const char *text, const char *const *names, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned n;
        sum += marks_sum(text, names[i], "", &n);
        if (n != 1) fail_msg("%s_ms: %u times in\n%s", names[i], n, text);
    }
    return sum;
}

/* Milliseconds that no mark explains, the larger of both levels, less what is allowed. */
static double excess(const char *text)
{
    double whole = marks_sum(text, "pre_destructor", "", NULL), prove = marks_sum(text, "prove", "", NULL);
    double lost = whole - sum_of(text, outer, sizeof outer / sizeof outer[0]) - marks_slack(whole);
    double lost_inside = prove - sum_of(text, inner, sizeof inner / sizeof inner[0]) - marks_slack(prove);
    double all = marks_sum(text, "outer", "", NULL), freeing = marks_sum(text, "deallocation", "", NULL);
    double off = all - whole - freeing;
    assert_true(off >= -0.01 && off <= 0.01);
    return lost > lost_inside ? lost : lost_inside;
}

static void prove__marks_leave_one_per_cent(void **state)
{
    (void)state;
    const struct sealed_case *c = next_case(NULL, "wpost-2k");
    bool good = false;
    for (int i = 0; i < TRIES && !good; i++) {
        struct answer a = shell("CUZK_TIMING=1 $CUZK prove %s --params $PARAMS", c->request);
        assert_int_equal(a.code, 0);
        assert_int_equal(strlen(a.out), 2 * 192 + 1);
        good = excess(a.err) <= 0;
        if (!good && i == TRIES - 1) fail_msg("%s", a.err);
        answer_free(&a);
    }
}

static void prove__stages_of_json_leave_one_per_cent(void **state)
{
    (void)state;
    static const char *const stages[] = { "parse", "open", "prove", "verify" };
    const struct sealed_case *c = next_case(NULL, "wpost-2k");
    double total = 0, lost = 0;
    for (int i = 0; i < TRIES; i++) {
        char *text = succeeds("$CUZK prove %s --params $PARAMS --json", c->request);
        json_t *json = json_loads(text, 0, NULL);
        const json_t *t = json_object_get(json, "timings_ms");
        lost = total = json_number_value(json_object_get(t, "total"));
        for (size_t s = 0; s < 4; s++) lost -= json_number_value(json_object_get(t, stages[s]));
        json_decref(json);
        free(text);
        assert_true(lost >= 0);
        if (lost <= marks_slack(total)) return;
    }
    fail_msg("%.3f of %.3f ms are unaccounted for", lost, total);
}

static void prove__is_silent_unless_asked(void **state)
{
    (void)state;
    const struct sealed_case *c = next_case(NULL, "wpost-2k");
    free(succeeds("CUZK_TIMING=off $CUZK prove %s --params $PARAMS", c->request));
    free(succeeds("CUZK_TIMING= $CUZK prove %s --params $PARAMS", c->request));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(prove__marks_leave_one_per_cent),
        test(prove__stages_of_json_leave_one_per_cent),
        test(prove__is_silent_unless_asked),
    };
    return run_shell_tests(tests);
}
