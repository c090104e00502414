#include "daemon/status_json.h"

#include "engine/snapshot.h"

#include <jansson.h>
#include <stdlib.h>

#ifndef CUZK_VERSION
#define CUZK_VERSION "unknown"
#endif

/* Ids are UTF-8 (they were checked on their way in); a value that jansson refuses becomes null. */
static json_t *text_of(struct bytes b)
{
    json_t *j = b.size ? json_stringn((const char *)b.data, b.size) : json_null();
    return j ? j : json_null();
}

static json_t *text_or_null(const char *text)
{
    json_t *j = *text ? json_string(text) : json_null();
    return j ? j : json_null();
}

static json_t *whole(uint64_t v) { return json_integer((json_int_t)v); }
static double seconds(uint64_t ns) { return (double)(ns / 1000000) / 1000; }
static json_t *ms(uint64_t ns) { return json_real((double)(ns / 1000) / 1000); }

/* Milliseconds of a phase that may not have begun (null) or may still run. */
static json_t *phase_ms(uint64_t begin, uint64_t end, uint64_t now)
{
    if (begin == 0) return json_null();
    uint64_t until = end ? end : now;
    return whole(until > begin ? (until - begin) / 1000000 : 0);
}

/* ---- the keys that pollers know ---- */

static json_t *memory_of(const struct engine_status *s)
{
    uint64_t available = s->budget_limit > s->budget_used ? s->budget_limit - s->budget_used : 0;
    return json_pack("{s:o, s:o, s:o, s:o}", "total_bytes", whole(s->budget_limit), "used_bytes",
                     whole(s->budget_used), "available_bytes", whole(available), "peak_bytes", whole(s->budget_peak));
}

static json_t *pipeline_of(const struct status_job *job)
{
    json_t *partitions = json_array();
    for (size_t i = 0; i < job->partition_count; i++) {
        const struct status_partition *p = &job->partitions[i];
        json_array_append_new(partitions, json_pack("{s:o, s:s, s:o, s:o}", "index", whole(i), "state",
                                                    partition_state_name(p->state), "synth_ms",
                                                    phase_ms(p->fill_begin, p->fill_end, job->age_ns), "gpu_ms",
                                                    phase_ms(p->prove_begin, p->prove_end, job->age_ns)));
    }
    return json_pack("{s:o, s:s, s:f, s:o, s:o, s:o}", "job_id", text_of(job->job_id), "proof_kind",
                     kind_text(job->kind_index), "started_secs_ago", seconds(job->age_ns), "total_partitions",
                     whole(job->partition_count), "partitions_done", whole(job->partitions_done), "partitions",
                     partitions);
}

static json_t *pipelines_of(const struct engine_status *s)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->job_count; i++) {
        const struct status_job *job = &s->jobs[i];
        if (job->state == JOB_QUEUED || job_state_is_final(job->state)) continue;
        json_array_append_new(list, pipeline_of(job));
    }
    return list;
}

static json_t *workers_of(const struct engine_status *s)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->lane_count; i++) {
        const struct status_lane *l = &s->lanes[i];
        json_array_append_new(list,
                              json_pack("{s:o, s:o, s:s, s:o, s:o, s:o}", "worker_id", whole(l->lane), "gpu_ordinal",
                                        whole(s->devices[l->device].ordinal), "state", l->busy ? "proving" : "idle",
                                        "current_job", l->busy ? text_of(l->job_id) : json_null(),
                                        "current_partition", l->busy ? whole(l->partition) : json_null(), "busy_secs",
                                        l->busy ? json_real(seconds(l->busy_ns)) : json_null()));
    }
    return list;
}

static json_t *allocation(const struct status_srs *r, uint64_t bytes)
{
    return json_pack("{s:s, s:o, s:f, s:b}", "circuit_id", r->circuit_id, "bytes", whole(bytes), "last_used_secs_ago",
                     seconds(r->idle_ns), "evictable", r->evictable);
}

/* Parameters under "srs", compiled circuits under "pce". */
static json_t *allocations_of(const struct engine_status *s)
{
    json_t *srs = json_array(), *pce = json_array();
    for (size_t i = 0; i < s->srs_count; i++) {
        const struct status_srs *r = &s->srs[i];
        uint64_t bytes = r->host_bytes + r->device_bytes;
        if (bytes == 0) continue;
        json_array_append_new(srs, allocation(r, bytes - r->circuit_bytes));
        if (r->circuit_bytes) json_array_append_new(pce, allocation(r, r->circuit_bytes));
    }
    return json_pack("{s:o, s:o}", "srs", srs, "pce", pce);
}

static json_t *by_kind(const uint64_t count[KINDS])
{
    json_t *o = json_object();
    for (size_t k = 0; k < KINDS; k++) json_object_set_new(o, kind_text(k), whole(count[k]));
    return o;
}

static json_t *counters_of(const struct engine_status *s)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "total_completed", whole(s->completed), "total_failed",
                     whole(s->failed), "completed_by_kind", by_kind(s->completed_by_kind), "failed_by_kind",
                     by_kind(s->failed_by_kind), "queue_depth", whole(s->queue_depth), "total_cancelled",
                     whole(s->cancelled), "cancelled_by_kind", by_kind(s->cancelled_by_kind));
}

static json_t *buffers_of(const struct engine_status *s)
{
    return json_pack("{s:o, s:o, s:i, s:i, s:o}", "synth_in_flight", whole(s->witnesses_in_flight),
                     "provers_in_flight", whole(s->provers_active), "aux_in_flight", 0, "shells_in_flight", 0,
                     "pending_handles", whole(s->reaper_waiting));
}

/* ---- what is new ---- */

static json_t *devices_of(const struct engine_status *s)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->device_count; i++) {
        const struct status_device *d = &s->devices[i];
        json_array_append_new(
            list, json_pack("{s:o, s:s, s:s, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o}", "ordinal", whole(d->ordinal),
                            "name", d->name, "backend", d->backend, "memory_total_bytes", whole(d->memory_total),
                            "memory_free_bytes", whole(d->memory_free), "healthy", d->healthy, "trouble",
                            text_or_null(d->trouble), "current_job", text_of(d->job_id), "current_proof_kind",
                            text_or_null(d->kind), "partitions_done", whole(d->partitions_done), "selfcheck_failures",
                            whole(d->selfcheck_failures)));
    }
    return list;
}

static const char *tier_name(enum srs_tier tier)
{
    return tier == TIER_LOADED ? "loaded" : tier == TIER_MAPPED ? "mapped" : "cold";
}

static json_t *srs_of(const struct engine_status *s)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->srs_count; i++) {
        const struct status_srs *r = &s->srs[i];
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:b, s:f, s:o, s:o, s:o, s:o, s:o, s:f, s:b, s:b, s:o}", "circuit_id",
                            r->circuit_id, "tier", tier_name(r->tier), "loading", r->loading, "progress", r->progress,
                            "step", text_or_null(r->step), "host_bytes", whole(r->host_bytes), "device_bytes",
                            whole(r->device_bytes), "circuit_bytes", whole(r->circuit_bytes), "pins", whole(r->pins),
                            "idle_secs", seconds(r->idle_ns), "evictable", r->evictable, "test_parameters",
                            r->test_parameters, "trouble", text_or_null(r->trouble)));
    }
    return list;
}

static json_t *queues_of(const struct engine_status *s)
{
    json_t *list = json_array();
    for (size_t k = 0; k < KINDS; k++) {
        json_array_append_new(list,
                              json_pack("{s:s, s:o, s:o}", "proof_kind", kind_text(k), "pending",
                                        whole(s->queues[k].pending), "in_progress", whole(s->queues[k].in_progress)));
    }
    return list;
}

static json_t *time_or_null(uint64_t ns) { return ns ? ms(ns) : json_null(); }

static json_t *bars_of(const struct status_job *job)
{
    json_t *list = json_array();
    for (size_t i = 0; i < job->partition_count; i++) {
        const struct status_partition *p = &job->partitions[i];
        json_array_append_new(
            list, json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "state", partition_state_name(p->state),
                            "fill_begin", time_or_null(p->fill_begin), "fill_end", time_or_null(p->fill_end),
                            "prove_begin", time_or_null(p->prove_begin), "prove_end", time_or_null(p->prove_end),
                            "device", whole(p->device), "attempts", whole(p->attempts)));
    }
    return list;
}

static json_t *spans_of(const struct status_job *job)
{
    static const char *const names[PHASES] = { "gpu", "synth", "srs", "finish", "queue" };
    json_t *list = json_array();
    for (size_t i = 0; i < job->span_count; i++) {
        const struct span *p = &job->spans[i];
        if (p->partition != SPAN_JOB) continue; /* the partitions tell theirs */
        json_array_append_new(list, json_pack("{s:s, s:o, s:o}", "phase", names[p->phase], "begin", ms(p->begin),
                                              "end", time_or_null(p->end)));
    }
    return list;
}

static json_t *timings_of_job(const struct timings *t)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "queue", ms(t->phase[PHASE_QUEUE]), "srs",
                     ms(t->phase[PHASE_SRS]), "synth", ms(t->phase[PHASE_SYNTH]), "gpu", ms(t->phase[PHASE_GPU]),
                     "finish", ms(t->phase[PHASE_FINISH]), "total", ms(t->total));
}

static json_t *jobs_of(const struct engine_status *s)
{
    static const char *const priorities[] = { "UNSPECIFIED", "LOW", "NORMAL", "HIGH", "CRITICAL" };
    json_t *list = json_array();
    for (size_t i = 0; i < s->job_count; i++) {
        const struct status_job *job = &s->jobs[i];
        json_array_append_new(
            list, json_pack("{s:o, s:s, s:s, s:o, s:s, s:f, s:o, s:o, s:o, s:o, s:o}", "job_id", text_of(job->job_id),
                            "state", job_state_name(job->state), "proof_kind", kind_text(job->kind_index),
                            "circuit_id", text_or_null(job->circuit_id), "priority",
                            priorities[job->priority <= 4 ? job->priority : 0], "age_secs", seconds(job->age_ns),
                            "waiters", whole(job->waiters), "error", text_or_null(job->error), "timings_ms",
                            timings_of_job(&job->timings), "spans", spans_of(job), "partitions", bars_of(job)));
    }
    return list;
}

static json_t *document(const struct engine_status *s)
{
    json_t *o = json_object();
    json_object_set_new(o, "uptime_secs", json_real(seconds(s->uptime_ns)));
    json_object_set_new(o, "memory", memory_of(s));
    json_object_set_new(
        o, "synthesis",
        json_pack("{s:o, s:o}", "max_concurrent", whole(s->fills_max), "active", whole(s->fills_active)));
    json_object_set_new(o, "pipelines", pipelines_of(s));
    json_object_set_new(o, "gpu_workers", workers_of(s));
    json_object_set_new(o, "allocations", allocations_of(s));
    json_object_set_new(o, "counters", counters_of(s));
    json_object_set_new(o, "buffers", buffers_of(s));

    json_object_set_new(o, "version", json_string(CUZK_VERSION));
    json_object_set_new(o, "draining", json_boolean(s->draining));
    json_object_set_new(o, "test_parameters_allowed", json_boolean(s->test_parameters_allowed));
    json_object_set_new(o, "parameters_trusted", json_boolean(s->parameters_trusted));
    json_object_set_new(o, "devices", devices_of(s));
    json_object_set_new(o, "device_memory",
                        json_pack("{s:o, s:o}", "total_bytes", whole(s->device_budget_limit), "used_bytes",
                                  whole(s->device_budget_used)));
    json_object_set_new(
        o, "reaper",
        json_pack("{s:o, s:o}", "waiting", whole(s->reaper_waiting), "waiting_bytes", whole(s->reaper_bytes)));
    json_object_set_new(o, "srs", srs_of(s));
    json_object_set_new(o, "queues", queues_of(s));
    json_object_set_new(o, "jobs", jobs_of(s));
    return o;
}

char *status_json(struct engine *engine)
{
    struct engine_status *s = NULL;
    if (engine_status(engine, &s, NULL) != CUZK_OK) return NULL;
    json_t *o = document(s);
    char *text = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(12));
    json_decref(o);
    engine_status_free(s);
    return text;
}
