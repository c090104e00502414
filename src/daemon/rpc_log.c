#include "daemon/rpc_log.h"

#include <grpc/support/log.h>
#include <stdatomic.h>
#include <stdio.h>

static _Atomic(struct log *) target;
static _Thread_local char last_error[1024];

static void take_line(gpr_log_func_args *args)
{
    struct log *log = atomic_load(&target);
    if (args->severity == GPR_LOG_SEVERITY_ERROR) {
        snprintf(last_error, sizeof last_error, "%s", args->message);
        log_line(log, LOG_DEBUG, LOG_RPC, (struct bytes){ 0 }, "gRPC: %s", args->message);
    } else {
        log_line(log, LOG_TRACE, LOG_RPC, (struct bytes){ 0 }, "gRPC: %s", args->message);
    }
}

void rpc_log_to(struct log *log)
{
    atomic_store(&target, log);
    gpr_set_log_function(take_line);
    gpr_set_log_verbosity(GPR_LOG_SEVERITY_INFO);
}

const char *rpc_log_last_error(void) { return last_error; }
void rpc_log_forget(void) { last_error[0] = '\0'; }
