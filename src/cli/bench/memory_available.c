#include "cli/bench/memory_available.h"

#include "engine/memory_limit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value of the line "NAME: N kB", in bytes; 0 without it. */
static uint64_t kib_in(const char *path, const char *name)
{
    FILE *f = fopen(path, "re");
    char line[160];
    uint64_t kib = 0;
    size_t length = strlen(name);
    while (f && fgets(line, sizeof line, f)) {
        if (strncmp(line, name, length) != 0 || line[length] != ':') continue;
        kib = strtoull(line + length + 1, NULL, 10);
        break;
    }
    if (f) fclose(f);
    return kib * 1024;
}

uint64_t memory_available(void)
{
    uint64_t available = kib_in("/proc/meminfo", "MemAvailable"), limit = memory_limit("");
    return limit && limit < available ? limit : available;
}

uint64_t resident_anonymous(void) { return kib_in("/proc/self/status", "RssAnon"); }
uint64_t resident_huge(void) { return kib_in("/proc/self/smaps_rollup", "AnonHugePages"); }
