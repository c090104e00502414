/* A bump allocator for things that live and die together, such as the typed inputs of one job.
 *
 * Memory comes zeroed and aligned to 16 bytes, from blocks that grow with what was taken; nothing is freed
 * singly, arena_release gives everything back at once. Initialise with { 0 }. Not thread-safe.
 */
#ifndef CUZK_BASE_ARENA_H
#define CUZK_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct arena {
    struct arena_block *blocks; /* newest first */
    uint8_t *at, *end;          /* what is left of the newest */
    size_t taken;               /* bytes handed out */
};

/* Room for `count` elements of `size` bytes; NULL without memory or if the product overflows. A count of zero
 * gives a valid pointer to nothing. */
void *arena_take(struct arena *arena, size_t count, size_t size);

/* Frees all and leaves the arena empty and usable. */
void arena_release(struct arena *arena);

#endif
