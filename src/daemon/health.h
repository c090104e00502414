/* grpc.health.v1: Check, and Watch, which sends the state at once and again when it changes.
 *
 * The server as a whole ("") and cuzk.v1.ProvingEngine have the same state. Thread-safe. */
#ifndef CUZK_DAEMON_HEALTH_H
#define CUZK_DAEMON_HEALTH_H

#include <pthread.h>
#include <stdbool.h>

struct rpc_call;
struct watcher;

struct health {
    pthread_mutex_t lock;
    bool serving;
    struct watcher *watchers;
};

void health_init(struct health *h);
void health_destroy(struct health *h);

/* Tells all watchers if it changes. */
void health_set(struct health *h, bool serving);

/* The handlers; their context is a struct service. */
void health_check(struct rpc_call *call, void *context);
void health_watch(struct rpc_call *call, void *context);
void health_watch_sent(struct rpc_call *call, void *context);
void health_watch_ended(struct rpc_call *call, void *context);

#endif
