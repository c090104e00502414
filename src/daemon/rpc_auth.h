/* Bearer tokens: who connects over TCP must send `authorization: Bearer TOKEN` if the server has a token. Unix
 * sockets are guarded by their permissions instead. */
#ifndef CUZK_DAEMON_RPC_AUTH_H
#define CUZK_DAEMON_RPC_AUTH_H

#include <grpc/grpc.h>
#include <stdbool.h>

/* `token` NULL: everybody is. The comparison takes the same time wherever tokens differ. */
bool rpc_is_authorised(grpc_call *call, const grpc_metadata_array *metadata, const char *token);

#endif
