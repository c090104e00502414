/* What time alone brings: waits that time out, orphans, old results; and the health of devices. */
#include "engine/engine_private.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>

enum { KEEPER_MS = 1000, BLOCKED_MS = 250, WATCHER_MS = 2000 };

static uint64_t sooner(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Tells those whose time has come; answers when the next one's will. */
static uint64_t time_out_waiters(struct engine *e, uint64_t now, uint64_t next)
{
    if (e->waiter_count == 0) return next;
    for (size_t i = 0; i < WAITER_BUCKETS; i++) {
        for (struct waiter *w = e->waiters[i], *chain; w; w = chain) {
            chain = w->chain;
            if (w->timeout == 0) continue;
            if (w->timeout <= now)
                waiter_time_out(e, w);
            else
                next = sooner(next, w->timeout);
        }
    }
    return next;
}

static uint64_t cancel_orphans(struct engine *e, uint64_t now, uint64_t next)
{
    uint64_t grace = e->config.orphan_grace_ms * CLOCK_MS;
    for (struct job *job = e->jobs, *following; job; job = following) {
        following = job->all.next;
        if (!job->orphaned || job_state_is_final(job->state)) continue;
        if (now - job->orphaned >= grace) {
            char text[96];
            snprintf(text, sizeof text, "cancelled: nobody has waited for it for %llu ms",
                     (unsigned long long)e->config.orphan_grace_ms);
            job_finish(e, job, JOB_CANCELLED, text);
        } else {
            next = sooner(next, job->orphaned + grace);
        }
    }
    return next;
}

static bool proving(const struct job *job)
{
    for (size_t i = 0; i < job->partition_count; i++) {
        if (job->partitions[i].state == PARTITION_PROVING) return true;
    }
    return false;
}

static void fail_stranded(struct engine *e, struct job *job)
{
    char text[320];
    size_t d = 0;
    while (d + 1 < e->steps.devices && e->scheduler.healthy >> d & 1) d++; /* the first that is lost */
    snprintf(text, sizeof text, "no device that has its parameters, or could get them, was usable for %llu ms%s%s",
             (unsigned long long)e->config.device_recovery_ms, *e->device[d].state.trouble ? ": " : "",
             e->device[d].state.trouble);
    job_finish(e, job, JOB_FAILED, text);
}

/* With no device left, a new process is the only hope, and the journal keeps the jobs for it. */
static bool keep_stranded(struct engine *e)
{
    if (!e->config.keep_when_lost || !e->journal || e->scheduler.healthy) return false;
    if (!e->lost) log_error(e->log, LOG_DEVICE, "no device has come back: jobs are kept for the next start");
    e->lost = true;
    return true;
}

/* Jobs whose parameters are on no usable device, and on their way to none, wait for one to come back, but not for
 * ever. */
static uint64_t look_at_stranded(struct engine *e, uint64_t next)
{
    uint64_t recovery = e->config.device_recovery_ms * CLOCK_MS;
    for (struct job *job = e->scheduler.active.first, *following; job; job = following) {
        following = job->order.next;
        uint64_t since = srs_stranded(e->store, job->circuit), now = clock_now();
        if (!since || proving(job) || job->proved == job->partition_count) continue;
        if (since < job->activated) since = job->activated;
        if (now <= since || now - since < recovery)
            next = sooner(next, since + recovery);
        else if (!keep_stranded(e))
            fail_stranded(e, job);
    }
    return next;
}

void *keeper_main(void *context)
{
    struct engine *e = context;
    for (;;) {
        uint64_t seen = bell_now(&e->time), now = clock_now();
        if (engine_stopping(e)) return NULL;
        engine_lock(e);
        uint64_t next = time_out_waiters(e, now, now + KEEPER_MS * CLOCK_MS);
        next = cancel_orphans(e, now, next);
        retire_finished(e);
        next = look_at_stranded(e, next);
        bool waits = e->scheduler.queued.first && e->scheduler.queued.first->blocked_since;
        engine_unlock(e);
        srs_store_poke(e->store);
        if (waits) { /* idle parameters may have become old enough to leave */
            bell_ring(&e->work);
            next = sooner(next, now + BLOCKED_MS * CLOCK_MS);
        }
        bell_wait(&e->time, seen, next);
    }
}

/* ---- devices: they may take their time to answer, so nothing else happens on this thread ---- */

void device_lost(struct engine *e, size_t device)
{
    e->scheduler.healthy &= ~(UINT64_C(1) << device); /* until the watcher has looked at it */
    e->vouched = 0;                                   /* one device's fault may take others along */
    e->loss_count++;
    srs_device_usable(e->store, device, false);
    bell_ring(&e->watch);
}

static void note_health(struct engine *e, size_t d, const struct device_state *now)
{
    uint64_t bit = UINT64_C(1) << d;
    bool was = e->device[d].state.healthy;
    e->device[d].state = *now;
    if (now->healthy) {
        e->scheduler.healthy |= bit;
        e->vouched |= bit;
    } else {
        e->scheduler.healthy &= ~bit;
        e->vouched &= ~bit;
    }
    srs_device_usable(e->store, d, now->healthy);
    if (was && !now->healthy) log_error(e->log, LOG_DEVICE, "device %zu (%s): %s", d, now->name, now->trouble);
    if (!was && now->healthy) log_info(e->log, LOG_DEVICE, "device %zu (%s): usable", d, now->name);
}

void look_at_devices(struct engine *e)
{
    for (size_t d = 0; d < e->steps.devices; d++) {
        struct device_state state;
        memset(&state, 0, sizeof state);
        engine_lock(e);
        uint64_t losses = e->loss_count;
        engine_unlock(e);
        e->steps.device(e->steps.context, &state, d);
        engine_lock(e);
        bool old_news = state.healthy && losses != e->loss_count; /* device_lost has asked for another look */
        if (!old_news) note_health(e, d, &state);
        engine_unlock(e);
    }
}

void *watcher_main(void *context)
{
    struct engine *e = context;
    for (;;) {
        uint64_t seen = bell_now(&e->watch), next = clock_now() + WATCHER_MS * CLOCK_MS;
        if (engine_stopping(e)) return NULL;
        look_at_devices(e);
        bool again = srs_tend(e->store, &next);
        bell_ring(&e->work);
        if (!again) bell_wait(&e->watch, seen, next);
    }
}
