#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *cuzk_status_text(cuzk_status status)
{
    switch (status) {
    case CUZK_OK: return "done";
    case CUZK_REFUSED: return "the answer is no";
    case CUZK_ERR_USAGE: return "wrong usage";
    case CUZK_ERR_DATA: return "bad input data";
    case CUZK_ERR_MISSING: return "missing input";
    case CUZK_ERR_UNAVAILABLE: return "not available";
    case CUZK_ERR_INTERNAL: return "internal error";
    case CUZK_ERR_CREATE: return "cannot create output";
    case CUZK_ERR_WRITE: return "cannot write output";
    case CUZK_ERR_RESOURCE: return "out of resources";
    case CUZK_ERR_CONFIG: return "wrong configuration";
    case CUZK_ERR_CANCELLED: return "cancelled";
    }
    return "unknown status";
}

int cuzk_status_exit_code(cuzk_status status)
{
    switch (status) {
    case CUZK_OK: return 0;
    case CUZK_REFUSED: return 1;
    case CUZK_ERR_USAGE: return 64;
    case CUZK_ERR_DATA: return 65;
    case CUZK_ERR_MISSING: return 66;
    case CUZK_ERR_UNAVAILABLE: return 69;
    case CUZK_ERR_INTERNAL: return 70;
    case CUZK_ERR_CREATE: return 73;
    case CUZK_ERR_WRITE: return 74;
    case CUZK_ERR_RESOURCE: return 75;
    case CUZK_ERR_CONFIG: return 78;
    case CUZK_ERR_CANCELLED: return 75;
    }
    return 70;
}

cuzk_status cuzk_fail(cuzk_error *err, cuzk_status status, const char *fmt, ...)
{
    if (err) {
        va_list args;
        va_start(args, fmt);
        vsnprintf(err->detail, sizeof err->detail, fmt, args);
        va_end(args);
    }
    return status;
}

cuzk_status cuzk_within(cuzk_error *err, cuzk_status status, const char *fmt, ...)
{
    if (err && status != CUZK_OK) {
        char inner[sizeof err->detail];
        memcpy(inner, err->detail, sizeof inner);
        va_list args;
        va_start(args, fmt);
        int used = vsnprintf(err->detail, sizeof err->detail, fmt, args);
        va_end(args);
        if (used >= 0 && (size_t)used < sizeof err->detail) {
            /* A long detail is cut at its end: the place comes first. */
            size_t left = sizeof err->detail - (size_t)used;
            snprintf(err->detail + used, left, ": %.*s", (int)left, inner);
        }
    }
    return status;
}
