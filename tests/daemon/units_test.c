#include "daemon/units.h"
#include "test.h"

#include <stdbool.h>

static void size_parse__reads_every_unit(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t bytes;
    } cases[] = {
        { "0", 0 },
        { "4096", 4096 },
        { "7B", 7 },
        { "256MiB", 256u << 20 },
        { "1KiB", 1024 },
        { "1.5GiB", 1610612736 },
        { "1TiB", (uint64_t)1 << 40 },
        { "2TB", 2000000000000 },
        { "1.5KB", 1500 },
        { "10 MB", 10000000 },
        { "0.0001KB", 0 },
        { "5GB", 5000000000 },
        { "8388607TiB", (uint64_t)8388607 << 40 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t v = 1;
        assert_true(size_parse(&v, cases[i].text));
        assert_int_equal(v, cases[i].bytes);
    }
}

static void size_parse__refuses_everything_else(void **state)
{
    (void)state;
    static const char *const bad[] = { "",       "MiB",   "-1",   "+1",         "1e9",
                                       "1mib",   "1 ",    " 1",   "1.",         ".5",
                                       "1  MiB", "1MiBx", "0x10", "8388608TiB", "99999999999999999999",
                                       "1,5GiB", "5 %" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint64_t v;
        assert_false(size_parse(&v, bad[i]));
    }
}

static void duration_parse__reads_every_unit(void **state)
{
    (void)state;
    uint64_t v;
    assert_true(duration_parse(&v, "250ms") && v == 250);
    assert_true(duration_parse(&v, "30s") && v == 30000);
    assert_true(duration_parse(&v, "1.5h") && v == 5400000);
    assert_true(duration_parse(&v, "5m") && v == 300000);
    assert_true(duration_parse(&v, "90") && v == 90000);
    assert_false(duration_parse(&v, "1d"));
    assert_false(duration_parse(&v, "1h30m"));
}

static void format__reads_back(void **state)
{
    (void)state;
    static const uint64_t values[] = { 0,
                                       1,
                                       999,
                                       1000,
                                       1024,
                                       1500,
                                       86400000,
                                       60000,
                                       61000,
                                       268435456,
                                       268435457,
                                       (uint64_t)5 << 30,
                                       2000000000000,
                                       INT64_MAX };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[UNIT_TEXT];
        uint64_t v = 1;
        size_format(text, values[i]);
        assert_true(size_parse(&v, text));
        assert_int_equal(v, values[i]);
        duration_format(text, values[i]);
        assert_true(duration_parse(&v, text));
        assert_int_equal(v, values[i]);
    }
}

static void size_approximate__has_three_digits(void **state)
{
    (void)state;
    char text[UNIT_TEXT];
    size_approximate(text, 1023);
    assert_string_equal(text, "1023 B");
    size_approximate(text, 1570000000);
    assert_string_equal(text, "1.46 GiB");
    size_approximate(text, (uint64_t)200 << 30);
    assert_string_equal(text, "200 GiB");
    size_approximate(text, (uint64_t)1023 << 30 | 0x3fffffff);
    assert_string_equal(text, "1.00 TiB");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(size_parse__reads_every_unit),       test(size_parse__refuses_everything_else),
        test(duration_parse__reads_every_unit),   test(format__reads_back),
        test(size_approximate__has_three_digits),
    };
    return run_tests(tests);
}
