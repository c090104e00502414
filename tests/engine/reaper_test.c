#include "engine/reaper.h"

#include "base/clock.h"
#include "test.h"

#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

/* A free function that waits until it may go on, and counts. */
struct gate {
    pthread_mutex_t lock;
    pthread_cond_t open;
    bool closed;
    atomic_int freed;
    pthread_t by;
};

static void gate_free(void *context)
{
    struct gate *g = context;
    pthread_mutex_lock(&g->lock);
    while (g->closed) pthread_cond_wait(&g->open, &g->lock);
    g->by = pthread_self();
    pthread_mutex_unlock(&g->lock);
    atomic_fetch_add(&g->freed, 1);
}

static void gate_create(struct gate *g, bool closed)
{
    *g = (struct gate){ PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, closed, 0, 0 };
}

static void gate_open(struct gate *g)
{
    pthread_mutex_lock(&g->lock);
    g->closed = false;
    pthread_cond_broadcast(&g->open);
    pthread_mutex_unlock(&g->lock);
}

static void count_free(void *context) { atomic_fetch_add((atomic_int *)context, 1); }

static void reaper__credits_only_when_freed(void **state)
{
    (void)state;
    struct reaper *r;
    struct budget b;
    struct budget_state s;
    struct gate g;
    gate_create(&g, true);
    budget_create(&b, "memory", 100);
    assert_int_equal(reaper_create(&r, 4, 1000, NULL), CUZK_OK);
    assert_true(budget_try(&b, 70));
    reaper_defer(r, &(struct region){ gate_free, &g, 70, &b });
    budget_state(&b, &s);
    assert_int_equal(s.used, 70); /* still charged, and defer came back */
    assert_int_equal(atomic_load(&g.freed), 0);
    gate_open(&g);
    reaper_drain(r);
    budget_state(&b, &s);
    assert_int_equal(s.used, 0);
    assert_false(pthread_equal(g.by, pthread_self()));
    reaper_destroy(r);
    budget_destroy(&b);
}

static void reaper__full_queue_frees_synchronously(void **state)
{
    (void)state;
    struct reaper *r;
    struct reaper_state s;
    struct gate g;
    atomic_int freed = 0;
    gate_create(&g, true);
    assert_int_equal(reaper_create(&r, 2, 1000, NULL), CUZK_OK);
    reaper_defer(r, &(struct region){ gate_free, &g, 1, NULL });
    reaper_defer(r, &(struct region){ count_free, &freed, 1, NULL });
    assert_int_equal(atomic_load(&freed), 0);
    reaper_defer(r, &(struct region){ count_free, &freed, 1, NULL }); /* no place: at once */
    assert_int_equal(atomic_load(&freed), 1);
    reaper_state(r, &s);
    assert_int_equal(s.synchronous, 1);
    assert_int_equal(s.deferred, 2);
    assert_int_equal(s.waiting, 2);
    gate_open(&g);
    reaper_drain(r);
    assert_int_equal(atomic_load(&freed), 2);
    reaper_destroy(r);
}

static void reaper__too_many_bytes_are_freed_synchronously(void **state)
{
    (void)state;
    struct reaper *r;
    struct gate g;
    atomic_int freed = 0;
    gate_create(&g, true);
    assert_int_equal(reaper_create(&r, 10, 100, NULL), CUZK_OK);
    reaper_defer(r, &(struct region){ gate_free, &g, 5000, NULL }); /* alone: taken whatever its size */
    reaper_defer(r, &(struct region){ count_free, &freed, 1, NULL });
    assert_int_equal(atomic_load(&freed), 1);
    gate_open(&g);
    reaper_drain(r);
    reaper_defer(r, &(struct region){ count_free, &freed, 101, NULL });
    reaper_drain(r);
    struct reaper_state s;
    reaper_state(r, &s);
    assert_int_equal(s.deferred, 2);
    assert_int_equal(s.freed_bytes, 5101);
    reaper_destroy(r);
}

static void reaper__shutdown_frees_what_waits(void **state)
{
    (void)state;
    struct reaper *r;
    struct gate g;
    atomic_int freed = 0;
    gate_create(&g, true);
    assert_int_equal(reaper_create(&r, 100, 1000, NULL), CUZK_OK);
    reaper_defer(r, &(struct region){ gate_free, &g, 1, NULL });
    for (int i = 0; i < 50; i++) reaper_defer(r, &(struct region){ count_free, &freed, 1, NULL });
    gate_open(&g);
    reaper_destroy(r);
    assert_int_equal(atomic_load(&freed), 50);
}

static void reaper__child_of_fork_frees_synchronously(void **state)
{
    (void)state;
    struct reaper *r;
    assert_int_equal(reaper_create(&r, 10, 1000, NULL), CUZK_OK);
    pid_t pid = fork();
    if (pid == 0) {
        atomic_int freed = 0;
        reaper_defer(r, &(struct region){ count_free, &freed, 1, NULL });
        _exit(atomic_load(&freed) == 1 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    reaper_destroy(r);
}

struct hammer {
    struct reaper *r;
    struct budget *b;
    atomic_int *freed;
};

static void *hammer_main(void *context)
{
    struct hammer *h = context;
    for (int i = 0; i < 1000; i++) {
        budget_force(h->b, 3);
        reaper_defer(h->r, &(struct region){ count_free, h->freed, 3, h->b });
    }
    return NULL;
}

static void reaper__many_threads_lose_nothing(void **state)
{
    (void)state;
    struct reaper *r;
    struct budget b;
    struct budget_state s;
    pthread_t threads[4];
    atomic_int freed = 0;
    budget_create(&b, "memory", 100);
    assert_int_equal(reaper_create(&r, 8, 1000, NULL), CUZK_OK);
    struct hammer h = { r, &b, &freed };
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, hammer_main, &h);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    reaper_destroy(r);
    budget_state(&b, &s);
    assert_int_equal(s.used, 0);
    assert_int_equal(atomic_load(&freed), 4000);
    budget_destroy(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(reaper__credits_only_when_freed),
        test(reaper__full_queue_frees_synchronously),
        test(reaper__too_many_bytes_are_freed_synchronously),
        test(reaper__shutdown_frees_what_waits),
        test(reaper__child_of_fork_frees_synchronously),
        test(reaper__many_threads_lose_nothing),
    };
    return run_tests(tests);
}
