/* The gate before uploads: how many large messages may be on their way at once.
 *
 * gRPC does not say how large a message will be, so each upload is charged with RPC_GATE_SHARE of the largest size
 * before it is read and with its real size once it is there. Who does not fit waits, in order of arrival; the flow
 * control of HTTP/2 then keeps all but the first 64 KiB with the client. The first upload is always let in, whatever
 * the budget says.
 *
 * Clients may be slow, or gone without a word. While others wait, an upload that takes longer than RPC_GATE_ASIDE_MS
 * no longer holds up the next one, and after RPC_GATE_PATIENCE_MS it is given up. What all of them hold together is
 * bounded by the server's resource quota. When large messages have been handled, the allocator is told to give back
 * their memory.
 *
 * Thread-safe.
 */
#ifndef CUZK_DAEMON_RPC_GATE_H
#define CUZK_DAEMON_RPC_GATE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rpc_gate;
struct rpc_call;
struct rpc_options;

enum { RPC_GATE_SHARE = 4, RPC_GATE_ASIDE_MS = 1000, RPC_GATE_PATIENCE_MS = 30000, RPC_GATE_TICK_MS = 100 };

cuzk_status rpc_gate_create(struct rpc_gate **out, const struct rpc_options *options, uint64_t upload_limit,
                            cuzk_error *err);
void rpc_gate_destroy(struct rpc_gate *g); /* NULL is allowed */

/* Reads the call's message now or when it is its turn. */
void rpc_gate_enter(struct rpc_gate *g, struct rpc_call *call);

/* The message has come: from now on the call is charged with its real size. 0: nothing came. */
void rpc_gate_arrived(struct rpc_gate *g, struct rpc_call *call, uint64_t bytes);

/* The message has been handled; was it large? */
void rpc_gate_leave(struct rpc_gate *g, struct rpc_call *call, bool large);

/* The client has gone: true if the call waited, it then has left. */
bool rpc_gate_abandon(struct rpc_gate *g, struct rpc_call *call);

#endif
