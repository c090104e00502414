/* Threads that run handlers which may wait. */
#ifndef CUZK_DAEMON_RPC_POOL_H
#define CUZK_DAEMON_RPC_POOL_H

#include "base/status.h"

struct rpc_pool;
struct rpc_call;

cuzk_status rpc_pool_create(struct rpc_pool **out, unsigned threads, cuzk_error *err);

/* Runs what still waits, then ends. NULL is allowed. */
void rpc_pool_destroy(struct rpc_pool *p);

/* Calls rpc_call_run(call) on one of the threads, in order of arrival. */
void rpc_pool_push(struct rpc_pool *p, struct rpc_call *call);

#endif
