#include "base/arena.h"

#include <stdbool.h>
#include <stdlib.h>

enum { ALIGNMENT = 16, SMALLEST_BLOCK = 1 << 12, LARGEST_STEP = 1 << 20 };

struct arena_block {
    struct arena_block *next;
    uint64_t unused; /* keeps what follows aligned */
};

_Static_assert(sizeof(struct arena_block) % ALIGNMENT == 0, "blocks start aligned");

static bool add_block(struct arena *arena, size_t need)
{
    size_t size = arena->taken; /* doubles the arena, within bounds */
    if (size < SMALLEST_BLOCK) size = SMALLEST_BLOCK;
    if (size > LARGEST_STEP) size = LARGEST_STEP;
    if (size < need) size = need;
    struct arena_block *block = calloc(1, sizeof *block + size);
    if (!block) return false;
    block->next = arena->blocks;
    arena->blocks = block;
    arena->at = (uint8_t *)(block + 1);
    arena->end = arena->at + size;
    return true;
}

void *arena_take(struct arena *arena, size_t count, size_t size)
{
    size_t need;
    if (__builtin_mul_overflow(count, size, &need) || need > SIZE_MAX / 2) return NULL;
    need = (need + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    bool fits = arena->at && need <= (size_t)(arena->end - arena->at);
    if (!fits && !add_block(arena, need)) return NULL;
    void *out = arena->at;
    arena->at += need;
    arena->taken += need;
    return out;
}

void arena_release(struct arena *arena)
{
    while (arena->blocks) {
        struct arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
    *arena = (struct arena){ 0 };
}
