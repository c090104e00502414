#define _GNU_SOURCE
#include "base/huge.h"

#include <stdint.h>
#include <sys/mman.h>

#define HUGE_PAGE ((uintptr_t)2 << 20)

void huge_advise(void *memory, size_t size)
{
    if (!memory || size < 2 * HUGE_PAGE) return;
    uintptr_t begin = ((uintptr_t)memory + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    uintptr_t end = ((uintptr_t)memory + size) & ~(HUGE_PAGE - 1);
    (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE); /* advice: without huge pages all works as well */
}
