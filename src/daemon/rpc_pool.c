#include "daemon/rpc_pool.h"

#include "daemon/rpc_call.h"

#include <stdlib.h>

struct rpc_pool {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct rpc_call *first, **last;
    bool stop;
    unsigned count;
    pthread_t threads[];
};

static void *pool_main(void *context)
{
    struct rpc_pool *p = context;
    for (;;) {
        pthread_mutex_lock(&p->lock);
        while (!p->first && !p->stop) pthread_cond_wait(&p->wake, &p->lock);
        struct rpc_call *call = p->first;
        if (call) {
            p->first = call->pool_next;
            if (!p->first) p->last = &p->first;
        }
        pthread_mutex_unlock(&p->lock);
        if (!call) return NULL;
        rpc_call_run(call);
    }
}

cuzk_status rpc_pool_create(struct rpc_pool **out, unsigned threads, cuzk_error *err)
{
    struct rpc_pool *p = *out = calloc(1, sizeof *p + threads * sizeof p->threads[0]);
    if (!p) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->wake, NULL);
    p->last = &p->first;
    for (; p->count < threads; p->count++) {
        if (pthread_create(&p->threads[p->count], NULL, pool_main, p) != 0) {
            rpc_pool_destroy(p);
            *out = NULL;
            return cuzk_fail(err, CUZK_ERR_RESOURCE, "cannot start a thread");
        }
    }
    return CUZK_OK;
}

void rpc_pool_destroy(struct rpc_pool *p)
{
    if (!p) return;
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 0; i < p->count; i++) pthread_join(p->threads[i], NULL);
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->wake);
    free(p);
}

void rpc_pool_push(struct rpc_pool *p, struct rpc_call *call)
{
    call->pool_next = NULL;
    pthread_mutex_lock(&p->lock);
    *p->last = call;
    p->last = &call->pool_next;
    pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->lock);
}
