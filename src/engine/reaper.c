#define _GNU_SOURCE
#include "engine/reaper.h"

#include "base/clock.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

struct reaper {
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    pthread_t thread;
    pid_t owner; /* the process that has the thread */
    bool stopping;
    uint64_t byte_limit;
    struct reaper_state state;
    size_t first, count, capacity; /* ring; the region being freed stands at `first` */
    struct region ring[];
};

static void release_region(const struct region *region)
{
    region->free(region->context);
    if (region->budget) budget_credit(region->budget, region->bytes);
}

/* The lock is held on entry and exit. */
static void free_first(struct reaper *r)
{
    struct region region = r->ring[r->first];
    pthread_mutex_unlock(&r->lock);
    uint64_t begin = clock_now();
    release_region(&region);
    uint64_t end = clock_now();
    pthread_mutex_lock(&r->lock);
    r->first = (r->first + 1) % r->capacity;
    r->count--;
    r->state.waiting--;
    r->state.waiting_bytes -= region.bytes;
    r->state.freed_bytes += region.bytes;
    r->state.freeing_ns += end - begin;
}

static void *reaper_main(void *argument)
{
    struct reaper *r = argument;
    pthread_setname_np(pthread_self(), REAPER_THREAD);
    pthread_mutex_lock(&r->lock);
    for (;;) {
        while (r->count == 0 && !r->stopping) pthread_cond_wait(&r->work, &r->lock);
        if (r->count == 0) break;
        free_first(r);
        if (r->count == 0) pthread_cond_broadcast(&r->done);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

static int start_thread(struct reaper *r)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failure = pthread_create(&r->thread, NULL, reaper_main, r);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failure;
}

cuzk_status reaper_create(struct reaper **out, size_t regions, uint64_t bytes, cuzk_error *err)
{
    *out = NULL;
    if (regions == 0) regions = 1;
    struct reaper *r = calloc(1, sizeof *r + regions * sizeof r->ring[0]);
    if (!r) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the reaper");
    r->capacity = regions;
    r->byte_limit = bytes;
    r->owner = getpid();
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->work, NULL);
    pthread_cond_init(&r->done, NULL);
    if (start_thread(r) != 0) {
        pthread_cond_destroy(&r->done);
        pthread_cond_destroy(&r->work);
        pthread_mutex_destroy(&r->lock);
        free(r);
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "cannot start the reaper's thread");
    }
    *out = r;
    return CUZK_OK;
}

void reaper_destroy(struct reaper *r)
{
    if (!r) return;
    pthread_mutex_lock(&r->lock);
    r->stopping = true;
    pthread_cond_broadcast(&r->work);
    pthread_mutex_unlock(&r->lock);
    pthread_join(r->thread, NULL);
    pthread_cond_destroy(&r->done);
    pthread_cond_destroy(&r->work);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

static bool has_room(const struct reaper *r, uint64_t bytes)
{
    if (r->count == r->capacity || r->stopping) return false;
    if (r->count == 0) return true;
    return bytes <= r->byte_limit && r->state.waiting_bytes <= r->byte_limit - bytes;
}

void reaper_defer(struct reaper *r, const struct region *given)
{
    struct region region = *given; /* which may lie in what it frees */
    if (getpid() != r->owner) {    /* a forked child has no thread, and any lock may be held for ever */
        region.free(region.context);
        return;
    }
    pthread_mutex_lock(&r->lock);
    bool queued = has_room(r, region.bytes);
    if (queued) {
        r->ring[(r->first + r->count) % r->capacity] = region;
        r->count++;
        r->state.deferred++;
        r->state.waiting++;
        r->state.waiting_bytes += region.bytes;
        pthread_cond_signal(&r->work);
    } else {
        r->state.synchronous++;
    }
    pthread_mutex_unlock(&r->lock);
    if (!queued) release_region(&region);
}

void reaper_drain(struct reaper *r)
{
    pthread_mutex_lock(&r->lock);
    while (r->count > 0) pthread_cond_wait(&r->done, &r->lock);
    pthread_mutex_unlock(&r->lock);
}

void reaper_state(struct reaper *r, struct reaper_state *out)
{
    pthread_mutex_lock(&r->lock);
    *out = r->state;
    pthread_mutex_unlock(&r->lock);
}
