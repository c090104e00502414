/* Are parameter files what they should be? Checked once for each file identity, since the digest of 47 GB takes over
 * a minute: results are remembered by device, inode, modification time and size, in a small text file beside the
 * journal that is rewritten as a whole.
 *
 * Thread-safe; checks of different files run at once.
 */
#ifndef CUZK_ENGINE_INTEGRITY_H
#define CUZK_ENGINE_INTEGRITY_H

#include "backend/backend.h"
#include "base/log.h"
#include "circuit/catalogue.h"
#include "engine/config.h"

struct integrity;

/* `cache` is the text file's path, NULL: results are remembered in memory only. A cache that cannot be read is begun
 * anew. */
cuzk_status integrity_create(struct integrity **out, const char *cache, struct log *log, cuzk_error *err);
void integrity_destroy(struct integrity *in); /* NULL is allowed */

struct integrity_rules {
    enum srs_verify verify;
    bool allow_test_parameters;
};

/* Size and structure have been checked when a parameter file is open. Under DIGEST and DEEP its digest must be the
 * published one, or *test becomes true if test parameters are allowed; under DEEP every point is decoded with curve
 * and subgroup checks as well. CUZK_ERR_DATA names the path and both digests, or the first bad point. */
cuzk_status integrity_check(struct integrity *in, bool *test, const struct params_file *file,
                            const struct circuit_entry *entry, const struct integrity_rules *rules, struct pool *pool,
                            const struct progress *progress, cuzk_error *err);

#endif
