#include "cli/bench/bench_memory.h"

#include <string.h>

static unsigned bit_of_name(const char *name, size_t length, const char *const *names, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (strlen(names[i]) == length && strncmp(names[i], name, length) == 0) return 1u << i;
    }
    return 0;
}

unsigned parse_names(struct argp_state *state, const char *option, const char *list, const char *const *names,
                     unsigned count)
{
    unsigned set = 0;
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, ",");
        unsigned bit = bit_of_name(at, length, names, count);
        if (bit == 0) argp_error(state, "%s: there is no '%.*s'", option, (int)length, at);
        set |= bit;
        at += length;
        if (*at == '\0') return set;
    }
}

double number_of(const json_t *object, const char *key) { return json_number_value(json_object_get(object, key)); }
