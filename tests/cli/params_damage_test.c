/* Damaged parameter files: `cuzk prove` answers 65 with one line that names the file and the place, and never makes a
 * proof of them. All on copies of the small window PoSt's. */
#define _GNU_SOURCE
#include "cli/cases.h"

#include "backend/prover.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct params_file original;
static char *copy; /* the damaged file's name, in damaged/ */

static void names(const char *part)
{
    char expected[512];
    snprintf(expected, sizeof expected, "%s: %s", copy, part);
    fails(65, expected, "$CUZK prove %s --params damaged", sealed_cases[0].request);
}

static void change(size_t at, const void *data, size_t size)
{
    int fd = open(copy, O_WRONLY);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, data, size, (off_t)at), (ssize_t)size);
    close(fd);
}

static void restore(size_t at, size_t size) { change(at, original.map.data + at, size); }

static void set_size(size_t size) { assert_int_equal(truncate(copy, (off_t)size), 0); }

/* Every place where one thing ends and another begins: the key's parts, the lengths, the sections. */
static size_t boundaries(size_t out[32])
{
    static const size_t key[] = { 0, 96, 192, 384, 576, 672, 864, 868 };
    size_t n = 0;
    for (size_t i = 0; i < sizeof key / sizeof key[0]; i++) out[n++] = key[i];
    for (int s = 0; s < SRS_SECTIONS; s++) {
        out[n++] = original.offset[s] - 4;
        out[n++] = original.offset[s];
    }
    out[n++] = original.map.size;
    return n;
}

static void prove__names_where_parameters_end(void **state)
{
    (void)state;
    size_t at[32], n = boundaries(at);
    for (size_t i = n; i-- > 0;) { /* ever shorter */
        for (int d = 1; d >= -1; d--) {
            if ((at[i] == 0 && d < 0) || (at[i] == original.map.size && d == 0)) continue;
            set_size(at[i] + (size_t)d);
            names("");
        }
    }
    put_file(copy, original.map.data, original.map.size);
}

static void prove__names_the_sizes_of_sections(void **state)
{
    (void)state;
    static const uint8_t many[4] = { 0xff, 0xff, 0xff, 0xff }, none[4] = { 0 };
    for (int s = 0; s < SRS_SECTIONS; s++) {
        char part[64];
        size_t at = original.offset[s] - 4;
        uint8_t one_more[4], one_less[4];
        store_be32(one_more, (uint32_t)original.counts.section[s] + 1);
        store_be32(one_less, (uint32_t)original.counts.section[s] - 1);
        snprintf(part, sizeof part, "section %s at byte %zu: ", srs_section_name((enum srs_section)s), at);
        const uint8_t *const counts[] = { many, none, one_more, one_less };
        for (size_t i = 0; i < 4; i++) {
            change(at, counts[i], 4);
            names(part);
        }
        restore(at, 4);
    }
    change(864, many, 4);
    names("verifying key: number of ic points at byte 864: ");
    change(864, none, 4);
    names("verifying key: number of ic points at byte 864: ");
    restore(864, 4);
}

static void prove__names_a_bad_point_of_the_key(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        const char *part;
    } points[] = {
        { 95, "verifying key: alpha_g1 at byte 0: not on the curve" },
        { 96, "verifying key: beta_g1 at byte 96: " },
        { 383, "verifying key: beta_g2 at byte 192: not on the curve" },
        { 400, "verifying key: gamma_g2 at byte 384: " },
        { 671, "verifying key: delta_g1 at byte 576: not on the curve" },
        { 863, "verifying key: delta_g2 at byte 672: not on the curve" },
        { 868 + 96 * 22, "verifying key: ic point 22 at byte 2980: " },
    };
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        uint8_t flipped = original.map.data[points[i].at] ^ 0x01;
        change(points[i].at, &flipped, 1);
        names(points[i].part);
        restore(points[i].at, 1);
    }
}

/* A flipped bit leaves coordinates that may be in range: the proof does not hold, and the point that is off the curve
 * is found. */
static void prove__names_a_flipped_bit_in_a_point(void **state)
{
    (void)state;
    char part[64];
    for (int s = 0; s < SRS_SECTIONS; s += 2) {
        uint64_t point = original.counts.section[s] / 3;
        size_t start = original.offset[s] + point * srs_point_bytes((enum srs_section)s), at = start + 60;
        uint8_t flipped = original.map.data[at] ^ 0x10;
        change(at, &flipped, 1);
        snprintf(part, sizeof part, "section %s, point %llu at byte %zu: not on the curve",
                 srs_section_name((enum srs_section)s), (unsigned long long)point, start);
        names(part);
        struct answer a = shell("$CUZK params check --deep wpost-2k --params damaged");
        assert_int_equal(a.code, 1);
        assert_non_null(strstr(a.out, part));
        answer_free(&a);
        restore(at, 1);
    }
}

/* A copy in which a piece was never written: zeros where points should be. */
static void prove__names_a_hole(void **state)
{
    (void)state;
    char part[64];
    for (int s = 0; s < SRS_SECTIONS; s++) {
        size_t page = (original.offset[s] + 3 * 4096) & ~(size_t)4095;
        int fd = open(copy, O_WRONLY);
        assert_true(fd >= 0);
        static const uint8_t zeros[4096];
        if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)page, 4096) != 0)
            assert_int_equal(pwrite(fd, zeros, 4096, (off_t)page), 4096);
        close(fd);
        size_t size = srs_point_bytes((enum srs_section)s);
        uint64_t point = (page - original.offset[s] + size - 1) / size; /* the first that is all zero */
        snprintf(part, sizeof part, "section %s, point ", srs_section_name((enum srs_section)s));
        struct answer a = shell("$CUZK prove %s --params damaged", sealed_cases[0].request);
        const char *found = strstr(a.err, part);
        if (a.code != 65 || !found || a.out_size != 0) fail_msg("%s expected; %d, %s", part, a.code, a.err);
        uint64_t named = strtoull(found + strlen(part), NULL, 10);
        assert_true(named + 1 == point || named == point);
        answer_free(&a);
        restore(page, 4096);
    }
    set_size(0);
    set_size(original.map.size);
    names("verifying key: alpha_g1 at byte 0: ");
    put_file(copy, original.map.data, original.map.size);
}

static void prove__names_another_circuits_parameters(void **state)
{
    (void)state;
    char *winning;
    cuzk_error err = { "" };
    assert_int_equal(params_path(&winning, catalogue_by_id("winning-2k"), "damaged", "params", &err), CUZK_OK);
    assert_int_equal(link(copy, winning), 0);
    fails(65, "23 ic points, 133 expected", "$CUZK prove %s --params damaged", sealed_cases[1].request);
    assert_int_equal(unlink(winning), 0);
    fails(66, winning, "$CUZK prove %s --params damaged", sealed_cases[1].request);
    assert_int_equal(mkdir(winning, 0755), 0);
    fails(65, "not a regular file", "$CUZK prove %s --params damaged", sealed_cases[1].request);
    assert_int_equal(rmdir(winning), 0);
    free(winning);
}

/* Parameters of another ceremony: the proof is good for its own key and for no other. */
static void verify__refuses_proofs_of_other_parameters(void **state)
{
    (void)state;
    const struct sealed_case *c = &sealed_cases[0];
    struct answer a = shell("$CUZK params generate wpost-2k --insecure-seed other -o other");
    if (a.code != 0) fail_msg("%s", a.err);
    answer_free(&a);
    free(succeeds("$CUZK prove %s --params other -o other.bin", c->request));
    free(succeeds("$CUZK verify %s --params other --proof other.bin", c->public_data));
    fails(1, "does not hold", "$CUZK verify %s --params $KEYS --proof other.bin", c->public_data);
}

static void params_check__looks_at_digests_and_points(void **state)
{
    (void)state;
    struct answer a = shell("$CUZK params check wpost-2k --params damaged");
    assert_int_equal(a.code, 1);
    assert_non_null(strstr(a.out, "published is"));
    answer_free(&a);
    a = shell("$CUZK params check --deep wpost-2k --params $PARAMS");
    if (a.code != 0 || !strstr(a.out, "good")) fail_msg("%d, %s", a.code, a.err);
    answer_free(&a);
    fails(66, "no parameter files", "$CUZK params check --params keys");
    char *list = succeeds("$CUZK params list wpost-2k --params $PARAMS --json");
    assert_non_null(strstr(list, "\"present\""));
    assert_null(strstr(list, "\"absent\""));
    free(list);
    set_size(original.map.size - 1);
    list = succeeds("$CUZK params list wpost-2k --params damaged");
    assert_non_null(strstr(list, "wrong size"));
    free(list);
    put_file(copy, original.map.data, original.map.size);
}

static int begin(void **state)
{
    char *path;
    cuzk_error err = { "" };
    if (shell_begin(state) != 0 || mkdir("damaged", 0755) != 0) return -1;
    const struct circuit_entry *e = catalogue_by_id("wpost-2k");
    struct srs_counts counts = catalogue_counts(e);
    if (params_path(&path, e, CUZK_TEST_PARAMS, "params", &err) != CUZK_OK) return -1;
    if (params_open(&original, path, &counts, NULL, &err) != CUZK_OK) return -1;
    free(path);
    if (params_path(&copy, e, "damaged", "params", &err) != CUZK_OK) return -1;
    put_file(copy, original.map.data, original.map.size);
    return 0;
}

static int end(void **state)
{
    params_close(&original);
    free(copy);
    return shell_end(state);
}

/* "points": what only the points show, after proofs have been made with them. */
int main(int argc, char **argv)
{
    const struct CMUnitTest structure[] = {
        test(prove__names_where_parameters_end),
        test(prove__names_the_sizes_of_sections),
        test(prove__names_a_bad_point_of_the_key),
        test(prove__names_another_circuits_parameters),
    };
    const struct CMUnitTest points[] = {
        test(prove__names_a_flipped_bit_in_a_point),
        test(prove__names_a_hole),
        test(verify__refuses_proofs_of_other_parameters),
        test(params_check__looks_at_digests_and_points),
    };
    if (argc > 1 && strcmp(argv[1], "points") == 0) return cmocka_run_group_tests(points, begin, end);
    return cmocka_run_group_tests(structure, begin, end);
}
