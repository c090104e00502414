#include "engine/memory_limit.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t smaller(uint64_t a, uint64_t b)
{
    if (a == 0 || b == 0) return a + b;
    return a < b ? a : b;
}

static uint64_t machine_memory(const char *root)
{
    char path[PATH_MAX], line[256];
    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    FILE *f = fopen(path, "re");
    unsigned long long kib = 0;
    while (f && fgets(line, sizeof line, f)) {
        if (sscanf(line, "MemTotal: %llu kB", &kib) == 1) break;
    }
    if (f) fclose(f);
    return kib * 1024;
}

/* A number of bytes; 0 for "max", for no such file, and for v1's way of saying "no limit" (close to 2^63). */
static uint64_t limit_in(const char *path)
{
    FILE *f = fopen(path, "re");
    unsigned long long n = 0;
    if (f && fscanf(f, "%llu", &n) != 1) n = 0;
    if (f) fclose(f);
    return n >= UINT64_C(1) << 60 ? 0 : n;
}

/* The least limit of a group and all those above it. `group` starts with '/' and is cut short on the way. */
static uint64_t limit_upwards(const char *root, const char *mount, char *group, const char *file)
{
    char path[PATH_MAX];
    uint64_t least = 0;
    for (;;) {
        size_t n = strlen(group);
        while (n > 0 && group[n - 1] == '/') group[--n] = 0;
        if ((size_t)snprintf(path, sizeof path, "%s%s%s/%s", root, mount, group, file) < sizeof path) {
            least = smaller(least, limit_in(path));
        }
        char *last = strrchr(group, '/');
        if (!last) return least;
        *last = 0;
    }
}

/* Is `memory` among v1's comma-separated controllers? */
static bool names_memory(const char *controllers, size_t size)
{
    for (const char *at = controllers, *end = controllers + size; at < end;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        size_t n = (size_t)((comma ? comma : end) - at);
        if (n == 6 && memcmp(at, "memory", 6) == 0) return true;
        at += n + 1;
    }
    return false;
}

static uint64_t cgroup_limit(const char *root)
{
    char path[PATH_MAX], line[PATH_MAX];
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *f = fopen(path, "re");
    uint64_t least = 0;
    while (f && fgets(line, sizeof line, f)) { /* ID:CONTROLLERS:/GROUP, without controllers in v2 */
        line[strcspn(line, "\n")] = 0;
        char *controllers = strchr(line, ':');
        char *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group) continue;
        size_t size = (size_t)(group - controllers - 1);
        if (size == 0) {
            least = smaller(least, limit_upwards(root, "/sys/fs/cgroup", group + 1, "memory.max"));
        } else if (names_memory(controllers + 1, size)) {
            least = smaller(least, limit_upwards(root, "/sys/fs/cgroup/memory", group + 1, "memory.limit_in_bytes"));
        }
    }
    if (f) fclose(f);
    return least;
}

uint64_t memory_limit(const char *root) { return smaller(machine_memory(root), cgroup_limit(root)); }

uint64_t memory_auto_budget(uint64_t limit, uint64_t margin)
{
    if (margin > limit / 4) margin = limit / 4;
    return limit - margin;
}
