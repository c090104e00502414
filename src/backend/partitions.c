#include "backend/partitions.h"

#include "base/clock.h"

#include <pthread.h>
#include <stdlib.h>

enum { MAX_THREADS = 17 };

/* What the threads share. */
struct work {
    struct proof *out;
    uint64_t *done;
    const struct prover *p;
    const struct partition_input *inputs;
    const struct proof_randomness *random;
    size_t count, batch;
    pthread_mutex_t lock; /* of what follows */
    size_t next;
    struct partition_timings *timings;
    cuzk_status status; /* of the first that failed */
    size_t failed;
    cuzk_error err;
};

/* The next partitions for one call of the backend, [*first, *first + result); 0: there are no more, or one failed. */
static size_t take(struct work *x, size_t *first)
{
    pthread_mutex_lock(&x->lock);
    size_t left = x->status == CUZK_OK ? x->count - x->next : 0, some = left < x->batch ? left : x->batch;
    *first = x->next;
    x->next += some;
    pthread_mutex_unlock(&x->lock);
    return some;
}

static void note(struct work *x, size_t first, size_t some, const struct partition_timings *t, cuzk_status status,
                 const cuzk_error *err)
{
    uint64_t now = clock_now();
    pthread_mutex_lock(&x->lock);
    partition_timings_add(x->timings, t);
    for (size_t i = first; x->done && i < first + some; i++) x->done[i] = now;
    if (status != CUZK_OK && x->status == CUZK_OK) {
        x->status = status;
        x->failed = first;
        x->err = *err;
    }
    pthread_mutex_unlock(&x->lock);
}

/* Partitions until there are none left, with `batch` witnesses. */
static void prove_with(struct work *x, struct witness *w)
{
    size_t first, some;
    while ((some = take(x, &first)) != 0) {
        struct partition_timings t = { 0 };
        cuzk_error err = { "" };
        cuzk_status status =
            prover_batch(x->out + first, x->p, w, x->inputs + first, x->random + first, some, &t, &err);
        note(x, first, some, &t, status, &err);
    }
}

static void *thread_main(void *context)
{
    struct work *x = context;
    struct partition_timings none = { 0 };
    cuzk_error err = { "" };
    size_t made = 0;
    struct witness *w = calloc(x->batch, sizeof *w);
    cuzk_status status = w ? CUZK_OK : cuzk_fail(&err, CUZK_ERR_RESOURCE, "no memory for witnesses");
    while (made < x->batch && status == CUZK_OK) {
        status = witness_shelf_take(&w[made], x->p->witnesses, &err);
        if (status == CUZK_OK) made++;
    }
    if (status == CUZK_OK)
        prove_with(x, w);
    else
        note(x, 0, 0, &none, status, &err);
    for (size_t i = 0; w && i < made; i++) witness_shelf_put(x->p->witnesses, &w[i]);
    free(w);
    return NULL;
}

/* One thread for each lane and one that fills meanwhile. The first is the caller's; what cannot be started is done
 * without. */
static size_t threads_for(const struct work *x)
{
    struct backend_description d;
    backend_describe(&d, x->p->on_device.backend);
    size_t calls = (x->count + x->batch - 1) / x->batch, threads = d.lanes > 1 ? d.lanes + 1 : 1;
    if (threads > MAX_THREADS) threads = MAX_THREADS;
    return threads < calls ? threads : calls;
}

cuzk_status partitions_prove(struct proof *out, uint64_t *done, const struct prover *p,
                             const struct partition_input *inputs, const struct proof_randomness *random,
                             size_t count, struct partition_timings *timings, size_t *failed, cuzk_error *err)
{
    pthread_t thread[MAX_THREADS];
    size_t started = 0;
    struct work x = { .out = out,
                      .done = done,
                      .p = p,
                      .inputs = inputs,
                      .random = random,
                      .count = count,
                      .batch = backend_batch(&p->on_device, &p->srs),
                      .timings = timings };
    if (x.batch > count) x.batch = count;
    if (count == 0) return CUZK_OK;
    pthread_mutex_init(&x.lock, NULL);
    for (size_t wanted = threads_for(&x); started + 1 < wanted; started++) {
        if (pthread_create(&thread[started], NULL, thread_main, &x) != 0) break;
    }
    thread_main(&x);
    while (started > 0) pthread_join(thread[--started], NULL);
    pthread_mutex_destroy(&x.lock);
    *failed = x.failed;
    if (x.status != CUZK_OK && err) *err = x.err;
    return x.status;
}
