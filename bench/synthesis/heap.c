#include "synthesis/heap.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 4 };

void *heap_resize(struct heap *h, void *old, size_t bytes)
{
    void *block = realloc(old, bytes);
    if (!block) {
        h->failed = true;
        return NULL;
    }
    h->blocks++;
    h->bytes += bytes;
    return block;
}

bool heap_reserve(struct heap *h, void **list, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) return true;
    size_t more = *capacity ? 2 * *capacity : FIRST_CAPACITY;
    void *block = heap_resize(h, *list, more * size);
    if (!block) return false;
    *list = block;
    *capacity = more;
    return true;
}
