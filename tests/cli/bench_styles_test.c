/* `cuzk bench witness`: counters, and the three styles of synthesis. (The command itself fails if they differ in a
 * value or a row; that it would notice is tests/synthesis.) */
#include "cli/cases.h"

#include <jansson.h>
#include <stdlib.h>

static json_t *results_of(const char *command)
{
    char *text = succeeds("%s", command);
    json_t *list = json_loads(text, 0, NULL);
    if (!json_is_array(list)) fail_msg("%s: %s", command, text);
    free(text);
    return list;
}

static double number(const json_t *r, const char *key)
{
    json_t *value = json_object_get(r, key);
    if (!json_is_number(value)) fail_msg("no number '%s'", key);
    return json_number_value(value);
}

static void check_counters(const json_t *r)
{
    json_t *instructions = json_object_get(r, "instructions");
    assert_non_null(instructions);
    if (!json_is_null(instructions)) assert_true(json_integer_value(instructions) > 0);
    assert_true(number(r, "faults") >= 0);
    assert_true(number(r, "median_s") > 0);
}

static void witness__counts_instructions_and_faults(void **state)
{
    (void)state;
    json_t *list = results_of("$CUZK bench witness --json --repeat 2 " WINNING "$SEALED/winning-42.vproof");
    assert_int_equal(json_array_size(list), 1);
    check_counters(json_array_get(list, 0));
    assert_null(json_object_get(json_array_get(list, 0), "style"));
    json_decref(list);
    char *text = succeeds("$CUZK bench witness --repeat 1 " WINNING "$SEALED/winning-42.vproof");
    assert_non_null(strstr(text, "page faults"));
    assert_non_null(strstr(text, "instructions"));
    free(text);
}

static void styles__are_measured_on_the_same_input(void **state)
{
    (void)state;
    static const char *const styles[] = { "objects", "no-temporaries", "program", "program-rows" };
    json_t *list = results_of("$CUZK bench witness --style all --json --repeat 1 " POREP_42
                              "$SEALED/porep-s42.c1.json");
    assert_int_equal(json_array_size(list), 4);
    double seconds[4], bytes[4];
    for (size_t i = 0; i < 4; i++) {
        const json_t *r = json_array_get(list, i);
        assert_string_equal(json_string_value(json_object_get(r, "style")), styles[i]);
        check_counters(r);
        assert_true(number(r, "size") == number(json_array_get(list, 0), "size"));
        seconds[i] = number(r, "median_s");
        bytes[i] = number(r, "allocated_bytes");
    }
    assert_true(bytes[0] > 1.1 * bytes[1]);
    assert_true(bytes[1] > 10 * bytes[2]);
    assert_true(seconds[0] > 10 * seconds[2] && seconds[1] > 10 * seconds[2]);
    json_decref(list);
    list = results_of("$CUZK bench witness --style program --json --repeat 1 " POREP_42 "$SEALED/porep-s42.c1.json");
    assert_int_equal(json_array_size(list), 2);
    json_decref(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(witness__counts_instructions_and_faults),
        test(styles__are_measured_on_the_same_input),
    };
    return run_shell_tests(tests);
}
