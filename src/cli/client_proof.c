#include "cli/client_proof.h"

#include "base/file.h"
#include "daemon/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ProtobufCBinaryData field_of(struct bytes b)
{
    return (ProtobufCBinaryData){ b.size, (uint8_t *)(uintptr_t)b.data };
}

void message_set_id(Cuzk__V1__SubmitProofRequest *message, const char *id)
{
    message->request_id = field_of((struct bytes){ (const uint8_t *)id, strlen(id) });
}

cuzk_status message_of_request(Cuzk__V1__SubmitProofRequest *out, struct arena *memory, const struct request *request,
                               cuzk_error *err)
{
    cuzk__v1__submit_proof_request__init(out);
    out->request_id = field_of(request->request_id);
    out->proof_kind = (Cuzk__V1__ProofKind)request->kind;
    out->sector_size = request->sector_size;
    out->registered_proof = request->registered_proof;
    out->priority = (Cuzk__V1__Priority)request->priority;
    out->vanilla_proof = field_of(request->vanilla_proof);
    out->sector_number = request->sector_number;
    out->miner_id = request->miner_id;
    out->randomness = field_of(request->randomness);
    out->partition_index = request->partition_index;
    out->comm_r_old = field_of(request->comm_r_old);
    out->comm_r_new = field_of(request->comm_r_new);
    out->comm_d_new = field_of(request->comm_d_new);
    if (request->one_partition) {
        if (request->kind != PROOF_WINDOW) {
            return cuzk_fail(err, CUZK_ERR_USAGE, "--partition: a daemon proves all partitions of a %s",
                             proof_kind_name(request->kind));
        }
        out->partition_index = request->partition;
    }
    out->vanilla_proofs = arena_take(memory, request->vanilla_proof_count, sizeof *out->vanilla_proofs);
    if (!out->vanilla_proofs) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    for (size_t i = 0; i < request->vanilla_proof_count; i++)
        out->vanilla_proofs[i] = field_of(request->vanilla_proofs[i]);
    out->n_vanilla_proofs = request->vanilla_proof_count;
    return CUZK_OK;
}

static const char *status_name(Cuzk__V1__AwaitProofResponse__Status status)
{
    const ProtobufCEnumValue *v =
        protobuf_c_enum_descriptor_get_value(&cuzk__v1__await_proof_response__status__descriptor, (int)status);
    return v ? v->name : "UNKNOWN";
}

json_t *json_id(ProtobufCBinaryData id)
{
    char *copy = malloc(id.len + 1);
    if (!copy) return NULL;
    if (id.len) memcpy(copy, id.data, id.len);
    utf8_clean(copy, id.len);
    json_t *j = json_stringn(copy, id.len);
    free(copy);
    return j;
}

static json_t *whole(uint64_t v) { return json_integer((json_int_t)v); }

static cuzk_status print_as_json(const Cuzk__V1__AwaitProofResponse *r, cuzk_error *err)
{
    return print_json(json_pack("{s:o, s:s, s:o, s:s, s:{s:o, s:o, s:o, s:o, s:o}}", "job_id", json_id(r->job_id),
                                "status", status_name(r->status), "proof", json_hex(r->proof.data, r->proof.len),
                                "error", r->error_message, "timings_ms", "queue", whole(r->queue_wait_ms), "srs",
                                whole(r->srs_load_ms), "synth", whole(r->synthesis_ms), "gpu",
                                whole(r->gpu_compute_ms), "total", whole(r->total_ms)),
                      JSON_INDENT(1), err);
}

static cuzk_status print_hex(ProtobufCBinaryData proof, cuzk_error *err)
{
    char *hex = malloc(2 * proof.len + 1);
    if (!hex) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the proof's text");
    hex_encode(hex, proof.data, proof.len);
    int bad = puts(hex) == EOF || fflush(stdout) != 0;
    free(hex);
    return bad ? cuzk_fail(err, CUZK_ERR_WRITE, "stdout is broken") : CUZK_OK;
}

static cuzk_status print_proof(ProtobufCBinaryData proof, const char *output, cuzk_error *err)
{
    return output ? file_write(output, proof.data, proof.len, true, err) : print_hex(proof, err);
}

/* What the job came to. */
static cuzk_status verdict(const Cuzk__V1__AwaitProofResponse *r, cuzk_error *err)
{
    switch (r->status) {
    case CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__COMPLETED: return CUZK_OK;
    case CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__FAILED:
    case CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__CANCELLED:
        return cuzk_fail(err, CUZK_REFUSED, "%s: %s", status_name(r->status), r->error_message);
    case CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__TIMEOUT:
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "TIMEOUT: the job is not finished");
    default: return cuzk_fail(err, CUZK_ERR_INTERNAL, "the server answered with an unknown status");
    }
}

cuzk_status result_print(const Cuzk__V1__AwaitProofResponse *r, const char *output, bool json, cuzk_error *err)
{
    cuzk_status job = verdict(r, err), status = CUZK_OK;
    cuzk_error trouble = { "" };
    if (job == CUZK_OK && (output || !json)) status = print_proof(r->proof, output, &trouble);
    if (status == CUZK_OK && json) status = print_as_json(r, &trouble);
    return status == CUZK_OK ? job : cuzk_fail(err, status, "%s", trouble.detail);
}
