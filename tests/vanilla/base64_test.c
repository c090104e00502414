#include "test.h"
#include "vanilla/base64.h"

#include <openssl/evp.h>
#include <stdlib.h>

static cuzk_status decode(const char *text, uint8_t *out, size_t *size)
{
    return base64_decode(out, size, (const uint8_t *)text, strlen(text), NULL);
}

static void base64_decode__reads_every_padding(void **state)
{
    (void)state;
    static const char *const texts[] = { "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy" };
    for (size_t n = 0; n < 7; n++) { /* RFC 4648 §10 */
        uint8_t out[16];
        size_t size = 99;
        assert_int_equal(decode(texts[n], out, &size), CUZK_OK);
        assert_int_equal(size, n);
        assert_memory_equal(out, "foobar", n);
    }
}

static void base64_decode__refuses_loose_forms(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "Zg",       "Zg=",      "Zg===", "=Zg=",         "====",     "Z===",        "Zh==",         "Zm9=",
        "Zm8=Zm9v", "Zg==Zg==", " Zm9",  " Zm9vYmFy   ", "    Zm9v", "Zm9v    ",    "Zm9v\n\n\n\n", "Zm9v----",
        "----Zm9v", "Zm-v",     "Zm_v",  "Zm9vZ\n8=",    "Zm 9vYm=", "Zm9v\x80m9v", "Zm9vYm\xc3=",  "Zm=vYmFy",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint8_t out[32];
        size_t size;
        assert_int_equal(decode(bad[i], out, &size), CUZK_ERR_DATA);
    }
}

static void base64_decode__inverts_the_encoder(void **state)
{
    (void)state;
    enum { MOST = 200 };
    uint8_t data[MOST], text[2 * MOST], out[2 * MOST];
    for (size_t n = 0; n < MOST; n++) {
        data[n] = (uint8_t)(n * 151 + 7);
        size_t length = (size_t)EVP_EncodeBlock(text, data, (int)n + 1), size = 0;
        assert_int_equal(base64_decode(out, &size, text, length, NULL), CUZK_OK);
        assert_int_equal(size, n + 1);
        assert_memory_equal(out, data, size);
    }
}

static void base64_normalise__mends_what_proto3_allows(void **state)
{
    (void)state;
    uint8_t text[16] = "-_8", out[16];
    size_t size, length = base64_normalise(text, text, 3);
    assert_int_equal(length, 4);
    assert_int_equal(base64_decode(out, &size, text, length, NULL), CUZK_OK);
    assert_memory_equal(out, "\xfb\xff", 2);
    assert_int_equal(base64_normalise(text, (const uint8_t *)"Zm9vA", 5), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(base64_decode__reads_every_padding),
        test(base64_decode__refuses_loose_forms),
        test(base64_decode__inverts_the_encoder),
        test(base64_normalise__mends_what_proto3_allows),
    };
    return run_tests(tests);
}
