/* The reaper frees large regions off the critical path: one thread, a bounded queue (design §5).
 *
 * reaper_defer returns at once; the region stays charged to its budget until its free function has returned. When
 * more regions or bytes wait than allowed, the caller frees synchronously and a counter says so. The queue is made
 * once: deferring never allocates.
 *
 * Signals: the thread blocks all of them, so handlers run elsewhere. Fork: a child has no reaper thread; it must not
 * use or destroy the reaper but for reaper_defer, which frees synchronously there and touches neither the queue nor
 * the budget: what the child frees was the parent's to count.
 */
#ifndef CUZK_ENGINE_REAPER_H
#define CUZK_ENGINE_REAPER_H

#include "engine/budget.h"

#include <stddef.h>

struct reaper;

#define REAPER_THREAD "cuzk-reaper" /* the thread's name, as tools show it */

struct region {
    void (*free)(void *context);
    void *context;
    uint64_t bytes;        /* what it is charged with */
    struct budget *budget; /* credited with `bytes` afterwards; NULL: `free` does it itself */
};

struct reaper_state {
    uint64_t deferred, synchronous; /* regions so far */
    uint64_t freed_bytes;
    uint64_t freeing_ns; /* spent by the thread in free functions */
    uint32_t waiting;    /* regions, the one being freed included */
    uint64_t waiting_bytes;
};

/* At most `regions` and `bytes` wait. A single region larger than `bytes` is taken if the queue is empty. */
cuzk_status reaper_create(struct reaper **out, size_t regions, uint64_t bytes, cuzk_error *err);

/* Frees all that waits, then stops. Nothing may be deferred any more. NULL is allowed. */
void reaper_destroy(struct reaper *r);

/* *region is copied, and may lie in what its `free` frees. */
void reaper_defer(struct reaper *r, const struct region *region);

/* Waits until nothing waits. */
void reaper_drain(struct reaper *r);

void reaper_state(struct reaper *r, struct reaper_state *out);

#endif
