/* Field paths in error details, built on the way up: the innermost function writes what is wrong, each
 * caller adds the member or index that it knows, and the whole reads
 *
 *   vanilla_proofs[0][1].comm_d_proofs.path[2].hashes: byte 4711: 1 hash expected, 2 found
 *
 * Nothing is done on success. A detail that begins with '.' or '[' is taken for a path, so messages
 * themselves begin with neither; place_finish strips the leading '.' at the top.
 */
#ifndef CUZK_VANILLA_PLACE_H
#define CUZK_VANILLA_PLACE_H

#include "base/status.h"

#include <stdint.h>

/* Each returns `status`; `err` may be NULL. */
cuzk_status place_prepend(cuzk_status status, cuzk_error *err, const char *fmt, ...) CUZK_PRINTF(3, 4);

static inline cuzk_status place_member(cuzk_status status, cuzk_error *err, const char *name)
{
    return status == CUZK_OK ? status : place_prepend(status, err, ".%s", name);
}

static inline cuzk_status place_index(cuzk_status status, cuzk_error *err, uint64_t i)
{
    return status == CUZK_OK ? status : place_prepend(status, err, "[%llu]", (unsigned long long)i);
}

cuzk_status place_finish(cuzk_status status, cuzk_error *err);

#endif
