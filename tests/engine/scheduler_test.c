/* The scheduler's decisions alone, over a world that the test makes up. */
#include "engine/scheduler.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { CIRCUITS = 4 };

struct world {
    struct scheduler s;
    bool resident[CIRCUITS], loaded[CIRCUITS], failed[CIRCUITS];
    bool on_device[CIRCUITS][4];
    unsigned room;      /* circuits that can still be brought in */
    unsigned witnesses; /* that can still be had */
    bool urgent;        /* of the last activation that was tried */
    uint64_t sequence;
};

static bool activate(void *context, struct job *job, bool urgent)
{
    struct world *w = context;
    w->urgent = urgent;
    if (!w->resident[job->circuit] && w->room == 0) return false;
    if (!w->resident[job->circuit]) w->room--;
    w->resident[job->circuit] = true;
    job->pinned = true;
    return true;
}

static bool resident(void *context, const struct job *job)
{
    return ((struct world *)context)->resident[job->circuit];
}
static bool ready(void *context, const struct job *job) { return ((struct world *)context)->loaded[job->circuit]; }

static bool coming(void *context, const struct job *job)
{
    (void)context;
    (void)job;
    return false;
}

static enum srs_readiness look(void *context, const struct job *job)
{
    struct world *w = context;
    return w->failed[job->circuit] ? SRS_FAILED : w->loaded[job->circuit] ? SRS_READY : SRS_LOADING;
}

static bool on_device(void *context, const struct job *job, size_t device)
{
    return ((struct world *)context)->on_device[job->circuit][device];
}

static bool witness(void *context, struct job *job, struct partition *p)
{
    struct world *w = context;
    (void)job;
    (void)p;
    if (w->witnesses == 0) return false;
    w->witnesses--;
    return true;
}

static bool prove_means(void *context, struct job *job, struct partition *p, size_t device)
{
    (void)device;
    (void)context;
    (void)job;
    (void)p;
    return true;
}

static void make_world(struct world *w)
{
    *w = (struct world){ .room = 1, .witnesses = 100 };
    w->s = (struct scheduler){ .witness_limit = 3, .active_limit = 4, .devices = 2, .healthy = 3, .patience = 1000 };
    w->s.gate =
        (struct scheduler_gate){ w, activate, resident, look, on_device, ready, coming, witness, prove_means };
}

static struct job *make_job(struct world *w, size_t circuit, uint32_t priority, uint64_t deadline, size_t partitions)
{
    static const uint8_t hash[DIGEST_BYTES];
    struct job *job = job_create((struct bytes){ hash, 1 }, (struct bytes){ hash, 1 }, hash);
    assert_non_null(job);
    job->circuit = circuit;
    job->priority = priority;
    job->deadline = deadline;
    job->sequence = ++w->sequence;
    job->partition_count = partitions;
    job->partitions = calloc(partitions, sizeof *job->partitions);
    assert_non_null(job->partitions);
    for (size_t i = 0; i < partitions; i++) job->partitions[i].avoid = NO_DEVICE;
    scheduler_enqueue(&w->s, job);
    return job;
}

static void free_jobs(struct world *w)
{
    struct job_queue *queues[] = { &w->s.queued, &w->s.active };
    for (int q = 0; q < 2; q++) {
        while (queues[q]->first) {
            struct job *job = queues[q]->first;
            scheduler_remove(&w->s, job);
            job_free(job);
        }
    }
}

static void order__is_priority_deadline_arrival(void **state)
{
    (void)state;
    struct world w;
    make_world(&w);
    struct job *jobs[6];
    jobs[4] = make_job(&w, 0, PRIORITY_LOW, 1, 1);
    jobs[2] = make_job(&w, 0, PRIORITY_NORMAL, 0, 1);
    jobs[1] = make_job(&w, 0, PRIORITY_NORMAL, 900, 1);
    jobs[3] = make_job(&w, 0, PRIORITY_NORMAL, 0, 1);
    jobs[0] = make_job(&w, 0, PRIORITY_CRITICAL, 0, 1);
    struct job *at = w.s.queued.first;
    for (int i = 0; i < 5; i++, at = at->order.next) assert_ptr_equal(at, jobs[i]);
    assert_int_equal(queue_position(&w.s.queued, jobs[3]), 3);
    jobs[4]->priority = PRIORITY_CRITICAL;
    scheduler_resort(&w.s, jobs[4]);
    assert_ptr_equal(w.s.queued.first, jobs[4]); /* has the deadline */
    free_jobs(&w);
}

static void memory__is_waited_for_in_order(void **state)
{
    (void)state;
    struct world w;
    make_world(&w);
    struct job *first = make_job(&w, 0, PRIORITY_NORMAL, 0, 1);
    struct job *blocked = make_job(&w, 1, PRIORITY_NORMAL, 0, 1);
    struct job *passes = make_job(&w, 0, PRIORITY_NORMAL, 0, 1); /* its parameters are there */
    struct job *waits = make_job(&w, 2, PRIORITY_NORMAL, 0, 1);
    assert_true(scheduler_activate(&w.s, 5000));
    assert_int_equal(first->list, LIST_ACTIVE);
    assert_int_equal(blocked->list, LIST_QUEUED);
    assert_int_equal(blocked->blocked_since, 5000);
    assert_int_equal(passes->list, LIST_ACTIVE);
    assert_int_equal(waits->list, LIST_QUEUED);
    assert_false(w.urgent);
    struct job *late = make_job(&w, 0, PRIORITY_NORMAL, 0, 1);
    assert_true(scheduler_activate(&w.s, 5000 + 1000)); /* its patience is over: nobody passes any more */
    assert_int_equal(late->list, LIST_QUEUED);
    assert_true(w.urgent); /* and it may evict what is idle */
    w.room = 2;
    assert_false(scheduler_activate(&w.s, 5000 + 1001));
    assert_int_equal(blocked->list, LIST_ACTIVE);
    free_jobs(&w);
}

static void critical_job__has_no_patience(void **state)
{
    (void)state;
    struct world w;
    make_world(&w);
    w.room = 0;
    w.resident[0] = true;
    make_job(&w, 1, PRIORITY_CRITICAL, 0, 1);
    struct job *lesser = make_job(&w, 0, PRIORITY_HIGH, 0, 1);
    assert_true(scheduler_activate(&w.s, 1));
    assert_true(w.urgent);
    assert_int_equal(lesser->list, LIST_QUEUED);
    free_jobs(&w);
}

static void active_jobs__are_limited_by_rank_and_progress(void **state)
{
    (void)state;
    struct world w;
    make_world(&w);
    w.room = 3;
    w.loaded[1] = true;
    for (int i = 0; i < 10; i++) make_job(&w, 0, PRIORITY_NORMAL, 0, 1); /* their parameters are on the way */
    struct job *ready_one = make_job(&w, 1, PRIORITY_NORMAL, 0, 1);
    scheduler_activate(&w.s, 1);
    assert_int_equal(w.s.active.count, 5);
    assert_int_equal(ready_one->list, LIST_ACTIVE);
    for (int i = 0; i < 10; i++) make_job(&w, 1, PRIORITY_NORMAL, 0, 1);
    scheduler_activate(&w.s, 1);
    assert_int_equal(w.s.active.count, 8);
    struct job *better = make_job(&w, 1, PRIORITY_HIGH, 0, 1);
    scheduler_activate(&w.s, 1);
    assert_int_equal(better->list, LIST_ACTIVE);
    assert_ptr_equal(w.s.active.first, better);
    free_jobs(&w);
}

static int inputs; /* something to point at */

static void steps__come_in_order_and_within_the_limit(void **state)
{
    (void)state;
    struct world w;
    make_world(&w);
    struct job *job = make_job(&w, 0, PRIORITY_NORMAL, 0, 5);
    assert_int_equal(scheduler_cpu(&w.s).kind, TASK_NONE);
    scheduler_activate(&w.s, 1);
    assert_int_equal(scheduler_cpu(&w.s).kind, TASK_PARSE);
    job->parsing = true;
    assert_int_equal(scheduler_cpu(&w.s).kind, TASK_NONE);
    job->parsing = false;
    job->inputs = &inputs;
    assert_int_equal(scheduler_cpu(&w.s).kind, TASK_NONE); /* not loaded */
    w.loaded[0] = true;
    for (uint32_t i = 0; i < 3; i++) {
        struct task t = scheduler_cpu(&w.s);
        assert_int_equal(t.kind, TASK_FILL);
        assert_int_equal(t.partition, i);
        job->partitions[i].state = PARTITION_FILLING;
    }
    assert_int_equal(scheduler_cpu(&w.s).kind, TASK_NONE); /* three are in flight */
    struct job *better = make_job(&w, 0, PRIORITY_CRITICAL, 0, 1);
    scheduler_activate(&w.s, 1);
    better->inputs = &inputs;
    assert_ptr_equal(scheduler_cpu(&w.s).job, better); /* those of lesser jobs do not count for it */
    better->partitions[0].state = PARTITION_FILLED;
    job->partitions[1].state = PARTITION_PROVED;
    job->partitions[2].state = PARTITION_PROVED;
    assert_int_equal(scheduler_in_flight(&w.s, PRIORITY_LOW), 2);
    assert_int_equal(scheduler_in_flight(&w.s, PRIORITY_CRITICAL), 1);
    better->partitions[0].state = PARTITION_PROVED;
    better->proved = 1;
    assert_int_equal(scheduler_cpu(&w.s).kind, TASK_VERIFY);
    better->verifying = true;
    w.witnesses = 0;
    assert_int_equal(scheduler_cpu(&w.s).kind, TASK_NONE);
    w.failed[0] = true;
    assert_int_equal(scheduler_cpu(&w.s).kind, TASK_FAIL);
    free_jobs(&w);
}

static void devices__get_what_they_have_and_avoid_what_failed(void **state)
{
    (void)state;
    struct world w;
    struct job *job;
    uint32_t partition;
    make_world(&w);
    w.loaded[0] = true;
    struct job *mine = make_job(&w, 0, PRIORITY_NORMAL, 0, 2);
    scheduler_activate(&w.s, 1);
    mine->partitions[0].state = mine->partitions[1].state = PARTITION_FILLED;
    assert_false(scheduler_device(&w.s, 0, &job, &partition));
    w.on_device[0][0] = true;
    assert_true(scheduler_device(&w.s, 0, &job, &partition));
    assert_int_equal(partition, 0);
    assert_false(scheduler_device(&w.s, 1, &job, &partition));
    mine->partitions[0].avoid = 0; /* there is no other place */
    assert_true(scheduler_device(&w.s, 0, &job, &partition));
    assert_int_equal(partition, 0);
    w.on_device[0][1] = true; /* now there is */
    assert_true(scheduler_device(&w.s, 0, &job, &partition));
    assert_int_equal(partition, 1);
    assert_true(scheduler_device(&w.s, 1, &job, &partition));
    assert_int_equal(partition, 0);
    w.s.healthy = 1; /* not any more */
    assert_true(scheduler_device(&w.s, 0, &job, &partition));
    assert_int_equal(partition, 0);
    assert_false(scheduler_device(&w.s, 1, &job, &partition));
    free_jobs(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(order__is_priority_deadline_arrival),
        test(memory__is_waited_for_in_order),
        test(critical_job__has_no_patience),
        test(active_jobs__are_limited_by_rank_and_progress),
        test(steps__come_in_order_and_within_the_limit),
        test(devices__get_what_they_have_and_avoid_what_failed),
    };
    return run_tests(tests);
}
