/* Those who wait for jobs: watch, leave, await, cancel. */
#include "engine/engine_private.h"

#include "base/clock.h"
#include "base/timing.h"

#include <stdlib.h>
#include <string.h>

static struct waiter **bucket(struct engine *e, waiter_id id) { return &e->waiters[id & (WAITER_BUCKETS - 1)]; }

struct waiter *waiter_add(struct engine *e, struct job *job, outcome_fn *done, void *context, uint64_t timeout)
{
    struct waiter *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    *w = (struct waiter){ .id = ++e->last_waiter, .job = job, .done = done, .context = context };
    w->timeout = timeout;
    struct waiter **at = bucket(e, w->id);
    w->chain = *at;
    *at = w;
    w->next = job->waiters;
    if (w->next) w->next->previous = w;
    job->waiters = w;
    job->waiter_count++;
    job->orphaned = 0;
    e->waiter_count++;
    job_hold(job);
    return w;
}

/* Takes a waiter off its job and its bucket. The hold stays. */
static void waiter_remove(struct engine *e, struct waiter *w)
{
    struct waiter **at = bucket(e, w->id);
    while (*at != w) at = &(*at)->chain;
    *at = w->chain;
    *(w->previous ? &w->previous->next : &w->job->waiters) = w->next;
    if (w->next) w->next->previous = w->previous;
    struct job *job = w->job;
    e->waiter_count--;
    if (--job->waiter_count == 0 && !job->keep && !job_state_is_final(job->state)) {
        job->orphaned = clock_now();
        bell_ring(&e->time);
    }
}

static void notice(struct engine *e, struct waiter *w)
{
    waiter_remove(e, w);
    w->notice = NULL;
    *e->notices_end = w;
    e->notices_end = &w->notice;
}

void waiters_notify(struct engine *e, struct job *job)
{
    while (job->waiters) notice(e, job->waiters);
}

void waiter_time_out(struct engine *e, struct waiter *w)
{
    w->timed_out = true;
    w->seen = w->job->state;
    notice(e, w);
}

void outcome_of_job(struct outcome *out, const struct job *job)
{
    *out = (struct outcome){
        .state = job->state,
        .job_id = job->job_id,
        .request_id = job->request_id,
        .error = job->error ? job->error : "",
        .timings = job->timings,
    };
    if (job->state == JOB_COMPLETED) {
        out->proof = (struct bytes){ job->proofs[0], job->partition_count * PROOF_BYTES };
    }
}

/* A job that is final does not change any more, so it can be read without the lock; of one that goes on only the
 * ids can. */
void deliver_notices(struct engine *e, struct waiter *list)
{
    for (struct waiter *w = list; w; w = w->notice) {
        struct outcome outcome;
        if (w->timed_out) {
            outcome = (struct outcome){ .state = w->seen, .error = "" };
            outcome.job_id = w->job->job_id;
            outcome.request_id = w->job->request_id;
        } else {
            outcome_of_job(&outcome, w->job);
        }
        w->done(w->context, &outcome);
        if (!w->timed_out) mark_step(e, w->job, TIMING_WHOLE, "outer", clock_now() - w->job->accepted);
    }
    pthread_mutex_lock(&e->lock);
    while (list) {
        struct waiter *next = list->notice;
        job_release(e, list->job);
        free(list);
        list = next;
    }
    pthread_mutex_unlock(&e->lock);
}

static cuzk_status watch_journal(struct engine *e, struct bytes job_id, outcome_fn *done, void *context,
                                 cuzk_error *err)
{
    if (!e->journal) return cuzk_fail(err, CUZK_ERR_MISSING, "no such job");
    struct stored s;
    cuzk_status status = journal_find(e->journal, &s, job_id, err);
    if (status != CUZK_OK) return status;
    struct outcome outcome = { s.state, s.job_id, s.request_id, s.proof, s.error, s.timings };
    done(context, &outcome);
    stored_free(&s);
    return CUZK_OK;
}

cuzk_status engine_watch(struct engine *e, waiter_id *waiter, struct bytes job_id, uint64_t timeout_ms,
                         outcome_fn *done, void *context, cuzk_error *err)
{
    cuzk_status status = CUZK_OK;
    uint64_t limit = UINT64_MAX / CLOCK_MS / 2; /* some centuries */
    uint64_t timeout = timeout_ms ? clock_now() + (timeout_ms < limit ? timeout_ms : limit) * CLOCK_MS : 0;
    *waiter = 0;
    engine_lock(e);
    struct job *job = table_find(e, job_id);
    if (job) {
        struct waiter *w = waiter_add(e, job, done, context, timeout);
        if (!w)
            status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory to wait for a job");
        else
            *waiter = w->id;
        if (w && job_state_is_final(job->state))
            notice(e, w);
        else if (w && timeout)
            bell_ring(&e->time);
    }
    engine_unlock(e);
    return job ? status : watch_journal(e, job_id, done, context, err);
}

bool engine_leave(struct engine *e, waiter_id id)
{
    engine_lock(e);
    struct waiter *w = *bucket(e, id);
    while (w && w->id != id) w = w->chain;
    if (w) {
        waiter_remove(e, w);
        job_release(e, w->job);
        free(w);
    }
    engine_unlock(e);
    return w != NULL;
}

bool engine_cancel(struct engine *e, struct bytes job_id, bool *was_running)
{
    *was_running = false;
    engine_lock(e);
    struct job *job = table_find(e, job_id);
    bool cancelled = job && !job_state_is_final(job->state);
    if (cancelled) {
        *was_running = job->state != JOB_QUEUED;
        job_finish(e, job, JOB_CANCELLED, "cancelled on request");
    }
    engine_unlock(e);
    return cancelled;
}

/* ---- outcomes of one's own ---- */

struct outcome *outcome_copy(const struct outcome *in)
{
    size_t error = strlen(in->error) + 1;
    size_t size = sizeof *in + in->job_id.size + in->request_id.size + in->proof.size + error + 2;
    struct outcome *out = malloc(size);
    if (!out) return NULL;
    *out = *in;
    uint8_t *at = (uint8_t *)(out + 1);
    struct bytes *const parts[] = { &out->job_id, &out->request_id, &out->proof };
    for (size_t i = 0; i < 3; i++) {
        if (parts[i]->size) memcpy(at, parts[i]->data, parts[i]->size);
        parts[i]->data = at;
        at += parts[i]->size;
        if (i < 2) *at++ = 0;
    }
    out->error = memcpy(at, in->error, error);
    return out;
}

void outcome_free(struct outcome *outcome) { free(outcome); }

struct await {
    pthread_mutex_t lock;
    pthread_cond_t done;
    bool called;
    struct outcome *outcome;
};

static void await_done(void *context, const struct outcome *outcome)
{
    struct await *a = context;
    struct outcome *copy = outcome_copy(outcome);
    pthread_mutex_lock(&a->lock);
    a->outcome = copy;
    a->called = true;
    pthread_cond_signal(&a->done);
    pthread_mutex_unlock(&a->lock);
}

cuzk_status engine_await(struct engine *e, struct outcome **out, struct bytes job_id, uint64_t timeout_ms,
                         cuzk_error *err)
{
    struct await a = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, NULL };
    waiter_id waiter;
    *out = NULL;
    cuzk_status status = engine_watch(e, &waiter, job_id, timeout_ms, await_done, &a, err);
    if (status == CUZK_OK) {
        pthread_mutex_lock(&a.lock);
        while (!a.called) pthread_cond_wait(&a.done, &a.lock);
        pthread_mutex_unlock(&a.lock);
        *out = a.outcome;
        if (!*out) status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a result");
    }
    pthread_cond_destroy(&a.done);
    pthread_mutex_destroy(&a.lock);
    return status;
}
