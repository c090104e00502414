/* SubmitProof, Prove, AwaitProof, CancelProof. */
#include "daemon/service.h"

#include "cuzk.pb-c.h"
#include "daemon/utf8.h"
#include "daemon/wire.h"
#include "engine/canonical.h"

#include <stdlib.h>
#include <string.h>

typedef Cuzk__V1__AwaitProofResponse__Status await_status;

/* What the engine holds of a request until it has read it. */
struct upload {
    struct arena arena; /* the views */
    struct owner message;
};

static void upload_release(void *context)
{
    struct upload *u = context;
    arena_release(&u->arena);
    if (u->message.release) u->message.release(u->message.context);
    free(u);
}

/* Reads the request from its bytes in the call's message and takes the message over. On failure the call is answered
 * and nothing is left to release. */
static bool upload_read(struct submission *out, struct request *request, struct rpc_call *call, struct bytes wire)
{
    cuzk_error err = { "" };
    struct upload *u = calloc(1, sizeof *u);
    if (!u) {
        rpc_fail(call, RPC_RESOURCE_EXHAUSTED, "no memory");
        return false;
    }
    cuzk_status status = request_wire(request, &u->arena, wire, &err);
    if (status == CUZK_OK && !utf8_valid(request->request_id.data, request->request_id.size)) {
        status = cuzk_fail(&err, CUZK_ERR_DATA, "request_id is not valid UTF-8");
    }
    if (status != CUZK_OK) {
        upload_release(u);
        service_fail(call, status, &err);
        return false;
    }
    u->message = rpc_take_message(call);
    *out = (struct submission){ .request = request, .owner = { upload_release, u }, .deadline = rpc_deadline(call) };
    return true;
}

static ProtobufCBinaryData as_field(struct bytes b)
{
    return (ProtobufCBinaryData){ b.size, (uint8_t *)(uintptr_t)b.data };
}

static struct bytes as_bytes(ProtobufCBinaryData d) { return (struct bytes){ d.data, d.len }; }

void service_submit(struct rpc_call *call, void *context)
{
    struct service *s = context;
    struct request request;
    struct submission submission;
    struct accepted accepted;
    cuzk_error err = { "" };
    if (!upload_read(&submission, &request, call, rpc_message(call))) return;
    submission.deadline = 0; /* that of this call ends with it */
    cuzk_status status = engine_submit(s->engine, &accepted, &submission, &err);
    if (status != CUZK_OK) {
        service_fail(call, status, &err);
        return;
    }
    Cuzk__V1__SubmitProofResponse reply = CUZK__V1__SUBMIT_PROOF_RESPONSE__INIT;
    reply.job_id = as_field((struct bytes){ (uint8_t *)accepted.job_id, accepted.job_id_size });
    reply.queue_position = accepted.queue_position;
    rpc_reply(call, &reply.base);
    free(accepted.job_id);
}

/* ---- waiting ---- */

static await_status status_of(enum job_state state)
{
    switch (state) {
    case JOB_COMPLETED: return CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__COMPLETED;
    case JOB_FAILED: return CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__FAILED;
    case JOB_CANCELLED: return CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__CANCELLED;
    default: return CUZK__V1__AWAIT_PROOF_RESPONSE__STATUS__TIMEOUT;
    }
}

/* `error` has room for a copy of the outcome's error, which must be UTF-8. */
static void fill_reply(Cuzk__V1__AwaitProofResponse *reply, const struct outcome *o, struct bytes job_id,
                       cuzk_error *error)
{
    cuzk__v1__await_proof_response__init(reply);
    cuzk_fail(error, CUZK_OK, "%s", o->error);
    utf8_clean(error->detail, strlen(error->detail));
    reply->job_id = as_field(job_id);
    reply->status = status_of(o->state);
    reply->proof = as_field(o->proof);
    reply->error_message = error->detail;
    uint64_t phase[PHASES];
    timings_ms(phase, &reply->total_ms, &o->timings);
    reply->queue_wait_ms = phase[PHASE_QUEUE];
    reply->srs_load_ms = phase[PHASE_SRS];
    reply->synthesis_ms = phase[PHASE_SYNTH];
    reply->gpu_compute_ms = phase[PHASE_GPU];
}

static void await_done(void *context, const struct outcome *outcome)
{
    Cuzk__V1__AwaitProofResponse reply;
    cuzk_error error;
    fill_reply(&reply, outcome, outcome->job_id, &error);
    rpc_reply(context, &reply.base);
}

static void prove_done(void *context, const struct outcome *outcome)
{
    Cuzk__V1__ProveResponse reply = CUZK__V1__PROVE_RESPONSE__INIT;
    Cuzk__V1__AwaitProofResponse result;
    cuzk_error error;
    fill_reply(&result, outcome, outcome->request_id, &error);
    reply.result = &result;
    rpc_reply(context, &reply.base);
}

/* The ticket is the waiter, or 0 if the outcome has come already. */
static void waiter_gone(struct rpc_call *call)
{
    struct service *s = rpc_context(call);
    if (engine_leave(s->engine, rpc_ticket(call))) rpc_fail(call, RPC_CANCELLED, "the client has gone");
}

void service_prove(struct rpc_call *call, void *context)
{
    struct service *s = context;
    struct request request;
    struct submission submission;
    struct bytes wire;
    cuzk_error err = { "" };
    bool present = false;
    cuzk_status status = wire_only_field(&wire, &present, rpc_message(call), 1, &err);
    if (status == CUZK_OK && !present) status = cuzk_fail(&err, CUZK_ERR_DATA, "submit is missing");
    if (status != CUZK_OK) {
        service_fail(call, status, &err);
        return;
    }
    if (!upload_read(&submission, &request, call, wire)) return;
    waiter_id waiter = 0;
    status = engine_prove(s->engine, NULL, &waiter, &submission, prove_done, call, &err);
    if (status != CUZK_OK) {
        service_fail(call, status, &err);
        return;
    }
    rpc_set_ticket(call, waiter);
    rpc_on_gone(call, waiter_gone);
}

void service_await(struct rpc_call *call, void *context)
{
    struct service *s = context;
    struct bytes m = rpc_message(call);
    Cuzk__V1__AwaitProofRequest *request = cuzk__v1__await_proof_request__unpack(NULL, m.size, m.data);
    if (!request) {
        rpc_fail(call, RPC_INVALID_ARGUMENT, "the message is no AwaitProofRequest");
        return;
    }
    waiter_id waiter = 0;
    cuzk_error err = { "" };
    cuzk_status status =
        engine_watch(s->engine, &waiter, as_bytes(request->job_id), request->timeout_ms, await_done, call, &err);
    cuzk__v1__await_proof_request__free_unpacked(request, NULL);
    if (status != CUZK_OK) {
        service_fail(call, status, &err);
        return;
    }
    rpc_set_ticket(call, waiter);
    rpc_on_gone(call, waiter_gone);
}

void service_cancel(struct rpc_call *call, void *context)
{
    struct service *s = context;
    struct bytes m = rpc_message(call);
    Cuzk__V1__CancelProofRequest *request = cuzk__v1__cancel_proof_request__unpack(NULL, m.size, m.data);
    if (!request) {
        rpc_fail(call, RPC_INVALID_ARGUMENT, "the message is no CancelProofRequest");
        return;
    }
    bool was_running = false;
    engine_cancel(s->engine, as_bytes(request->job_id), &was_running);
    cuzk__v1__cancel_proof_request__free_unpacked(request, NULL);
    Cuzk__V1__CancelProofResponse reply = CUZK__V1__CANCEL_PROOF_RESPONSE__INIT;
    reply.was_running = was_running;
    rpc_reply(call, &reply.base);
}
