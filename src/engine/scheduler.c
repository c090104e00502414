#include "engine/scheduler.h"

void scheduler_enqueue(struct scheduler *s, struct job *job)
{
    job->list = LIST_QUEUED;
    queue_insert(&s->queued, job);
}

void scheduler_remove(struct scheduler *s, struct job *job)
{
    if (job->list == LIST_QUEUED)
        queue_remove(&s->queued, job);
    else if (job->list == LIST_ACTIVE)
        queue_remove(&s->active, job);
    else
        return;
    job->list = LIST_NONE;
}

void scheduler_resort(struct scheduler *s, struct job *job)
{
    struct job_queue *q = job->list == LIST_QUEUED ? &s->queued : job->list == LIST_ACTIVE ? &s->active : NULL;
    if (!q) return;
    queue_remove(q, job);
    queue_insert(q, job);
}

/* Are enough jobs active that rank as high and are as far: those that a device can work on, or those that are still
 * waiting for their parameters? */
static bool enough_active(const struct scheduler *s, const struct job *job)
{
    const struct scheduler_gate *gate = &s->gate;
    bool ready = gate->ready(gate->context, job);
    unsigned n = 0;
    for (const struct job *j = s->active.first; j && j->priority >= job->priority; j = j->order.next) {
        n += gate->ready(gate->context, j) == ready;
    }
    return n >= s->active_limit;
}

static bool lost_patience(const struct scheduler *s, const struct job *blocked, uint64_t now)
{
    return blocked->priority == PRIORITY_CRITICAL ||
           (blocked->blocked_since && now - blocked->blocked_since >= s->patience);
}

static void make_active(struct scheduler *s, struct job *job)
{
    queue_remove(&s->queued, job);
    job->list = LIST_ACTIVE;
    job->blocked_since = 0;
    queue_insert(&s->active, job);
}

bool scheduler_activate(struct scheduler *s, uint64_t now)
{
    const struct scheduler_gate *gate = &s->gate;
    struct job *blocked = NULL, *next;
    for (struct job *job = s->queued.first; job; job = next) {
        next = job->order.next;
        if (blocked && lost_patience(s, blocked, now)) break;
        if (enough_active(s, job)) continue;
        if (blocked && !gate->resident(gate->context, job)) continue;
        if (gate->activate(gate->context, job, lost_patience(s, job, now))) {
            make_active(s, job);
        } else if (!blocked) {
            blocked = job;
            if (!job->blocked_since) job->blocked_since = now;
        }
    }
    return blocked != NULL;
}

static bool in_flight(const struct partition *p)
{
    return p->state == PARTITION_FILLING || p->state == PARTITION_FILLED || p->state == PARTITION_PROVING;
}

unsigned scheduler_in_flight(const struct scheduler *s, uint32_t priority)
{
    unsigned n = 0;
    for (const struct job *j = s->active.first; j && j->priority >= priority; j = j->order.next) {
        for (size_t i = 0; i < j->partition_count; i++) n += in_flight(&j->partitions[i]);
    }
    return n;
}

/* A partition of `job` that can be filled now; its witness is settled then. */
static bool fillable(struct scheduler *s, struct job *job, uint32_t *partition)
{
    if (scheduler_in_flight(s, job->priority) >= s->witness_limit) return false;
    for (uint32_t i = 0; i < job->partition_count; i++) {
        struct partition *p = &job->partitions[i];
        if (p->state != PARTITION_PENDING) continue;
        *partition = i;
        return s->gate.witness(s->gate.context, job, p);
    }
    return false;
}

struct task scheduler_cpu(struct scheduler *s)
{
    const struct scheduler_gate *gate = &s->gate;
    for (struct job *job = s->active.first; job; job = job->order.next) {
        struct task task = { TASK_NONE, job, 0 };
        enum srs_readiness srs = gate->look(gate->context, job);
        if (srs == SRS_FAILED)
            task.kind = TASK_FAIL;
        else if (!job->inputs && !job->parsing)
            task.kind = TASK_PARSE;
        else if (job->proved == job->partition_count && !job->verifying)
            task.kind = TASK_VERIFY;
        else if (job->inputs && srs == SRS_READY && fillable(s, job, &task.partition))
            task.kind = TASK_FILL;
        if (task.kind != TASK_NONE) return task;
    }
    return (struct task){ TASK_NONE, NULL, 0 };
}

/* A partition keeps off the device that failed it if another one can take it. */
static bool avoids(const struct scheduler *s, const struct job *job, const struct partition *p, size_t device)
{
    if (p->avoid != device) return false;
    bool coming = s->gate.coming(s->gate.context, job);
    for (size_t d = 0; d < s->devices; d++) {
        if (d == device || !(s->healthy >> d & 1)) continue;
        if (coming || s->gate.on_device(s->gate.context, job, d)) return true;
    }
    return false;
}

/* Is a partition at work that has lost a device? */
static bool suspect_at_work(const struct scheduler *s)
{
    for (const struct job *j = s->active.first; j; j = j->order.next) {
        for (size_t i = 0; i < j->partition_count; i++) {
            if (j->partitions[i].losses && j->partitions[i].state == PARTITION_PROVING) return true;
        }
    }
    return false;
}

bool scheduler_device(struct scheduler *s, size_t device, struct job **out, uint32_t *partition)
{
    const struct scheduler_gate *gate = &s->gate;
    if (!(s->healthy >> device & 1)) return false;
    for (struct job *job = s->active.first; job; job = job->order.next) {
        for (uint32_t i = 0; i < job->partition_count; i++) {
            struct partition *p = &job->partitions[i];
            if (p->state != PARTITION_FILLED || avoids(s, job, p, device)) continue;
            if (!gate->on_device(gate->context, job, device)) break;
            if (p->losses && suspect_at_work(s)) continue;
            if (!gate->prove_means(gate->context, job, p, device)) break;
            *out = job;
            *partition = i;
            return true;
        }
    }
    return false;
}
