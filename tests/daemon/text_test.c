#include "daemon/address.h"
#include "daemon/utf8.h"
#include "daemon/wire.h"
#include "test.h"

#include <string.h>

static void address__reads_every_form(void **state)
{
    (void)state;
    static const struct {
        const char *text, *target;
        bool local;
    } cases[] = {
        { "unix:///run/cuzk/cuzk.sock", "unix:/run/cuzk/cuzk.sock", true },
        { "unix:here", "unix:here", true },
        { "127.0.0.1:9820", "127.0.0.1:9820", true },
        { "127.9.9.9:1", "127.9.9.9:1", true },
        { "http://localhost:80/", "localhost:80", true },
        { "[::1]:9820", "[::1]:9820", true },
        { "0.0.0.0:9820", "0.0.0.0:9820", false },
        { "[::]:9820", "[::]:9820", false },
        { "https://prover.example:443", "prover.example:443", false },
        { "128.0.0.1:0", "128.0.0.1:0", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct address a;
        char target[ADDRESS_TEXT];
        assert_int_equal(address_parse(&a, cases[i].text, NULL), CUZK_OK);
        address_target(target, &a);
        assert_string_equal(target, cases[i].target);
        assert_int_equal(address_is_local(&a), cases[i].local);
    }
}

static void address__refuses_everything_else(void **state)
{
    (void)state;
    static const char *const bad[] = { "",          "host",    ":80",        "host:",   "host:65536",
                                       "host:-1",   "host:8x", "::1:80",     "unix://", "a/b:1",
                                       "ftp://x:1", "[]:1",    "host:000080" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct address a;
        if (address_parse(&a, bad[i], NULL) == CUZK_OK) fail_msg("%s was accepted", bad[i]);
    }
    char path[256] = "unix:///";
    memset(path + 8, 'x', 120);
    struct address a;
    assert_int_equal(address_parse(&a, path, NULL), CUZK_ERR_CONFIG);
}

static void utf8__knows_the_edges(void **state)
{
    (void)state;
    static const char *const good[] = { "",
                                        "a",
                                        "\x7f",
                                        "\xc2\x80",
                                        "\xdf\xbf",
                                        "\xe0\xa0\x80",
                                        "\xed\x9f\xbf",
                                        "\xee\x80\x80",
                                        "\xf0\x90\x80\x80",
                                        "\xf4\x8f\xbf\xbf" };
    static const char *const bad[] = { "\x80",
                                       "\xc0\x80",
                                       "\xc1\xbf",
                                       "\xc2",
                                       "\xe0\x9f\xbf",
                                       "\xed\xa0\x80",
                                       "\xf0\x8f\xbf\xbf",
                                       "\xf4\x90\x80\x80",
                                       "\xf5\x80\x80\x80",
                                       "a\xff",
                                       "\xe2\x82" };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(utf8_valid((const uint8_t *)good[i], strlen(good[i])));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char copy[8];
        assert_false(utf8_valid((const uint8_t *)bad[i], strlen(bad[i])));
        strcpy(copy, bad[i]);
        utf8_clean(copy, strlen(copy));
        assert_true(utf8_valid((const uint8_t *)copy, strlen(copy)));
        assert_int_equal(strlen(copy), strlen(bad[i]));
    }
    assert_true(utf8_valid((const uint8_t *)"a\0b", 3));
}

static cuzk_status find(struct bytes *out, bool *present, const char *message, size_t size)
{
    return wire_only_field(out, present, (struct bytes){ (const uint8_t *)message, size }, 1, NULL);
}

static void wire__finds_one_field_and_passes_over_others(void **state)
{
    (void)state;
    struct bytes out;
    bool present;
    static const char message[] = "\x10\x96\x01\x1d\1\2\3\4\x21\1\2\3\4\5\6\7\x08\x0a\3abc\x9a\x06\1z";
    assert_int_equal(find(&out, &present, message, sizeof message - 1), CUZK_OK);
    assert_true(present && out.size == 3 && memcmp(out.data, "abc", 3) == 0);
    assert_int_equal(find(&out, &present, "", 0), CUZK_OK);
    assert_false(present);
}

static void wire__refuses_what_is_no_message(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t size;
    } bad[] = { { "\x0a", 1 },
                { "\x0a\x05"
                  "abc",
                  5 },
                { "\x0a\0\x0a\0", 4 },
                { "\x08\1", 2 },
                { "\x0b", 1 },
                { "\x02\0", 2 },
                { "\x10", 1 },
                { "\x1d\1\2", 3 },
                { "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 10 },
                { "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 11 } };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct bytes out;
        bool present;
        assert_int_equal(find(&out, &present, bad[i].text, bad[i].size), CUZK_ERR_DATA);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(address__reads_every_form),
        test(address__refuses_everything_else),
        test(utf8__knows_the_edges),
        test(wire__finds_one_field_and_passes_over_others),
        test(wire__refuses_what_is_no_message),
    };
    return run_tests(tests);
}
