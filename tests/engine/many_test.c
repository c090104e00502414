/* Very many jobs: memory stays flat, the queue has a limit, nobody gets another's proof. */
#include "engine/stub.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long resident_pages(void)
{
    long size = 0, resident = 0;
    FILE *f = fopen("/proc/self/statm", "re");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%ld %ld", &size, &resident), 2);
    fclose(f);
    return resident;
}

enum { CALLERS = 4, JOBS = 10000, WARM = 2000, BATCH = 50 };

struct batch {
    pthread_mutex_t lock;
    pthread_cond_t done;
    int left, wrong;
};

struct caller {
    struct batch *batch;
    char name[24];
    size_t partitions;
};

static void check(void *context, const struct outcome *o)
{
    struct caller *c = context;
    bool ok = o->state == JOB_COMPLETED && o->proof.size == c->partitions * PROOF_BYTES &&
              memcmp(o->proof.data + 1, c->name, strlen(c->name)) == 0;
    pthread_mutex_lock(&c->batch->lock);
    c->batch->wrong += !ok;
    if (--c->batch->left == 0) pthread_cond_signal(&c->batch->done);
    pthread_mutex_unlock(&c->batch->lock);
}

/* BATCH jobs at once of all kinds, every other id shared by two payloads. */
static void run_batch(struct engine *e, struct stub *s, int first)
{
    struct batch b = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, BATCH, 0 };
    static struct caller callers[BATCH];
    for (int i = 0; i < BATCH; i++) {
        struct stub_request r;
        char id[24];
        cuzk_error err = { "" };
        enum proof_kind kind = (enum proof_kind)(1 + (first + i) % 4);
        callers[i] = (struct caller){ .batch = &b, .partitions = s->partitions[kind] };
        snprintf(callers[i].name, sizeof callers[i].name, "job %d", first + i);
        snprintf(id, sizeof id, "id %d", (first + i) / 8);
        stub_request(&r, kind, id, callers[i].name, 0);
        if (engine_prove(e, NULL, NULL, &r.submission, check, &callers[i], &err) != CUZK_OK) {
            fail_msg("%s", err.detail);
        }
    }
    pthread_mutex_lock(&b.lock);
    while (b.left > 0) pthread_cond_wait(&b.done, &b.lock);
    pthread_mutex_unlock(&b.lock);
    assert_int_equal(b.wrong, 0);
}

static void ten_thousand_jobs__leave_memory_flat(void **state)
{
    (void)state;
    struct stub s;
    struct engine_config config;
    struct engine_metrics m;
    stub_create(&s);
    s.partitions[PROOF_POREP] = 3;
    stub_config(&config);
    config.results_in_memory = 500;
    struct engine *e = stub_engine(&s, &config);
    long warm = 0;
    uint64_t used = 0;
    for (int i = 0; i < JOBS; i += BATCH) {
        run_batch(e, &s, i);
        if (i != WARM) continue;
        warm = resident_pages();
        engine_metrics(e, &m);
        used = m.budget_used;
    }
    long grown = (resident_pages() - warm) * sysconf(_SC_PAGESIZE);
    engine_metrics(e, &m);
    uint64_t completed = 0;
    for (int k = 0; k < KINDS; k++) completed += m.kind[k].completed;
    assert_int_equal(completed, JOBS);
    assert_int_equal(m.budget_errors, 0);
    assert_true(m.budget_used <= used + 1000000);
    assert_true(m.jobs_in_memory <= 2000);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    if (grown > 4 << 20) fail_msg("8,000 jobs took %ld bytes", grown);
#else
    (void)grown;
#endif
    engine_destroy(e);
    assert_int_equal(stub_payloads_alive(), 0);
    assert_int_equal(s.witnesses, 0);
    stub_destroy(&s);
}

struct submitter {
    struct engine *engine;
    int number;
    atomic_int *accepted, *refused;
};

static void *submit_many(void *context)
{
    struct submitter *c = context;
    for (int i = 0; i < 25; i++) {
        struct stub_request r;
        struct accepted accepted;
        char id[16];
        snprintf(id, sizeof id, "c%d-%d", c->number, i);
        stub_request(&r, PROOF_WINDOW, id, id, 0);
        cuzk_status status = engine_submit(c->engine, &accepted, &r.submission, NULL);
        if (status == CUZK_OK)
            atomic_fetch_add(c->accepted, 1);
        else if (status == CUZK_ERR_RESOURCE)
            atomic_fetch_add(c->refused, 1);
        free(accepted.job_id);
    }
    return NULL;
}

static void hundred_submits__meet_the_queue_limit(void **state)
{
    (void)state;
    struct stub s;
    struct engine_config config;
    struct engine_metrics m;
    stub_create(&s);
    s.hold_prove = true;
    stub_config(&config);
    config.max_queued = 20;
    struct engine *e = stub_engine(&s, &config);
    atomic_int accepted = 0, refused = 0;
    pthread_t threads[CALLERS];
    struct submitter callers[CALLERS];
    for (int i = 0; i < CALLERS; i++) {
        callers[i] = (struct submitter){ e, i, &accepted, &refused };
        pthread_create(&threads[i], NULL, submit_many, &callers[i]);
    }
    for (int i = 0; i < CALLERS; i++) pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&accepted) + atomic_load(&refused), 100);
    assert_true(atomic_load(&accepted) >= 20);
    assert_true(atomic_load(&accepted) <= 24 + 4); /* those waiting and those begun meanwhile */
    engine_metrics(e, &m);
    assert_int_equal(m.kind[PROOF_WINDOW - 1].refused, (unsigned)atomic_load(&refused));
    stub_step(&s, 1000);
    engine_destroy(e);
    assert_int_equal(stub_payloads_alive(), 0);
    stub_destroy(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(ten_thousand_jobs__leave_memory_flat),
        test(hundred_submits__meet_the_queue_limit),
    };
    return run_tests(tests);
}
