#include "daemon/channel.h"

#include "base/file.h"
#include "daemon/address.h"

#include <grpc/byte_buffer.h>
#include <grpc/byte_buffer_reader.h>
#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <grpc/support/log.h>
#include <grpc/support/time.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_LIMIT = 1 << 20, MESSAGE_LIMIT = 512 << 20 };

struct channel {
    grpc_channel *channel;
    char *authorization; /* "Bearer …" or NULL */
    char target[ADDRESS_TEXT];
};

static cuzk_status read_text(char **out, const char *path, cuzk_error *err)
{
    size_t size;
    *out = NULL;
    return path ? file_read((uint8_t **)out, &size, path, FILE_LIMIT, err) : CUZK_OK;
}

static cuzk_status read_token(char **out, const char *path, cuzk_error *err)
{
    char *text;
    *out = NULL;
    cuzk_status status = read_text(&text, path, err);
    if (status != CUZK_OK || !text) return status;
    size_t size = strcspn(text, "\r\n");
    *out = malloc(size + sizeof "Bearer ");
    if (*out) sprintf(*out, "Bearer %.*s", (int)size, text);
    free(text);
    return *out ? CUZK_OK : cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
}

static cuzk_status make_credentials(grpc_channel_credentials **out, const struct channel_options *o, bool tls,
                                    cuzk_error *err)
{
    char *ca = NULL, *cert = NULL, *key = NULL;
    *out = NULL;
    if (!tls) {
        *out = grpc_insecure_credentials_create();
        return CUZK_OK;
    }
    cuzk_status status = read_text(&ca, o->tls_ca, err);
    if (status == CUZK_OK) status = read_text(&cert, o->tls_cert, err);
    if (status == CUZK_OK) status = read_text(&key, o->tls_key, err);
    if (status == CUZK_OK) {
        grpc_ssl_pem_key_cert_pair pair = { key, cert };
        *out = grpc_ssl_credentials_create_ex(ca, cert && key ? &pair : NULL, NULL, NULL);
        if (!*out) status = cuzk_fail(err, CUZK_ERR_USAGE, "the TLS files are unusable");
    }
    free(ca);
    free(cert);
    free(key);
    return status;
}

static void quiet(gpr_log_func_args *args) { (void)args; }

static grpc_arg int_arg(const char *key, int value)
{
    return (grpc_arg){ .type = GRPC_ARG_INTEGER, .key = (char *)(uintptr_t)key, .value.integer = value };
}

static cuzk_status channel_connect(struct channel *c, const struct channel_options *o, cuzk_error *err)
{
    struct address address;
    grpc_channel_credentials *credentials;
    cuzk_status status = address_parse(&address, o->address, err);
    if (status != CUZK_OK) {
        cuzk_within(err, status, "-a");
        return CUZK_ERR_USAGE;
    }
    address_target(c->target, &address);
    bool tls = !address.unix_socket && (address.tls || o->tls_ca || o->tls_cert);
    status = make_credentials(&credentials, o, tls, err);
    if (status != CUZK_OK) return status;
    grpc_arg args[] = {
        int_arg(GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH, MESSAGE_LIMIT),
        int_arg(GRPC_ARG_MAX_SEND_MESSAGE_LENGTH, MESSAGE_LIMIT),
        int_arg(GRPC_ARG_ENABLE_HTTP_PROXY, 0),
        int_arg(GRPC_ARG_ENABLE_RETRIES, 0),
    };
    grpc_channel_args all = { sizeof args / sizeof *args, args };
    c->channel = grpc_channel_create(c->target, credentials, &all);
    grpc_channel_credentials_release(credentials);
    return read_token(&c->authorization, o->token_file, err);
}

cuzk_status channel_open(struct channel **out, const struct channel_options *options, cuzk_error *err)
{
    struct channel *c = *out = calloc(1, sizeof *c);
    if (!c) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    gpr_set_log_function(quiet);
    grpc_init();
    cuzk_status status = channel_connect(c, options, err);
    if (status != CUZK_OK) {
        channel_close(c);
        *out = NULL;
    }
    return status;
}

void channel_close(struct channel *c)
{
    if (!c) return;
    if (c->channel) grpc_channel_destroy(c->channel);
    free(c->authorization);
    free(c);
    grpc_shutdown_blocking();
}

/* ---- one call ---- */

struct exchange {
    grpc_metadata_array head, tail;
    grpc_byte_buffer *request, *reply;
    grpc_status_code code;
    grpc_slice details;
};

static grpc_byte_buffer *pack(const ProtobufCMessage *message)
{
    size_t size = protobuf_c_message_get_packed_size(message);
    grpc_slice slice = grpc_slice_malloc(size);
    protobuf_c_message_pack(message, GRPC_SLICE_START_PTR(slice));
    grpc_byte_buffer *buffer = grpc_raw_byte_buffer_create(&slice, 1);
    grpc_slice_unref(slice);
    return buffer;
}

/* Sends, and waits for the end. */
static void exchange_run(struct exchange *x, struct channel *c, const char *path, uint64_t timeout_ms)
{
    grpc_completion_queue *queue = grpc_completion_queue_create_for_pluck(NULL);
    gpr_timespec deadline = gpr_inf_future(GPR_CLOCK_REALTIME);
    if (timeout_ms) {
        deadline = gpr_time_add(gpr_now(GPR_CLOCK_REALTIME), gpr_time_from_millis((int64_t)timeout_ms, GPR_TIMESPAN));
    }
    grpc_slice method = grpc_slice_from_copied_string(path);
    grpc_call *call =
        grpc_channel_create_call(c->channel, NULL, GRPC_PROPAGATE_DEFAULTS, queue, method, NULL, deadline, NULL);
    grpc_metadata authorization = { 0 };
    grpc_op ops[6];
    memset(ops, 0, sizeof ops);
    ops[0].op = GRPC_OP_SEND_INITIAL_METADATA;
    if (c->authorization) {
        authorization.key = grpc_slice_from_static_string("authorization");
        authorization.value = grpc_slice_from_static_string(c->authorization);
        ops[0].data.send_initial_metadata.count = 1;
        ops[0].data.send_initial_metadata.metadata = &authorization;
    }
    ops[1].op = GRPC_OP_SEND_MESSAGE;
    ops[1].data.send_message.send_message = x->request;
    ops[2].op = GRPC_OP_SEND_CLOSE_FROM_CLIENT;
    ops[3].op = GRPC_OP_RECV_INITIAL_METADATA;
    ops[3].data.recv_initial_metadata.recv_initial_metadata = &x->head;
    ops[4].op = GRPC_OP_RECV_MESSAGE;
    ops[4].data.recv_message.recv_message = &x->reply;
    ops[5].op = GRPC_OP_RECV_STATUS_ON_CLIENT;
    ops[5].data.recv_status_on_client.trailing_metadata = &x->tail;
    ops[5].data.recv_status_on_client.status = &x->code;
    ops[5].data.recv_status_on_client.status_details = &x->details;
    x->code = GRPC_STATUS_INTERNAL;
    if (grpc_call_start_batch(call, ops, 6, x, NULL) == GRPC_CALL_OK) {
        grpc_completion_queue_pluck(queue, x, gpr_inf_future(GPR_CLOCK_REALTIME), NULL);
    }
    grpc_slice_unref(method);
    grpc_call_unref(call);
    grpc_completion_queue_shutdown(queue);
    grpc_completion_queue_destroy(queue);
}

static cuzk_status status_of(grpc_status_code code)
{
    switch (code) {
    case GRPC_STATUS_OK: return CUZK_OK;
    case GRPC_STATUS_INVALID_ARGUMENT:
    case GRPC_STATUS_OUT_OF_RANGE: return CUZK_ERR_DATA;
    case GRPC_STATUS_NOT_FOUND: return CUZK_ERR_MISSING;
    case GRPC_STATUS_RESOURCE_EXHAUSTED:
    case GRPC_STATUS_DEADLINE_EXCEEDED: return CUZK_ERR_RESOURCE;
    case GRPC_STATUS_FAILED_PRECONDITION: return CUZK_REFUSED;
    case GRPC_STATUS_UNAVAILABLE:
    case GRPC_STATUS_UNAUTHENTICATED:
    case GRPC_STATUS_PERMISSION_DENIED:
    case GRPC_STATUS_UNIMPLEMENTED:
    case GRPC_STATUS_CANCELLED: return CUZK_ERR_UNAVAILABLE;
    default: return CUZK_ERR_INTERNAL;
    }
}

static cuzk_status read_reply(ProtobufCMessage **out, struct exchange *x, const ProtobufCMessageDescriptor *type,
                              cuzk_error *err)
{
    grpc_byte_buffer_reader reader;
    *out = NULL;
    if (x->reply && grpc_byte_buffer_reader_init(&reader, x->reply)) {
        grpc_slice all = grpc_byte_buffer_reader_readall(&reader);
        *out = protobuf_c_message_unpack(type, NULL, GRPC_SLICE_LENGTH(all), GRPC_SLICE_START_PTR(all));
        grpc_slice_unref(all);
        grpc_byte_buffer_reader_destroy(&reader);
    }
    return *out ? CUZK_OK : cuzk_fail(err, CUZK_ERR_INTERNAL, "the server's reply is no %s", type->short_name);
}

cuzk_status channel_call(ProtobufCMessage **reply, struct channel *c, const char *method,
                         const ProtobufCMessage *request, const ProtobufCMessageDescriptor *reply_type,
                         uint64_t timeout_ms, cuzk_error *err)
{
    char path[128];
    snprintf(path, sizeof path, "%s%s", *method == '/' ? "" : "/cuzk.v1.ProvingEngine/", method);
    struct exchange x = { .request = pack(request), .details = grpc_empty_slice() };
    grpc_metadata_array_init(&x.head);
    grpc_metadata_array_init(&x.tail);
    *reply = NULL;
    exchange_run(&x, c, path, timeout_ms);
    cuzk_status status = status_of(x.code);
    if (status != CUZK_OK) {
        cuzk_fail(err, status, "%s: %.*s", c->target, (int)GRPC_SLICE_LENGTH(x.details),
                  (const char *)GRPC_SLICE_START_PTR(x.details));
    } else {
        status = read_reply(reply, &x, reply_type, err);
    }
    grpc_slice_unref(x.details);
    grpc_metadata_array_destroy(&x.head);
    grpc_metadata_array_destroy(&x.tail);
    grpc_byte_buffer_destroy(x.request);
    if (x.reply) grpc_byte_buffer_destroy(x.reply);
    return status;
}
