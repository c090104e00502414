/* A pull parser for JSON text (RFC 8259) in memory: the caller asks for what should come next.
 *
 * Nothing is allocated and nothing is built; a value is read once, in the order of the text. Refused are:
 * anything outside the grammar, invalid UTF-8, escapes of lone surrogates, nesting deeper than
 * JSON_MAX_DEPTH and anything but white space after the value (json_read_finish). Every failure is CUZK_ERR_DATA
 * with "byte N: …", N counted from the start of the text.
 *
 * A json is a cursor: it may be copied to look ahead, and after a failure it must not be used any more.
 */
#ifndef CUZK_VANILLA_JSON_H
#define CUZK_VANILLA_JSON_H

#include "base/bytes.h"

enum { JSON_MAX_DEPTH = 64 };

struct json_reader {
    const uint8_t *start, *at, *end;
    unsigned depth;
    bool first; /* nothing has been read yet in the innermost array or object */
};

/* What stands between the quotes of a string, as it was sent. */
struct json_text {
    const uint8_t *data;
    size_t size;
    bool escaped; /* contains backslashes */
};

enum json_kind {
    JSON_NEXT_NOTHING, /* the end of the text, or a character that starts no value */
    JSON_NEXT_OBJECT,
    JSON_NEXT_ARRAY,
    JSON_NEXT_STRING,
    JSON_NEXT_NUMBER,
    JSON_NEXT_LITERAL /* true, false or null */
};

/* `data` may be NULL if `size` is 0. */
struct json_reader json_reader_over(const uint8_t *data, size_t size);

/* The kind of the value that comes next; skips white space only. */
enum json_kind json_read_peek(struct json_reader *j);

/* Fails with "byte N: …" at the current position. */
cuzk_status json_read_fail(const struct json_reader *j, cuzk_error *err, const char *fmt, ...) CUZK_PRINTF(3, 4);

/* An array is json_read_array, then json_read_item before each element until *more is false. */
cuzk_status json_read_array(struct json_reader *j, cuzk_error *err);
cuzk_status json_read_item(struct json_reader *j, bool *more, cuzk_error *err);

/* An object is json_read_object, then json_read_key before each value until *more is false. */
cuzk_status json_read_object(struct json_reader *j, cuzk_error *err);
cuzk_status json_read_key(struct json_reader *j, bool *more, struct json_text *key, cuzk_error *err);

cuzk_status json_read_string(struct json_reader *j, struct json_text *out, cuzk_error *err);
cuzk_status json_read_null(struct json_reader *j, cuzk_error *err);
cuzk_status json_read_bool(struct json_reader *j, bool *out, cuzk_error *err);

/* An integer without fraction and exponent, 0 … `max`. */
cuzk_status json_read_u64(struct json_reader *j, uint64_t *out, uint64_t max, cuzk_error *err);

/* An array of exactly `n` integers 0 … 255; n ≤ 4096. */
cuzk_status json_read_bytes(struct json_reader *j, uint8_t *out, size_t n, cuzk_error *err);

/* Reads any value and forgets it. */
cuzk_status json_read_skip(struct json_reader *j, cuzk_error *err);

/* Only white space may follow. */
cuzk_status json_read_finish(struct json_reader *j, cuzk_error *err);

/* Writes the text without escapes (UTF-8) to `out`, which has room for text->size bytes, and returns its
 * length, which is never larger. */
size_t json_text_decode(uint8_t *out, const struct json_text *text);

bool json_text_equal(const struct json_text *text, const char *literal);

/* The beginning of a text for messages: printable ASCII, everything else as '?'. */
struct json_shown {
    char text[48];
};

struct json_shown json_text_show(const struct json_text *text);

/* Objects whose members are known by name, and arrays whose length is known, as loops:
 *
 *     struct json_members m = { .names = names, .count = 3, .required = JSON_ALL_OF(3) };
 *     cuzk_status status = json_read_object(j, err);
 *     for (unsigned which; json_read_member(j, &m, &which, &status, err);) {
 *         status = …read the value of names[which]…;
 *     }
 *
 * The loop ends at the end of the object or with a status other than CUZK_OK, set by the body or by the
 * function. Unknown members are read and forgotten, repeated ones refused, missing ones refused at the end. */
enum { JSON_MAX_MEMBERS = 32 };

struct json_members {
    const char *const *names;
    unsigned count;    /* at most JSON_MAX_MEMBERS */
    uint32_t required; /* bit i: names[i] must occur */
    uint32_t seen;     /* bit i: names[i] has occurred */
};

#define JSON_ALL_OF(count) ((uint32_t)((UINT64_C(1) << (count)) - 1))

bool json_read_member(struct json_reader *j, struct json_members *m, unsigned *which, cuzk_status *status,
                      cuzk_error *err);

/* The same for arrays:
 *
 *     struct json_elements e = { .expected = 7, .what = "hashes" };
 *     cuzk_status status = json_read_elements(j, &e, err);
 *     while (json_read_element(j, &e, &status, err)) status = …read element e.index…;
 *
 * Any other number of elements is refused at the end: "7 hashes expected, 6 found". */
struct json_elements {
    size_t expected;
    const char *what; /* plural */
    size_t index;     /* of the element to read */
    size_t found;
    const uint8_t *begin;
};

cuzk_status json_read_elements(struct json_reader *j, struct json_elements *e, cuzk_error *err);
bool json_read_element(struct json_reader *j, struct json_elements *e, cuzk_status *status, cuzk_error *err);

#endif
