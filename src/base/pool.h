/* A fixed set of threads that share out loops.
 *
 * pool_for splits [0, count) into pieces of at most `grain` and hands them to the threads in ascending order;
 * the calling thread works too and returns when all pieces are done. Results must not depend on who does
 * which piece: a body writes to places that belong to its indices alone. Work inside a body may call pool_for
 * on the same pool: it then runs inline, so nesting cannot deadlock.
 *
 * Thread safety: one pool_for at a time per pool; a second caller from another thread runs its loop inline.
 */
#ifndef CUZK_BASE_POOL_H
#define CUZK_BASE_POOL_H

#include "base/status.h"

#include <stddef.h>

struct pool;

/* Indices [begin, end); worker is in [0, pool_threads(pool)), distinct among bodies that run at once. */
typedef void pool_body(void *context, size_t begin, size_t end, unsigned worker);

/* `threads` counts the caller, so 1 starts none; 0 means every CPU that this process may use. */
cuzk_status pool_create(struct pool **out, unsigned threads, cuzk_error *err);
void pool_destroy(struct pool *pool); /* NULL is allowed */

/* NULL stands for a pool of one thread everywhere. */
unsigned pool_threads(const struct pool *pool);
void pool_for(struct pool *pool, size_t count, size_t grain, pool_body *body, void *context);

/* How many CPUs this process may use (affinity mask). */
unsigned pool_cpus(void);

#endif
