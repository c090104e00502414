/* `cuzk circuit digest` and `cuzk witness digest` against the shapes and witnesses of Filecoin's own circuits, for the
 * circuits named on the command line. */
#define _GNU_SOURCE
#include "cli/cases.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static char *const *circuits;

/* The words of one line of tests/data, as the keys of a digest in the same order. A key "nnz/1" is an element of an
 * array. */
static void compare(const json_t *json, const char *line, const char *const *keys, const char *what)
{
    char *words = strdup(line), *rest = words;
    for (; *keys; keys++) {
        char key[64], text[80];
        const char *word = strsep(&rest, " "), *slash = strchr(*keys, '/');
        snprintf(key, sizeof key, "%.*s", (int)(slash ? slash - *keys : (long)strlen(*keys)), *keys);
        const json_t *value = json_object_get(json, key);
        if (slash) value = json_array_get(value, (size_t)atoi(slash + 1));
        if (json_is_integer(value)) snprintf(text, sizeof text, "%lld", (long long)json_integer_value(value));
        else snprintf(text, sizeof text, "%s", json_is_string(value) ? json_string_value(value) : "absent");
        if (!word || strcmp(text, word) != 0) fail_msg("%s, %s: %s, %s expected", what, *keys, text, word);
    }
    assert_null(rest);
    free(words);
}

static void circuit_digest__equals_filecoins(void **state)
{
    (void)state;
    static const char *const keys[] = { "inputs", "aux", "constraints", "nnz/0", "nnz/1", "nnz/2", "a_aux_density",
                                        "b_aux_density", "chunk", "a_aux_bitmap_sha256", "b_aux_bitmap_sha256",
                                        "rows_digest", "fingerprint_blake2s", NULL };
    for (char *const *id = circuits; *id; id++) {
        char *line = data_line("shapes.txt", *id);
        char *text = succeeds("$CUZK circuit digest %s --chunk 1024", *id);
        json_t *json = json_loads(text, 0, NULL);
        assert_non_null(json);
        compare(json, line, keys, *id);
        json_decref(json);
        free(text);
        free(line);
    }
}

static void witness_digest__equals_filecoins(void **state)
{
    (void)state;
    static const char *const keys[] = { "chunk", "aux_zero_one_other/0", "aux_zero_one_other/1",
                                        "aux_zero_one_other/2", "aux_sha256", "inputs_sha256", "aux_digest",
                                        "a_digest", "b_digest", "c_digest", NULL };
    for (char *const *id = circuits; *id; id++) {
        for (const struct sealed_case *c = next_case(NULL, *id); c; c = next_case(c, *id)) {
            char *line = data_line("witnesses.txt", c->witness);
            char *text = succeeds("$CUZK witness digest %s --chunk 1024", c->request);
            json_t *json = json_loads(text, 0, NULL);
            assert_non_null(json);
            compare(json, line, keys, c->witness);
            json_decref(json);
            free(text);
            free(line);
        }
    }
}

static void witness_check__every_row_holds(void **state)
{
    (void)state;
    const struct sealed_case *c = next_case(NULL, circuits[0]);
    char *text = succeeds("$CUZK witness check %s", c->request);
    assert_non_null(strstr(text, "rows hold"));
    free(text);
}

int main(int argc, char **argv)
{
    if (argc < 2) return 1;
    circuits = argv + 1;
    const struct CMUnitTest tests[] = {
        test(circuit_digest__equals_filecoins),
        test(witness_digest__equals_filecoins),
        test(witness_check__every_row_holds),
    };
    return run_shell_tests(tests);
}
