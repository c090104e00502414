#include "cli/client_status.h"

#include "cli/client_proof.h"
#include "daemon/units.h"

#include <inttypes.h>

cuzk_status status_fetch(Cuzk__V1__GetStatusResponse **out, struct channel *c, uint64_t timeout_ms, cuzk_error *err)
{
    Cuzk__V1__GetStatusRequest request = CUZK__V1__GET_STATUS_REQUEST__INIT;
    ProtobufCMessage *m = NULL;
    cuzk_status status =
        channel_call(&m, c, "GetStatus", &request.base, &cuzk__v1__get_status_response__descriptor, timeout_ms, err);
    *out = (Cuzk__V1__GetStatusResponse *)m;
    return status;
}

static json_t *whole(uint64_t v) { return json_integer((json_int_t)v); }

static const char *tier_name(Cuzk__V1__SRSStatus__Tier tier)
{
    const ProtobufCEnumValue *v =
        protobuf_c_enum_descriptor_get_value(&cuzk__v1__srsstatus__tier__descriptor, (int)tier);
    return v ? v->name : "UNKNOWN";
}

json_t *status_to_json(const Cuzk__V1__GetStatusResponse *s)
{
    json_t *gpus = json_array(), *srs = json_array(), *queues = json_array();
    for (size_t i = 0; i < s->n_gpus; i++) {
        const Cuzk__V1__GPUStatus *g = s->gpus[i];
        json_array_append_new(gpus,
                              json_pack("{s:o, s:s, s:o, s:o, s:o, s:s}", "ordinal", whole(g->ordinal), "name",
                                        g->name, "vram_total_bytes", whole(g->vram_total_bytes), "vram_free_bytes",
                                        whole(g->vram_free_bytes), "current_job_id", json_id(g->current_job_id),
                                        "current_proof_kind", g->current_proof_kind));
    }
    for (size_t i = 0; i < s->n_loaded_srs; i++) {
        const Cuzk__V1__SRSStatus *r = s->loaded_srs[i];
        json_array_append_new(srs, json_pack("{s:s, s:s, s:o, s:o}", "circuit_id", r->circuit_id, "tier",
                                             tier_name(r->tier), "size_bytes", whole(r->size_bytes), "ref_count",
                                             whole(r->ref_count)));
    }
    for (size_t i = 0; i < s->n_queues; i++) {
        const Cuzk__V1__QueueStatus *q = s->queues[i];
        json_array_append_new(queues, json_pack("{s:s, s:o, s:o}", "proof_kind", q->proof_kind, "pending",
                                                whole(q->pending), "in_progress", whole(q->in_progress)));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "gpus", gpus, "loaded_srs", srs, "queues", queues,
                     "total_proofs_completed", whole(s->total_proofs_completed), "total_proofs_failed",
                     whole(s->total_proofs_failed), "uptime_seconds", whole(s->uptime_seconds), "pinned_memory_bytes",
                     whole(s->pinned_memory_bytes), "pinned_memory_limit_bytes", whole(s->pinned_memory_limit_bytes));
}

void uptime_text(char *out, size_t size, uint64_t s)
{
    uint64_t minutes = s / 60, hours = minutes / 60, days = hours / 24;
    if (days) {
        snprintf(out, size, "%" PRIu64 " d %" PRIu64 " h", days, hours % 24);
    } else if (hours) {
        snprintf(out, size, "%" PRIu64 " h %" PRIu64 " min", hours, minutes % 60);
    } else {
        snprintf(out, size, "%" PRIu64 " min %" PRIu64 " s", minutes, s % 60);
    }
}

/* Ids are free text: what a terminal might act on is shown as '?'. */
static void print_id(FILE *out, ProtobufCBinaryData id)
{
    enum { SHOWN = 60 };
    for (size_t i = 0; i < id.len && i < SHOWN; i++)
        fputc(id.data[i] < 0x20 || id.data[i] >= 0x7f ? '?' : id.data[i], out);
    if (id.len > SHOWN) fputs("...", out);
}

static void print_devices(FILE *out, const Cuzk__V1__GetStatusResponse *s)
{
    fputs("devices\n", out);
    for (size_t i = 0; i < s->n_gpus; i++) {
        const Cuzk__V1__GPUStatus *g = s->gpus[i];
        char used[UNIT_TEXT] = "-", total[UNIT_TEXT] = "-";
        if (g->vram_total_bytes) { /* a CPU has none of its own */
            size_approximate(used, g->vram_total_bytes - g->vram_free_bytes);
            size_approximate(total, g->vram_total_bytes);
        }
        fprintf(out, "  %-3" PRIu32 " %-24s %10s of %-10s %s ", g->ordinal, g->name, used, total,
                g->current_job_id.len ? g->current_proof_kind : "idle");
        print_id(out, g->current_job_id);
        fputc('\n', out);
    }
}

void status_to_text(FILE *out, const Cuzk__V1__GetStatusResponse *s)
{
    char up[64], used[UNIT_TEXT], limit[UNIT_TEXT];
    uptime_text(up, sizeof up, s->uptime_seconds);
    size_approximate(used, s->pinned_memory_bytes);
    size_approximate(limit, s->pinned_memory_limit_bytes);
    fprintf(out, "up %s, %" PRIu64 " completed, %" PRIu64 " failed, memory %s of %s\n", up, s->total_proofs_completed,
            s->total_proofs_failed, used, limit);
    print_devices(out, s);
    fputs("queues\n", out);
    if (s->n_queues == 0) fputs("  empty\n", out);
    for (size_t i = 0; i < s->n_queues; i++) {
        const Cuzk__V1__QueueStatus *q = s->queues[i];
        fprintf(out, "  %-14s %6" PRIu32 " waiting %6" PRIu32 " running\n", q->proof_kind, q->pending,
                q->in_progress);
    }
    fputs("parameters\n", out);
    if (s->n_loaded_srs == 0) fputs("  none loaded\n", out);
    for (size_t i = 0; i < s->n_loaded_srs; i++) {
        const Cuzk__V1__SRSStatus *r = s->loaded_srs[i];
        char size[UNIT_TEXT];
        size_approximate(size, r->size_bytes);
        fprintf(out, "  %-14s %-5s %10s, in use by %" PRIu32 "\n", r->circuit_id, tier_name(r->tier), size,
                r->ref_count);
    }
}
