/* How a job ends, and the one place that ends everything it owned. */
#include "engine/engine_private.h"

#include "base/clock.h"
#include "base/timing.h"

#include <stdlib.h>

void trash_add(struct engine *e, struct trash *t)
{
    t->next = e->trash;
    e->trash = t;
}

/* ---- payload and inputs on their way to the reaper ---- */

struct payload_trash {
    struct trash trash;
    struct arena memory;
    struct owner owner;
    bool timing;
    struct timing_tag tag;
};

static void payload_free(void *context)
{
    struct payload_trash *t = context;
    uint64_t begin = clock_now();
    arena_release(&t->memory);
    if (t->owner.release) t->owner.release(t->owner.context);
    timing_mark(t->timing, "deallocation", clock_now() - begin, &t->tag, "deferred payload");
    free(t);
}

struct inputs_trash {
    struct trash trash;
    const struct steps *steps;
    void *inputs;
    bool timing;
    struct timing_tag tag;
};

static void inputs_free(void *context)
{
    struct inputs_trash *t = context;
    uint64_t begin = clock_now();
    t->steps->forget(t->steps->context, t->inputs);
    timing_mark(t->timing, "deallocation", clock_now() - begin, &t->tag, "deferred inputs");
    free(t);
}

/* Under the lock, so without memory for the note it stays with the job and is tried again later. */
static void drop_payload(struct engine *e, struct job *job)
{
    struct payload_trash *t = malloc(sizeof *t);
    if (!t) return;
    *t = (struct payload_trash){ .memory = job->payload_memory, .owner = job->owner, .timing = e->config.timing };
    if (t->timing) t->tag = timing_tag(job->job_id, TIMING_WHOLE);
    t->trash.region = (struct region){ payload_free, t, job->payload_bytes, &e->host };
    trash_add(e, &t->trash);
    job->payload_here = false;
    job->payload_bytes = 0;
    job->payload_memory = (struct arena){ 0 };
    job->owner = (struct owner){ 0 };
    job->request = (struct request){ 0 };
    job->pieces = NULL;
    job->piece_count = 0;
}

enum { SPILL_BYTES = 1 << 20 };

/* A large payload that waits its turn and is safe on disk need not be in memory when memory is short. */
static bool may_spill(struct engine *e, const struct job *job)
{
    if (!job->payload_on_disk || job->state != JOB_QUEUED || job->payload_bytes < SPILL_BYTES) return false;
    struct budget_state b;
    budget_state(&e->host, &b);
    return b.used > b.limit / 2;
}

void job_settle_payload(struct engine *e, struct job *job)
{
    if (!job->payload_here || job->parsing) return;
    bool final = job_state_is_final(job->state);
    if (job->journal_wants_accept && (!final || job->cut_short)) return;
    if (final ? job->tasks == 0 : job->inputs || may_spill(e, job)) drop_payload(e, job);
}

static void drop_inputs(struct engine *e, struct job *job)
{
    struct inputs_trash *t = malloc(sizeof *t);
    if (t) {
        *t = (struct inputs_trash){ .steps = &e->steps, .inputs = job->inputs, .timing = e->config.timing };
        if (t->timing) t->tag = timing_tag(job->job_id, TIMING_WHOLE);
        t->trash.region = (struct region){ inputs_free, t, job->input_bytes, &e->host };
        trash_add(e, &t->trash);
    } else {
        e->steps.forget(e->steps.context, job->inputs);
        budget_credit(&e->host, job->input_bytes);
    }
    job->inputs = NULL;
    job->input_bytes = 0;
}

/* Ends everything that a job owned but its record. No step is at work on it. */
static void job_clear(struct engine *e, struct job *job)
{
    if (job->cleared) return;
    job->cleared = true;
    for (size_t i = 0; job->partitions && i < job->partition_count; i++) {
        struct partition *p = &job->partitions[i];
        if (p->box) srs_box_put(e->store, job->circuit, p->box);
        p->box = NULL;
    }
    if (job->inputs) drop_inputs(e, job);
    if (job->pinned) {
        budget_credit(&e->host, job->input_bytes + job->witness_reserve);
        if (job->prove_reserve_warm)
            srs_place_put(e->store, job->circuit);
        else
            budget_credit(&e->host, job->prove_reserve);
        srs_unpin(e->store, job->circuit);
        job->pinned = false;
    }
    job->input_bytes = job->witness_reserve = job->prove_reserve = 0;
    job_settle_payload(e, job);
}

void job_task_begin(struct engine *e, struct job *job)
{
    (void)e;
    job->tasks++;
    job_hold(job);
}

void job_task_end(struct engine *e, struct job *job)
{
    if (--job->tasks == 0 && job_state_is_final(job->state)) job_clear(e, job);
    job_release(e, job);
}

/* ---- the end ---- */

static void count_end(struct engine *e, const struct job *job)
{
    struct counters *c = counters_of(e, job);
    if (job->state == JOB_FAILED) c->failed++;
    if (job->state == JOB_CANCELLED) c->cancelled++;
    if (job->state != JOB_COMPLETED) return;
    c->completed++;
    for (int p = 0; p < PHASES; p++) histogram_add(&c->phase[p], job->timings.phase[p]);
    histogram_add(&c->duration, job->timings.total);
}

static void log_end(struct engine *e, const struct job *job)
{
    char text[256];
    timings_text(text, sizeof text, &job->timings);
    if (job->state == JOB_FAILED)
        log_line(e->log, LOG_ERROR, LOG_ENGINE, job->job_id, "failed: %s", job->error);
    else
        log_line(e->log, LOG_INFO, LOG_ENGINE, job->job_id, "%s", job_state_name(job->state));
    log_line(e->log, LOG_INFO, LOG_ENGINE, job->job_id, "%s", text);
}

/* Partitions that no step is at work on will not be proved any more. */
static void mark_partitions(struct job *job)
{
    for (size_t i = 0; job->partitions && i < job->partition_count; i++) {
        struct partition *p = &job->partitions[i];
        if (job->state == JOB_FAILED && p->state != PARTITION_PROVED) p->state = PARTITION_FAILED;
    }
}

void job_finish(struct engine *e, struct job *job, enum job_state state, const char *text)
{
    if (job_state_is_final(job->state)) return;
    uint64_t now = clock_now();
    job->state = state;
    if (text) job_fail_text(job, text);
    timeline_end(&job->timeline, now);
    timings_of(&job->timings, &job->timeline, now);
    job->finished_ms = clock_calendar_ms();
    scheduler_remove(&e->scheduler, job);
    job->list = LIST_RECENT;
    queue_append(&e->recent, job);
    if (state != JOB_COMPLETED) mark_partitions(job);
    count_end(e, job);
    log_end(e, job);
    mark_finish(e, job);
    waiters_notify(e, job);
    if (e->journal && !job->cut_short) {
        job->journal_wants_finish = true;
        record_job(e, job);
    }
    if (job->tasks == 0) job_clear(e, job);
    pthread_cond_broadcast(&e->changed);
    bell_ring(&e->work);
}

static bool retired(const struct engine *e, const struct job *job, int64_t now_ms)
{
    if (job->tasks || job->journal_listed) return false;
    if (e->recent.count > e->config.results_in_memory) return true;
    return now_ms - job->finished_ms >= (int64_t)e->config.retention_ms;
}

void retire_finished(struct engine *e)
{
    int64_t now = clock_calendar_ms();
    while (e->recent.first && retired(e, e->recent.first, now)) {
        struct job *job = e->recent.first;
        job_settle_payload(e, job);
        if (job->payload_here) return; /* no memory to note it: later */
        table_remove(e, job);
    }
}
