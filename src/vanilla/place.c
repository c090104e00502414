#include "vanilla/place.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool is_path(const char *detail) { return detail[0] == '.' || detail[0] == '['; }

cuzk_status place_prepend(cuzk_status status, cuzk_error *err, const char *fmt, ...)
{
    if (!err || status == CUZK_OK) return status;
    char part[96];
    va_list args;
    va_start(args, fmt);
    vsnprintf(part, sizeof part, fmt, args);
    va_end(args);
    char inner[sizeof err->detail];
    memcpy(inner, err->detail, sizeof inner);
    /* Truncation of a long detail is acceptable; the place comes first. */
    int room = (int)(sizeof err->detail - strlen(part) - 3);
    snprintf(err->detail, sizeof err->detail, "%s%s%.*s", part, is_path(inner) ? "" : ": ", room, inner);
    return status;
}

cuzk_status place_finish(cuzk_status status, cuzk_error *err)
{
    if (err && status != CUZK_OK && err->detail[0] == '.') {
        memmove(err->detail, err->detail + 1, sizeof err->detail - 1);
    }
    return status;
}
