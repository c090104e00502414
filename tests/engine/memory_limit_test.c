#include "engine/memory_limit.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define GIB (UINT64_C(1) << 30)

static char root[] = "/tmp/cuzk-memory-XXXXXX";

static void put(const char *path, const char *text)
{
    char full[512];
    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        mkdir(full, 0700);
        *slash = '/';
    }
    FILE *f = fopen(full, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void memory_limit__is_the_machine_without_groups(void **state)
{
    (void)state;
    assert_int_equal(memory_limit(root), 0);
    put("/proc/meminfo", "MemFree: 1 kB\nMemTotal:       16777216 kB\n");
    assert_int_equal(memory_limit(root), 16 * GIB);
}

static void memory_limit__takes_the_least_of_v2_upwards(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "0::/a/b\n");
    put("/sys/fs/cgroup/a/b/memory.max", "max\n");
    assert_int_equal(memory_limit(root), 16 * GIB);
    put("/sys/fs/cgroup/a/memory.max", "4294967296\n");
    assert_int_equal(memory_limit(root), 4 * GIB);
    put("/sys/fs/cgroup/a/b/memory.max", "8589934592\n");
    assert_int_equal(memory_limit(root), 4 * GIB);
    put("/sys/fs/cgroup/memory.max", "2147483648\n"); /* a container's root */
    assert_int_equal(memory_limit(root), 2 * GIB);
}

static void memory_limit__knows_v1(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "12:cpu,cpuacct:/x\n5:memory:/x/y\n");
    put("/sys/fs/cgroup/memory/x/y/memory.limit_in_bytes", "9223372036854771712\n"); /* none */
    assert_int_equal(memory_limit(root), 16 * GIB);
    put("/sys/fs/cgroup/memory/x/memory.limit_in_bytes", "1073741824\n");
    assert_int_equal(memory_limit(root), GIB);
}

static void auto_budget__takes_at_most_a_quarter_as_margin(void **state)
{
    (void)state;
    assert_int_equal(memory_auto_budget(100 * GIB, 5 * GIB), 95 * GIB);
    assert_int_equal(memory_auto_budget(8 * GIB, 5 * GIB), 6 * GIB);
    assert_true(memory_limit("") > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(memory_limit__is_the_machine_without_groups),
        test(memory_limit__takes_the_least_of_v2_upwards),
        test(memory_limit__knows_v1),
        test(auto_budget__takes_at_most_a_quarter_as_margin),
    };
    if (!mkdtemp(root)) return 1;
    int failed = run_tests(tests);
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command) != 0 || failed;
}
