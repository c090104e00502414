#include "daemon/service.h"

#include "daemon/utf8.h"

#include <string.h>

#define ENGINE "/cuzk.v1.ProvingEngine/"

static const struct rpc_method methods[] = {
    { ENGINE "SubmitProof", RPC_UPLOAD, service_submit, NULL, NULL },
    { ENGINE "Prove", RPC_UPLOAD, service_prove, NULL, NULL },
    { ENGINE "AwaitProof", RPC_WORK, service_await, NULL, NULL },
    { ENGINE "CancelProof", RPC_QUICK, service_cancel, NULL, NULL },
    { ENGINE "GetStatus", RPC_QUICK, service_status, NULL, NULL },
    { ENGINE "GetMetrics", RPC_QUICK, service_metrics, NULL, NULL },
    { ENGINE "PreloadSRS", RPC_SLOW, service_preload, NULL, NULL },
    { ENGINE "EvictSRS", RPC_WORK, service_evict, NULL, NULL },
    { "/grpc.health.v1.Health/Check", RPC_QUICK, health_check, NULL, NULL },
    { "/grpc.health.v1.Health/Watch", RPC_STREAM, health_watch, health_watch_sent, health_watch_ended },
    { "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", RPC_STREAM, service_reflection_v1, NULL, NULL },
    { "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", RPC_STREAM, service_reflection_v1alpha, NULL,
      NULL },
};

const struct rpc_method *service_methods(size_t *count)
{
    *count = sizeof methods / sizeof *methods;
    return methods;
}

enum rpc_code service_code(cuzk_status status)
{
    switch (status) {
    case CUZK_OK: return RPC_OK;
    case CUZK_ERR_USAGE:
    case CUZK_ERR_DATA:
    case CUZK_ERR_CONFIG: return RPC_INVALID_ARGUMENT;
    case CUZK_ERR_MISSING: return RPC_NOT_FOUND;
    case CUZK_ERR_UNAVAILABLE:
    case CUZK_ERR_CREATE:
    case CUZK_ERR_WRITE: return RPC_UNAVAILABLE;
    case CUZK_ERR_RESOURCE: return RPC_RESOURCE_EXHAUSTED;
    case CUZK_ERR_CANCELLED: return RPC_CANCELLED;
    case CUZK_REFUSED: return RPC_FAILED_PRECONDITION;
    case CUZK_ERR_INTERNAL: break;
    }
    return RPC_INTERNAL;
}

void service_fail(struct rpc_call *call, cuzk_status status, const cuzk_error *err)
{
    cuzk_error clean = *err;
    utf8_clean(clean.detail, strlen(clean.detail));
    rpc_fail(call, service_code(status), "%s", clean.detail);
}
