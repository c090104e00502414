/* How much memory this process may use: the smaller of what the machine has and what its control groups allow. */
#ifndef CUZK_ENGINE_MEMORY_LIMIT_H
#define CUZK_ENGINE_MEMORY_LIMIT_H

#include <stdint.h>

/* Bytes: MemTotal of /proc/meminfo, memory.max of cgroup v2 and memory.limit_in_bytes of v1 from this process's group
 * up to the root. `root` is put in front of every path ("" on a real system; tests lay out their own). 0 if nothing
 * could be read. */
uint64_t memory_limit(const char *root);

/* The budget for `auto`: the limit minus the margin, of which at most a quarter of the limit is taken. */
uint64_t memory_auto_budget(uint64_t limit, uint64_t margin);

#endif
