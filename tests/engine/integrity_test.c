#include "engine/integrity.h"

#include "hash/blake2b.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char root[] = "/tmp/cuzk-integrity-XXXXXX";
static char path[64], cache[64];

static const struct integrity_rules strict = { SRS_VERIFY_DIGEST, false };
static const struct integrity_rules lenient = { SRS_VERIFY_DIGEST, true };
static const struct integrity_rules trusting = { SRS_VERIFY_TRUST, false };

static void put(const char *text) { assert_int_equal(file_write(path, text, strlen(text), true, NULL), CUZK_OK); }

static void digest_of(char out[33], const char *text)
{
    uint8_t digest[64];
    blake2b(digest, sizeof digest, text, strlen(text), NULL, 0);
    hex_encode(out, digest, 16);
}

static void count_report(void *context, uint64_t done, uint64_t total)
{
    assert_true(done <= total);
    ++*(unsigned *)context;
}

/* Checks the file at `path`; *reads counts how often it was read. */
static cuzk_status check(struct integrity *in, bool *test, const char *published, const struct integrity_rules *rules,
                         unsigned *reads, cuzk_error *err)
{
    struct params_file file = { .path = path };
    struct circuit_entry entry = { .id = "winning-2k", .params_digest = published };
    struct progress progress = { count_report, reads };
    assert_int_equal(mapping_open(&file.map, path, NULL), CUZK_OK);
    cuzk_status status = integrity_check(in, test, &file, &entry, rules, NULL, &progress, err);
    mapping_close(&file.map);
    return status;
}

static struct integrity *open_cache(const char *at)
{
    struct integrity *in;
    assert_int_equal(integrity_create(&in, at, NULL, NULL), CUZK_OK);
    return in;
}

static void digest__is_compared_with_the_published_one(void **state)
{
    (void)state;
    char digest[33];
    bool test;
    unsigned reads = 0;
    cuzk_error err = { "" };
    struct integrity *in = open_cache(NULL);
    put("parameters");
    digest_of(digest, "parameters");
    assert_int_equal(check(in, &test, digest, &strict, &reads, &err), CUZK_OK);
    assert_false(test);
    digest_of(digest, "other parameters");
    assert_int_equal(check(in, &test, digest, &strict, &reads, &err), CUZK_ERR_DATA);
    assert_non_null(strstr(err.detail, digest));
    assert_non_null(strstr(err.detail, path));
    assert_int_equal(check(in, &test, NULL, &strict, &reads, &err), CUZK_ERR_DATA); /* an unpublished circuit */
    assert_int_equal(check(in, &test, digest, &lenient, &reads, &err), CUZK_OK);
    assert_true(test);
    assert_int_equal(check(in, &test, NULL, &lenient, &reads, &err), CUZK_OK);
    assert_true(test);
    assert_int_equal(check(in, &test, digest, &trusting, &reads, &err), CUZK_OK);
    assert_false(test);
    assert_int_equal(reads, 1); /* once, for all of this */
    integrity_destroy(in);
}

static void digest__is_remembered_by_file_identity(void **state)
{
    (void)state;
    char digest[33];
    bool test;
    unsigned reads = 0;
    cuzk_error err = { "" };
    put("one");
    digest_of(digest, "one");
    struct integrity *in = open_cache(cache);
    assert_int_equal(check(in, &test, digest, &strict, &reads, &err), CUZK_OK);
    integrity_destroy(in);
    in = open_cache(cache); /* a restart */
    assert_int_equal(check(in, &test, digest, &strict, &reads, &err), CUZK_OK);
    assert_int_equal(reads, 1);
    put("two"); /* another inode of the same size */
    assert_int_equal(check(in, &test, digest, &strict, &reads, &err), CUZK_ERR_DATA);
    assert_int_equal(reads, 2);
    FILE *f = fopen(path, "r+"); /* the same inode, changed */
    assert_non_null(f);
    fputs("one", f);
    fclose(f);
    struct timespec times[2] = { { 1000, 0 }, { 1000, 1 } };
    assert_int_equal(utimensat(0, path, times, 0), 0);
    assert_int_equal(check(in, &test, digest, &strict, &reads, &err), CUZK_OK);
    assert_int_equal(reads, 3);
    integrity_destroy(in);
}

static void cache__that_is_damaged_is_begun_anew(void **state)
{
    (void)state;
    char digest[33];
    bool test;
    unsigned reads = 0;
    cuzk_error err = { "" };
    static const char noise[] = "1 2 three\n\n99999999999999999999999999 1 1 1 zz 1\nx";
    assert_int_equal(file_write(cache, noise, sizeof noise, true, NULL), CUZK_OK);
    put("one");
    digest_of(digest, "one");
    struct integrity *in = open_cache(cache);
    assert_int_equal(check(in, &test, digest, &strict, &reads, &err), CUZK_OK);
    integrity_destroy(in);
    in = open_cache(cache);
    assert_int_equal(check(in, &test, digest, &strict, &reads, &err), CUZK_OK);
    assert_int_equal(reads, 1);
    integrity_destroy(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(digest__is_compared_with_the_published_one),
        test(digest__is_remembered_by_file_identity),
        test(cache__that_is_damaged_is_begun_anew),
    };
    if (!mkdtemp(root)) return 1;
    snprintf(path, sizeof path, "%s/file.params", root);
    snprintf(cache, sizeof cache, "%s/checked", root);
    int failed = run_tests(tests);
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command) != 0 || failed;
}
