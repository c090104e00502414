/* Status, metrics and readiness: copies made under short locks. */
#include "engine/snapshot.h"

#include "base/clock.h"
#include "engine/engine_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOBS_SHOWN = 256 };

const char *kind_text(size_t kind)
{
    static const char *const texts[KINDS] = { "porep-c2", "snap-update", "window-post", "winning-post" };
    return kind < KINDS ? texts[kind] : NULL;
}

const char *kind_label(size_t kind)
{
    static const char *const labels[KINDS] = { "porep_c2", "snap_update", "window_post", "winning_post" };
    return kind < KINDS ? labels[kind] : NULL;
}

const char *partition_state_name(enum partition_state state)
{
    static const char *const names[] = { "pending", "synthesizing", "synth_done", "gpu", "done", "failed" };
    return names[state];
}

/* ---- copies into the snapshot's arena; without memory they come out empty and `failed` is set ---- */

struct copier {
    struct arena *arena;
    bool failed;
};

static void *take(struct copier *c, size_t count, size_t size)
{
    void *p = arena_take(c->arena, count, size);
    if (!p) c->failed = true;
    return p;
}

static struct bytes copy_id(struct copier *c, struct bytes in)
{
    uint8_t *p = take(c, in.size + 1, 1);
    if (!p) return (struct bytes){ 0 };
    if (in.size) memcpy(p, in.data, in.size);
    return (struct bytes){ p, in.size };
}

static const char *copy_text(struct copier *c, const char *in)
{
    if (!in || !*in) return "";
    size_t size = strlen(in) + 1;
    char *p = take(c, size, 1);
    return p ? memcpy(p, in, size) : "";
}

/* ---- jobs ---- */

static uint64_t since(const struct job *job, uint64_t at) { return at ? at - job->timeline.begin : 0; }

static const struct span *span_at(const struct job *job, size_t i)
{
    static const struct span none = { 0 };
    return i < job->timeline.count ? &job->timeline.spans[i] : &none;
}

static const struct status_partition *copy_partitions(struct copier *c, const struct job *job)
{
    if (!job->partitions) return NULL;
    struct status_partition *out = take(c, job->partition_count, sizeof *out);
    for (size_t i = 0; out && i < job->partition_count; i++) {
        const struct partition *p = &job->partitions[i];
        const struct span *fill = span_at(job, p->fill_span), *prove = span_at(job, p->prove_span);
        bool filled = fill->phase == PHASE_SYNTH && fill->partition == i && fill->begin;
        bool proved = prove->phase == PHASE_GPU && prove->partition == i && prove->begin;
        out[i] = (struct status_partition){
            .state = p->state,
            .fill_begin = filled ? since(job, fill->begin) : 0,
            .fill_end = filled ? since(job, fill->end) : 0,
            .prove_begin = proved ? since(job, prove->begin) : 0,
            .prove_end = proved ? since(job, prove->end) : 0,
            .device = p->device,
            .attempts = p->attempts,
        };
    }
    return out;
}

static const struct span *copy_spans(struct copier *c, const struct job *job)
{
    struct span *out = take(c, job->timeline.count, sizeof *out);
    for (size_t i = 0; out && i < job->timeline.count; i++) {
        out[i] = job->timeline.spans[i];
        out[i].begin = since(job, out[i].begin);
        out[i].end = since(job, out[i].end);
    }
    return out;
}

static void copy_job(struct status_job *out, struct copier *c, const struct job *job, uint64_t now)
{
    *out = (struct status_job){
        .job_id = copy_id(c, job->job_id),
        .state = job->state,
        .kind_index = (uint32_t)kind_index(job->kind),
        .circuit_id = job->planned ? catalogue_at(job->circuit)->id : "",
        .priority = job->priority,
        .age_ns = now - job->timeline.begin,
        .waiters = job->waiter_count,
        .error = copy_text(c, job->error),
        .spans = copy_spans(c, job),
        .span_count = job->timeline.count,
        .partitions = copy_partitions(c, job),
        .partition_count = job->partitions ? job->partition_count : 0,
        .partitions_done = job->proved,
    };
    if (job_state_is_final(job->state))
        out->timings = job->timings;
    else
        timings_of(&out->timings, &job->timeline, now);
}

static void copy_jobs(struct engine_status *out, struct copier *c, struct engine *e, uint64_t now)
{
    const struct job_queue *lists[] = { &e->scheduler.active, &e->scheduler.queued };
    struct status_job *jobs = take(c, 2 * JOBS_SHOWN, sizeof *jobs);
    if (!jobs) return;
    size_t n = 0;
    for (size_t l = 0; l < 2; l++) {
        for (const struct job *j = lists[l]->first; j && n < JOBS_SHOWN; j = j->order.next) {
            copy_job(&jobs[n++], c, j, now);
        }
    }
    size_t recent = 0;
    for (const struct job *j = e->recent.last; j && recent < JOBS_SHOWN; j = j->order.previous, recent++) {
        copy_job(&jobs[n++], c, j, now);
    }
    out->jobs = jobs;
    out->job_count = n;
}

static void count_queues(struct status_queue queues[KINDS], const struct engine *e)
{
    for (size_t k = 0; k < KINDS; k++) queues[k] = (struct status_queue){ .kind = kind_text(k) };
    for (const struct job *j = e->scheduler.queued.first; j; j = j->order.next) {
        queues[kind_index(j->kind)].pending++;
    }
    for (const struct job *j = e->scheduler.active.first; j; j = j->order.next) {
        queues[kind_index(j->kind)].in_progress++;
    }
}

/* ---- devices ---- */

static const struct lane *busy_lane(const struct engine *e, size_t device)
{
    for (size_t i = 0; i < e->lane_count; i++) {
        if (e->lane[i].device == device && e->lane[i].job) return &e->lane[i];
    }
    return NULL;
}

static void copy_devices(struct engine_status *out, struct copier *c, const struct engine *e)
{
    struct status_device *devices = take(c, e->steps.devices, sizeof *devices);
    for (size_t d = 0; devices && d < e->steps.devices; d++) {
        const struct device_slot *slot = &e->device[d];
        const struct lane *lane = busy_lane(e, d);
        devices[d] = (struct status_device){
            .ordinal = slot->state.ordinal,
            .name = copy_text(c, slot->state.name),
            .backend = slot->state.backend ? slot->state.backend : "",
            .memory_total = slot->state.memory_total,
            .memory_free = slot->state.memory_free,
            .healthy = e->scheduler.healthy >> d & 1,
            .trouble = copy_text(c, slot->state.trouble),
            .job_id = lane ? copy_id(c, lane->job->job_id) : (struct bytes){ 0 },
            .kind = lane ? kind_text(kind_index(lane->job->kind)) : "",
            .partitions_done = slot->partitions,
            .selfcheck_failures = slot->selfcheck_failures,
        };
    }
    out->devices = devices;
    out->device_count = devices ? e->steps.devices : 0;
}

static void copy_lanes(struct engine_status *out, struct copier *c, const struct engine *e, uint64_t now)
{
    struct status_lane *lanes = take(c, e->lane_count, sizeof *lanes);
    for (size_t i = 0; lanes && i < e->lane_count; i++) {
        const struct lane *lane = &e->lane[i];
        lanes[i] = (struct status_lane){ .lane = (uint32_t)i, .device = (uint32_t)lane->device };
        if (!lane->job) continue;
        lanes[i].busy = true;
        lanes[i].job_id = copy_id(c, lane->job->job_id);
        lanes[i].partition = lane->partition;
        lanes[i].busy_ns = now - lane->since;
    }
    out->lanes = lanes;
    out->lane_count = lanes ? e->lane_count : 0;
}

/* ---- the whole ---- */

static void copy_counters(struct engine_status *out, const struct engine *e)
{
    for (size_t k = 0; k < KINDS; k++) {
        const struct counters *n = &e->counter[k];
        out->completed += out->completed_by_kind[k] = n->completed;
        out->failed += out->failed_by_kind[k] = n->failed;
        out->cancelled += out->cancelled_by_kind[k] = n->cancelled;
    }
    out->queue_depth = (uint32_t)e->scheduler.queued.count;
    out->fills_max = (uint32_t)e->worker_count;
    out->fills_active = e->fills_active;
    out->provers_active = e->provers_active;
    out->witnesses_in_flight = scheduler_in_flight(&e->scheduler, 0);
    out->draining = e->draining;
}

static void copy_memory(struct engine_status *out, struct engine *e)
{
    struct budget_state b;
    struct reaper_state r;
    budget_state(&e->host, &b);
    reaper_state(e->reaper, &r);
    out->budget_limit = b.limit;
    out->budget_used = b.used;
    out->budget_peak = b.peak;
    out->reaper_waiting = r.waiting;
    out->reaper_bytes = r.waiting_bytes;
    for (size_t d = 0; d < e->steps.devices; d++) {
        budget_state(&e->device_budget[d], &b);
        if (b.limit != UINT64_MAX) out->device_budget_limit += b.limit;
        out->device_budget_used += b.used;
    }
}

cuzk_status engine_status(struct engine *e, struct engine_status **result, cuzk_error *err)
{
    struct engine_status *out = *result = calloc(1, sizeof *out);
    if (!out) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a snapshot");
    struct copier c = { &out->memory, false };
    uint64_t now = clock_now();
    out->uptime_ns = now - e->born;
    out->test_parameters_allowed = e->config.allow_test_parameters;
    out->parameters_trusted = e->config.verify == SRS_VERIFY_TRUST;
    engine_lock(e);
    copy_devices(out, &c, e);
    copy_lanes(out, &c, e, now);
    count_queues(out->queues, e);
    copy_jobs(out, &c, e, now);
    copy_counters(out, e);
    engine_unlock(e);
    copy_memory(out, e);
    cuzk_status status = srs_snapshot(e->store, &out->memory, &out->srs, &out->srs_count, err);
    if (status == CUZK_OK && c.failed) status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a snapshot");
    if (status == CUZK_OK) return CUZK_OK;
    engine_status_free(out);
    *result = NULL;
    return status;
}

void engine_status_free(struct engine_status *status)
{
    if (!status) return;
    arena_release(&status->memory);
    free(status);
}

/* ---- metrics ---- */

static void kind_metrics(struct kind_metrics *out, const struct counters *n)
{
    *out = (struct kind_metrics){ .submitted = n->submitted,
                                  .joined = n->joined,
                                  .completed = n->completed,
                                  .failed = n->failed,
                                  .cancelled = n->cancelled,
                                  .refused = n->refused,
                                  .duration = n->duration };
    memcpy(out->phase, n->phase, sizeof out->phase);
}

static void device_metrics(struct device_metrics *out, struct engine *e, size_t d)
{
    const struct device_slot *slot = &e->device[d];
    struct budget_state b;
    budget_state(&e->device_budget[d], &b);
    *out = (struct device_metrics){
        .ordinal = slot->state.ordinal,
        .healthy = e->scheduler.healthy >> d & 1,
        .memory_total = slot->state.memory_total,
        .memory_free = slot->state.memory_free,
        .budget_limit = b.limit == UINT64_MAX ? 0 : b.limit,
        .budget_used = b.used,
        .budget_errors = b.errors,
        .partitions = slot->partitions,
        .selfcheck_failures = slot->selfcheck_failures,
        .busy_seconds = (double)slot->busy_ns * 1e-9,
    };
    snprintf(out->name, sizeof out->name, "%s", slot->state.name);
}

static void locked_metrics(struct engine *e, struct engine_metrics *out)
{
    struct status_queue queues[KINDS];
    count_queues(queues, e);
    for (size_t k = 0; k < KINDS; k++) {
        kind_metrics(&out->kind[k], &e->counter[k]);
        out->kind[k].pending = queues[k].pending;
        out->kind[k].in_progress = queues[k].in_progress;
    }
    out->device_count = e->steps.devices;
    for (size_t d = 0; d < e->steps.devices; d++) device_metrics(&out->device[d], e, d);
    out->selfcheck_failures = e->selfcheck_failures;
    out->retries = e->retries;
    out->budget_refused = e->budget_refused;
    out->journal_accepted = e->journal_accepted;
    out->journal_finished = e->journal_finished;
    out->journal_errors = e->journal_errors;
    out->journal_enabled = e->journal != NULL;
    out->journal_writable = e->journal_writable;
    out->witnesses_in_flight = scheduler_in_flight(&e->scheduler, 0);
    out->fills_active = e->fills_active;
    out->provers_active = e->provers_active;
    out->jobs_in_memory = (uint32_t)e->job_count;
    out->waiters = e->waiter_count;
}

void engine_metrics(struct engine *e, struct engine_metrics *out)
{
    *out = (struct engine_metrics){ .uptime_ns = clock_now() - e->born };
    engine_lock(e);
    locked_metrics(e, out);
    engine_unlock(e);
    struct budget_state b;
    struct reaper_state r;
    struct srs_totals t;
    budget_state(&e->host, &b);
    reaper_state(e->reaper, &r);
    srs_totals(e->store, &t);
    out->budget_limit = b.limit;
    out->budget_used = b.used;
    out->budget_peak = b.peak;
    out->budget_errors = b.errors;
    for (size_t d = 0; d < out->device_count; d++) out->budget_errors += out->device[d].budget_errors;
    out->reaper_deferred = r.deferred;
    out->reaper_synchronous = r.synchronous;
    out->reaper_freed_bytes = r.freed_bytes;
    out->reaper_seconds = (double)r.freeing_ns * 1e-9;
    out->reaper_waiting = r.waiting;
    out->reaper_waiting_bytes = r.waiting_bytes;
    out->srs_loads = t.loads;
    out->srs_load_failures = t.failures;
    out->srs_evictions = t.evictions;
    out->srs_load_seconds = (double)t.load_ns * 1e-9;
}

/* ---- readiness ---- */

static void add_reason(struct engine_readiness *out, const char *what, const char *why)
{
    if (out->count == READINESS_REASONS) return;
    snprintf(out->reason[out->count++], sizeof out->reason[0], "%s%s%s", what, *why ? ": " : "", why);
}

static void check_preload(struct engine *e, struct engine_readiness *out, const char *id)
{
    cuzk_error err = { "" };
    size_t circuit = circuit_number(id);
    cuzk_status status = e->steps.present(e->steps.context, circuit, &err);
    if (status == CUZK_OK && !srs_in_trouble(e->store, circuit, &err)) return;
    add_reason(out, id, err.detail);
}

static void check_any_circuit(struct engine *e, struct engine_readiness *out)
{
    cuzk_error err;
    for (size_t i = 0; catalogue_at(i); i++) {
        if (!e->steps.known(e->steps.context, i)) continue;
        if (e->steps.present(e->steps.context, i, &err) == CUZK_OK) return;
    }
    add_reason(out, "no circuit's parameters are in the folder", e->param_cache);
}

void engine_readiness(struct engine *e, struct engine_readiness *out)
{
    *out = (struct engine_readiness){ 0 };
    engine_lock(e);
    if (e->draining) add_reason(out, "shutting down", "");
    if (e->journal && !e->journal_writable) add_reason(out, "the journal cannot be written", e->journal_dir);
    if (!e->scheduler.healthy) add_reason(out, "no device is usable", e->device[0].state.trouble);
    engine_unlock(e);
    for (size_t i = 0; i < e->config.preload_count; i++) check_preload(e, out, e->preload[i]);
    if (e->config.preload_count == 0) check_any_circuit(e, out);
    out->ready = out->count == 0;
}
