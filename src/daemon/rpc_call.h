/* Inside the transport: one call from the moment it is asked for to its last batch. */
#ifndef CUZK_DAEMON_RPC_CALL_H
#define CUZK_DAEMON_RPC_CALL_H

#include "daemon/rpc.h"
#include "daemon/rpc_gate.h"
#include "daemon/rpc_pool.h"

#include <grpc/grpc.h>
#include <pthread.h>
#include <stdatomic.h>

/* What a completion queue gives back: whose batch it was (a call or the server) and what follows. */
struct rpc_tag {
    void *subject;
    void (*done)(void *subject, bool ok);
};

enum rpc_stage { RPC_IDLE, RPC_WAITING, RPC_READING, RPC_READ };

/* One per method, and one for whatever names no method. */
struct rpc_entry {
    struct rpc_server *server;
    const struct rpc_method *method; /* NULL: the last one */
    void *registered;
    grpc_completion_queue *queue;
};

struct rpc_call {
    const struct rpc_entry *entry;
    grpc_call *call;
    grpc_call_details details; /* calls without a method only */
    grpc_metadata_array metadata;
    gpr_timespec deadline;

    grpc_byte_buffer *received, *sending;
    uint8_t *data; /* the message in one piece */
    size_t size;
    bool at_end;

    atomic_int references; /* batches that are out, and one until the answer */
    int close_cancelled;   /* written by core */
    atomic_bool is_gone;
    uint64_t ticket;

    pthread_mutex_t lock; /* for the next three */
    void (*gone)(struct rpc_call *call);
    bool answered, sent_metadata;

    /* Of the gate, under its lock. */
    enum rpc_stage stage;
    uint64_t stage_since, charged;
    bool set_aside;
    struct rpc_call *gate_next;

    struct rpc_call *pool_next;
    struct rpc_call *stream_next; /* of the server's list, under its lock */

    struct rpc_tag tag_new, tag_receive, tag_close, tag_send, tag_finish;
};

struct rpc_server {
    struct rpc_options options;
    grpc_server *server;
    grpc_resource_quota *quota;
    grpc_completion_queue *bulk, *quick;
    struct rpc_entry *entries; /* method_count + 1 */
    unsigned *ports;
    int *locks; /* of the unix sockets, -1 elsewhere */
    pthread_t threads[4];
    unsigned thread_count;
    struct rpc_gate *gate;
    struct rpc_pool *workers, *slow;
    atomic_bool stopping;
    bool started;

    pthread_mutex_t lock;
    pthread_cond_t stopped;
    bool is_stopped;
    struct rpc_call *streams;
    struct rpc_tag tag_stop;
};

/* Asks the server for one more call of an entry. */
void rpc_call_request(const struct rpc_entry *entry);

/* Starts to read the message; the gate calls it when it is the call's turn. */
void rpc_call_read(struct rpc_call *call);

/* Runs the handler; the pools call it. */
void rpc_call_run(struct rpc_call *call);

/* Ends all streams, at a stop. */
void rpc_end_streams(struct rpc_server *s);

/* ThreadSanitizer does not see into libgrpc: starting a batch happens before its completion. */
#if defined(__SANITIZE_THREAD__)
#define RPC_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RPC_TSAN 1
#endif
#endif
#ifdef RPC_TSAN
void __tsan_release(void *address);
void __tsan_acquire(void *address);
#define RPC_RELEASE(tag) __tsan_release(tag)
#define RPC_ACQUIRE(tag) __tsan_acquire(tag)
#else
#define RPC_RELEASE(tag) ((void)(tag))
#define RPC_ACQUIRE(tag) ((void)(tag))
#endif

#endif
