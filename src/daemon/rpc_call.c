#include "daemon/rpc_call.h"

#include "base/clock.h"
#include "daemon/rpc_auth.h"

#include <grpc/byte_buffer.h>
#include <grpc/slice_buffer.h>
#include <grpc/support/time.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    QUICK_MESSAGE = 1 << 20, /* what a quick method's message may hold: ids of 64 KiB with room to spare */
    LARGE_MESSAGE = 8 << 20  /* whose pieces are worth being given back to the system */
};

/* ---- life ---- */

static void call_free(struct rpc_call *call)
{
    if (call->received) grpc_byte_buffer_destroy(call->received);
    if (call->sending) grpc_byte_buffer_destroy(call->sending);
    free(call->data);
    grpc_metadata_array_destroy(&call->metadata);
    grpc_call_details_destroy(&call->details);
    if (call->call) grpc_call_unref(call->call);
    pthread_mutex_destroy(&call->lock);
    free(call);
}

static void call_unref(struct rpc_call *call)
{
    if (atomic_fetch_sub_explicit(&call->references, 1, memory_order_acq_rel) == 1) call_free(call);
}

static void call_ref(struct rpc_call *call) { atomic_fetch_add_explicit(&call->references, 1, memory_order_relaxed); }

static void start_batch(struct rpc_call *call, const grpc_op *ops, size_t count, struct rpc_tag *tag)
{
    call_ref(call);
    RPC_RELEASE(tag);
    if (grpc_call_start_batch(call->call, ops, count, tag, NULL) == GRPC_CALL_OK) return;
    log_error(call->entry->server->options.log, LOG_RPC, "gRPC refused a batch");
    call_unref(call);
}

/* ---- streams are listed so that a stop can end them ---- */

static void streams_add(struct rpc_call *call)
{
    struct rpc_server *s = call->entry->server;
    pthread_mutex_lock(&s->lock);
    call->stream_next = s->streams;
    s->streams = call;
    pthread_mutex_unlock(&s->lock);
}

static void streams_remove(struct rpc_call *call)
{
    struct rpc_server *s = call->entry->server;
    pthread_mutex_lock(&s->lock);
    struct rpc_call **at = &s->streams;
    while (*at && *at != call) at = &(*at)->stream_next;
    if (*at) *at = call->stream_next;
    pthread_mutex_unlock(&s->lock);
}

void rpc_end_streams(struct rpc_server *s)
{
    for (;;) {
        pthread_mutex_lock(&s->lock);
        struct rpc_call *call = s->streams;
        if (call) {
            s->streams = call->stream_next;
            call_ref(call);
        }
        pthread_mutex_unlock(&s->lock);
        if (!call) return;
        rpc_finish(call, RPC_UNAVAILABLE, "the server is shutting down");
        call_unref(call);
    }
}

/* ---- answers ---- */

bool rpc_is_over(struct rpc_call *call)
{
    pthread_mutex_lock(&call->lock);
    bool over = call->answered;
    pthread_mutex_unlock(&call->lock);
    return over;
}

static bool call_claim(struct rpc_call *call)
{
    pthread_mutex_lock(&call->lock);
    bool first = !call->answered;
    call->answered = true;
    call->gone = NULL;
    pthread_mutex_unlock(&call->lock);
    return first;
}

static size_t put_metadata(struct rpc_call *call, grpc_op *ops)
{
    pthread_mutex_lock(&call->lock);
    bool first = !call->sent_metadata;
    call->sent_metadata = true;
    pthread_mutex_unlock(&call->lock);
    if (first) ops->op = GRPC_OP_SEND_INITIAL_METADATA;
    return first;
}

static grpc_byte_buffer *message_pack(const ProtobufCMessage *message)
{
    size_t size = protobuf_c_message_get_packed_size(message);
    grpc_slice slice = grpc_slice_malloc(size);
    protobuf_c_message_pack(message, GRPC_SLICE_START_PTR(slice));
    grpc_byte_buffer *buffer = grpc_raw_byte_buffer_create(&slice, 1);
    grpc_slice_unref(slice);
    return buffer;
}

/* The last batch. Drops the reference that an open call has. */
static void call_answer(struct rpc_call *call, grpc_byte_buffer *message, enum rpc_code code, const char *why)
{
    grpc_op ops[3];
    memset(ops, 0, sizeof ops);
    size_t n = put_metadata(call, ops);
    if (message) {
        call->sending = message;
        ops[n].op = GRPC_OP_SEND_MESSAGE;
        ops[n++].data.send_message.send_message = message;
    }
    grpc_slice details = why ? grpc_slice_from_copied_string(why) : grpc_empty_slice();
    ops[n].op = GRPC_OP_SEND_STATUS_FROM_SERVER;
    ops[n].data.send_status_from_server.status = (grpc_status_code)code;
    if (why) ops[n].data.send_status_from_server.status_details = &details;
    start_batch(call, ops, n + 1, &call->tag_finish);
    grpc_slice_unref(details);
    call_unref(call);
}

static void on_finish(void *subject, bool ok)
{
    (void)ok;
    call_unref(subject);
}

void rpc_reply(struct rpc_call *call, const ProtobufCMessage *message)
{
    if (call_claim(call)) call_answer(call, message_pack(message), RPC_OK, NULL);
}

void rpc_fail(struct rpc_call *call, enum rpc_code code, const char *fmt, ...)
{
    char why[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(why, sizeof why, fmt, args);
    va_end(args);
    if (call_claim(call)) call_answer(call, NULL, code, why);
}

void rpc_finish(struct rpc_call *call, enum rpc_code code, const char *why)
{
    if (!call_claim(call)) return;
    const struct rpc_method *method = call->entry->method;
    if (method && method->lane == RPC_STREAM) {
        streams_remove(call);
        if (method->ended) method->ended(call, call->entry->server->options.context);
    }
    call_answer(call, NULL, code, why);
}

void rpc_send(struct rpc_call *call, const ProtobufCMessage *message)
{
    if (rpc_is_over(call)) return;
    grpc_op ops[2];
    memset(ops, 0, sizeof ops);
    size_t n = put_metadata(call, ops);
    call->sending = message_pack(message);
    ops[n].op = GRPC_OP_SEND_MESSAGE;
    ops[n].data.send_message.send_message = call->sending;
    start_batch(call, ops, n + 1, &call->tag_send);
}

/* Only streams send before they finish. */
static void on_send(void *subject, bool ok)
{
    struct rpc_call *call = subject;
    const struct rpc_method *method = call->entry->method;
    grpc_byte_buffer_destroy(call->sending);
    call->sending = NULL;
    if (ok && method->sent) {
        method->sent(call, call->entry->server->options.context);
    } else if (ok && !rpc_is_gone(call)) {
        rpc_call_read(call);
    }
    call_unref(call);
}

/* ---- the message ---- */

/* Gives each slice back as soon as it is copied, so that a large message is never held twice. */
static bool call_flatten(struct rpc_call *call)
{
    grpc_slice_buffer *slices = &call->received->data.raw.slice_buffer;
    free(call->data);
    call->size = 0;
    call->data = malloc(slices->length + 1);
    if (!call->data) return false;
    while (slices->count) {
        grpc_slice slice = grpc_slice_buffer_take_first(slices);
        memcpy(call->data + call->size, GRPC_SLICE_START_PTR(slice), GRPC_SLICE_LENGTH(slice));
        call->size += GRPC_SLICE_LENGTH(slice);
        grpc_slice_unref(slice);
    }
    grpc_byte_buffer_destroy(call->received);
    call->received = NULL;
    return true;
}

void rpc_call_run(struct rpc_call *call)
{
    struct rpc_server *s = call->entry->server;
    const struct rpc_method *method = call->entry->method;
    bool large = call->received && grpc_byte_buffer_length(call->received) >= LARGE_MESSAGE;
    call_ref(call);
    if (rpc_is_gone(call) && method->lane != RPC_STREAM) {
        rpc_fail(call, RPC_CANCELLED, "the client has gone");
    } else if (call->received && !call_flatten(call)) {
        rpc_fail(call, RPC_RESOURCE_EXHAUSTED, "no memory for the message");
    } else {
        method->handle(call, s->options.context);
    }
    if (method->lane == RPC_UPLOAD) rpc_gate_leave(s->gate, call, large);
    call_unref(call);
}

void rpc_call_read(struct rpc_call *call)
{
    grpc_op op = { .op = GRPC_OP_RECV_MESSAGE };
    op.data.recv_message.recv_message = &call->received;
    start_batch(call, &op, 1, &call->tag_receive);
}

static void on_receive(void *subject, bool ok)
{
    struct rpc_call *call = subject;
    struct rpc_server *s = call->entry->server;
    enum rpc_lane lane = call->entry->method->lane;
    size_t size = ok && call->received ? grpc_byte_buffer_length(call->received) : 0;
    if (lane == RPC_UPLOAD) rpc_gate_arrived(s->gate, call, size);
    call->at_end = !call->received;
    if (lane == RPC_STREAM && ok) {
        rpc_call_run(call);
    } else if (!ok || !call->received) {
        rpc_finish(call, RPC_CANCELLED, "the request message did not arrive");
    } else if (lane == RPC_UPLOAD || lane == RPC_WORK) {
        rpc_pool_push(s->workers, call);
    } else if (size > QUICK_MESSAGE) {
        rpc_fail(call, RPC_RESOURCE_EXHAUSTED, "the message is larger than this method can use");
    } else if (lane == RPC_SLOW) {
        rpc_pool_push(s->slow, call);
    } else {
        rpc_call_run(call);
    }
    call_unref(call);
}

/* ---- the beginning and the client's end ---- */

static void on_close(void *subject, bool ok)
{
    struct rpc_call *call = subject;
    (void)ok;
    if (call->close_cancelled) {
        pthread_mutex_lock(&call->lock);
        atomic_store(&call->is_gone, true);
        void (*gone)(struct rpc_call *) = call->gone;
        call->gone = NULL;
        pthread_mutex_unlock(&call->lock);
        const struct rpc_method *method = call->entry->method;
        if (gone) {
            gone(call);
        } else if (method && method->lane == RPC_STREAM) {
            rpc_finish(call, RPC_CANCELLED, "the client has gone");
        } else if (method && method->lane == RPC_UPLOAD && rpc_gate_abandon(call->entry->server->gate, call)) {
            rpc_fail(call, RPC_CANCELLED, "the client has gone");
        }
    }
    call_unref(call);
}

static void watch_close(struct rpc_call *call)
{
    grpc_op op = { .op = GRPC_OP_RECV_CLOSE_ON_SERVER };
    op.data.recv_close_on_server.cancelled = &call->close_cancelled;
    start_batch(call, &op, 1, &call->tag_close);
}

static void on_new(void *subject, bool ok)
{
    struct rpc_call *call = subject;
    if (!ok) { /* the server stops */
        call_unref(call);
        return;
    }
    const struct rpc_entry *entry = call->entry;
    const struct rpc_method *method = entry->method;
    rpc_call_request(entry);
    call_ref(call);
    if (method && method->lane == RPC_STREAM) streams_add(call);
    watch_close(call);
    if (!rpc_is_authorised(call->call, &call->metadata, entry->server->options.token)) {
        rpc_finish(call, RPC_UNAUTHENTICATED, "a bearer token is needed");
    } else if (!method) {
        rpc_fail(call, RPC_UNIMPLEMENTED, "unknown method");
    } else if (method->lane == RPC_UPLOAD) {
        rpc_gate_enter(entry->server->gate, call);
    } else {
        rpc_call_read(call);
    }
    call_unref(call);
}

void rpc_call_request(const struct rpc_entry *entry)
{
    struct rpc_server *s = entry->server;
    if (atomic_load(&s->stopping)) return;
    struct rpc_call *call = calloc(1, sizeof *call);
    if (!call) {
        log_error(s->options.log, LOG_RPC, "no memory for a call");
        return;
    }
    call->entry = entry;
    atomic_init(&call->references, 1);
    pthread_mutex_init(&call->lock, NULL);
    grpc_call_details_init(&call->details);
    grpc_metadata_array_init(&call->metadata);
    call->tag_new = (struct rpc_tag){ call, on_new };
    call->tag_receive = (struct rpc_tag){ call, on_receive };
    call->tag_close = (struct rpc_tag){ call, on_close };
    call->tag_send = (struct rpc_tag){ call, on_send };
    call->tag_finish = (struct rpc_tag){ call, on_finish };
    RPC_RELEASE(&call->tag_new);
    grpc_call_error e =
        entry->method
            ? grpc_server_request_registered_call(s->server, entry->registered, &call->call, &call->deadline,
                                                  &call->metadata, NULL, entry->queue, entry->queue, &call->tag_new)
            : grpc_server_request_call(s->server, &call->call, &call->details, &call->metadata, entry->queue,
                                       entry->queue, &call->tag_new);
    if (e != GRPC_CALL_OK) call_unref(call);
}

/* ---- for handlers ---- */

struct bytes rpc_message(const struct rpc_call *call) { return (struct bytes){ call->data, call->size }; }
bool rpc_at_end(const struct rpc_call *call) { return call->at_end; }

struct owner rpc_take_message(struct rpc_call *call)
{
    struct owner owner = { free, call->data };
    call->data = NULL;
    call->size = 0;
    return owner;
}

uint64_t rpc_deadline(const struct rpc_call *call)
{
    gpr_clock_type clock = call->deadline.clock_type;
    if (gpr_time_cmp(call->deadline, gpr_inf_future(clock)) == 0) return 0;
    gpr_timespec left = gpr_time_sub(call->deadline, gpr_now(clock));
    uint64_t now = clock_now();
    return left.tv_sec < 0 ? now : now + (uint64_t)left.tv_sec * CLOCK_SECOND + (uint64_t)left.tv_nsec;
}

void rpc_on_gone(struct rpc_call *call, void (*gone)(struct rpc_call *call))
{
    pthread_mutex_lock(&call->lock);
    bool now = !call->answered && atomic_load(&call->is_gone);
    if (!call->answered && !now) call->gone = gone;
    pthread_mutex_unlock(&call->lock);
    if (now) gone(call);
}

bool rpc_is_gone(struct rpc_call *call) { return atomic_load(&call->is_gone); }
void rpc_set_ticket(struct rpc_call *call, uint64_t ticket) { call->ticket = ticket; }
uint64_t rpc_ticket(const struct rpc_call *call) { return call->ticket; }
void *rpc_context(const struct rpc_call *call) { return call->entry->server->options.context; }
