#include "daemon/config.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct warnings {
    unsigned count;
    char last[512];
};

static void remember(void *context, const char *text)
{
    struct warnings *w = context;
    w->count++;
    snprintf(w->last, sizeof w->last, "%s", text);
}

static cuzk_status read_text(struct config *c, const char *text, cuzk_error *err)
{
    return config_read(c, "t.toml", text, strlen(text), NULL, NULL, err);
}

/* Expects a refusal whose message contains `part`. */
static void refuse(const char *text, const char *part)
{
    struct config c;
    cuzk_error err = { "" };
    assert_int_equal(read_text(&c, text, &err), CUZK_ERR_CONFIG);
    if (!strstr(err.detail, part)) fail_msg("\"%s\" is not in \"%s\"", part, err.detail);
}

static void defaults__are_those_of_the_table(void **state)
{
    (void)state;
    struct config c;
    assert_int_equal(config_defaults(&c, NULL), CUZK_OK);
    assert_int_equal(c.listen.count, 1);
    assert_string_equal(c.listen.at[0], "unix:///run/cuzk/cuzk.sock");
    assert_string_equal(c.status_listen, "127.0.0.1:9821");
    assert_int_equal(c.max_message, 256 << 20);
    assert_int_equal(c.socket_mode, 0660);
    assert_int_equal(c.verify, SRS_VERIFY_DIGEST);
    assert_false(c.allow_test_parameters);
    assert_int_equal(c.total_budget, 0);
    assert_int_equal(c.safety_margin, (uint64_t)5 << 30);
    assert_int_equal(c.eviction_min_idle, 300000);
    assert_true(c.reaper_limit.percent && c.reaper_limit.amount == 25);
    assert_int_equal(c.devices.count, 0);
    assert_int_equal(c.device_recovery, 20000);
    assert_int_equal(c.max_queued, 1000);
    assert_int_equal(c.orphan_grace, 600000);
    assert_string_equal(c.journal_dir, "/var/lib/cuzk");
    assert_int_equal(c.retention, 86400000);
    assert_int_equal(c.log_level, LOG_INFO);
    for (size_t i = 0; i < LOG_AREAS; i++) assert_int_equal(c.log_levels[i], CONFIG_LEVEL_UNSET);
    config_free(&c);
}

static void values__are_taken_in_every_form(void **state)
{
    (void)state;
    struct config c;
    cuzk_error err = { "" };
    cuzk_status status =
        read_text(&c,
                  "[daemon]\nlisten = ['127.0.0.1:1', \"unix:///x\"]\nmax_message = 1048576\nsocket_mode = 0o600\n"
                  "[srs]\npreload = ['winning-2k']\nverify = 'trust'\nallow_test_parameters = true\n"
                  "[memory]\ntotal_budget = '1.5TiB'\nreaper_limit = '2GiB'\neviction_min_idle = 90\n"
                  "[gpus]\ndevices = [0, 'GPU-abc']\npartitions_in_flight = 3\n"
                  "[logging]\nlevel = 'warn'\n[logging.levels]\nrpc = 'trace'\n",
                  &err);
    assert_string_equal(err.detail, "");
    assert_int_equal(status, CUZK_OK);
    assert_int_equal(c.listen.count, 2);
    assert_string_equal(c.listen.at[1], "unix:///x");
    assert_int_equal(c.max_message, 1048576);
    assert_int_equal(c.socket_mode, 0600);
    assert_string_equal(c.preload.at[0], "winning-2k");
    assert_int_equal(c.verify, SRS_VERIFY_TRUST);
    assert_true(c.allow_test_parameters);
    assert_int_equal(c.total_budget, (uint64_t)3 << 39);
    assert_false(c.reaper_limit.percent);
    assert_int_equal(c.eviction_min_idle, 90000);
    assert_int_equal(c.devices.count, 2);
    assert_string_equal(c.devices.at[0], "0");
    assert_int_equal(c.partitions_in_flight, 3);
    assert_int_equal(c.log_levels[LOG_RPC], LOG_TRACE);
    assert_int_equal(c.log_levels[LOG_MAIN], CONFIG_LEVEL_UNSET);
    config_free(&c);
}

static void devices__none_and_empty(void **state)
{
    (void)state;
    struct config c;
    assert_int_equal(read_text(&c, "[gpus]\ndevices = 'none'\n", NULL), CUZK_OK);
    assert_true(c.devices_none);
    config_free(&c);
    assert_int_equal(read_text(&c, "[gpus]\ndevices = []\n", NULL), CUZK_OK);
    assert_true(!c.devices_none && c.devices.count == 0);
    config_free(&c);
}

static void errors__name_file_line_and_key(void **state)
{
    (void)state;
    refuse("[daemon]\nlissten = 'x'\n", "t.toml:2: daemon.lissten: unknown key");
    refuse("[deamon]\n", "t.toml:1: deamon: unknown key");
    refuse("x = 1\n", "t.toml:1: x: unknown key");
    refuse("\n[memory]\ntotal_budget = '5 GB!'\n", "t.toml:3: memory.total_budget: \"5 GB!\"");
    refuse("[memory]\neviction_min_idle = '5 minutes'\n", "t.toml:2: memory.eviction_min_idle:");
    refuse("[srs]\nallow_test_parameters = 'yes'\n", "true or false");
    refuse("[srs]\npreload = 'porep-32g'\n", "an array of strings");
    refuse("[srs]\npreload = [1]\n", "t.toml:2: srs.preload: an array of strings");
    refuse("[srs]\nverify = 'never'\n", "\"never\" is not one of digest, deep, trust");
    refuse("[scheduler]\nmax_queued = 0\n", "0 is not in 1 … 1000000");
    refuse("[scheduler]\nmax_queued = -1\n", "negative");
    refuse("[scheduler]\nmax_queued = 1.5\n", "a whole number");
    refuse("[daemon]\nlisten = []\n", "an address");
    refuse("[daemon]\nmax_message = '4GiB'\n", "daemon.max_message");
    refuse("[daemon]\nsocket_mode = '0999'\n", "octal");
    refuse("[gpus]\ndevices = [-1]\n", "gpus.devices");
    refuse("[gpus]\ndevices = 'all'\n", "gpus.devices");
    refuse("daemon = 1\n", "t.toml:1: daemon: a table is expected");
    refuse("[logging.levels]\nprover = 'info'\n", "logging.levels.prover: unknown key");
    refuse("[daemon]\n\"a.b\" = 1\n", "daemon.\"a.b\": unknown key");
    refuse("[daemon]\nstatus_listen = \"a\\u0000b\"\n", "NUL");
    refuse("[daemon]\ntls_cert = 'x'\n", "both or neither");
    refuse("[daemon\n", "t.toml:1: ");
    refuse("[daemon]\nlisten = 'a'\nlisten = 'b'\n", "t.toml:3: ");
    refuse("[memory]\nreaper_limit = '101%'\n", "neither a share");
}

static void errors__the_first_in_the_file_is_told(void **state)
{
    (void)state;
    refuse("[srs]\nzzz = 1\n[daemon]\naaa = 1\n", "t.toml:2: srs.zzz");
}

static void retired_keys__warn_once_each(void **state)
{
    (void)state;
    struct config c;
    struct warnings w = { 0 };
    const char *text = "[pipeline]\nenabled = true\nslot_size = 3\n[memory]\npinned_budget = '1GiB'\n"
                       "[synthesis]\npartition_workers = 20\n[gpus]\ngpu_threads = 32\n";
    assert_int_equal(config_read(&c, "t.toml", text, strlen(text), remember, &w, NULL), CUZK_OK);
    assert_int_equal(w.count, 5);
    assert_non_null(strstr(w.last, "partition_workers has no effect: "));
    config_free(&c);
    refuse("[pipeline]\nunknown = 1\n", "pipeline.unknown: unknown key");
}

static void print__reads_back_the_same(void **state)
{
    (void)state;
    struct config c;
    cuzk_error err = { "" };
    assert_int_equal(read_text(&c,
                               "[daemon]\nlisten = ['127.0.0.1:1', 'unix:///with \"quotes\" and "
                               "\\\\']\n[memory]\nreaper_limit = 1000001\n",
                               &err),
                     CUZK_ERR_CONFIG); /* a share is a string */
    assert_int_equal(read_text(&c,
                               "[daemon]\nlisten = ['127.0.0.1:1', 'unix:///a\"b\\']\nsocket_mode = '0600'\n"
                               "[memory]\nreaper_limit = '1000001'\n[gpus]\ndevices = [1]\npartitions_in_flight = 2\n"
                               "[logging.levels]\nsrs = 'error'\n",
                               &err),
                     CUZK_OK);
    char *first = config_print(&c);
    config_free(&c);
    assert_non_null(first);
    assert_int_equal(read_text(&c, first, &err), CUZK_OK);
    assert_string_equal(c.listen.at[1], "unix:///a\"b\\");
    char *second = config_print(&c);
    config_free(&c);
    assert_string_equal(first, second);
    free(first);
    free(second);
}

static void load__a_missing_file_is_a_configuration_error(void **state)
{
    (void)state;
    struct config c;
    cuzk_error err = { "" };
    assert_int_equal(config_load(&c, "/nonexistent/cuzk.toml", NULL, NULL, &err), CUZK_ERR_CONFIG);
    assert_non_null(strstr(err.detail, "/nonexistent/cuzk.toml"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(defaults__are_those_of_the_table),
        test(values__are_taken_in_every_form),
        test(devices__none_and_empty),
        test(errors__name_file_line_and_key),
        test(errors__the_first_in_the_file_is_told),
        test(retired_keys__warn_once_each),
        test(print__reads_back_the_same),
        test(load__a_missing_file_is_a_configuration_error),
    };
    return run_tests(tests);
}
