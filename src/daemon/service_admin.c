/* GetStatus, GetMetrics, PreloadSRS, EvictSRS. */
#include "daemon/service.h"

#include "base/clock.h"
#include "cuzk.pb-c.h"
#include "daemon/metrics.h"
#include "engine/snapshot.h"

#include <stdlib.h>

typedef Cuzk__V1__GetStatusResponse status_response;

static char *as_text(const char *text) { return (char *)(uintptr_t)text; }

/* Arrays and messages of a reply are taken from the status' own arena. */
static void *list_of(struct engine_status *s, size_t count, size_t size)
{
    return arena_take(&s->memory, count, size);
}

static bool fill_devices(status_response *reply, struct engine_status *s)
{
    Cuzk__V1__GPUStatus *rows = list_of(s, s->device_count, sizeof *rows);
    reply->gpus = list_of(s, s->device_count, sizeof *reply->gpus);
    if (!rows || !reply->gpus) return false;
    for (size_t i = 0; i < s->device_count; i++) {
        const struct status_device *d = &s->devices[i];
        cuzk__v1__gpustatus__init(&rows[i]);
        rows[i].ordinal = d->ordinal;
        rows[i].name = as_text(d->name);
        rows[i].vram_total_bytes = d->memory_total;
        rows[i].vram_free_bytes = d->memory_free;
        rows[i].current_job_id = (ProtobufCBinaryData){ d->job_id.size, (uint8_t *)(uintptr_t)d->job_id.data };
        rows[i].current_proof_kind = as_text(d->kind);
        reply->gpus[i] = &rows[i];
    }
    reply->n_gpus = s->device_count;
    return true;
}

static bool fill_srs(status_response *reply, struct engine_status *s)
{
    static const Cuzk__V1__SRSStatus__Tier tier[] = {
        [TIER_COLD] = CUZK__V1__SRSSTATUS__TIER__COLD,
        [TIER_MAPPED] = CUZK__V1__SRSSTATUS__TIER__WARM,
        [TIER_LOADED] = CUZK__V1__SRSSTATUS__TIER__HOT,
    };
    Cuzk__V1__SRSStatus *rows = list_of(s, s->srs_count, sizeof *rows);
    reply->loaded_srs = list_of(s, s->srs_count, sizeof *reply->loaded_srs);
    if (!rows || !reply->loaded_srs) return false;
    for (size_t i = 0; i < s->srs_count; i++) {
        const struct status_srs *r = &s->srs[i];
        cuzk__v1__srsstatus__init(&rows[i]);
        rows[i].circuit_id = as_text(r->circuit_id);
        rows[i].tier = tier[r->tier];
        rows[i].size_bytes = r->host_bytes + r->device_bytes;
        rows[i].ref_count = r->pins;
        reply->loaded_srs[i] = &rows[i];
    }
    reply->n_loaded_srs = s->srs_count;
    return true;
}

/* Kinds with a job waiting or running. */
static bool fill_queues(status_response *reply, struct engine_status *s)
{
    Cuzk__V1__QueueStatus *rows = list_of(s, KINDS, sizeof *rows);
    reply->queues = list_of(s, KINDS, sizeof *reply->queues);
    if (!rows || !reply->queues) return false;
    for (size_t i = 0; i < KINDS; i++) {
        const struct status_queue *q = &s->queues[i];
        if (q->pending == 0 && q->in_progress == 0) continue;
        Cuzk__V1__QueueStatus *row = &rows[reply->n_queues];
        cuzk__v1__queue_status__init(row);
        row->proof_kind = as_text(q->kind);
        row->pending = q->pending;
        row->in_progress = q->in_progress;
        reply->queues[reply->n_queues++] = row;
    }
    return true;
}

void service_status(struct rpc_call *call, void *context)
{
    struct service *service = context;
    struct engine_status *s = NULL;
    cuzk_error err = { "" };
    cuzk_status status = engine_status(service->engine, &s, &err);
    if (status != CUZK_OK) {
        service_fail(call, status, &err);
        return;
    }
    status_response reply = CUZK__V1__GET_STATUS_RESPONSE__INIT;
    reply.total_proofs_completed = s->completed;
    reply.total_proofs_failed = s->failed;
    reply.uptime_seconds = s->uptime_ns / CLOCK_SECOND;
    reply.pinned_memory_bytes = s->budget_used;
    reply.pinned_memory_limit_bytes = s->budget_limit;
    if (fill_devices(&reply, s) && fill_srs(&reply, s) && fill_queues(&reply, s)) {
        rpc_reply(call, &reply.base);
    } else {
        rpc_fail(call, RPC_RESOURCE_EXHAUSTED, "no memory");
    }
    engine_status_free(s);
}

void service_metrics(struct rpc_call *call, void *context)
{
    struct service *s = context;
    char *text = metrics_text(s->engine);
    if (!text) {
        rpc_fail(call, RPC_RESOURCE_EXHAUSTED, "no memory");
        return;
    }
    Cuzk__V1__GetMetricsResponse reply = CUZK__V1__GET_METRICS_RESPONSE__INIT;
    reply.prometheus_text = text;
    rpc_reply(call, &reply.base);
    free(text);
}

void service_preload(struct rpc_call *call, void *context)
{
    struct service *s = context;
    struct bytes m = rpc_message(call);
    Cuzk__V1__PreloadSrsRequest *request = cuzk__v1__preload_srs_request__unpack(NULL, m.size, m.data);
    if (!request) {
        rpc_fail(call, RPC_INVALID_ARGUMENT, "the message is no PreloadSrsRequest");
        return;
    }
    uint64_t deadline = rpc_deadline(call), now = clock_now();
    uint64_t left = deadline == 0 ? 0 : deadline > now + CLOCK_MS ? (deadline - now) / CLOCK_MS : 1;
    cuzk_error err = { "" };
    Cuzk__V1__PreloadSrsResponse reply = CUZK__V1__PRELOAD_SRS_RESPONSE__INIT;
    bool already = false;
    cuzk_status status = engine_preload(s->engine, &already, &reply.load_time_ms, request->circuit_id, left, &err);
    cuzk__v1__preload_srs_request__free_unpacked(request, NULL);
    if (status != CUZK_OK) {
        service_fail(call, status, &err);
        return;
    }
    reply.already_loaded = already;
    rpc_reply(call, &reply.base);
}

void service_evict(struct rpc_call *call, void *context)
{
    struct service *s = context;
    struct bytes m = rpc_message(call);
    Cuzk__V1__EvictSrsRequest *request = cuzk__v1__evict_srs_request__unpack(NULL, m.size, m.data);
    if (!request) {
        rpc_fail(call, RPC_INVALID_ARGUMENT, "the message is no EvictSrsRequest");
        return;
    }
    cuzk_error err = { "" };
    Cuzk__V1__EvictSrsResponse reply = CUZK__V1__EVICT_SRS_RESPONSE__INIT;
    bool was_loaded = false;
    cuzk_status status = engine_evict(s->engine, &was_loaded, &reply.freed_bytes, request->circuit_id, &err);
    cuzk__v1__evict_srs_request__free_unpacked(request, NULL);
    if (status != CUZK_OK) {
        service_fail(call, status == CUZK_ERR_UNAVAILABLE ? CUZK_REFUSED : status, &err);
        return;
    }
    reply.was_loaded = was_loaded;
    rpc_reply(call, &reply.base);
}
