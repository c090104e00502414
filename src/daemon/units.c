#include "daemon/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct unit {
    const char *suffix;
    uint64_t scale;
};

static const struct unit size_units[] = {
    { "TiB", (uint64_t)1 << 40 },
    { "GiB", (uint64_t)1 << 30 },
    { "MiB", (uint64_t)1 << 20 },
    { "KiB", (uint64_t)1 << 10 },
    { "TB", 1000000000000 },
    { "GB", 1000000000 },
    { "MB", 1000000 },
    { "KB", 1000 },
    { "B", 1 },
    { "", 1 },
    { NULL, 0 },
};

static const struct unit duration_units[] = {
    { "h", 3600000 }, { "m", 60000 }, { "s", 1000 }, { "ms", 1 }, { "", 1000 }, { NULL, 0 },
};

/* A decimal number of at most 19 digits before and 18 behind the point; false leaves *at undefined. */
static bool number_parse(uint64_t *whole, uint64_t *part, uint64_t *part_scale, const char **at)
{
    const char *p = *at;
    *whole = *part = 0;
    *part_scale = 1;
    int digits = 0;
    for (; *p >= '0' && *p <= '9'; p++, digits++) *whole = *whole * 10 + (uint64_t)(*p - '0');
    if (digits == 0 || digits > 19) return false;
    if (*p == '.') {
        p++;
        for (digits = 0; *p >= '0' && *p <= '9'; p++, digits++) {
            if (digits == 18) return false;
            *part = *part * 10 + (uint64_t)(*p - '0');
            *part_scale *= 10;
        }
        if (digits == 0) return false;
    }
    *at = p;
    return true;
}

static bool unit_parse(uint64_t *out, const char *text, const struct unit *units)
{
    uint64_t whole, part, part_scale;
    if (!number_parse(&whole, &part, &part_scale, &text)) return false;
    if (*text == ' ' && text[1]) text++;
    for (const struct unit *u = units; u->suffix; u++) {
        if (strcmp(text, u->suffix) != 0) continue;
        unsigned __int128 value = (unsigned __int128)whole * u->scale;
        value += (unsigned __int128)part * u->scale / part_scale;
        if (value > INT64_MAX) return false;
        *out = (uint64_t)value;
        return true;
    }
    return false;
}

bool size_parse(uint64_t *bytes, const char *text) { return unit_parse(bytes, text, size_units); }
bool duration_parse(uint64_t *ms, const char *text) { return unit_parse(ms, text, duration_units); }

void size_format(char out[UNIT_TEXT], uint64_t bytes)
{
    const struct unit *u = size_units;
    while (*u->suffix && (bytes == 0 || bytes % u->scale != 0 || u->scale == 1)) u++;
    snprintf(out, UNIT_TEXT, "%" PRIu64 "%s", bytes / u->scale, u->suffix);
}

void duration_format(char out[UNIT_TEXT], uint64_t ms)
{
    const struct unit *u = duration_units;
    while (u->scale > 1 && ms % u->scale != 0) u++;
    if (ms == 0) u = &duration_units[2];
    snprintf(out, UNIT_TEXT, "%" PRIu64 "%s", ms / u->scale, u->suffix);
}

void size_approximate(char out[UNIT_TEXT], uint64_t bytes)
{
    static const char *const names[] = { "B", "KiB", "MiB", "GiB", "TiB" };
    unsigned i = 0;
    double v = (double)bytes;
    for (; v >= 1023.5 && i < 4; i++) v /= 1024;
    int digits = i == 0 || v >= 99.95 ? 0 : v >= 9.995 ? 1 : 2;
    snprintf(out, UNIT_TEXT, "%.*f %s", digits, v, names[i]);
}
