#include "groth16/params_file.h"
#include "groth16/params_writer.h"
#include "groth16/vectors.h"

#include <dirent.h>
#include <unistd.h>

static char folder[] = "/tmp/cuzk-params-test-XXXXXX";

enum { INPUTS = 2, KEY_BYTES = VK_FIXED_BYTES + 4 + INPUTS * 96 };

static const struct srs_counts counts = { .inputs = INPUTS, .section = { 3, 2, 3, 2, 2 } };

/* Point n of section s is a multiple of the generator that only this place has. */
static uint64_t multiple(enum srs_section s, uint64_t n) { return 1 + 100 * (uint64_t)s + n; }

static void g1_multiple(g1_affine_t *out, uint64_t k)
{
    g1_t p;
    g1_from_affine(&p, &G1_GENERATOR);
    g1_mul_var(&p, &p, &k, 1);
    g1_to_affine_var(out, &p);
}

static void g2_multiple(g2_affine_t *out, uint64_t k)
{
    g2_t p;
    g2_from_affine(&p, &G2_GENERATOR);
    g2_mul_var(&p, &p, &k, 1);
    g2_to_affine_var(out, &p);
}

static void encode_multiple(uint8_t *out, enum srs_section s, uint64_t n)
{
    g1_affine_t g1;
    g2_affine_t g2;
    if (s == SRS_B_G2) {
        g2_multiple(&g2, multiple(s, n));
        g2_encode(out, &g2);
    } else {
        g1_multiple(&g1, multiple(s, n));
        g1_encode(out, &g1);
    }
}

static struct verifying_key make_key(g1_affine_t ic[INPUTS])
{
    struct verifying_key vk = { .ic = ic, .ic_count = INPUTS };
    g1_multiple(&vk.alpha_g1, 1001);
    g1_multiple(&vk.beta_g1, 1002);
    g1_multiple(&vk.delta_g1, 1003);
    g2_multiple(&vk.beta_g2, 1002);
    g2_multiple(&vk.gamma_g2, 1004);
    g2_multiple(&vk.delta_g2, 1003);
    for (int i = 0; i < INPUTS; i++) g1_multiple(&ic[i], 1010 + (uint64_t)i);
    return vk;
}

static cuzk_status put_section(struct params_writer *w, enum srs_section s, uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++) {
        uint8_t bytes[G2_BYTES];
        encode_multiple(bytes, s, i);
        cuzk_status status = params_writer_put(w, s, bytes, 1, NULL);
        if (status != CUZK_OK) return status;
    }
    return CUZK_OK;
}

static void write_params(const char *stem)
{
    struct params_writer w;
    g1_affine_t ic[INPUTS];
    struct verifying_key vk = make_key(ic);
    assert_int_equal(params_writer_open(&w, folder, stem, &counts, NULL), CUZK_OK);
    assert_int_equal(params_writer_key(&w, &vk, NULL), CUZK_OK);
    for (int s = 0; s < SRS_SECTIONS; s++) {
        assert_int_equal(put_section(&w, (enum srs_section)s, 0, counts.section[s]), CUZK_OK);
    }
    assert_int_equal(params_writer_commit(&w, NULL), CUZK_OK);
}

static char *path_of(const char *name) { return path_join(folder, name); }

static unsigned files_in_folder(void)
{
    unsigned n = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;) n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static void remove_params(const char *params, const char *vk)
{
    char *a = path_of(params), *b = path_of(vk);
    assert_int_equal(unlink(a), 0);
    assert_int_equal(unlink(b), 0);
    free(a);
    free(b);
    assert_int_equal(files_in_folder(), 0);
}

static void writer__makes_a_file_that_reads_back(void **state)
{
    (void)state;
    write_params("round");
    char *params = path_of("round.params"), *vk_path = path_of("round.vk");
    struct params_file file;
    cuzk_error err = { "" };
    if (params_open(&file, params, &counts, NULL, &err) != CUZK_OK) fail_msg("%s", err.detail);
    assert_int_equal(file.map.size, srs_params_bytes(&counts));
    assert_memory_equal(&file.counts, &counts, sizeof counts);
    for (int s = 0; s < SRS_B_G2; s++) {
        g1_affine_t got[3], want;
        assert_int_equal(
            params_decode_g1(got, &file, (enum srs_section)s, 0, counts.section[s], POINT_CHECK_SUBGROUP, NULL, NULL),
            CUZK_OK);
        for (uint64_t i = 0; i < counts.section[s]; i++) {
            g1_multiple(&want, multiple((enum srs_section)s, i));
            assert_true(g1_affine_equal(&got[i], &want));
        }
    }
    g2_affine_t got, want;
    assert_int_equal(params_decode_g2(&got, &file, 1, 2, POINT_CHECK_SUBGROUP, NULL, NULL), CUZK_OK);
    g2_multiple(&want, multiple(SRS_B_G2, 1));
    assert_true(g2_affine_equal(&got, &want));
    assert_int_equal(params_decode_g2(&got, &file, 2, 2, POINT_CHECK_CURVE, NULL, NULL), CUZK_OK);
    assert_int_equal(params_decode_g2(&got, &file, 2, 3, POINT_CHECK_CURVE, NULL, &err), CUZK_ERR_USAGE);
    assert_int_equal(params_decode_g2(&got, &file, 2, 1, POINT_CHECK_CURVE, NULL, &err), CUZK_ERR_USAGE);

    struct verifying_key vk;
    assert_int_equal(vk_open(&vk, vk_path, INPUTS, NULL, NULL), CUZK_OK);
    assert_int_equal(vk_bytes(&vk), srs_vk_bytes(&counts));
    assert_true(g1_affine_equal(&vk.ic[1], &file.vk.ic[1]));
    vk_release(&vk);
    params_close(&file);
    params_close(&file);
    free(params);
    free(vk_path);
    remove_params("round.params", "round.vk");
}

/* Writes `size` bytes as a file and opens them as parameters. */
static cuzk_status open_bytes(const uint8_t *data, size_t size, const struct srs_counts *expected, cuzk_error *err)
{
    char *path = path_of("bytes.params");
    struct params_file file;
    assert_int_equal(file_write(path, data, size, true, NULL), CUZK_OK);
    cuzk_status status = params_open(&file, path, expected, NULL, err);
    if (status != CUZK_OK) assert_ptr_equal(strstr(err->detail, path), err->detail);
    params_close(&file);
    unlink(path);
    free(path);
    return status;
}

static uint8_t *params_bytes(size_t *size)
{
    uint8_t *data;
    write_params("whole");
    char *path = path_of("whole.params");
    assert_int_equal(file_read(&data, size, path, 1 << 20, NULL), CUZK_OK);
    free(path);
    remove_params("whole.params", "whole.vk");
    return data;
}

static void open__refuses_every_other_length(void **state)
{
    (void)state;
    size_t size, at = KEY_BYTES;
    uint8_t *data = params_bytes(&size);
    cuzk_error err = { "" };
    assert_int_equal(open_bytes(data, size, &counts, &err), CUZK_OK);
    assert_int_equal(open_bytes(data, size, NULL, &err), CUZK_OK);
    assert_int_equal(open_bytes(data, 0, NULL, &err), CUZK_ERR_DATA);
    for (int s = 0; s < SRS_SECTIONS; s++) { /* at each length word, behind it, and at each section's end */
        size_t bytes = counts.section[s] * (s == SRS_B_G2 ? 192 : 96);
        const size_t ends[] = { at - 1, at, at + 1, at + 3, at + 4, at + 5, at + 4 + bytes - 1 };
        for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
            assert_int_equal(open_bytes(data, ends[i], &counts, &err), CUZK_ERR_DATA);
            assert_int_equal(open_bytes(data, ends[i], NULL, &err), CUZK_ERR_DATA);
        }
        assert_non_null(strstr(err.detail, srs_section_name((enum srs_section)s)));
        at += 4 + bytes;
    }
    assert_int_equal(at, size);
    uint8_t *longer = calloc(1, size + 1);
    memcpy(longer, data, size);
    assert_int_equal(open_bytes(longer, size + 1, &counts, &err), CUZK_ERR_DATA);
    free(longer);
    free(data);
}

static void open__refuses_other_counts(void **state)
{
    (void)state;
    size_t size, at = KEY_BYTES;
    uint8_t *data = params_bytes(&size);
    for (int s = 0; s < SRS_SECTIONS; s++) {
        const uint32_t wrong[] = { 0, (uint32_t)counts.section[s] - 1, (uint32_t)counts.section[s] + 1, 0x02aaaaab,
                                   0xffffffff };
        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
            cuzk_error err = { "" };
            char place[64];
            store_be32(data + at, wrong[i]);
            assert_int_equal(open_bytes(data, size, &counts, &err), CUZK_ERR_DATA);
            snprintf(place, sizeof place, "section %s at byte %zu", srs_section_name((enum srs_section)s), at);
            if (!strstr(err.detail, place)) fail_msg("%s", err.detail);
            assert_int_equal(open_bytes(data, size, NULL, &err), CUZK_ERR_DATA);
        }
        store_be32(data + at, (uint32_t)counts.section[s]);
        at += 4 + counts.section[s] * (s == SRS_B_G2 ? 192 : 96);

        struct srs_counts expected = counts;
        expected.section[s]++;
        cuzk_error err = { "" };
        assert_int_equal(open_bytes(data, size, &expected, &err), CUZK_ERR_DATA);
    }
    struct srs_counts expected = counts;
    expected.inputs--;
    cuzk_error err = { "" };
    assert_int_equal(open_bytes(data, size, &expected, &err), CUZK_ERR_DATA);
    assert_non_null(strstr(err.detail, "2 ic points, 1 expected"));
    free(data);
}

static void decode__names_the_bad_point(void **state)
{
    (void)state;
    size_t size;
    uint8_t *data = params_bytes(&size);
    size_t bad = KEY_BYTES + 4 + 3 * 96 + 4 + 96; /* point 1 of l */
    char *path = path_of("bad.params");
    struct params_file file;
    cuzk_error err = { "" };
    g1_affine_t points[3];

    data[bad + 95] ^= 1; /* off the curve, which only the deeper levels see */
    assert_int_equal(file_write(path, data, size, true, NULL), CUZK_OK);
    assert_int_equal(params_open(&file, path, &counts, NULL, &err), CUZK_OK);
    assert_int_equal(params_decode_g1(points, &file, SRS_L, 0, 2, POINT_CHECK_ENCODING, NULL, &err), CUZK_OK);
    assert_int_equal(params_decode_g1(points, &file, SRS_L, 0, 1, POINT_CHECK_CURVE, NULL, &err), CUZK_OK);
    assert_int_equal(params_decode_g1(points, &file, SRS_L, 0, 2, POINT_CHECK_CURVE, NULL, &err), CUZK_ERR_DATA);
    char place[64];
    snprintf(place, sizeof place, "section l, point 1 at byte %zu", bad);
    assert_non_null(strstr(err.detail, place));
    assert_non_null(strstr(err.detail, path));
    params_close(&file);

    memset(data + bad, 0, 96); /* infinity is refused at every level */
    data[bad] = 0x40;
    assert_int_equal(file_write(path, data, size, true, NULL), CUZK_OK);
    assert_int_equal(params_open(&file, path, &counts, NULL, &err), CUZK_OK);
    assert_int_equal(params_decode_g1(points, &file, SRS_L, 1, 2, POINT_CHECK_ENCODING, NULL, &err), CUZK_ERR_DATA);
    assert_non_null(strstr(err.detail, place));
    params_close(&file);
    unlink(path);
    free(path);
    free(data);
}

static void writer__insists_on_the_order(void **state)
{
    (void)state;
    struct params_writer w;
    g1_affine_t ic[INPUTS];
    uint8_t point[G2_BYTES];
    struct verifying_key vk = make_key(ic), shorter = vk;
    shorter.ic_count = 1;
    encode_multiple(point, SRS_H, 0);
    assert_int_equal(params_writer_open(&w, folder, "order", &counts, NULL), CUZK_OK);
    assert_int_equal(params_writer_put(&w, SRS_H, point, 1, NULL), CUZK_ERR_USAGE);
    assert_int_equal(params_writer_key(&w, &shorter, NULL), CUZK_ERR_USAGE);
    assert_int_equal(params_writer_key(&w, &vk, NULL), CUZK_OK);
    assert_int_equal(params_writer_key(&w, &vk, NULL), CUZK_ERR_USAGE);
    assert_int_equal(params_writer_put(&w, SRS_L, point, 1, NULL), CUZK_ERR_USAGE);
    assert_int_equal(put_section(&w, SRS_H, 0, 3), CUZK_OK);
    assert_int_equal(params_writer_put(&w, SRS_H, point, 1, NULL), CUZK_ERR_USAGE);
    assert_int_equal(put_section(&w, SRS_L, 0, 1), CUZK_OK);
    assert_int_equal(params_writer_put(&w, SRS_A, point, 1, NULL), CUZK_ERR_USAGE);
    cuzk_error err = { "" };
    assert_int_equal(params_writer_commit(&w, &err), CUZK_ERR_USAGE);
    assert_non_null(strstr(err.detail, "1 of 2 points of section l"));
    assert_int_equal(files_in_folder(), 0);
}

static void writer__leaves_nothing_and_replaces_nothing(void **state)
{
    (void)state;
    struct params_writer w;
    cuzk_error err = { "" };
    assert_int_equal(params_writer_open(&w, folder, "gone", &counts, NULL), CUZK_OK);
    assert_int_equal(files_in_folder(), 2);
    params_writer_abandon(&w);
    params_writer_abandon(&w);
    assert_int_equal(files_in_folder(), 0);

    char *vk_path = path_of("taken.vk");
    assert_int_equal(file_write(vk_path, "x", 1, false, NULL), CUZK_OK);
    assert_int_equal(params_writer_open(&w, folder, "taken", &counts, &err), CUZK_ERR_CREATE);
    assert_non_null(strstr(err.detail, vk_path));
    assert_int_equal(files_in_folder(), 1);
    unlink(vk_path);
    free(vk_path);
    assert_int_equal(params_writer_open(&w, "/nonexistent", "x", &counts, &err), CUZK_ERR_CREATE);

    struct srs_counts large = counts;
    large.section[SRS_A] = UINT64_C(1) << 32;
    assert_int_equal(params_writer_open(&w, folder, "large", &large, &err), CUZK_ERR_USAGE);
    assert_int_equal(files_in_folder(), 0);
}

int main(void)
{
    if (!mkdtemp(folder)) return 1;
    const struct CMUnitTest tests[] = {
        test(writer__makes_a_file_that_reads_back), test(open__refuses_every_other_length),
        test(open__refuses_other_counts),           test(decode__names_the_bad_point),
        test(writer__insists_on_the_order),         test(writer__leaves_nothing_and_replaces_nothing),
    };
    int failed = run_tests(tests);
    if (rmdir(folder) != 0) {
        perror(folder);
        return 1;
    }
    return failed;
}
