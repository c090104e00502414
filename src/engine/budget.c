#include "engine/budget.h"

#include "base/clock.h"

#include <assert.h>

void budget_create(struct budget *b, const char *name, uint64_t limit)
{
    *b = (struct budget){ .name = name, .limit = limit };
    pthread_mutex_init(&b->lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&b->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

void budget_destroy(struct budget *b)
{
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->lock);
}

void budget_notify(struct budget *b, void (*on_credit)(void *context), void *context)
{
    b->on_credit = on_credit;
    b->context = context;
}

static void charge(struct budget *b, uint64_t bytes)
{
    b->used += bytes;
    if (b->used > b->peak) b->peak = b->used;
}

static bool fits(const struct budget *b, uint64_t bytes)
{
    return bytes == 0 || (b->used <= b->limit && bytes <= b->limit - b->used);
}

bool budget_try(struct budget *b, uint64_t bytes)
{
    pthread_mutex_lock(&b->lock);
    bool ok = fits(b, bytes);
    if (ok) charge(b, bytes);
    pthread_mutex_unlock(&b->lock);
    return ok;
}

void budget_force(struct budget *b, uint64_t bytes)
{
    pthread_mutex_lock(&b->lock);
    charge(b, bytes);
    pthread_mutex_unlock(&b->lock);
}

void budget_credit(struct budget *b, uint64_t bytes)
{
    if (bytes == 0) return;
    pthread_mutex_lock(&b->lock);
#ifndef __OPTIMIZE__ /* a debug build */
    assert(bytes <= b->used && "a credit of more than was charged");
#endif
    if (bytes > b->used) {
        b->errors++;
        bytes = b->used;
    }
    b->used -= bytes;
    b->credits++;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
    if (b->on_credit) b->on_credit(b->context);
}

static cuzk_status never_fits(const struct budget *b, uint64_t bytes, const char *what, cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_RESOURCE,
                     "%s needs %llu bytes (%.2f GiB), the budget of %s is %llu bytes (%.2f GiB)", what,
                     (unsigned long long)bytes, (double)bytes / (1 << 30), b->name, (unsigned long long)b->limit,
                     (double)b->limit / (1 << 30));
}

cuzk_status budget_possible(struct budget *b, uint64_t bytes, const char *what, cuzk_error *err)
{
    pthread_mutex_lock(&b->lock);
    cuzk_status status = bytes <= b->limit ? CUZK_OK : never_fits(b, bytes, what, err);
    pthread_mutex_unlock(&b->lock);
    return status;
}

static bool wait_change(struct budget *b, uint64_t until)
{
    if (until == 0) return pthread_cond_wait(&b->changed, &b->lock) == 0;
    struct timespec t = { (time_t)(until / CLOCK_SECOND), (long)(until % CLOCK_SECOND) };
    return pthread_cond_timedwait(&b->changed, &b->lock, &t) == 0 || clock_now() < until;
}

cuzk_status budget_wait(struct budget *b, uint64_t bytes, uint64_t until, const bool *cancelled, const char *what,
                        cuzk_error *err)
{
    cuzk_status status = CUZK_OK;
    pthread_mutex_lock(&b->lock);
    while (status == CUZK_OK && !fits(b, bytes)) {
        if (bytes > b->limit) {
            status = never_fits(b, bytes, what, err);
        } else if (cancelled && __atomic_load_n(cancelled, __ATOMIC_ACQUIRE)) {
            status = cuzk_fail(err, CUZK_ERR_CANCELLED, "%s: cancelled while it waited for memory", what);
        } else if (!wait_change(b, until)) {
            status = cuzk_fail(err, CUZK_ERR_RESOURCE,
                               "%s needs %llu bytes, %llu of %llu bytes of %s are in use and none came free in time",
                               what, (unsigned long long)bytes, (unsigned long long)b->used,
                               (unsigned long long)b->limit, b->name);
        }
    }
    if (status == CUZK_OK) charge(b, bytes);
    pthread_mutex_unlock(&b->lock);
    return status;
}

void budget_wake(struct budget *b)
{
    pthread_mutex_lock(&b->lock);
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
}

void budget_set_limit(struct budget *b, uint64_t limit)
{
    pthread_mutex_lock(&b->lock);
    b->limit = limit;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
    if (b->on_credit) b->on_credit(b->context);
}

void budget_state(struct budget *b, struct budget_state *out)
{
    pthread_mutex_lock(&b->lock);
    *out = (struct budget_state){ b->limit, b->used, b->peak, b->errors };
    pthread_mutex_unlock(&b->lock);
}
