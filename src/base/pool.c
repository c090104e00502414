#define _GNU_SOURCE
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct loop {
    pool_body *body;
    void *context;
    size_t count, grain;
};

struct pool {
    unsigned threads;  /* with the caller */
    unsigned started;  /* helper threads that exist */
    pthread_t *helpers;
    pthread_mutex_t lock;
    pthread_cond_t work_ready, work_done;
    unsigned long generation; /* counts loops; helpers wake when it changes */
    unsigned running;         /* helpers still inside the current loop */
    bool stopping;
    struct loop loop;
    atomic_size_t next;  /* first index nobody has taken */
    atomic_bool busy;    /* a pool_for is under way */
};

struct helper_start {
    struct pool *pool;
    unsigned worker;
};

unsigned pool_cpus(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    int n = CPU_COUNT(&set);
    return n > 0 ? (unsigned)n : 1;
}

unsigned pool_threads(const struct pool *pool) { return pool ? pool->threads : 1; }

static void take_pieces(struct pool *pool, unsigned worker)
{
    const struct loop *l = &pool->loop;
    for (;;) {
        size_t begin = atomic_fetch_add_explicit(&pool->next, l->grain, memory_order_relaxed);
        if (begin >= l->count) return;
        size_t end = l->count - begin < l->grain ? l->count : begin + l->grain;
        l->body(l->context, begin, end, worker);
    }
}

static void *helper_main(void *argument)
{
    struct helper_start start = *(struct helper_start *)argument;
    free(argument);
    struct pool *pool = start.pool;
    unsigned long seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (!pool->stopping && pool->generation == seen) {
            pthread_cond_wait(&pool->work_ready, &pool->lock);
        }
        if (pool->stopping) break;
        seen = pool->generation;
        pthread_mutex_unlock(&pool->lock);
        take_pieces(pool, start.worker);
        pthread_mutex_lock(&pool->lock);
        if (--pool->running == 0) pthread_cond_signal(&pool->work_done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

cuzk_status pool_create(struct pool **out, unsigned threads, cuzk_error *err)
{
    *out = NULL;
    if (threads == 0) threads = pool_cpus();
    if (threads > 4096) return cuzk_fail(err, CUZK_ERR_USAGE, "%u threads: at most 4096", threads);
    struct pool *pool = calloc(1, sizeof *pool);
    pthread_t *helpers = calloc(threads, sizeof *helpers);
    if (!pool || !helpers) {
        free(pool);
        free(helpers);
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a pool of %u threads", threads);
    }
    pool->threads = threads;
    pool->helpers = helpers;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work_ready, NULL);
    pthread_cond_init(&pool->work_done, NULL);
    for (unsigned i = 1; i < threads; i++) {
        struct helper_start *start = malloc(sizeof *start);
        if (start) *start = (struct helper_start){ pool, i };
        if (!start || pthread_create(&helpers[pool->started], NULL, helper_main, start) != 0) {
            free(start);
            pool_destroy(pool);
            return cuzk_fail(err, CUZK_ERR_RESOURCE, "cannot start thread %u of %u", i, threads);
        }
        pool->started++;
    }
    *out = pool;
    return CUZK_OK;
}

void pool_destroy(struct pool *pool)
{
    if (!pool) return;
    pthread_mutex_lock(&pool->lock);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->work_ready);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->started; i++) pthread_join(pool->helpers[i], NULL);
    pthread_cond_destroy(&pool->work_done);
    pthread_cond_destroy(&pool->work_ready);
    pthread_mutex_destroy(&pool->lock);
    free(pool->helpers);
    free(pool);
}

void pool_for(struct pool *pool, size_t count, size_t grain, pool_body *body, void *context)
{
    if (count == 0) return;
    if (grain == 0) grain = 1;
    bool inline_only = !pool || pool->started == 0 || count <= grain;
    if (inline_only || atomic_exchange(&pool->busy, true)) {
        /* Worker 0 is free for us only if nobody else runs; an inline nested loop is inside one worker's
         * piece, so bodies must not use per-worker scratch across nesting levels. */
        for (size_t begin = 0; begin < count; begin += grain) {
            body(context, begin, count - begin < grain ? count : begin + grain, 0);
        }
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->loop = (struct loop){ body, context, count, grain };
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    pool->running = pool->started;
    pool->generation++;
    pthread_cond_broadcast(&pool->work_ready);
    pthread_mutex_unlock(&pool->lock);
    take_pieces(pool, 0);
    pthread_mutex_lock(&pool->lock);
    while (pool->running > 0) pthread_cond_wait(&pool->work_done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    atomic_store(&pool->busy, false);
}
