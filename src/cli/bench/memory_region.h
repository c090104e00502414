/* What a large region costs that is given back between two uses, in the ways that Linux has. */
#ifndef CUZK_CLI_MEMORY_REGION_H
#define CUZK_CLI_MEMORY_REGION_H

#include "base/pool.h"
#include "cli/bench/allocator_cells.h"

enum give_back { GIVE_NOTHING, GIVE_MUNMAP, GIVE_DONTNEED, GIVE_FREE, GIVE_WAYS };
extern const char *const give_back_names[GIVE_WAYS]; /* kept, munmap, MADV_DONTNEED, MADV_FREE */

struct region_result {
    double give_ms;      /* giving it back */
    double take_ms;      /* having it again and writing every word */
    uint64_t faults;     /* of that */
    uint64_t left_bytes; /* resident after giving it back */
    uint64_t huge_bytes; /* of huge pages while it was in use */
};

/* The median of `repeat` rounds by the sum of both times. */
cuzk_status region_measure(struct region_result *out, enum give_back way, enum pages pages, size_t bytes,
                           unsigned repeat, struct pool *pool, cuzk_error *err);

/* An anonymous mapping with the pages asked for; NULL without memory. munmap releases it. */
void *region_map(size_t bytes, enum pages pages);

#endif
