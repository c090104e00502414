#include "base/file.h"
#include "groth16/vectors.h"
#include "math/point_codec.h"

#include <unistd.h>

static uint8_t *key_bytes(size_t *size)
{
    uint8_t *data;
    cuzk_error err = { "" };
    if (file_read(&data, size, CUZK_TEST_DATA "/groth16/wpost-2k.vk", VK_MAX_BYTES, &err) != CUZK_OK) {
        fail_msg("%s", err.detail);
    }
    return data;
}

static cuzk_status read_key(const uint8_t *data, size_t size, size_t *left, cuzk_error *err)
{
    struct verifying_key vk;
    struct reader r = reader_over(data, size);
    cuzk_status status = vk_read(&vk, &r, NULL, err);
    *left = reader_left(&r);
    vk_release(&vk);
    return status;
}

static void read__round_trips(void **state)
{
    (void)state;
    static const char *const circuits[] = { "porep-2k", "snap-2k", "wpost-2k", "winning-2k" };
    static const size_t inputs[] = { 40, 5, 23, 133 };
    for (size_t i = 0; i < 4; i++) {
        char path[512];
        uint8_t *data;
        size_t size;
        struct verifying_key vk;
        snprintf(path, sizeof path, CUZK_TEST_DATA "/groth16/%s.vk", circuits[i]);
        assert_int_equal(file_read(&data, &size, path, VK_MAX_BYTES, NULL), CUZK_OK);
        assert_int_equal(vk_open(&vk, path, inputs[i], NULL, NULL), CUZK_OK);
        assert_int_equal(vk.ic_count, inputs[i]);
        assert_int_equal(vk_bytes(&vk), size);
        uint8_t *again = malloc(size);
        vk_encode(again, &vk);
        assert_memory_equal(again, data, size);
        free(again);
        free(data);
        vk_release(&vk);
        cuzk_error err = { "" };
        assert_int_equal(vk_open(&vk, path, inputs[i] + 1, NULL, &err), CUZK_ERR_DATA);
        assert_non_null(strstr(err.detail, "ic points"));
    }
}

static void read__refuses_every_other_length(void **state)
{
    (void)state;
    size_t size, left;
    cuzk_error err = { "" };
    uint8_t *data = key_bytes(&size);
    const size_t edges[] = { 0, 1, 95, 96, 863, 864, 867, 868, 868 + 95, size - 96, size - 1 };
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        /* A buffer of exactly this length, so that the sanitizer sees any read behind it. */
        uint8_t *part = malloc(edges[i] + 1);
        memcpy(part, data, edges[i]);
        assert_int_equal(read_key(part, edges[i], &left, &err), CUZK_ERR_DATA);
        free(part);
    }
    assert_int_equal(read_key(data, size, &left, &err), CUZK_OK);
    assert_int_equal(left, 0);

    char path[] = "/tmp/cuzk-vk-test-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    uint8_t *longer = calloc(1, size + 1);
    memcpy(longer, data, size);
    assert_int_equal(file_write(path, longer, size + 1, true, NULL), CUZK_OK);
    struct verifying_key vk;
    assert_int_equal(vk_open(&vk, path, 0, NULL, &err), CUZK_ERR_DATA);
    assert_non_null(strstr(err.detail, path));
    unlink(path);
    free(longer);
    free(data);
}

static void read__refuses_bad_counts(void **state)
{
    (void)state;
    size_t size, left;
    cuzk_error err = { "" };
    uint8_t *data = key_bytes(&size);
    const uint32_t counts[] = { 0, 24, 0x7fffffff, 0xffffffff, 0x02aaaaab }; /* the last: ·96 = 2^32 + 32 */
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        store_be32(data + 864, counts[i]);
        assert_int_equal(read_key(data, size, &left, &err), CUZK_ERR_DATA);
        assert_non_null(strstr(err.detail, "number of ic points at byte 864"));
    }
    store_be32(data + 864, 22); /* fewer: the rest is left to the caller */
    assert_int_equal(read_key(data, size, &left, &err), CUZK_OK);
    assert_int_equal(left, 96);
    free(data);
}

/* Each point in turn becomes infinity, leaves the curve, or gets another encoding. */
static void read__checks_every_point(void **state)
{
    (void)state;
    size_t size, left;
    uint8_t *data = key_bytes(&size);
    const struct {
        size_t at, bytes;
        const char *name;
    } points[] = {
        { 0, 96, "alpha_g1" },         { 96, 96, "beta_g1" },
        { 192, 192, "beta_g2" },       { 384, 192, "gamma_g2" },
        { 576, 96, "delta_g1" },       { 672, 192, "delta_g2" },
        { 868, 96, "ic point 0 at " }, { 868 + 22 * 96, 96, "ic point 22 at byte 2980" },
    };
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        uint8_t saved[192], *at = data + points[i].at;
        memcpy(saved, at, points[i].bytes);
        for (int fault = 0; fault < 4; fault++) {
            cuzk_error err = { "" };
            if (fault == 0) {
                memset(at, 0, points[i].bytes);
                at[0] = 0x40;
            }
            if (fault == 1) at[points[i].bytes - 1] ^= 1;
            if (fault == 2) at[0] |= 0x80;
            if (fault == 3) memset(at, 0, points[i].bytes);
            assert_int_equal(read_key(data, size, &left, &err), CUZK_ERR_DATA);
            if (!strstr(err.detail, points[i].name)) fail_msg("%s", err.detail);
            memcpy(at, saved, points[i].bytes);
        }
    }
    assert_int_equal(read_key(data, size, &left, NULL), CUZK_OK);
    free(data);
}

/* On the curve, but outside the subgroup: nearly every point with a small x is. */
static void read__refuses_points_outside_the_subgroup(void **state)
{
    (void)state;
    g1_affine_t p = { .x = FP_ONE };
    fp_t y2, four;
    fp_from_u64(&four, 4);
    do {
        fp_add(&p.x, &p.x, &FP_ONE);
        fp_sqr(&y2, &p.x);
        fp_mul(&y2, &y2, &p.x);
        fp_add(&y2, &y2, &four);
    } while (!fp_sqrt_var(&p.y, &y2));
    assert_true(g1_on_curve(&p));
    assert_false(g1_in_subgroup_var(&p));
    size_t size, left;
    cuzk_error err = { "" };
    uint8_t *data = key_bytes(&size);
    g1_encode(data + 868 + 96, &p);
    assert_int_equal(read_key(data, size, &left, &err), CUZK_ERR_DATA);
    assert_non_null(strstr(err.detail, "ic point 1"));
    assert_non_null(strstr(err.detail, "subgroup"));
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(read__round_trips),
        test(read__refuses_every_other_length),
        test(read__refuses_bad_counts),
        test(read__checks_every_point),
        test(read__refuses_points_outside_the_subgroup),
    };
    return run_tests(tests);
}
