#include "backend/witness_shelf.h"

#include "base/vec.h"

#include <pthread.h>
#include <stdlib.h>

struct witness_shelf {
    const struct backend *backend;
    const struct circuit *circuit;
    pthread_mutex_t lock;
    struct vec idle; /* struct witness */
};

cuzk_status witness_shelf_create(struct witness_shelf **out, const struct backend *backend,
                                 const struct circuit *circuit, cuzk_error *err)
{
    struct witness_shelf *s = *out = calloc(1, sizeof *s);
    if (!s) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for witnesses");
    s->backend = backend;
    s->circuit = circuit;
    pthread_mutex_init(&s->lock, NULL);
    return CUZK_OK;
}

void witness_shelf_destroy(struct witness_shelf *s)
{
    if (!s) return;
    struct witness *idle = s->idle.data;
    for (size_t i = 0; i < s->idle.count; i++) witness_destroy(&idle[i]);
    vec_free(&s->idle);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

cuzk_status witness_shelf_take(struct witness *out, struct witness_shelf *s, cuzk_error *err)
{
    pthread_mutex_lock(&s->lock);
    bool there = s->idle.count > 0;
    if (there) *out = ((struct witness *)s->idle.data)[--s->idle.count];
    pthread_mutex_unlock(&s->lock);
    return there ? CUZK_OK : backend_witness_create(out, s->backend, s->circuit, err);
}

void witness_shelf_put(struct witness_shelf *s, struct witness *w)
{
    if (!w->memory) return;
    pthread_mutex_lock(&s->lock);
    vec_push(&s->idle, w, sizeof *w);
    bool kept = !s->idle.failed;
    s->idle.failed = false;
    pthread_mutex_unlock(&s->lock);
    if (!kept) witness_destroy(w);
    *w = (struct witness){ 0 };
}
