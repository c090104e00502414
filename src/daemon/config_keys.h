/* The table that drives reading and printing of the configuration: one entry per key. */
#ifndef CUZK_DAEMON_CONFIG_KEYS_H
#define CUZK_DAEMON_CONFIG_KEYS_H

#include "daemon/config.h"

enum config_type {
    CONFIG_TEXT,         /* string → const char * */
    CONFIG_TEXTS,        /* array of strings → struct texts */
    CONFIG_ADDRESSES,    /* string or non-empty array of strings → struct texts */
    CONFIG_DEVICES,      /* "auto", "none" or an array of numbers and strings → struct texts, devices_none */
    CONFIG_SIZE,         /* size or number of bytes → uint64_t */
    CONFIG_SIZE_OR_AUTO, /* also "auto", which is 0 */
    CONFIG_SHARE,        /* "25%" or a size → struct share */
    CONFIG_DURATION,     /* duration or number of seconds → uint64_t, ms */
    CONFIG_COUNT,        /* integer in [min, max] → uint64_t */
    CONFIG_COUNT_OR_AUTO,
    CONFIG_FLAG,   /* boolean → bool */
    CONFIG_CHOICE, /* one of names → int64_t */
    CONFIG_MODE,   /* "0660" or an integer → uint64_t */
    CONFIG_LEVEL   /* a level of one subsystem → int8_t */
};

struct config_key {
    const char *name;
    enum config_type type;
    size_t offset;        /* in struct config */
    const char *fallback; /* as the text of the value; lists: empty or one element */
    const char *comment;
    uint64_t min, max;
    const char *const *choices;
};

/* In the order in which they are printed, grouped by section; NULL past the end. */
const struct config_key *config_key_at(size_t i);
const struct config_key *config_key_find(const char *name);

/* Whether `name` is a section ("" is the document). */
bool config_is_section(const char *name);

/* What replaces a key of the program that cuzk replaces; NULL if `name` is not one of them. The section
 * `pipeline`, which is unknown here, counts as one. */
const char *config_retired(const char *name);

#endif
