#include "vanilla/json.h"

#include <stdarg.h>
#include <stdio.h>

struct json_reader json_reader_over(const uint8_t *data, size_t size)
{
    if (size == 0) data = (const uint8_t *)""; /* NULL is allowed then */
    return (struct json_reader){ .start = data, .at = data, .end = data + size };
}

cuzk_status json_read_fail(const struct json_reader *j, cuzk_error *err, const char *fmt, ...)
{
    char message[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    return cuzk_fail(err, CUZK_ERR_DATA, "byte %zu: %s", (size_t)(j->at - j->start), message);
}

/* "…, X found", where X is the character at the cursor, the end or a code. */
static cuzk_status unexpected(const struct json_reader *j, const char *expected, cuzk_error *err)
{
    if (j->at == j->end) return json_read_fail(j, err, "%s expected, the end found", expected);
    unsigned c = *j->at;
    if (c < 0x20 || c > 0x7e) return json_read_fail(j, err, "%s expected, 0x%02x found", expected, c);
    return json_read_fail(j, err, "%s expected, '%c' found", expected, (int)c);
}

static inline bool is_space(uint8_t c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
static inline bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }

static inline void skip_space(struct json_reader *j)
{
    while (j->at < j->end && is_space(*j->at)) j->at++;
}

/* The next character that is not white space; 0 at the end (and for a NUL, which no caller accepts). */
static inline uint8_t next_character(struct json_reader *j)
{
    skip_space(j);
    return j->at < j->end ? *j->at : 0;
}

enum json_kind json_read_peek(struct json_reader *j)
{
    uint8_t c = next_character(j);
    switch (c) {
    case '{': return JSON_NEXT_OBJECT;
    case '[': return JSON_NEXT_ARRAY;
    case '"': return JSON_NEXT_STRING;
    case 't':
    case 'f':
    case 'n': return JSON_NEXT_LITERAL;
    default: return c == '-' || is_digit(c) ? JSON_NEXT_NUMBER : JSON_NEXT_NOTHING;
    }
}

/* ---- containers ---- */

static cuzk_status open_container(struct json_reader *j, uint8_t bracket, const char *what, cuzk_error *err)
{
    if (next_character(j) != bracket) return unexpected(j, what, err);
    if (j->depth == JSON_MAX_DEPTH) return json_read_fail(j, err, "nested deeper than %d", JSON_MAX_DEPTH);
    j->at++;
    j->depth++;
    j->first = true;
    return CUZK_OK;
}

/* Passes the comma between two elements, or the closing bracket. */
static cuzk_status next_element(struct json_reader *j, uint8_t bracket, const char *what, bool *more, cuzk_error *err)
{
    uint8_t c = next_character(j);
    if (c == bracket) {
        j->at++;
        j->depth--;
        j->first = false;
        *more = false;
        return CUZK_OK;
    }
    if (!j->first) {
        if (c != ',') return unexpected(j, what, err);
        j->at++;
    }
    j->first = false;
    *more = true;
    return CUZK_OK;
}

cuzk_status json_read_array(struct json_reader *j, cuzk_error *err)
{
    return open_container(j, '[', "an array", err);
}

cuzk_status json_read_item(struct json_reader *j, bool *more, cuzk_error *err)
{
    return next_element(j, ']', "',' or ']'", more, err);
}

cuzk_status json_read_object(struct json_reader *j, cuzk_error *err)
{
    return open_container(j, '{', "an object", err);
}

cuzk_status json_read_key(struct json_reader *j, bool *more, struct json_text *key, cuzk_error *err)
{
    cuzk_status status = next_element(j, '}', "',' or '}'", more, err);
    if (status != CUZK_OK || !*more) return status;
    if (next_character(j) != '"') return unexpected(j, "a member's name", err);
    status = json_read_string(j, key, err);
    if (status != CUZK_OK) return status;
    if (next_character(j) != ':') return unexpected(j, "':'", err);
    j->at++;
    return CUZK_OK;
}

/* ---- strings ---- */

static int hex_value(uint8_t c)
{
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* Four hexadecimal digits, or −1. */
static int32_t hex4(const uint8_t *p, const uint8_t *end)
{
    if (end - p < 4) return -1;
    int32_t v = 0;
    for (int i = 0; i < 4; i++) {
        int d = hex_value(p[i]);
        if (d < 0) return -1;
        v = v << 4 | d;
    }
    return v;
}

static bool is_high_surrogate(int32_t v) { return v >= 0xd800 && v < 0xdc00; }
static bool is_low_surrogate(int32_t v) { return v >= 0xdc00 && v < 0xe000; }

/* The length of the escape at p (which points at a backslash), 0 if it is invalid. *code is its character. */
static size_t escape_length(const uint8_t *p, const uint8_t *end, uint32_t *code)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    if (end - p < 2) return 0;
    if (p[1] != 'u') {
        const char *name = p[1] ? strchr(names, p[1]) : NULL;
        if (!name) return 0;
        *code = (uint8_t)values[name - names];
        return 2;
    }
    int32_t high = hex4(p + 2, end);
    if (high < 0 || is_low_surrogate(high)) return 0;
    *code = (uint32_t)high;
    if (!is_high_surrogate(high)) return 6;
    if (end - p < 12 || p[6] != '\\' || p[7] != 'u') return 0;
    int32_t low = hex4(p + 8, end);
    if (!is_low_surrogate(low)) return 0;
    *code = 0x10000 + (((uint32_t)high - 0xd800) << 10) + ((uint32_t)low - 0xdc00);
    return 12;
}

/* The length of the UTF-8 sequence at p, whose first byte is not ASCII; 0 if it is invalid (RFC 3629). */
static size_t utf8_length(const uint8_t *p, const uint8_t *end)
{
    uint8_t c = p[0], low = 0x80, high = 0xbf; /* bounds of the second byte */
    size_t n;
    if (c >= 0xc2 && c <= 0xdf)
        n = 2;
    else if (c >= 0xe0 && c <= 0xef)
        n = 3;
    else if (c >= 0xf0 && c <= 0xf4)
        n = 4;
    else
        return 0;
    if (c == 0xe0) low = 0xa0;
    if (c == 0xed) high = 0x9f;
    if (c == 0xf0) low = 0x90;
    if (c == 0xf4) high = 0x8f;
    if ((size_t)(end - p) < n || p[1] < low || p[1] > high) return 0;
    for (size_t i = 2; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80) return 0;
    }
    return n;
}

/* True if one of the eight bytes ends a run of plain characters: a quote, a backslash, a control character
 * or a byte outside ASCII. (x − 0x0101…) has a byte's top bit set where that byte of x is zero; a borrow can
 * give a false alarm in the byte above one that is really zero, never a miss.) */
static inline bool has_special(uint64_t w)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    uint64_t quote = w ^ ones * '"', backslash = w ^ ones * '\\';
    uint64_t found = (quote - ones) | (backslash - ones) | (w - ones * 0x20) | w;
    return (found & tops) != 0;
}

static inline const uint8_t *skip_plain(const uint8_t *p, const uint8_t *end)
{
    while (end - p >= 8) {
        uint64_t w;
        memcpy(&w, p, 8);
        if (has_special(w)) break;
        p += 8;
    }
    while (p < end && *p >= 0x20 && *p < 0x80 && *p != '"' && *p != '\\') p++;
    return p;
}

cuzk_status json_read_string(struct json_reader *j, struct json_text *out, cuzk_error *err)
{
    if (next_character(j) != '"') return unexpected(j, "a string", err);
    j->at++;
    *out = (struct json_text){ .data = j->at };
    for (;;) {
        j->at = skip_plain(j->at, j->end);
        if (j->at == j->end) return unexpected(j, "'\"' to end the string", err);
        uint8_t c = *j->at;
        if (c == '"') break;
        size_t length = 0;
        if (c == '\\') {
            uint32_t code;
            out->escaped = true;
            length = escape_length(j->at, j->end, &code);
            if (!length) return json_read_fail(j, err, "invalid escape in a string");
        } else if (c >= 0x80) {
            length = utf8_length(j->at, j->end);
            if (!length) return json_read_fail(j, err, "invalid UTF-8 in a string (0x%02x)", c);
        } else {
            return json_read_fail(j, err, "control character 0x%02x in a string", c);
        }
        j->at += length;
    }
    out->size = (size_t)(j->at - out->data);
    j->at++;
    return CUZK_OK;
}

static size_t utf8_encode(uint8_t *out, uint32_t code)
{
    if (code < 0x80) {
        out[0] = (uint8_t)code;
        return 1;
    }
    size_t n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const uint8_t lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
    for (size_t i = n; i-- > 1; code >>= 6) out[i] = (uint8_t)(0x80 | (code & 0x3f));
    out[0] = (uint8_t)(lead[n] | code);
    return n;
}

size_t json_text_decode(uint8_t *out, const struct json_text *text)
{
    size_t used = 0;
    const uint8_t *p = text->data, *end = p + text->size;
    while (p < end) {
        uint32_t code;
        size_t length = *p == '\\' ? escape_length(p, end, &code) : 0;
        if (length) {
            used += utf8_encode(out + used, code);
            p += length;
        } else {
            out[used++] = *p++;
        }
    }
    return used;
}

bool json_text_equal(const struct json_text *text, const char *literal)
{
    size_t length = strlen(literal);
    if (!text->escaped) return text->size == length && memcmp(text->data, literal, length) == 0;
    uint8_t plain[256]; /* longer than any name that is asked for, even if every letter is escaped */
    if (text->size > sizeof plain) return false;
    return json_text_decode(plain, text) == length && memcmp(plain, literal, length) == 0;
}

struct json_shown json_text_show(const struct json_text *text)
{
    struct json_shown out = { "" };
    for (size_t i = 0; i < text->size && i + 1 < sizeof out.text; i++) {
        uint8_t c = text->data[i];
        out.text[i] = c < 0x20 || c > 0x7e ? '?' : (char)c;
    }
    return out;
}

/* ---- numbers and literals ---- */

/* Passes a number of the grammar; *integer tells whether it is plain digits (also with a minus). */
static cuzk_status pass_number(struct json_reader *j, bool *integer, cuzk_error *err)
{
    const uint8_t *p = j->at, *end = j->end;
    *integer = true;
    if (p < end && *p == '-') p++;
    const uint8_t *digits = p;
    while (p < end && is_digit(*p)) p++;
    if (p == digits) {
        j->at = p;
        return unexpected(j, "a number", err);
    }
    if (*digits == '0' && p - digits > 1) return json_read_fail(j, err, "a number begins with 0");
    if (p < end && *p == '.') {
        *integer = false;
        const uint8_t *fraction = ++p;
        while (p < end && is_digit(*p)) p++;
        j->at = p;
        if (p == fraction) return unexpected(j, "a digit", err);
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        *integer = false;
        p++;
        if (p < end && (*p == '+' || *p == '-')) p++;
        const uint8_t *exponent = p;
        while (p < end && is_digit(*p)) p++;
        j->at = p;
        if (p == exponent) return unexpected(j, "a digit", err);
    }
    j->at = p;
    return CUZK_OK;
}

cuzk_status json_read_u64(struct json_reader *j, uint64_t *out, uint64_t max, cuzk_error *err)
{
    if (json_read_peek(j) != JSON_NEXT_NUMBER) return unexpected(j, "a number", err);
    struct json_reader value = *j;
    bool integer;
    cuzk_status status = pass_number(j, &integer, err);
    if (status != CUZK_OK) return status;
    struct json_text text = { .data = value.at, .size = (size_t)(j->at - value.at) };
    if (!integer || *value.at == '-') {
        return json_read_fail(&value, err, "an integer 0 to %llu expected, %s found", (unsigned long long)max,
                              json_text_show(&text).text);
    }
    uint64_t v = 0;
    for (const uint8_t *p = value.at; p < j->at; p++) {
        unsigned digit = *p - '0';
        if (v > (UINT64_MAX - digit) / 10 || v * 10 + digit > max) {
            return json_read_fail(&value, err, "an integer up to %llu expected, %s found", (unsigned long long)max,
                                  json_text_show(&text).text);
        }
        v = v * 10 + digit;
    }
    *out = v;
    return CUZK_OK;
}

static bool pass_word(struct json_reader *j, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(j->end - j->at) < length || memcmp(j->at, word, length) != 0) return false;
    j->at += length;
    return true;
}

cuzk_status json_read_null(struct json_reader *j, cuzk_error *err)
{
    skip_space(j);
    return pass_word(j, "null") ? CUZK_OK : unexpected(j, "null", err);
}

cuzk_status json_read_bool(struct json_reader *j, bool *out, cuzk_error *err)
{
    skip_space(j);
    *out = pass_word(j, "true");
    return *out || pass_word(j, "false") ? CUZK_OK : unexpected(j, "true or false", err);
}

/* ---- arrays of bytes ---- */

/* Reads n numbers, each of one to three digits and directly followed by ',' (the last by ']'), without a
 * branch that depends on their lengths. False, with nothing consumed, if the text looks different in any
 * way or ends too soon: the general code then says what is wrong, or reads it with its white space. */
static bool bytes_dense(struct json_reader *j, uint8_t *out, size_t n)
{
    if (j->at == j->end || *j->at != '[' || (size_t)(j->end - j->at) < 5 * n + 8) return false;
    const uint8_t *p = j->at + 1;
    uint32_t bad = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t w = load_le32(p);
        uint32_t t = w ^ 0x30303030u;
        /* A byte's top bit: not a digit. */
        uint32_t others = (((t & 0x7f7f7f7fu) + 0x76767676u) | t) & 0x80808080u;
        unsigned length = (unsigned)__builtin_ctzll((uint64_t)others | UINT64_C(1) << 39) >> 3;
        uint32_t s = (uint32_t)((uint64_t)t << (32 - 8 * length)); /* last digit in the top byte */
        uint32_t v = (s >> 24) + 10 * (s >> 16 & 0xff) + 100 * (s >> 8 & 0xff);
        uint32_t follower = i + 1 < n ? ',' : ']';
        bad |= (uint32_t)(length - 1 > 2) | (uint32_t)(v > 255) | (uint32_t)(p[length] != follower);
        bad |= (uint32_t)((w & 0xff) == '0') & (uint32_t)(length > 1);
        out[i] = (uint8_t)v;
        p += length + 1;
    }
    if (bad) return false;
    j->at = p;
    j->first = false;
    return true;
}

cuzk_status json_read_bytes(struct json_reader *j, uint8_t *out, size_t n, cuzk_error *err)
{
    skip_space(j);
    if (bytes_dense(j, out, n)) return CUZK_OK;
    struct json_elements e = { .expected = n, .what = "bytes" };
    cuzk_status status = json_read_elements(j, &e, err);
    while (json_read_element(j, &e, &status, err)) {
        uint64_t v = 0;
        status = json_read_u64(j, &v, UINT8_MAX, err);
        out[e.index] = (uint8_t)v;
    }
    return status;
}

/* ---- anything ---- */

/* Passes the scalar at the cursor. */
static cuzk_status skip_scalar(struct json_reader *j, enum json_kind kind, cuzk_error *err)
{
    struct json_text text;
    bool ignored;
    switch (kind) {
    case JSON_NEXT_STRING: return json_read_string(j, &text, err);
    case JSON_NEXT_NUMBER: return pass_number(j, &ignored, err);
    case JSON_NEXT_LITERAL: return *j->at == 'n' ? json_read_null(j, err) : json_read_bool(j, &ignored, err);
    default: return unexpected(j, "a value", err);
    }
}

cuzk_status json_read_skip(struct json_reader *j, cuzk_error *err)
{
    bool is_object[JSON_MAX_DEPTH + 1]; /* of the open containers, by depth */
    unsigned outer = j->depth;
    cuzk_status status = CUZK_OK;
    do {
        enum json_kind kind = json_read_peek(j);
        if (kind == JSON_NEXT_OBJECT || kind == JSON_NEXT_ARRAY) {
            status = kind == JSON_NEXT_OBJECT ? json_read_object(j, err) : json_read_array(j, err);
            if (status == CUZK_OK) is_object[j->depth] = kind == JSON_NEXT_OBJECT;
        } else {
            status = skip_scalar(j, kind, err);
        }
        /* Close what ends here, and stop in front of the next value. */
        for (bool more = false; status == CUZK_OK && !more && j->depth > outer;) {
            struct json_text key;
            status = is_object[j->depth] ? json_read_key(j, &more, &key, err) : json_read_item(j, &more, err);
        }
    } while (status == CUZK_OK && j->depth > outer);
    return status;
}

cuzk_status json_read_finish(struct json_reader *j, cuzk_error *err)
{
    skip_space(j);
    return j->at == j->end ? CUZK_OK : unexpected(j, "the end", err);
}

/* ---- known members, known lengths ---- */

static bool find_member(const struct json_members *m, const struct json_text *key, unsigned *which)
{
    for (*which = 0; *which < m->count; ++*which) {
        if (json_text_equal(key, m->names[*which])) return true;
    }
    return false;
}

static cuzk_status check_members(const struct json_reader *end, const struct json_members *m, cuzk_error *err)
{
    uint32_t missing = m->required & ~m->seen;
    if (!missing) return CUZK_OK;
    return json_read_fail(end, err, "member \"%s\" is missing", m->names[__builtin_ctz(missing)]);
}

bool json_read_member(struct json_reader *j, struct json_members *m, unsigned *which, cuzk_status *status,
                      cuzk_error *err)
{
    while (*status == CUZK_OK) {
        struct json_reader before = *j;
        struct json_text key;
        bool more = false;
        *status = json_read_key(j, &more, &key, err);
        if (*status != CUZK_OK) return false;
        if (!more) {
            *status = check_members(&before, m, err);
            return false;
        }
        if (find_member(m, &key, which)) {
            uint32_t bit = UINT32_C(1) << *which;
            if (m->seen & bit) {
                *status = json_read_fail(&before, err, "member \"%s\" occurs twice", m->names[*which]);
            }
            m->seen |= bit;
            return *status == CUZK_OK;
        }
        *status = json_read_skip(j, err);
    }
    return false;
}

cuzk_status json_read_elements(struct json_reader *j, struct json_elements *e, cuzk_error *err)
{
    skip_space(j);
    e->begin = j->at;
    e->found = 0;
    return json_read_array(j, err);
}

bool json_read_element(struct json_reader *j, struct json_elements *e, cuzk_status *status, cuzk_error *err)
{
    while (*status == CUZK_OK) {
        bool more = false;
        *status = json_read_item(j, &more, err);
        if (*status != CUZK_OK) return false;
        if (!more) {
            if (e->found != e->expected) {
                j->at = e->begin;
                *status = json_read_fail(j, err, "%zu %s expected, %zu found", e->expected, e->what, e->found);
            }
            return false;
        }
        e->index = e->found++;
        if (e->index < e->expected) return true;
        *status = json_read_skip(j, err); /* only counted */
    }
    return false;
}
