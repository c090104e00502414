#include "daemon/rpc_call.h"
#include "daemon/rpc_listen.h"
#include "daemon/rpc_log.h"

#include "base/pool.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    REQUESTS_AHEAD = 8, /* per method: calls that need not wait for the queue's thread to be taken in */
    KEEPALIVE_MS = 60000,
    KEEPALIVE_TIMEOUT_MS = 20000,
    MIN_PING_MS = 5000,
    HANDSHAKE_MS = 20000
};

static grpc_arg int_arg(const char *key, int value)
{
    return (grpc_arg){ .type = GRPC_ARG_INTEGER, .key = (char *)(uintptr_t)key, .value.integer = value };
}

/* What transports may hold: all uploads that the gate lets in, with gRPC's overhead, and small change. */
static uint64_t quota_bytes(uint64_t upload_limit, uint64_t max_message)
{
    uint64_t uploads = upload_limit < max_message ? max_message : upload_limit;
    return uploads + uploads / 4 + ((uint64_t)256 << 20);
}

static void make_server(struct rpc_server *s)
{
    const struct rpc_options *o = &s->options;
    s->quota = grpc_resource_quota_create("cuzkd");
    grpc_arg args[] = {
        int_arg(GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH, (int)o->max_message),
        int_arg(GRPC_ARG_MAX_SEND_MESSAGE_LENGTH, (int)o->max_message),
        int_arg(GRPC_ARG_ALLOW_REUSEPORT, 0),
        int_arg(GRPC_ARG_KEEPALIVE_TIME_MS, KEEPALIVE_MS),
        int_arg(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, KEEPALIVE_TIMEOUT_MS),
        int_arg(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1),
        int_arg(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, MIN_PING_MS),
        int_arg(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, HANDSHAKE_MS),
        /* Identity only: nobody compresses, and a small message could unfold into a huge one. */
        int_arg(GRPC_COMPRESSION_CHANNEL_ENABLED_ALGORITHMS_BITSET, 1),
        { .type = GRPC_ARG_POINTER,
          .key = (char *)(uintptr_t)GRPC_ARG_RESOURCE_QUOTA,
          .value.pointer = { s->quota, grpc_resource_quota_arg_vtable() } },
    };
    grpc_channel_args all = { sizeof args / sizeof *args, args };
    s->server = grpc_server_create(&all, NULL);
    s->bulk = grpc_completion_queue_create_for_next(NULL);
    s->quick = grpc_completion_queue_create_for_next(NULL);
    grpc_server_register_completion_queue(s->server, s->bulk, NULL);
    grpc_server_register_completion_queue(s->server, s->quick, NULL);
}

static void register_methods(struct rpc_server *s)
{
    for (size_t i = 0; i <= s->options.method_count; i++) {
        struct rpc_entry *e = &s->entries[i];
        e->server = s;
        e->queue = s->quick;
        if (i == s->options.method_count) break;
        e->method = &s->options.methods[i];
        bool quick = e->method->lane == RPC_QUICK || e->method->lane == RPC_STREAM;
        e->queue = quick ? s->quick : s->bulk;
        e->registered = grpc_server_register_method(s->server, e->method->path, NULL, GRPC_SRM_PAYLOAD_NONE, 0);
    }
}

static cuzk_status make_parts(struct rpc_server *s, cuzk_error *err)
{
    unsigned cpus = pool_cpus();
    unsigned workers = cpus < 4 ? 4 : cpus > 8 ? 8 : cpus;
    cuzk_status status = rpc_pool_create(&s->workers, workers, err);
    if (status == CUZK_OK) status = rpc_pool_create(&s->slow, 2, err);
    return status;
}

cuzk_status rpc_server_create(struct rpc_server **out, const struct rpc_options *options, cuzk_error *err)
{
    struct rpc_server *s = *out = calloc(1, sizeof *s);
    if (!s) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    s->options = *options;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->stopped, NULL);
    rpc_log_to(options->log);
    grpc_init();
    make_server(s);
    s->entries = calloc(options->method_count + 1, sizeof *s->entries);
    cuzk_status status = s->entries ? make_parts(s, err) : cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    if (status == CUZK_OK) {
        register_methods(s);
        status = rpc_listen(s, err);
    }
    if (status != CUZK_OK) {
        rpc_server_destroy(s);
        *out = NULL;
    }
    return status;
}

unsigned rpc_server_port(const struct rpc_server *s, size_t listener) { return s->ports[listener]; }

static void serve_queue(grpc_completion_queue *queue)
{
    for (;;) {
        grpc_event event = grpc_completion_queue_next(queue, gpr_inf_future(GPR_CLOCK_REALTIME), NULL);
        if (event.type == GRPC_QUEUE_SHUTDOWN) return;
        struct rpc_tag *tag = event.tag;
        RPC_ACQUIRE(tag);
        tag->done(tag->subject, event.success != 0);
    }
}

static void *bulk_main(void *context)
{
    serve_queue(((struct rpc_server *)context)->bulk);
    return NULL;
}

static void *quick_main(void *context)
{
    serve_queue(((struct rpc_server *)context)->quick);
    return NULL;
}

cuzk_status rpc_server_start(struct rpc_server *s, uint64_t upload_limit, cuzk_error *err)
{
    cuzk_status status = rpc_gate_create(&s->gate, &s->options, upload_limit, err);
    if (status != CUZK_OK) return status;
    grpc_resource_quota_resize(s->quota, quota_bytes(upload_limit, s->options.max_message));
    s->started = true;
    grpc_server_start(s->server);
    for (size_t i = 0; i <= s->options.method_count; i++) {
        for (int k = 0; k < REQUESTS_AHEAD; k++) rpc_call_request(&s->entries[i]);
    }
    for (; s->thread_count < sizeof s->threads / sizeof *s->threads; s->thread_count++) {
        void *(*body)(void *) = s->thread_count % 2 ? quick_main : bulk_main;
        if (pthread_create(&s->threads[s->thread_count], NULL, body, s) != 0) {
            return cuzk_fail(err, CUZK_ERR_RESOURCE, "cannot start a thread");
        }
    }
    return CUZK_OK;
}

static void on_stopped(void *subject, bool ok)
{
    struct rpc_server *s = subject;
    (void)ok;
    pthread_mutex_lock(&s->lock);
    s->is_stopped = true;
    pthread_cond_broadcast(&s->stopped);
    pthread_mutex_unlock(&s->lock);
}

void rpc_server_stop(struct rpc_server *s, uint64_t grace_ms)
{
    if (!s->started || atomic_exchange(&s->stopping, true)) return;
    s->tag_stop = (struct rpc_tag){ s, on_stopped };
    RPC_RELEASE(&s->tag_stop);
    grpc_server_shutdown_and_notify(s->server, s->quick, &s->tag_stop);
    rpc_end_streams(s);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)(grace_ms / 1000);
    until.tv_nsec += (long)(grace_ms % 1000) * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&s->lock);
    int late = 0;
    while (!s->is_stopped && !late) late = pthread_cond_timedwait(&s->stopped, &s->lock, &until);
    if (!s->is_stopped) {
        pthread_mutex_unlock(&s->lock);
        grpc_server_cancel_all_calls(s->server);
        pthread_mutex_lock(&s->lock);
    }
    while (!s->is_stopped) pthread_cond_wait(&s->stopped, &s->lock);
    pthread_mutex_unlock(&s->lock);
}

/* What the threads, if there were any, have left; returns at once when the queue is shut down and empty. */
static void drain_queue(grpc_completion_queue *queue)
{
    serve_queue(queue);
    grpc_completion_queue_destroy(queue);
}

void rpc_server_destroy(struct rpc_server *s)
{
    if (!s) return;
    if (!s->started) { /* gRPC wants a shutdown even so */
        s->tag_stop = (struct rpc_tag){ s, on_stopped };
        RPC_RELEASE(&s->tag_stop);
        atomic_store(&s->stopping, true);
        grpc_server_shutdown_and_notify(s->server, s->quick, &s->tag_stop);
    }
    rpc_pool_destroy(s->slow);
    rpc_pool_destroy(s->workers);
    rpc_gate_destroy(s->gate);
    grpc_completion_queue_shutdown(s->bulk);
    grpc_completion_queue_shutdown(s->quick);
    for (unsigned i = 0; i < s->thread_count; i++) pthread_join(s->threads[i], NULL);
    drain_queue(s->bulk);
    drain_queue(s->quick);
    grpc_server_destroy(s->server);
    grpc_resource_quota_unref(s->quota);
    rpc_unlisten(s);
    free(s->entries);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->stopped);
    grpc_shutdown_blocking();
    rpc_log_to(NULL);
    free(s);
}
