#include "base/pool.h"
#include "test.h"

#include <stdatomic.h>
#include <string.h>

enum { N = 1000 };

struct sum {
    struct pool *pool;
    unsigned char seen[N];
    atomic_uint inner;
};

static void mark(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    struct sum *s = context;
    for (size_t i = begin; i < end; i++) s->seen[i]++;
}

static void count(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    atomic_fetch_add((atomic_uint *)context, (unsigned)(end - begin));
}

static void nest(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    struct sum *s = context;
    for (size_t i = begin; i < end; i++) pool_for(s->pool, 10, 3, count, &s->inner);
}

static void pool_for__covers_each_index_once(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 5; threads++) {
        struct sum s = { 0 };
        assert_int_equal(pool_create(&s.pool, threads, NULL), CUZK_OK);
        assert_int_equal(pool_threads(s.pool), threads);
        for (size_t grain = 0; grain < 40; grain += 13) {
            memset(s.seen, 0, N);
            pool_for(s.pool, N, grain, mark, &s);
            for (size_t i = 0; i < N; i++) assert_int_equal(s.seen[i], 1);
        }
        pool_for(s.pool, 0, 1, mark, &s);
        atomic_store(&s.inner, 0);
        pool_for(s.pool, 50, 1, nest, &s);
        assert_int_equal(atomic_load(&s.inner), 500);
        pool_destroy(s.pool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { test(pool_for__covers_each_index_once) };
    return run_tests(tests);
}
