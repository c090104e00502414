/* Instructions and page faults of this process, all threads: what a measured stretch cost beside its time.
 *
 * Instructions come from perf_event_open(2), user space only; a kernel or a virtual machine may refuse them, and then
 * `refused` says why. Page faults come from getrusage(2) and are always there. */
#ifndef CUZK_CLI_BENCH_COUNTERS_H
#define CUZK_CLI_BENCH_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

struct counters {
    int fd;            /* -1: refused */
    char refused[96];
};

struct counts {
    bool counted; /* are instructions known? */
    uint64_t instructions, faults;
};

/* Threads that are started later are counted too. */
void counters_open(struct counters *c);
void counters_close(struct counters *c);
void counters_read(struct counts *out, const struct counters *c);

/* Page faults of this process so far. */
uint64_t page_faults(void);

#endif
