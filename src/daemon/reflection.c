/* grpc.reflection v1 and v1alpha, whose messages are the same: which services there are, and the files that describe
 * them, from the descriptor set that protoc made at build time. */
#include "daemon/service.h"

#include "daemon/built_in.h"
#include "daemon/wire.h"
#include "reflection_v1.pb-c.h"

#include <stdio.h>
#include <string.h>

typedef Grpc__Reflection__V1__ServerReflectionRequest reflection_request;
typedef Grpc__Reflection__V1__ServerReflectionResponse reflection_response;

/* Field numbers of descriptor.proto. */
enum {
    SET_FILE = 1,
    FILE_NAME = 1,
    FILE_PACKAGE = 2,
    FILE_MESSAGE = 4,
    FILE_ENUM = 5,
    FILE_SERVICE = 6,
    ANY_NAME = 1
};

static bool equals(struct bytes b, const char *text)
{
    return b.size == strlen(text) && memcmp(b.data, text, b.size) == 0;
}

/* Whether `symbol` is `package`.`name` or something inside of it. */
static bool symbol_within(const char *symbol, struct bytes package, struct bytes name)
{
    char full[256];
    int n = snprintf(full, sizeof full, "%.*s.%.*s", (int)package.size, (const char *)package.data, (int)name.size,
                     (const char *)name.data);
    if (n < 0 || (size_t)n >= sizeof full || strncmp(symbol, full, (size_t)n) != 0) return false;
    return symbol[n] == '\0' || symbol[n] == '.';
}

static bool file_defines(struct bytes file, const char *symbol)
{
    struct reader r = reader_over(file.data, file.size);
    struct wire_field f;
    cuzk_status status;
    struct bytes package = { NULL, 0 };
    while (wire_next(&f, &r, &status, NULL)) { /* the package stands before what it holds */
        if (f.number == FILE_PACKAGE) package = f.bytes;
        if (f.number != FILE_MESSAGE && f.number != FILE_ENUM && f.number != FILE_SERVICE) continue;
        struct reader inner = reader_over(f.bytes.data, f.bytes.size);
        struct wire_field name;
        if (wire_next(&name, &inner, &status, NULL) && name.number == ANY_NAME &&
            symbol_within(symbol, package, name.bytes)) {
            return true;
        }
    }
    return false;
}

static bool file_is_named(struct bytes file, const char *name)
{
    struct reader r = reader_over(file.data, file.size);
    struct wire_field f;
    cuzk_status status;
    return wire_next(&f, &r, &status, NULL) && f.number == FILE_NAME && equals(f.bytes, name);
}

static bool find_file(ProtobufCBinaryData *out, const char *text, bool (*matches)(struct bytes, const char *))
{
    struct reader r = reader_over(descriptor_set, descriptor_set_size);
    struct wire_field f;
    cuzk_status status;
    while (wire_next(&f, &r, &status, NULL)) {
        if (f.number != SET_FILE || !matches(f.bytes, text)) continue;
        *out = (ProtobufCBinaryData){ f.bytes.size, (uint8_t *)(uintptr_t)f.bytes.data };
        return true;
    }
    return false;
}

static void send_services(struct rpc_call *call, reflection_response *response, const char *own)
{
    static const char *const names[] = { "cuzk.v1.ProvingEngine", "grpc.health.v1.Health" };
    Grpc__Reflection__V1__ServiceResponse service[3], *list[3];
    Grpc__Reflection__V1__ListServiceResponse services = GRPC__REFLECTION__V1__LIST_SERVICE_RESPONSE__INIT;
    for (size_t i = 0; i < 3; i++) {
        grpc__reflection__v1__service_response__init(&service[i]);
        service[i].name = (char *)(uintptr_t)(i < 2 ? names[i] : own);
        list[i] = &service[i];
    }
    services.n_service = 3;
    services.service = list;
    response->list_services_response = &services;
    response->message_response_case =
        GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__MESSAGE_RESPONSE_LIST_SERVICES_RESPONSE;
    rpc_send(call, &response->base);
}

static void send_file(struct rpc_call *call, reflection_response *response, ProtobufCBinaryData *file)
{
    Grpc__Reflection__V1__FileDescriptorResponse files = GRPC__REFLECTION__V1__FILE_DESCRIPTOR_RESPONSE__INIT;
    files.n_file_descriptor_proto = 1;
    files.file_descriptor_proto = file;
    response->file_descriptor_response = &files;
    response->message_response_case =
        GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__MESSAGE_RESPONSE_FILE_DESCRIPTOR_RESPONSE;
    rpc_send(call, &response->base);
}

static void send_error(struct rpc_call *call, reflection_response *response, enum rpc_code code, const char *why)
{
    Grpc__Reflection__V1__ErrorResponse error = GRPC__REFLECTION__V1__ERROR_RESPONSE__INIT;
    error.error_code = (int32_t)code;
    error.error_message = (char *)(uintptr_t)why;
    response->error_response = &error;
    response->message_response_case =
        GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__MESSAGE_RESPONSE_ERROR_RESPONSE;
    rpc_send(call, &response->base);
}

static void answer(struct rpc_call *call, reflection_request *request, const char *own)
{
    reflection_response response = GRPC__REFLECTION__V1__SERVER_REFLECTION_RESPONSE__INIT;
    response.valid_host = request->host;
    response.original_request = request;
    ProtobufCBinaryData file;
    bool found = false;
    switch (request->message_request_case) {
    case GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_LIST_SERVICES:
        send_services(call, &response, own);
        return;
    case GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_FILE_BY_FILENAME:
        found = find_file(&file, request->file_by_filename, file_is_named);
        break;
    case GRPC__REFLECTION__V1__SERVER_REFLECTION_REQUEST__MESSAGE_REQUEST_FILE_CONTAINING_SYMBOL:
        found = find_file(&file, request->file_containing_symbol, file_defines);
        break;
    default: send_error(call, &response, RPC_UNIMPLEMENTED, "there are no extensions here"); return;
    }
    if (found) {
        send_file(call, &response, &file);
    } else {
        send_error(call, &response, RPC_NOT_FOUND, "not found");
    }
}

static void reflect(struct rpc_call *call, const char *own)
{
    if (rpc_at_end(call)) {
        rpc_finish(call, RPC_OK, NULL);
        return;
    }
    struct bytes m = rpc_message(call);
    reflection_request *request = grpc__reflection__v1__server_reflection_request__unpack(NULL, m.size, m.data);
    if (!request) {
        rpc_finish(call, RPC_INVALID_ARGUMENT, "the message is no ServerReflectionRequest");
        return;
    }
    answer(call, request, own);
    grpc__reflection__v1__server_reflection_request__free_unpacked(request, NULL);
}

void service_reflection_v1(struct rpc_call *call, void *context)
{
    (void)context;
    reflect(call, "grpc.reflection.v1.ServerReflection");
}

void service_reflection_v1alpha(struct rpc_call *call, void *context)
{
    (void)context;
    reflect(call, "grpc.reflection.v1alpha.ServerReflection");
}
