/* Measuring under another allocator: this program run again with LD_PRELOAD, GLIBC_TUNABLES, MALLOC_ARENA_MAX or
 * MALLOC_CONF, which all take effect at a process's start only. */
#ifndef CUZK_CLI_ALLOCATOR_CELLS_H
#define CUZK_CLI_ALLOCATOR_CELLS_H

#include "cli/command.h"

/* One combination. Names are those of the options and of the results. */
enum allocator { ALLOCATOR_GLIBC, ALLOCATOR_JEMALLOC, ALLOCATORS };
enum pages { PAGES_4K, PAGES_HUGE, PAGE_KINDS };
enum arenas { ARENAS_ONE, ARENAS_MANY, ARENA_KINDS };

extern const char *const allocator_names[ALLOCATORS]; /* glibc, jemalloc */
extern const char *const pages_names[PAGE_KINDS];     /* 4k, huge */
extern const char *const arenas_names[ARENA_KINDS];   /* one, many */

struct cell {
    enum allocator allocator;
    enum pages pages;
    enum arenas arenas;
};

/* Can the allocator be had? jemalloc is Debian's libjemalloc2, or what CUZK_JEMALLOC names. */
bool allocator_present(enum allocator allocator);

/* Runs this program with `arguments` (NULL at the end; without argv[0]) in the cell's environment. It must print one
 * JSON array, which the caller releases. Its failures are passed on. */
cuzk_status cell_run(json_t **out, const struct cell *cell, const char *const *arguments, cuzk_error *err);

/* What malloc is in this very process, found out and not believed: "glibc", "jemalloc", or "asan". */
const char *allocator_here(void);

/* One arena or many, from this process's environment. */
enum arenas arenas_here(void);

/* 4k: no huge page may come, whatever the system's setting is (prctl PR_SET_THP_DISABLE). */
void pages_choose(enum pages pages);

/* glibc raises its threshold for mappings of their own up to 32 MiB as such blocks are freed. The incumbent's vectors
 * of gigabytes are beyond that and never raise it; small copies of them would, and be freed in another way. */
void allocator_fix_threshold(void);

/* Gives everything back to the system that the allocator keeps for later: malloc_trim, or jemalloc's purge. */
void allocator_purge(void);

#endif
