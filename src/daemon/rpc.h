/* The gRPC transport: connections, calls and messages, on gRPC Core's surface API. It knows no service; methods are
 * given to it as a table.
 *
 * A call is answered exactly once, from any thread: the first rpc_reply, rpc_fail or rpc_finish counts, later ones
 * are ignored. A call stays valid until it is answered, and beyond that for as long as its handler runs.
 *
 * Lanes. Quick methods and streams have a completion queue and threads of their own, so that they are answered while
 * uploads and proofs keep everything else busy; their handlers must not wait. Uploads pass a gate (rpc_gate.h)
 * before a byte of them is read beyond gRPC's window, and are handled by workers.
 */
#ifndef CUZK_DAEMON_RPC_H
#define CUZK_DAEMON_RPC_H

#include "base/bytes.h"
#include "base/log.h"
#include "daemon/address.h"
#include "engine/engine.h"

#include <protobuf-c/protobuf-c.h>

struct rpc_server;
struct rpc_call;

enum rpc_lane {
    RPC_QUICK,  /* small message, handler does not wait */
    RPC_WORK,   /* small message, handler may wait for a disk */
    RPC_UPLOAD, /* large message, handler may wait for a disk */
    RPC_SLOW,   /* small message, handler may wait for minutes; few at once */
    RPC_STREAM  /* many messages both ways, handlers do not wait */
};

/* The numbers of google.rpc.Code that this server uses. */
enum rpc_code {
    RPC_OK = 0,
    RPC_CANCELLED = 1,
    RPC_INVALID_ARGUMENT = 3,
    RPC_DEADLINE_EXCEEDED = 4,
    RPC_NOT_FOUND = 5,
    RPC_RESOURCE_EXHAUSTED = 8,
    RPC_FAILED_PRECONDITION = 9,
    RPC_UNIMPLEMENTED = 12,
    RPC_INTERNAL = 13,
    RPC_UNAVAILABLE = 14,
    RPC_UNAUTHENTICATED = 16
};

struct rpc_method {
    const char *path; /* "/package.Service/Method" */
    enum rpc_lane lane;
    /* The message is there (rpc_message). A stream's handler is called for each, and must answer it with one rpc_send
     * before the next is read, unless it has `sent`. */
    void (*handle)(struct rpc_call *call, void *context);
    /* Streams, may be NULL: the message given to rpc_send has gone. Without it the next message is read. */
    void (*sent)(struct rpc_call *call, void *context);
    /* Streams, may be NULL: the call is over, whoever ended it. Called once, before the call becomes invalid. */
    void (*ended)(struct rpc_call *call, void *context);
};

struct rpc_options {
    struct log *log; /* may be NULL */
    const struct address *listen;
    size_t listen_count;
    unsigned socket_mode;     /* of unix sockets */
    const char *socket_group; /* "" : unchanged */
    uint64_t max_message;
    const char *tls_cert, *tls_key, *tls_client_ca; /* PEM texts, NULL: none */
    const char *token;                              /* that TCP clients must show, NULL: none */

    /* Memory for uploads is charged here, and credited when the message has been handled. Both NULL: not counted. */
    bool (*charge)(void *memory, uint64_t bytes);
    void (*credit)(void *memory, uint64_t bytes);
    void *memory;

    const struct rpc_method *methods; /* outlives the server */
    size_t method_count;
    void *context; /* for the handlers */
};

/* Binds everything or nothing. CUZK_ERR_UNAVAILABLE: an address is in use; CUZK_ERR_CONFIG: wrong certificates.
 * Signals that the program handles must be blocked before. */
cuzk_status rpc_server_create(struct rpc_server **out, const struct rpc_options *options, cuzk_error *err);

/* Begins to answer calls. `upload_limit`: bytes that all uploads in progress together may hold; one is let in
 * whatever it says. */
cuzk_status rpc_server_start(struct rpc_server *s, uint64_t upload_limit, cuzk_error *err);

/* The port that a listener got (for port 0); 0 for a unix socket. */
unsigned rpc_server_port(const struct rpc_server *s, size_t listener);

/* Takes no more calls, gives those in progress `grace_ms` to be answered, then cancels them. Waits. */
void rpc_server_stop(struct rpc_server *s, uint64_t grace_ms);

/* After stop, or if it was never started. NULL is allowed. */
void rpc_server_destroy(struct rpc_server *s);

/* ---- for handlers ---- */

/* The message; empty for a stream whose client sends no more (rpc_at_end). Valid until the call is answered, or
 * until the next message of a stream. */
struct bytes rpc_message(const struct rpc_call *call);
bool rpc_at_end(const struct rpc_call *call);

/* Hands the message's memory over to the taker, who ends it with owner.release. */
struct owner rpc_take_message(struct rpc_call *call);

/* When the client gives up, on the clock of clock_now(); 0: never. */
uint64_t rpc_deadline(const struct rpc_call *call);

/* Calls gone(call) once, if the client cancels, its deadline passes or its connection breaks before the answer;
 * at once if that has happened already. The call must still be answered. One per call. */
void rpc_on_gone(struct rpc_call *call, void (*gone)(struct rpc_call *call));
bool rpc_is_gone(struct rpc_call *call);

/* Whether it is answered: a stream may be ended by others while its handler runs. */
bool rpc_is_over(struct rpc_call *call);

/* A value that the handler keeps with the call: written before it is shared. */
void rpc_set_ticket(struct rpc_call *call, uint64_t ticket);
uint64_t rpc_ticket(const struct rpc_call *call);
void *rpc_context(const struct rpc_call *call);

void rpc_reply(struct rpc_call *call, const ProtobufCMessage *message);
void rpc_fail(struct rpc_call *call, enum rpc_code code, const char *fmt, ...) CUZK_PRINTF(3, 4);

/* Streams: one message at a time; and the end. */
void rpc_send(struct rpc_call *call, const ProtobufCMessage *message);
void rpc_finish(struct rpc_call *call, enum rpc_code code, const char *why);

#endif
