#define _GNU_SOURCE
#include "engine/reaper.h"

#include "base/clock.h"
#include "test.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
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

/* ---- a real mapping: gone before its bytes are anyone else's ---- */

enum { MAPPED = 8 << 20 };

struct mapped {
    void *memory;
    struct budget *budget;
    atomic_int credits, early;
};

static void unmap(void *context)
{
    struct mapped *m = context;
    struct budget_state s;
    budget_state(m->budget, &s);
    if (s.used < MAPPED) atomic_fetch_add(&m->early, 1);
    munmap(m->memory, MAPPED);
}

static void on_credit(void *context)
{
    struct mapped *m = context;
    unsigned char there[1];
    bool mapped = mincore(m->memory, (size_t)sysconf(_SC_PAGESIZE), there) == 0 || errno != ENOMEM;
    if (mapped) atomic_fetch_add(&m->early, 1);
    atomic_fetch_add(&m->credits, 1);
}

static void map_and_charge(struct mapped *m, struct budget *b)
{
    *m = (struct mapped){ .budget = b };
    m->memory = mmap(NULL, MAPPED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    assert_ptr_not_equal(m->memory, MAP_FAILED);
    assert_true(budget_try(b, MAPPED));
}

static void reaper__credits_after_the_unmap(void **state)
{
    (void)state;
    struct reaper *r;
    struct budget b;
    struct mapped m;
    budget_create(&b, "memory", 2 * (uint64_t)MAPPED);
    budget_notify(&b, on_credit, &m);
    assert_int_equal(reaper_create(&r, 1, UINT64_MAX, NULL), CUZK_OK);
    for (int round = 0; round < 2; round++) { /* by the thread; by the caller, the queue being full */
        struct gate g;
        map_and_charge(&m, &b);
        gate_create(&g, round == 1);
        if (round == 1) reaper_defer(r, &(struct region){ gate_free, &g, 0, NULL });
        reaper_defer(r, &(struct region){ unmap, &m, MAPPED, &b });
        if (round == 1) gate_open(&g);
        reaper_drain(r);
        assert_int_equal(atomic_load(&m.credits), 1);
        assert_int_equal(atomic_load(&m.early), 0);
    }
    struct reaper_state s;
    reaper_state(r, &s);
    assert_int_equal(s.synchronous, 1);
    reaper_destroy(r);
    budget_destroy(&b);
}

/* ---- bounds ---- */

static void reaper__never_holds_more_than_its_bounds(void **state)
{
    (void)state;
    enum { REGIONS = 4, BYTES = 10 };
    struct reaper *r;
    struct budget b;
    pthread_t threads[4];
    atomic_int freed = 0;
    budget_create(&b, "memory", UINT64_MAX);
    assert_int_equal(reaper_create(&r, REGIONS, BYTES, NULL), CUZK_OK);
    struct hammer h = { r, &b, &freed }; /* three bytes each */
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, hammer_main, &h);
    for (struct reaper_state s = { 0 }; s.deferred + s.synchronous < 4000;) {
        reaper_state(r, &s);
        assert_true(s.waiting <= REGIONS && s.waiting_bytes <= BYTES);
    }
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    reaper_destroy(r);
    assert_int_equal(atomic_load(&freed), 4000);
    budget_destroy(&b);
}

static void reaper__shutdown_credits_everything(void **state)
{
    (void)state;
    struct reaper *r;
    struct budget b;
    struct budget_state s;
    struct gate g;
    atomic_int freed = 0;
    gate_create(&g, true);
    budget_create(&b, "memory", 1000);
    assert_int_equal(reaper_create(&r, 100, 1000, NULL), CUZK_OK);
    budget_force(&b, 51);
    reaper_defer(r, &(struct region){ gate_free, &g, 1, &b });
    for (int i = 0; i < 50; i++) reaper_defer(r, &(struct region){ count_free, &freed, 1, &b });
    budget_state(&b, &s);
    assert_int_equal(s.used, 51);
    gate_open(&g);
    reaper_destroy(r); /* with most of it still waiting */
    budget_state(&b, &s);
    assert_int_equal(s.used, 0);
    assert_int_equal(s.errors, 0);
    budget_destroy(&b);
}

/* ---- fork and signals ---- */

/* Children of a busy process: any lock may be held at the fork by a thread that the child does not have. */
static void reaper__fork_from_many_threads(void **state)
{
    (void)state;
    struct reaper *r;
    struct budget b;
    pthread_t threads[3];
    atomic_int freed = 0;
    budget_create(&b, "memory", UINT64_MAX);
    assert_int_equal(reaper_create(&r, 8, 1000, NULL), CUZK_OK);
    struct hammer h = { r, &b, &freed };
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, hammer_main, &h);
    for (int i = 0; i < 50; i++) {
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) {
            atomic_int here = 0;
            alarm(30); /* a deadlock ends by a signal */
            for (int k = 0; k < 20; k++) reaper_defer(r, &(struct region){ count_free, &here, 3, &b });
            _exit(atomic_load(&here) == 20 ? 0 : 1);
        }
        int status;
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    reaper_destroy(r);
    struct budget_state s;
    budget_state(&b, &s);
    assert_int_equal(s.used, 0); /* what children freed was not counted here */
    assert_int_equal(s.errors, 0);
    assert_int_equal(atomic_load(&freed), 3000);
    budget_destroy(&b);
}

static pthread_t main_thread;
static atomic_int handled, handled_elsewhere;

static void handle(int number)
{
    (void)number;
    atomic_fetch_add(&handled, 1);
    if (!pthread_equal(pthread_self(), main_thread)) atomic_fetch_add(&handled_elsewhere, 1);
}

static void look_at_mask(void *context)
{
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    int blocked = sigismember(&mask, SIGUSR1) && sigismember(&mask, SIGTERM) && sigismember(&mask, SIGALRM);
    atomic_store((atomic_int *)context, blocked);
}

static void reaper__signals_are_handled_elsewhere(void **state)
{
    (void)state;
    struct reaper *r;
    struct gate g;
    atomic_int blocked = 0, freed = 0;
    struct sigaction action = { .sa_handler = handle }, before; /* no SA_RESTART: calls are interrupted */
    main_thread = pthread_self();
    sigaction(SIGUSR1, &action, &before);
    assert_int_equal(reaper_create(&r, 1000, 1000, NULL), CUZK_OK);
    reaper_defer(r, &(struct region){ look_at_mask, &blocked, 1, NULL });
    reaper_drain(r);
    assert_int_equal(atomic_load(&blocked), 1);
    gate_create(&g, true);
    reaper_defer(r, &(struct region){ gate_free, &g, 1, NULL }); /* it is at work, or about to be */
    for (int i = 0; i < 100; i++) {
        kill(getpid(), SIGUSR1);
        reaper_defer(r, &(struct region){ count_free, &freed, 1, NULL });
    }
    gate_open(&g);
    reaper_drain(r);
    assert_true(atomic_load(&handled) > 0);
    assert_int_equal(atomic_load(&handled_elsewhere), 0);
    assert_int_equal(atomic_load(&freed), 100);
    reaper_destroy(r);
    sigaction(SIGUSR1, &before, NULL);
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
        test(reaper__credits_after_the_unmap),
        test(reaper__never_holds_more_than_its_bounds),
        test(reaper__shutdown_credits_everything),
        test(reaper__fork_from_many_threads),
        test(reaper__signals_are_handled_elsewhere),
    };
    return run_tests(tests);
}
