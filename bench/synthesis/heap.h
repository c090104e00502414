/* Memory of the object styles: malloc with a tally, since bytes allocated are part of what is measured.
 *
 * Failures are sticky: `failed` is set, and whoever grows a list leaves the new element out. Not thread-safe.
 */
#ifndef CUZK_BENCH_SYNTHESIS_HEAP_H
#define CUZK_BENCH_SYNTHESIS_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heap {
    uint64_t blocks, bytes; /* handed out so far, whether given back or not */
    bool failed;
};

/* As realloc; NULL and `failed` without memory, the old block then stays. Growth counts as a new block. */
void *heap_resize(struct heap *h, void *old, size_t bytes);

/* Room for one more element in a list that grows as Rust's Vec does: 4 elements, then doubled. */
bool heap_reserve(struct heap *h, void **list, size_t count, size_t *capacity, size_t size);

#endif
