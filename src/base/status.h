/* Building error details. See include/cuzk/status.h for the contract that callers see. */
#ifndef CUZK_BASE_STATUS_H
#define CUZK_BASE_STATUS_H

#include "cuzk/status.h"

#if defined(__GNUC__)
#define CUZK_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define CUZK_PRINTF(fmt, args)
#endif

/* Writes the detail (truncated if need be) and returns `status`, so that `return cuzk_fail(…)` reads well.
 * `err` may be NULL. */
cuzk_status cuzk_fail(cuzk_error *err, cuzk_status status, const char *fmt, ...) CUZK_PRINTF(3, 4);

/* Puts "PREFIX: " in front of an existing detail: callers add the place they know (file, partition, field)
 * on the way up. Returns `status`; does nothing for CUZK_OK. */
cuzk_status cuzk_within(cuzk_error *err, cuzk_status status, const char *fmt, ...) CUZK_PRINTF(3, 4);

#endif
