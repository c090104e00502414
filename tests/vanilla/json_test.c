#include "test.h"
#include "vanilla/json.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

/* Status of reading a whole text as one value. */
static cuzk_status read_all(const char *text, size_t size, cuzk_error *err)
{
    struct json_reader j = json_reader_over((const uint8_t *)text, size);
    cuzk_status status = json_read_skip(&j, err);
    return status == CUZK_OK ? json_read_finish(&j, err) : status;
}

static void json_skip__accepts_the_grammar(void **state)
{
    (void)state;
    static const char *const good[] = {
        "0",
        "-0",
        " 12 ",
        "1.5e+3",
        "1E0",
        "true",
        "false",
        "null",
        "\"\"",
        "[]",
        "{}",
        "[[],{}]",
        "{\"a\":[1,2,{\"b\":null}],\"\":\"x\"}",
        "\t[\r\n1 , 2 ]",
        "\"\\u0041\\n\\/\\ud83d\\ude00\"",
        "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"",
        "{\"a\":1,\"a\":2}",
        "12345678901234567890123456789012345678901234567890",
        "\"\x7f\"",
        "\"\\u0000\"",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        cuzk_error err = { "" };
        assert_int_equal(read_all(good[i], strlen(good[i]), &err), CUZK_OK);
    }
}

static void json_skip__refuses_the_rest(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        " ",
        "01",
        "-",
        "+1",
        "1.",
        ".5",
        "1e",
        "1e+",
        "0x1",
        "tru",
        "nul",
        "True",
        "NaN",
        "[",
        "[1",
        "[1,",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[1}",
        "{",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,",
        "{\"a\":1,}",
        "{,}",
        "{a:1}",
        "{\"a\" 1}",
        "{1:2}",
        "{\"a\":1]",
        "]",
        "}",
        ",",
        ":",
        "1 2",
        "[] []",
        "\"",
        "\"\\\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"\\ud800\"",
        "\"\\ud800\\u0041\"",
        "\"\\udc00\"",
        "\"\n\"",
        "\"\t\"",
        "\"\x1f\"",
        "\"\x80\"",
        "\"\xc3\"",
        "\"\xc0\x80\"",
        "\"\xe0\x80\x80\"",
        "\"\xed\xa0\x80\"",
        "\"\xf5\x80\x80\x80\"",
        "\"\xf4\x90\x80\x80\"",
        "\"\xff\"",
        "\xef\xbb\xbf[]",
        "'a'",
        "[1,/*x*/2]",
        "\"\\u{41}\"",
        "-a",
        "--1",
        "1-",
        "\v1",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cuzk_error err = { "" };
        assert_int_equal(read_all(bad[i], strlen(bad[i]), &err), CUZK_ERR_DATA);
        assert_int_equal(strncmp(err.detail, "byte ", 5), 0);
    }
    assert_int_equal(read_all("1\0", 2, NULL), CUZK_ERR_DATA);
    assert_int_equal(read_all("\"a\0b\"", 5, NULL), CUZK_ERR_DATA);
}

static void json_skip__limits_depth(void **state)
{
    (void)state;
    char text[2 * (JSON_MAX_DEPTH + 1)];
    for (size_t depth = JSON_MAX_DEPTH; depth <= JSON_MAX_DEPTH + 1; depth++) {
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        cuzk_status expected = depth > JSON_MAX_DEPTH ? CUZK_ERR_DATA : CUZK_OK;
        assert_int_equal(read_all(text, 2 * depth, NULL), expected);
    }
}

static void json_u64__takes_plain_integers_in_range(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t max, value;
        bool good;
    } cases[] = {
        { "0", 0, 0, true },
        { "255", 255, 255, true },
        { "256", 255, 0, false },
        { "18446744073709551615", UINT64_MAX, UINT64_MAX, true },
        { "18446744073709551616", UINT64_MAX, 0, false },
        { "99999999999999999999999999", UINT64_MAX, 0, false },
        { "-1", UINT64_MAX, 0, false },
        { "-0", UINT64_MAX, 0, false },
        { "1.0", UINT64_MAX, 0, false },
        { "1e2", UINT64_MAX, 0, false },
        { "\"1\"", UINT64_MAX, 0, false },
        { "null", UINT64_MAX, 0, false },
        { "", UINT64_MAX, 0, false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct json_reader j = json_reader_over((const uint8_t *)cases[i].text, strlen(cases[i].text));
        uint64_t v = 0;
        cuzk_status status = json_read_u64(&j, &v, cases[i].max, NULL);
        assert_int_equal(status, cases[i].good ? CUZK_OK : CUZK_ERR_DATA);
        if (cases[i].good) assert_int_equal(v, cases[i].value);
    }
}

/* Both ways of reading an array of bytes: the dense one, and the general one behind white space. */
static void json_bytes__reads_dense_and_spaced(void **state)
{
    (void)state;
    char dense[400], spaced[800];
    uint8_t values[32], out[32];
    for (unsigned round = 0; round < 64; round++) {
        size_t d = 0, s = 0;
        for (size_t i = 0; i < 32; i++) {
            values[i] = (uint8_t)((round * 37 + i * (round + 3)) % 256);
            const char *before = i ? "," : "[";
            d += (size_t)snprintf(dense + d, sizeof dense - d, "%s%u", before, values[i]);
            s += (size_t)snprintf(spaced + s, sizeof spaced - s, " %s\n%u", before, values[i]);
        }
        d += (size_t)snprintf(dense + d, sizeof dense - d, "]");
        s += (size_t)snprintf(spaced + s, sizeof spaced - s, " ]");
        for (size_t more = 0; more < 2; more++) { /* also too near the end for the dense way */
            struct json_reader j = json_reader_over((const uint8_t *)dense, d + more * 100);
            memset(dense + d, ' ', 100);
            memset(out, 0xee, sizeof out);
            assert_int_equal(json_read_bytes(&j, out, 32, NULL), CUZK_OK);
            assert_memory_equal(out, values, 32);
            assert_int_equal(j.at - j.start, d);
        }
        struct json_reader j = json_reader_over((const uint8_t *)spaced, s);
        assert_int_equal(json_read_bytes(&j, out, 32, NULL), CUZK_OK);
        assert_memory_equal(out, values, 32);
    }
}

static void json_bytes__refuses_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *text, *detail;
    } cases[] = {
        { "[1,2,3]", "byte 0: 4 bytes expected, 3 found" },
        { "[1,2,3,4,5]", "byte 0: 4 bytes expected, 5 found" },
        { "[]", "byte 0: 4 bytes expected, 0 found" },
        { "[1,2,256,4]", "byte 5: an integer up to 255 expected, 256 found" },
        { "[1,2,1000,4]", "byte 5: an integer up to 255 expected, 1000 found" },
        { "[1,2,-3,4]", "byte 5: an integer 0 to 255 expected, -3 found" },
        { "[1,2,3.5,4]", "byte 5: an integer 0 to 255 expected, 3.5 found" },
        { "[1,2,03,4]", "byte 5: a number begins with 0" },
        { "[1,2,,4]", "byte 5: a number expected, ',' found" },
        { "[1,2,3,4", "byte 8: ',' or ']' expected, the end found" },
        { "[1,2,3;4]", "byte 6: ',' or ']' expected, ';' found" },
        { "{}", "byte 0: an array expected, '{' found" },
        { "[1,2,\"3\",4]", "byte 5: a number expected, '\"' found" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[128]; /* far from the end, so that the dense way is tried first */
        memset(text, ' ', sizeof text);
        memcpy(text, cases[i].text, strlen(cases[i].text));
        bool open = strcmp(cases[i].text, "[1,2,3,4") == 0;
        struct json_reader j = json_reader_over((const uint8_t *)text, open ? 8 : sizeof text);
        uint8_t out[4];
        cuzk_error err = { "" };
        assert_int_equal(json_read_bytes(&j, out, 4, &err), CUZK_ERR_DATA);
        assert_string_equal(err.detail, cases[i].detail);
    }
}

static void json_text__is_decoded(void **state)
{
    (void)state;
    const char text[] = "\"a\\u00e9\\\\\\\"\\/\\b\\f\\n\\r\\t\\uD83D\\uDE00\\u20ac\"";
    const char plain[] = "a\xc3\xa9\\\"/\b\f\n\r\t\xf0\x9f\x98\x80\xe2\x82\xac";
    struct json_reader j = json_reader_over((const uint8_t *)text, sizeof text - 1);
    struct json_text t;
    uint8_t out[sizeof text];
    assert_int_equal(json_read_string(&j, &t, NULL), CUZK_OK);
    assert_true(t.escaped);
    assert_int_equal(json_text_decode(out, &t), sizeof plain - 1);
    assert_memory_equal(out, plain, sizeof plain - 1);
    assert_true(json_text_equal(&t, plain));
    assert_false(json_text_equal(&t, "a"));
}

static cuzk_status read_members(const char *text, uint64_t out[2], cuzk_error *err)
{
    static const char *const names[] = { "one", "two" };
    struct json_members m = { .names = names, .count = 2, .required = 1 };
    struct json_reader j = json_reader_over((const uint8_t *)text, strlen(text));
    cuzk_status status = json_read_object(&j, err);
    for (unsigned which; json_read_member(&j, &m, &which, &status, err);) {
        status = json_read_u64(&j, &out[which], UINT64_MAX, err);
    }
    return status == CUZK_OK ? json_read_finish(&j, err) : status;
}

static void json_member__tolerates_order_and_strangers_only(void **state)
{
    (void)state;
    uint64_t v[2] = { 0, 0 };
    cuzk_error err = { "" };
    assert_int_equal(read_members("{\"two\":2,\"x\":[{\"one\":7}],\"\\u006fne\":1}", v, &err), CUZK_OK);
    assert_int_equal(v[0], 1);
    assert_int_equal(v[1], 2);
    assert_int_equal(read_members("{\"one\":3}", v, &err), CUZK_OK);
    assert_int_equal(read_members("{\"two\":2}", v, &err), CUZK_ERR_DATA);
    assert_string_equal(err.detail, "byte 8: member \"one\" is missing");
    assert_int_equal(read_members("{\"one\":1, \"one\":1}", v, &err), CUZK_ERR_DATA);
    assert_string_equal(err.detail, "byte 8: member \"one\" occurs twice");
    assert_int_equal(read_members("{\"one\":1,\"x\":[1,}", v, &err), CUZK_ERR_DATA);
}

/* ---- jansson as the second opinion ---- */

static uint32_t next_random(uint32_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 17;
    return *x ^= *x << 5;
}

/* jansson also refuses what the grammar allows: NUL in strings, numbers too large for its types. */
static bool jansson_accepts(const char *text, size_t size, bool *skip)
{
    json_error_t error;
    json_t *value = json_loadb(text, size, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    *skip = !value && json_error_code(&error) == json_error_numeric_overflow;
    json_decref(value);
    return value != NULL;
}

static void json_skip__agrees_with_jansson(void **state)
{
    (void)state;
    static const char *const seeds[] = {
        "{\"a\":[1,-2.5e3,true,false,null],\"b\":{\"c\":\"d\\u00e9\\ud83d\\ude00\",\"e\":[]},\"f\":0}",
        "[[\"\xc3\xa9\",\"\\\"\"],[{}],[12,0.1,1E-2]]",
        "{\"hashes\":[[1,2,3],[255,0,17]],\"index\":3}",
    };
    static const char bytes[] = "\"\\{}[],:0123456789.eE+-tfnu \t\n\xc3\xa9\x80\xed\xa0\x01/ad";
    uint32_t x = 2463534242u;
    size_t accepted = 0, refused = 0;
    for (unsigned round = 0; round < 60000; round++) {
        char text[160];
        const char *seed = seeds[round % 3];
        size_t size = strlen(seed);
        memcpy(text, seed, size);
        for (unsigned edits = 1 + next_random(&x) % 3; edits > 0; edits--) {
            size_t at = next_random(&x) % size;
            switch (next_random(&x) % 3) {
            case 0: text[at] = bytes[next_random(&x) % (sizeof bytes - 1)]; break;
            case 1: memmove(text + at, text + at + 1, --size - at); break;
            default:
                memmove(text + at + 1, text + at, size++ - at);
                text[at] = bytes[next_random(&x) % (sizeof bytes - 1)];
            }
        }
        bool skip;
        bool expected = jansson_accepts(text, size, &skip);
        if (skip) continue;
        bool found = read_all(text, size, NULL) == CUZK_OK;
        if (found != expected) fail_msg("%.*s: jansson %d", (int)size, text, expected);
        accepted += found;
        refused += !found;
    }
    assert_true(accepted > 1000);
    assert_true(refused > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(json_skip__accepts_the_grammar),
        test(json_skip__refuses_the_rest),
        test(json_skip__limits_depth),
        test(json_u64__takes_plain_integers_in_range),
        test(json_bytes__reads_dense_and_spaced),
        test(json_bytes__refuses_by_name),
        test(json_text__is_decoded),
        test(json_member__tolerates_order_and_strangers_only),
        test(json_skip__agrees_with_jansson),
    };
    return run_tests(tests);
}
