#include "engine/bell.h"

#include "base/clock.h"

void bell_create(struct bell *b)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->rung, &monotonic);
    pthread_condattr_destroy(&monotonic);
    b->rings = 0;
}

void bell_destroy(struct bell *b)
{
    pthread_cond_destroy(&b->rung);
    pthread_mutex_destroy(&b->lock);
}

void bell_ring(struct bell *b)
{
    pthread_mutex_lock(&b->lock);
    b->rings++;
    pthread_cond_broadcast(&b->rung);
    pthread_mutex_unlock(&b->lock);
}

uint64_t bell_now(struct bell *b)
{
    pthread_mutex_lock(&b->lock);
    uint64_t rings = b->rings;
    pthread_mutex_unlock(&b->lock);
    return rings;
}

void bell_wait(struct bell *b, uint64_t seen, uint64_t until)
{
    struct timespec t = { (time_t)(until / CLOCK_SECOND), (long)(until % CLOCK_SECOND) };
    pthread_mutex_lock(&b->lock);
    while (b->rings == seen) {
        if (until == 0)
            pthread_cond_wait(&b->rung, &b->lock);
        else if (pthread_cond_timedwait(&b->rung, &b->lock, &t) != 0)
            break;
    }
    pthread_mutex_unlock(&b->lock);
}
