/* Reading TOML: a visitor over tomlplusplus, which is C++.
 *
 * Keys come as dotted paths ("memory.total_budget"; a part that holds a dot itself is put in quotation
 * marks). An array is announced with its length and its elements follow with index 0, 1, …; tables are
 * announced before their members. Members come in the order of their names, so lines need not ascend.
 */
#ifndef CUZK_DAEMON_TOML_H
#define CUZK_DAEMON_TOML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum toml_kind { TOML_TABLE, TOML_ARRAY, TOML_STRING, TOML_INTEGER, TOML_REAL, TOML_BOOLEAN, TOML_TIME };

struct toml_item {
    const char *key;
    enum toml_kind kind;
    long index;       /* in the array, -1 outside of one */
    unsigned line;    /* from 1 */
    const char *text; /* TOML_STRING, UTF-8 */
    size_t length;    /* of the text, or of an array */
    int64_t integer;  /* TOML_INTEGER; TOML_BOOLEAN as 0 or 1 */
};

typedef void toml_visit(void *context, const struct toml_item *item);

/* False if `text` is not TOML: *line and `message` then say where and why. All pointers live during the call
 * of the visitor only. */
bool toml_read(const char *text, size_t size, toml_visit *visit, void *context, unsigned *line, char *message,
               size_t message_size);

#ifdef __cplusplus
}
#endif

#endif
