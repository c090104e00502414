#include "vanilla/base64.h"

#include <openssl/evp.h>

enum { CHUNK = 1 << 24 }; /* characters per call; a multiple of 4 */

static int digit_value(uint8_t c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Four characters with up to two of padding at their end and no bits set that the padding cuts off. Gives
 * the number of bytes that they stand for, or 0. */
static size_t decode_quad(uint8_t out[3], const uint8_t t[4])
{
    size_t digits = t[3] != '=' ? 4 : t[2] != '=' ? 3 : 2;
    uint32_t v = 0;
    for (size_t i = 0; i < 4; i++) {
        int d = i < digits ? digit_value(t[i]) : 0;
        if (d < 0) return 0;
        v = v << 6 | (uint32_t)d;
    }
    size_t bytes = digits - 1;
    if ((v & ((UINT32_C(1) << 8 * (3 - bytes)) - 1)) != 0) return 0;
    for (size_t i = 0; i < bytes; i++) out[i] = (uint8_t)(v >> (16 - 8 * i));
    return bytes;
}

/* Whole quads without padding. EVP_DecodeBlock refuses every character outside the alphabet except three: it
 * trims white space and '-' at both ends and takes '=' for a digit. The caller has looked for '='. */
static bool decode_plain(uint8_t *out, const uint8_t *text, size_t size)
{
    for (size_t done = 0; done < size; done += CHUNK) {
        size_t n = size - done < CHUNK ? size - done : CHUNK;
        if (digit_value(text[done]) < 0 || digit_value(text[done + n - 1]) < 0) return false;
        if (EVP_DecodeBlock(out + done / 4 * 3, text + done, (int)n) != (int)(n / 4 * 3)) return false;
    }
    return true;
}

cuzk_status base64_decode(uint8_t *out, size_t *out_size, const uint8_t *text, size_t size, cuzk_error *err)
{
    *out_size = 0;
    if (size == 0) return CUZK_OK;
    if (size % 4 != 0) {
        return cuzk_fail(err, CUZK_ERR_DATA, "base64 of %zu characters, a multiple of 4 expected", size);
    }
    size_t plain = size - 4;
    if (plain > 0 && (memchr(text, '=', plain) || !decode_plain(out, text, plain))) {
        return cuzk_fail(err, CUZK_ERR_DATA, "a character outside base64");
    }
    size_t tail = decode_quad(out + plain / 4 * 3, text + plain);
    if (tail == 0) return cuzk_fail(err, CUZK_ERR_DATA, "the base64 does not end as it should");
    *out_size = plain / 4 * 3 + tail;
    return CUZK_OK;
}

cuzk_status base64_text(struct bytes *out, struct arena *arena, const struct json_text *text, cuzk_error *err)
{
    struct bytes plain = { text->data, text->size };
    if (text->escaped) { /* rare: some writers escape '/' */
        uint8_t *copy = arena_take(arena, text->size, 1);
        if (!copy) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu bytes", text->size);
        plain = (struct bytes){ copy, json_text_decode(copy, text) };
    }
    uint8_t *decoded = arena_take(arena, base64_room(plain.size), 1);
    if (!decoded) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu bytes", plain.size);
    out->data = decoded;
    return base64_decode(decoded, &out->size, plain.data, plain.size, err);
}

size_t base64_normalise(uint8_t *out, const uint8_t *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        out[i] = text[i] == '-' ? '+' : text[i] == '_' ? '/' : text[i];
    }
    while (size % 4 > 1) out[size++] = '=';
    return size;
}
