/* `cuzk prove` against bellperson's proofs, byte for byte, for the circuits named on the command line;
 * "--threads=N" holds for those behind it. */
#define _GNU_SOURCE
#include "cli/cases.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static char *const *arguments;

static void prove__equals_bellperson(void **state)
{
    (void)state;
    const char *threads = "0";
    size_t proofs = 0;
    for (char *const *a = arguments; *a; a++) {
        if (strncmp(*a, "--threads=", 10) == 0) {
            threads = *a + 10;
            continue;
        }
        for (const struct sealed_case *c = next_case(NULL, *a); c; c = next_case(c, *a)) {
            char *want = bellperson_proof(c->tag, "proof");
            char *got = succeeds("$CUZK prove %s --params $PARAMS --threads %s --insecure-rs %s", c->request, threads,
                                 c->tag);
            print_message("%s with --threads %s\n", c->tag, threads);
            assert_string_equal(got, want);
            free(got);
            free(want);
            proofs++;
        }
    }
    assert_int_not_equal(proofs, 0);
}

static const struct sealed_case *last_case(void)
{
    char *const *a = arguments;
    while (a[1]) a++;
    return next_case(NULL, *a);
}

static void prove__equals_bellperson_without_randomness(void **state)
{
    (void)state;
    const struct sealed_case *c = last_case();
    char *want = bellperson_proof(c->tag, "proof_r0_s0");
    char *got = succeeds("$CUZK prove %s --params $PARAMS --partition 0 --insecure-rs-zero", c->request);
    assert_string_equal(got, want);
    free(got);
    free(want);
}

static double number_at(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

/* -o takes the raw proof and --json describes it: with fresh randomness, so verify has to accept it. */
static void prove__writes_a_file_and_describes_it(void **state)
{
    (void)state;
    static const char *const stages[] = { "parse", "witness", "evaluate", "quotient", "msm", "assemble", "verify" };
    const struct sealed_case *c = last_case();
    char *text = succeeds("$CUZK prove %s --params $PARAMS -o proof.bin --json", c->request);
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    assert_string_equal(json_string_value(json_object_get(json, "circuit")), c->circuit);
    assert_true(json_is_true(json_object_get(json, "verified")));
    assert_true(json_is_string(json_object_get(json, "device")));
    assert_true(number_at(json, "partitions") == 1);
    assert_true(number_at(json, "peak_bytes") > 0);
    const json_t *timings = json_object_get(json, "timings_ms");
    double sum = 0;
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) sum += number_at(timings, stages[i]);
    assert_true(sum > 0 && sum <= number_at(timings, "total"));

    struct bytes file = get_file("proof.bin");
    uint8_t proof[192];
    const char *hex = json_string_value(json_object_get(json, "proof"));
    assert_int_equal(file.size, sizeof proof);
    assert_true(hex_decode(proof, sizeof proof, hex, strlen(hex)));
    assert_memory_equal(file.data, proof, sizeof proof);
    char *verdict = succeeds("$CUZK verify %s --proof proof.bin --params $KEYS", c->public_data);
    assert_string_equal(verdict, "the proof holds (1 partition)");
    free(verdict);
    free((void *)(uintptr_t)file.data);
    json_decref(json);
    free(text);
}

int main(int argc, char **argv)
{
    if (argc < 2) return 1;
    arguments = argv + 1;
    const struct CMUnitTest tests[] = {
        test(prove__equals_bellperson),
        test(prove__equals_bellperson_without_randomness),
        test(prove__writes_a_file_and_describes_it),
    };
    return run_shell_tests(tests);
}
