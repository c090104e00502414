/* The fixtures of the other tests: generates the parameters of the circuits named on the command line, and compares
 * the files with the digests of bellperson's. Files that are right and newer than the program are kept. */
#define _GNU_SOURCE
#include "backend/prover.h"
#include "cli/shell.h"
#include "groth16/vectors.h"
#include "hash/digest.h"

#include <sys/stat.h>
#include <unistd.h>

static char *const *circuits;

static bool is_newer_than_program(const char *path)
{
    struct stat file, program;
    return stat(path, &file) == 0 && stat(CUZK_PROGRAM, &program) == 0 &&
           (file.st_mtim.tv_sec > program.st_mtim.tv_sec ||
            (file.st_mtim.tv_sec == program.st_mtim.tv_sec && file.st_mtim.tv_nsec > program.st_mtim.tv_nsec));
}

static bool has_digest(const char *path, const char *expected)
{
    struct mapping map;
    struct digest digest;
    uint8_t hash[DIGEST_BYTES];
    char hex[2 * DIGEST_BYTES + 1];
    if (mapping_open(&map, path, NULL) != CUZK_OK) return false;
    assert_int_equal(digest_open(&digest, DIGEST_SHA256, NULL), CUZK_OK);
    digest_put(&digest, map.data, map.size);
    assert_int_equal(digest_end(&digest, hash, NULL), CUZK_OK);
    digest_close(&digest);
    mapping_close(&map);
    hex_encode(hex, hash, sizeof hash);
    return strcmp(hex, expected) == 0;
}

static void make_params(const char *id, const json_t *expected)
{
    char *params, *vk;
    assert_int_equal(params_path(&params, catalogue_by_id(id), CUZK_TEST_PARAMS, "params", NULL), CUZK_OK);
    assert_int_equal(params_path(&vk, catalogue_by_id(id), CUZK_TEST_PARAMS, "vk", NULL), CUZK_OK);
    const char *params_sha256 = text_at(expected, "params_sha256"), *vk_sha256 = text_at(expected, "vk_sha256");
    if (is_newer_than_program(params) && has_digest(params, params_sha256) && has_digest(vk, vk_sha256)) {
        print_message("%s: kept\n", id);
    } else {
        unlink(params);
        unlink(vk);
        struct answer a = shell("$CUZK params generate %s --insecure-seed cuzk-test-srs/v1 -o $PARAMS", id);
        if (a.code != 0) fail_msg("exit code %d, %s", a.code, a.err);
        print_message("%s", a.err);
        answer_free(&a);
        if (!has_digest(params, params_sha256)) fail_msg("%s differs from bellperson's", params);
        if (!has_digest(vk, vk_sha256)) fail_msg("%s differs from bellperson's", vk);
    }
    free(params);
    free(vk);
}

static void generate__equals_bellperson(void **state)
{
    (void)state;
    json_t *list = vectors_load("params.json");
    size_t made = 0, wanted = 0;
    for (char *const *id = circuits; *id; id++) {
        wanted++;
        for (size_t i = 0; i < json_array_size(list); i++) {
            const json_t *x = json_array_get(list, i);
            if (strcmp(text_at(x, "circuit"), *id) != 0) continue;
            make_params(*id, x);
            made++;
        }
    }
    assert_int_equal(made, wanted);
    json_decref(list);
}

int main(int argc, char **argv)
{
    (void)argc;
    circuits = argv + 1;
    const struct CMUnitTest tests[] = { test(generate__equals_bellperson) };
    return run_shell_tests(tests);
}
