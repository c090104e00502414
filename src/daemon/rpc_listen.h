/* Inside the transport: binding the listeners of a server. */
#ifndef CUZK_DAEMON_RPC_LISTEN_H
#define CUZK_DAEMON_RPC_LISTEN_H

#include "base/status.h"

struct rpc_server;

/* All or an error; also fills server.ports and server.locks. */
cuzk_status rpc_listen(struct rpc_server *s, cuzk_error *err);

/* After the server is destroyed: lets the locks of the unix sockets go. */
void rpc_unlisten(struct rpc_server *s);

#endif
