#define _GNU_SOURCE
#include "cli/bench/allocator_cells.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 64 };

const char *const allocator_names[ALLOCATORS] = { "glibc", "jemalloc" };
const char *const pages_names[PAGE_KINDS] = { "4k", "huge" };
const char *const arenas_names[ARENA_KINDS] = { "one", "many" };

/* Where libjemalloc2 puts it on Debian, and where others do. NULL if it is nowhere. */
static const char *jemalloc_path(void)
{
    static const char *const usual[] = { "/usr/lib/x86_64-linux-gnu/libjemalloc.so.2",
                                         "/usr/lib/aarch64-linux-gnu/libjemalloc.so.2", "/usr/lib64/libjemalloc.so.2",
                                         "/usr/lib/libjemalloc.so.2", "/usr/local/lib/libjemalloc.so.2" };
    const char *given = getenv("CUZK_JEMALLOC");
    if (given && *given) return access(given, R_OK) == 0 ? given : NULL;
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        if (access(usual[i], R_OK) == 0) return usual[i];
    }
    return NULL;
}

bool allocator_present(enum allocator allocator)
{
    return allocator == ALLOCATOR_GLIBC || jemalloc_path() != NULL;
}

/* In the child, before the program starts anew. */
static void set_environment(const struct cell *cell)
{
    bool huge = cell->pages == PAGES_HUGE, one = cell->arenas == ARENAS_ONE;
    static const char *const cleared[] = { "LD_PRELOAD", "GLIBC_TUNABLES", "MALLOC_ARENA_MAX", "MALLOC_CONF" };
    for (size_t i = 0; i < sizeof cleared / sizeof cleared[0]; i++) unsetenv(cleared[i]);
    if (cell->allocator == ALLOCATOR_JEMALLOC) {
        char conf[96];
        snprintf(conf, sizeof conf, "thp:%s%s", huge ? "always" : "never", one ? ",narenas:1" : "");
        setenv("LD_PRELOAD", jemalloc_path(), 1);
        setenv("MALLOC_CONF", conf, 1);
        return;
    }
    if (huge) setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", 1);
    if (one) setenv("MALLOC_ARENA_MAX", "1", 1);
}

static void become(int out, const struct cell *cell, const char *const *arguments)
{
    char *argv[ARGUMENTS_MAX] = { "cuzk" };
    for (size_t i = 0; arguments[i] && i < ARGUMENTS_MAX - 2; i++) argv[i + 1] = (char *)(uintptr_t)arguments[i];
    set_environment(cell);
    dup2(out, STDOUT_FILENO);
    execv("/proc/self/exe", argv);
    _exit(127);
}

/* Waits for the child and says what it means. */
static cuzk_status ended(pid_t child, const json_t *array, const struct cell *cell, cuzk_error *err)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && json_is_array(array)) return CUZK_OK;
    const char *how = WIFSIGNALED(status) ? "signal" : "exit code";
    int code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    cuzk_status kind = WIFEXITED(status) && code == 75 ? CUZK_ERR_RESOURCE : CUZK_ERR_INTERNAL;
    return cuzk_fail(err, kind, "the run with %s, %s pages, %s: %s %d", allocator_names[cell->allocator],
                     pages_names[cell->pages], cell->arenas == ARENAS_ONE ? "one arena" : "many arenas", how, code);
}

cuzk_status cell_run(json_t **out, const struct cell *cell, const char *const *arguments, cuzk_error *err)
{
    int ends[2];
    *out = NULL;
    fflush(NULL);
    if (pipe(ends) != 0) return cuzk_fail(err, CUZK_ERR_RESOURCE, "pipe: %s", strerror(errno));
    pid_t child = fork();
    if (child == 0) become(ends[1], cell, arguments);
    close(ends[1]);
    FILE *in = child > 0 ? fdopen(ends[0], "r") : NULL;
    cuzk_status status = CUZK_OK;
    if (in) {
        *out = json_loadf(in, 0, NULL);
        fclose(in);
    } else {
        close(ends[0]);
    }
    if (child < 0) status = cuzk_fail(err, CUZK_ERR_RESOURCE, "fork: %s", strerror(errno));
    else status = ended(child, *out, cell, err);
    if (status != CUZK_OK) {
        json_decref(*out);
        *out = NULL;
    }
    return status;
}

const char *allocator_here(void)
{
    if (dlsym(RTLD_DEFAULT, "mallctl")) return allocator_names[ALLOCATOR_JEMALLOC];
    if (dlsym(RTLD_DEFAULT, "__asan_region_is_poisoned")) return "asan";
    return allocator_names[ALLOCATOR_GLIBC];
}

enum arenas arenas_here(void)
{
    const char *max = getenv("MALLOC_ARENA_MAX"), *conf = getenv("MALLOC_CONF");
    bool jemalloc = strcmp(allocator_here(), "jemalloc") == 0;
    bool one = jemalloc ? conf && strstr(conf, "narenas:1") : max && strcmp(max, "1") == 0;
    return one ? ARENAS_ONE : ARENAS_MANY;
}

void pages_choose(enum pages pages) { prctl(PR_SET_THP_DISABLE, pages == PAGES_4K, 0, 0, 0); }

void allocator_fix_threshold(void) { mallopt(M_MMAP_THRESHOLD, 128 << 10); }

typedef int mallctl_function(const char *name, void *old, size_t *old_size, void *new, size_t new_size);

void allocator_purge(void)
{
    union {
        void *object;
        mallctl_function *function;
    } mallctl = { dlsym(RTLD_DEFAULT, "mallctl") };
    if (mallctl.function) mallctl.function("arena.4096.purge", NULL, NULL, NULL, 0); /* 4096: MALLCTL_ARENAS_ALL */
    else malloc_trim(0);
}
