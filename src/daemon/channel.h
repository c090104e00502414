/* The client's side: one connection to a daemon, and calls that wait. For the commands and for tests. */
#ifndef CUZK_DAEMON_CHANNEL_H
#define CUZK_DAEMON_CHANNEL_H

#include "base/status.h"

#include <protobuf-c/protobuf-c.h>
#include <stdint.h>

struct channel;

struct channel_options {
    const char *address;                     /* as daemon/address.h reads it */
    const char *tls_ca, *tls_cert, *tls_key; /* files; any of them, or https:// in the address, asks for TLS */
    const char *token_file;
};

/* Does not connect yet. CUZK_ERR_USAGE for a wrong address, CUZK_ERR_MISSING for a missing file. */
cuzk_status channel_open(struct channel **out, const struct channel_options *options, cuzk_error *err);
void channel_close(struct channel *c); /* NULL is allowed */

/* Calls `method` of cuzk.v1.ProvingEngine ("Prove"; or "/any.Service/Method") and reads the reply of the given type:
 * free it with protobuf_c_message_free_unpacked. timeout_ms 0: none. Thread-safe. A gRPC error comes as
 * CUZK_ERR_UNAVAILABLE (not reachable, draining, no access), _RESOURCE (queue full, deadline over), _DATA, _MISSING
 * (unknown job) or _INTERNAL, with the server's text. */
cuzk_status channel_call(ProtobufCMessage **reply, struct channel *c, const char *method,
                         const ProtobufCMessage *request, const ProtobufCMessageDescriptor *reply_type,
                         uint64_t timeout_ms, cuzk_error *err);

#endif
