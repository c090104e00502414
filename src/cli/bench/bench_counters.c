#define _GNU_SOURCE
#include "cli/bench/bench_counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

void counters_open(struct counters *c)
{
    struct perf_event_attr attributes = { .type = PERF_TYPE_HARDWARE,
                                          .size = sizeof attributes,
                                          .config = PERF_COUNT_HW_INSTRUCTIONS,
                                          .exclude_kernel = 1,
                                          .exclude_hv = 1,
                                          .inherit = 1 };
    *c = (struct counters){ .fd = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC) };
    if (c->fd >= 0) return;
    bool denied = errno == EACCES || errno == EPERM;
    snprintf(c->refused, sizeof c->refused, "%s (perf_event_open: %s)",
             denied ? "not permitted" : "no such counter here", strerror(errno));
}

void counters_close(struct counters *c)
{
    if (c->fd >= 0) close(c->fd);
    c->fd = -1;
}

uint64_t page_faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
}

void counters_read(struct counts *out, const struct counters *c)
{
    *out = (struct counts){ .faults = page_faults() };
    out->counted = c->fd >= 0 && read(c->fd, &out->instructions, sizeof out->instructions) ==
                                     (ssize_t)sizeof out->instructions;
}
