#define _GNU_SOURCE
#include "cli/bench/memory_region.h"

#include "base/clock.h"
#include "cli/bench/bench_counters.h"
#include "cli/bench/memory_available.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

const char *const give_back_names[GIVE_WAYS] = { "kept", "munmap", "MADV_DONTNEED", "MADV_FREE" };

enum { CHUNK = 1 << 21 };

void *region_map(size_t bytes, enum pages pages)
{
    void *m = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (m == MAP_FAILED) return NULL;
    madvise(m, bytes, pages == PAGES_HUGE ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    return m;
}

struct region_use {
    unsigned char *data;
    size_t bytes;
};

static void write_chunks(void *context, size_t begin, size_t end, unsigned worker)
{
    struct region_use *u = context;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        size_t at = i * CHUNK, size = u->bytes - at < CHUNK ? u->bytes - at : CHUNK;
        memset(u->data + at, (int)(i | 1), size);
    }
}

static void use(void *data, size_t bytes, struct pool *pool)
{
    struct region_use u = { data, bytes };
    pool_for(pool, (bytes + CHUNK - 1) / CHUNK, 1, write_chunks, &u);
}

static void give(void *data, size_t bytes, enum give_back way)
{
    if (way == GIVE_MUNMAP) munmap(data, bytes);
    if (way == GIVE_DONTNEED) madvise(data, bytes, MADV_DONTNEED);
    if (way == GIVE_FREE) madvise(data, bytes, MADV_FREE);
}

static double ms_since(uint64_t start) { return 1e-6 * (double)(clock_now() - start); }

/* One round: *data is in use before and after. */
static bool one_round(struct region_result *out, void **data, enum give_back way, enum pages pages, size_t bytes,
                      uint64_t base, struct pool *pool)
{
    out->huge_bytes = resident_huge();
    uint64_t start = clock_now();
    give(*data, bytes, way);
    out->give_ms = ms_since(start);
    uint64_t resident = resident_anonymous(), faults = page_faults();
    out->left_bytes = resident > base ? resident - base : 0;
    start = clock_now();
    if (way == GIVE_MUNMAP) *data = region_map(bytes, pages);
    if (!*data) return false;
    use(*data, bytes, pool);
    out->take_ms = ms_since(start);
    out->faults = page_faults() - faults;
    return true;
}

static int by_sum(const void *a, const void *b)
{
    const struct region_result *x = a, *y = b;
    double dx = x->give_ms + x->take_ms, dy = y->give_ms + y->take_ms;
    return (dx > dy) - (dx < dy);
}

cuzk_status region_measure(struct region_result *out, enum give_back way, enum pages pages, size_t bytes,
                           unsigned repeat, struct pool *pool, cuzk_error *err)
{
    uint64_t base = resident_anonymous();
    struct region_result *rounds = calloc(repeat, sizeof *rounds);
    void *data = region_map(bytes, pages);
    bool ok = rounds && data;
    if (ok) use(data, bytes, pool);
    for (unsigned i = 0; i < repeat && ok; i++) ok = one_round(&rounds[i], &data, way, pages, bytes, base, pool);
    if (ok) {
        qsort(rounds, repeat, sizeof *rounds, by_sum);
        *out = rounds[repeat / 2];
    }
    if (data) munmap(data, bytes);
    free(rounds);
    return ok ? CUZK_OK : cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a region of %zu bytes", bytes);
}
