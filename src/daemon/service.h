/* cuzk.v1.ProvingEngine and the two standard services over one engine: what the wire's calls mean. */
#ifndef CUZK_DAEMON_SERVICE_H
#define CUZK_DAEMON_SERVICE_H

#include "daemon/health.h"
#include "daemon/rpc.h"
#include "engine/engine.h"

struct service {
    struct engine *engine;
    struct log *log;
    struct health health;
};

/* For rpc_options; the context is a struct service. */
const struct rpc_method *service_methods(size_t *count);

/* The handlers, by file. service_proof.c: */
void service_submit(struct rpc_call *call, void *context);
void service_prove(struct rpc_call *call, void *context);
void service_await(struct rpc_call *call, void *context);
void service_cancel(struct rpc_call *call, void *context);
/* service_admin.c: */
void service_status(struct rpc_call *call, void *context);
void service_metrics(struct rpc_call *call, void *context);
void service_preload(struct rpc_call *call, void *context);
void service_evict(struct rpc_call *call, void *context);
/* reflection.c: */
void service_reflection_v1(struct rpc_call *call, void *context);
void service_reflection_v1alpha(struct rpc_call *call, void *context);

/* The gRPC code that stands for an engine's answer. */
enum rpc_code service_code(cuzk_status status);

/* Fails the call with the code and the detail. */
void service_fail(struct rpc_call *call, cuzk_status status, const cuzk_error *err);

#endif
