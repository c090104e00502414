#include "daemon/health.h"

#include "daemon/service.h"
#include "health.pb-c.h"

#include <stdlib.h>
#include <string.h>

typedef Grpc__Health__V1__HealthCheckResponse__ServingStatus serving_status;
enum {
    SERVING = GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__SERVING_STATUS__SERVING,
    NOT_SERVING = GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__SERVING_STATUS__NOT_SERVING,
    SERVICE_UNKNOWN = GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__SERVING_STATUS__SERVICE_UNKNOWN
};

struct watcher {
    struct rpc_call *call;
    bool unknown; /* asked for a service that is not here */
    bool busy;    /* a message is on its way */
    int last;     /* what it says, -1 before the first */
    struct watcher *next;
};

void health_init(struct health *h)
{
    memset(h, 0, sizeof *h);
    pthread_mutex_init(&h->lock, NULL);
}

void health_destroy(struct health *h) { pthread_mutex_destroy(&h->lock); }

/* Under the lock, which also keeps the call alive: health_watch_ended takes it before the call goes. */
static void watcher_tell(struct health *h, struct watcher *w)
{
    int state = w->unknown ? SERVICE_UNKNOWN : h->serving ? SERVING : NOT_SERVING;
    if (w->busy || w->last == state) return;
    w->busy = true;
    w->last = state;
    Grpc__Health__V1__HealthCheckResponse reply = GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__INIT;
    reply.status = (serving_status)state;
    rpc_send(w->call, &reply.base);
}

void health_set(struct health *h, bool serving)
{
    pthread_mutex_lock(&h->lock);
    h->serving = serving;
    for (struct watcher *w = h->watchers; w; w = w->next) watcher_tell(h, w);
    pthread_mutex_unlock(&h->lock);
}

/* Whether the message asks for a service that is here; false with an answer given if it is no message. */
static bool read_request(struct rpc_call *call, bool *known)
{
    struct bytes m = rpc_message(call);
    Grpc__Health__V1__HealthCheckRequest *request =
        grpc__health__v1__health_check_request__unpack(NULL, m.size, m.data);
    if (!request) return false;
    *known = !*request->service || strcmp(request->service, "cuzk.v1.ProvingEngine") == 0;
    grpc__health__v1__health_check_request__free_unpacked(request, NULL);
    return true;
}

void health_check(struct rpc_call *call, void *context)
{
    struct service *s = context;
    bool known = false;
    if (!read_request(call, &known)) {
        rpc_fail(call, RPC_INVALID_ARGUMENT, "the message is no HealthCheckRequest");
        return;
    }
    if (!known) {
        rpc_fail(call, RPC_NOT_FOUND, "unknown service");
        return;
    }
    Grpc__Health__V1__HealthCheckResponse reply = GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__INIT;
    pthread_mutex_lock(&s->health.lock);
    reply.status = (serving_status)(s->health.serving ? SERVING : NOT_SERVING);
    pthread_mutex_unlock(&s->health.lock);
    rpc_reply(call, &reply.base);
}

void health_watch(struct rpc_call *call, void *context)
{
    struct service *s = context;
    bool known = false;
    if (rpc_at_end(call)) {
        rpc_finish(call, RPC_INVALID_ARGUMENT, "no HealthCheckRequest came");
        return;
    }
    if (!read_request(call, &known)) {
        rpc_finish(call, RPC_INVALID_ARGUMENT, "the message is no HealthCheckRequest");
        return;
    }
    struct watcher *w = calloc(1, sizeof *w);
    if (!w) {
        rpc_finish(call, RPC_RESOURCE_EXHAUSTED, "no memory");
        return;
    }
    *w = (struct watcher){ .call = call, .unknown = !known, .last = -1 };
    pthread_mutex_lock(&s->health.lock);
    w->next = s->health.watchers;
    s->health.watchers = w;
    watcher_tell(&s->health, w);
    pthread_mutex_unlock(&s->health.lock);
    if (rpc_is_over(call)) health_watch_ended(call, context); /* its end came before it was listed */
}

static struct watcher **watcher_find(struct health *h, const struct rpc_call *call)
{
    struct watcher **at = &h->watchers;
    while (*at && (*at)->call != call) at = &(*at)->next;
    return at;
}

void health_watch_sent(struct rpc_call *call, void *context)
{
    struct service *s = context;
    pthread_mutex_lock(&s->health.lock);
    struct watcher *w = *watcher_find(&s->health, call);
    if (w) {
        w->busy = false;
        watcher_tell(&s->health, w);
    }
    pthread_mutex_unlock(&s->health.lock);
}

void health_watch_ended(struct rpc_call *call, void *context)
{
    struct service *s = context;
    pthread_mutex_lock(&s->health.lock);
    struct watcher **at = watcher_find(&s->health, call);
    struct watcher *w = *at;
    if (w) *at = w->next;
    pthread_mutex_unlock(&s->health.lock);
    free(w);
}
