/* srs.verify = deep in an engine: every point of a parameter file is looked at before its first use, and only under
 * this setting is a point outside the subgroup found before a proof is made of it. */
#define _GNU_SOURCE
#include "backend/prover.h"
#include "base/file.h"
#include "engine/engine.h"
#include "engine/snapshot.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char root[] = "/tmp/cuzk-deep-XXXXXX";
static const struct circuit_entry *entry;

static void must(cuzk_status status, const cuzk_error *err)
{
    if (status != CUZK_OK) fail_msg("%s: %s", cuzk_status_text(status), err->detail);
}

/* On the curve and outside the subgroup, as nearly every point with a small x is. */
static void outsider(uint8_t out[G1_BYTES])
{
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
    g1_encode(out, &p);
}

/* The fixture's file in `root`, with point `index` of section h replaced by *point unless that is NULL. */
static void place_file(size_t index, const uint8_t *point)
{
    char *from, *to;
    uint8_t *data;
    size_t size;
    struct params_file file;
    struct srs_counts counts = catalogue_counts(entry);
    cuzk_error err = { "" };
    must(params_path(&from, entry, CUZK_TEST_PARAMS, "params", &err), &err);
    must(params_path(&to, entry, root, "params", &err), &err);
    must(file_read(&data, &size, from, 1 << 28, &err), &err);
    must(params_open(&file, from, &counts, NULL, &err), &err);
    if (point) memcpy(data + file.offset[SRS_H] + index * G1_BYTES, point, G1_BYTES);
    params_close(&file);
    remove(to); /* another inode: findings go by file identity */
    must(file_write(to, data, size, true, &err), &err);
    free(data);
    free(from);
    free(to);
}

static cuzk_status preload(enum srs_verify verify, bool allow, cuzk_error *err)
{
    struct engine_config config;
    struct engine *e;
    bool already;
    uint64_t ms;
    engine_config_default(&config);
    config.param_cache = root;
    config.verify = verify;
    config.allow_test_parameters = allow;
    config.total_budget = UINT64_C(2) << 30;
    must(engine_create(&e, &config, err), err);
    cuzk_status status = engine_preload(e, &already, &ms, entry->id, 0, err);
    struct engine_status *s;
    if (status == CUZK_OK) {
        must(engine_status(e, &s, err), err);
        assert_int_equal(s->srs_count, 1);
        assert_int_equal(s->srs[0].tier, TIER_LOADED);
        engine_status_free(s);
    }
    engine_destroy(e);
    return status;
}

static void good_file__passes(void **state)
{
    (void)state;
    cuzk_error err = { "" };
    place_file(0, NULL);
    must(preload(SRS_VERIFY_DEEP, true, &err), &err);
}

static void published_digest__is_asked_for_as_well(void **state)
{
    (void)state;
    cuzk_error err = { "" };
    place_file(0, NULL);
    assert_int_equal(preload(SRS_VERIFY_DEEP, false, &err), CUZK_ERR_DATA);
    assert_non_null(strstr(err.detail, "published is"));
}

static void point_outside_the_subgroup__is_found_by_deep_alone(void **state)
{
    (void)state;
    uint8_t point[G1_BYTES];
    cuzk_error err = { "" };
    outsider(point);
    place_file(7, point);
    assert_int_equal(preload(SRS_VERIFY_DEEP, true, &err), CUZK_ERR_DATA);
    print_message("%s\n", err.detail);
    assert_non_null(strstr(err.detail, "section h, point 7"));
    assert_non_null(strstr(err.detail, "subgroup"));
    must(preload(SRS_VERIFY_DIGEST, true, &err), &err);
    must(preload(SRS_VERIFY_TRUST, false, &err), &err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(good_file__passes),
        test(published_digest__is_asked_for_as_well),
        test(point_outside_the_subgroup__is_found_by_deep_alone),
    };
    entry = catalogue_by_id("wpost-2k");
    if (!mkdtemp(root)) return 1;
    int failed = run_tests(tests);
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command) != 0 || failed;
}
