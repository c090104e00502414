/* One way of getting rid of a working set, measured (cuzk bench dealloc). */
#ifndef CUZK_CLI_DEALLOC_H
#define CUZK_CLI_DEALLOC_H

#include "base/pool.h"
#include "cli/bench/allocator_cells.h"
#include "r1cs/circuit.h"

enum dealloc_mode { MODE_SYNC, MODE_DEFERRED, MODE_ARENA, MODE_PACKED, DEALLOC_MODES };
extern const char *const dealloc_mode_names[DEALLOC_MODES];

/* Milliseconds and bytes of one run. The phase is the use of one working set: every word written once, on memory that
 * was touched before. */
struct dealloc_result {
    uint64_t bytes;     /* of one working set */
    double inner_ms;    /* the phase */
    double outer_ms;    /* the phase and what the way does with the set afterwards, on the critical path */
    double next_ms;     /* the same phase over the next job's set, directly after: deferred frees compete with it */
    double quiet_ms;    /* the same phase over the same set with nothing beside it */
    double build_ms;    /* the next job's set: allocated and touched for the first time, or taken up again */
    uint64_t faults;    /* page faults of that */
    double gone_ms;     /* from the end of the phase to the set's memory being free for others; deferred: drained */
    double release_ms;  /* what is left at the end, allocator's reserves included */
    uint64_t left_bytes; /* resident beyond what is in use once the set is gone: what the allocator kept */
    uint64_t huge_bytes; /* of huge pages while both sets were there */
};

struct dealloc_setup {
    double scale;
    enum pages pages;
    struct pool *pool;
    const struct circuit *porep; /* for MODE_PACKED */
};

/* How many working sets, each of dealloc_bytes, a mode has in memory at once: sync and deferred have the next job's. */
unsigned dealloc_sets(enum dealloc_mode mode);
uint64_t dealloc_bytes(double scale);

cuzk_status dealloc_measure(struct dealloc_result *out, enum dealloc_mode mode, const struct dealloc_setup *setup,
                            cuzk_error *err);

#endif
