#include "base/bytes.h"
#include "test.h"

static void reader__stops_at_end(void **state)
{
    (void)state;
    const uint8_t data[] = { 1, 0, 0, 0, 2 };
    struct reader r = reader_over(data, sizeof data);
    uint32_t v = 0;
    cuzk_error err = { "" };
    assert_int_equal(reader_le32(&r, &v, "first", &err), CUZK_OK);
    assert_int_equal(v, 1);
    assert_int_equal(reader_le32(&r, &v, "second", &err), CUZK_ERR_DATA);
    assert_string_equal(err.detail, "second at byte 4: 4 bytes expected, 1 left");
    assert_int_equal(reader_finish(&r, "data", &err), CUZK_ERR_DATA);
}

static void reader_count__refuses_what_cannot_fit(void **state)
{
    (void)state;
    uint8_t data[8 + 64] = { 2 };
    uint64_t n = 0;
    struct reader r = reader_over(data, sizeof data);
    assert_int_equal(reader_count(&r, 32, &n, "hashes", NULL), CUZK_OK);
    assert_int_equal(n, 2);
    data[0] = 3;
    r = reader_over(data, sizeof data);
    assert_int_equal(reader_count(&r, 32, &n, "hashes", NULL), CUZK_ERR_DATA);
    memset(data, 0xff, 8); /* 2^64 − 1 must not wrap around */
    r = reader_over(data, sizeof data);
    assert_int_equal(reader_count(&r, 32, &n, "hashes", NULL), CUZK_ERR_DATA);
}

static void hex__round_trip_and_refusals(void **state)
{
    (void)state;
    uint8_t bytes[2];
    char text[5];
    assert_true(hex_decode(bytes, 2, "0aFf", 4));
    hex_encode(text, bytes, 2);
    assert_string_equal(text, "0aff");
    assert_false(hex_decode(bytes, 2, "0aF", 3));
    assert_false(hex_decode(bytes, 2, "0aFg", 4));
}

static void error__context_goes_in_front(void **state)
{
    (void)state;
    cuzk_error err = { "" };
    cuzk_status s = cuzk_fail(&err, CUZK_ERR_DATA, "value %d", 7);
    assert_int_equal(cuzk_within(&err, s, "file %s", "x"), CUZK_ERR_DATA);
    assert_string_equal(err.detail, "file x: value 7");
    char longtext[600];
    memset(longtext, 'y', sizeof longtext);
    longtext[599] = 0;
    assert_int_equal(cuzk_within(&err, s, "%s", longtext), CUZK_ERR_DATA);
    assert_int_equal(strlen(err.detail), sizeof err.detail - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(reader__stops_at_end),
        test(reader_count__refuses_what_cannot_fit),
        test(hex__round_trip_and_refusals),
        test(error__context_goes_in_front),
    };
    return run_tests(tests);
}
