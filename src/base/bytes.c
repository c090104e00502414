#include "base/bytes.h"

void hex_encode(char *out, const uint8_t *in, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < n; i++) {
        out[2 * i] = digits[in[i] >> 4];
        out[2 * i + 1] = digits[in[i] & 15];
    }
    out[2 * n] = '\0';
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

bool hex_decode(uint8_t *out, size_t n, const char *in, size_t in_length)
{
    if (in_length != 2 * n) return false;
    for (size_t i = 0; i < n; i++) {
        int high = hex_digit(in[2 * i]), low = hex_digit(in[2 * i + 1]);
        if (high < 0 || low < 0) return false;
        out[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

cuzk_status reader_take(struct reader *r, size_t n, const uint8_t **out, const char *what, cuzk_error *err)
{
    if (reader_left(r) < n) {
        return cuzk_fail(err, CUZK_ERR_DATA, "%s at byte %zu: %zu bytes expected, %zu left", what,
                         reader_position(r), n, reader_left(r));
    }
    *out = r->at;
    r->at += n;
    return CUZK_OK;
}

cuzk_status reader_le32(struct reader *r, uint32_t *out, const char *what, cuzk_error *err)
{
    const uint8_t *p = NULL;
    cuzk_status status = reader_take(r, 4, &p, what, err);
    if (status == CUZK_OK) *out = load_le32(p);
    return status;
}

cuzk_status reader_le64(struct reader *r, uint64_t *out, const char *what, cuzk_error *err)
{
    const uint8_t *p = NULL;
    cuzk_status status = reader_take(r, 8, &p, what, err);
    if (status == CUZK_OK) *out = load_le64(p);
    return status;
}

cuzk_status reader_count(struct reader *r, size_t element_size, uint64_t *out, const char *what,
                         cuzk_error *err)
{
    size_t position = reader_position(r);
    cuzk_status status = reader_le64(r, out, what, err);
    if (status != CUZK_OK) return status;
    if (element_size > 0 && *out > reader_left(r) / element_size) {
        return cuzk_fail(err, CUZK_ERR_DATA,
                         "%s at byte %zu: count %llu of elements of %zu bytes or more does not fit the %zu bytes left",
                         what, position, (unsigned long long)*out, element_size, reader_left(r));
    }
    return CUZK_OK;
}

cuzk_status reader_finish(const struct reader *r, const char *what, cuzk_error *err)
{
    if (reader_left(r) == 0) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_DATA, "%s ends at byte %zu, but %zu more bytes follow", what,
                     reader_position(r), reader_left(r));
}
