/* The engine's inside, shared by its files and nobody else.
 *
 *     engine.c    create, destroy, drain            admit.c    submit, prove, join, ids
 *     work.c      CPU workers and lanes             finish.c   how a job ends and what ends with it
 *     waiters.c   watch, leave, await, cancel       keeper.c   what time alone brings
 *     table.c     jobs by id and identity           record.c   the journal's thread, taking up old jobs
 *     snapshot.c  status, metrics, readiness        params.c   preload, evict
 *
 * One lock guards all jobs. It is held for short, bounded work only: never while a step runs, the disk is touched, or
 * memory is freed. engine_unlock delivers what was noted meanwhile: first outcomes to waiters, then memory to the
 * reaper. Threads that look for work sleep on the bell, which anyone may ring, with or without locks.
 */
#ifndef CUZK_ENGINE_ENGINE_PRIVATE_H
#define CUZK_ENGINE_ENGINE_PRIVATE_H

#include "engine/bell.h"
#include "engine/journal.h"
#include "engine/scheduler.h"

enum {
    BUCKETS = 4096, /* of the hash tables; a power of two */
    WAITER_BUCKETS = 1024,
    DEVICES_MAX = 64,
    LANES_MAX = 256,
    WORKERS_MAX = 256
};

/* A caller who waits for a job; `job` holds it. */
struct waiter {
    waiter_id id;
    struct job *job;
    outcome_fn *done;
    void *context;
    uint64_t timeout; /* clock_now() time, 0: none */
    bool timed_out;
    enum job_state seen;            /* when it timed out */
    struct waiter *next, *previous; /* of the job */
    struct waiter *chain;           /* of the bucket */
    struct waiter *notice;          /* among those to be told */
};

/* Memory that the next unlock hands to the reaper. */
struct trash {
    struct trash *next;
    struct region region;
};

struct lane {
    struct engine *engine;
    pthread_t thread;
    size_t number, device;
    /* under the engine's lock: */
    struct job *job; /* at work on it */
    uint32_t partition;
    uint64_t since;
};

struct device_slot {
    struct device_state state; /* as of the keeper's last look */
    unsigned lanes;
    uint64_t partitions, selfcheck_failures, busy_ns;
};

struct counters {
    uint64_t submitted, joined, completed, failed, cancelled, refused;
    struct histogram phase[PHASES], duration;
};

struct fault {
    uint32_t partition, times;
};

struct engine {
    struct engine_config config; /* strings are copies */
    char *param_cache, *journal_dir, **preload;
    struct log *log;
    struct steps steps;
    uint64_t born;

    struct budget host, device_budget[DEVICES_MAX];
    struct reaper *reaper;
    struct srs_store *store;
    struct journal *journal; /* NULL: none */
    struct bell work;        /* workers and lanes */
    struct bell time;        /* the keeper */
    struct bell watch;       /* the watcher of devices */
    struct bell record;      /* the journal's thread */

    pthread_mutex_t lock;
    pthread_cond_t changed; /* a job ended, or the journal has something: engine_submit and engine_drain wait */
    struct scheduler scheduler;
    uint64_t vouched;    /* bit d: device d was found healthy since a device was last lost */
    uint64_t loss_count; /* devices lost */
    struct job *by_id[BUCKETS], *by_identity[BUCKETS];
    struct job_queue recent; /* finished, oldest first */
    struct job *jobs;        /* all in the table */
    size_t job_count;
    uint64_t sequence;
    struct waiter *waiters[WAITER_BUCKETS];
    uint64_t last_waiter;
    uint32_t waiter_count;
    struct waiter *notices, **notices_end;
    struct trash *trash;
    struct job *records, **records_end; /* for the journal's thread */
    size_t record_count;                /* those, and what it is at work on */

    struct lane lane[LANES_MAX];
    size_t lane_count, lanes_started;
    pthread_t worker[WORKERS_MAX], keeper, watcher, recorder, preloader;
    size_t worker_count, workers_started;
    bool keeper_started, watcher_started, recorder_started, preloader_started;
    struct device_slot device[DEVICES_MAX];
    unsigned fills_active, parses_active, verifies_active, provers_active;

    bool draining, hurry;
    bool stopping; /* also read without the lock */
    bool lost;     /* engine_lost */
    struct counters counter[KINDS];
    uint64_t retries, selfcheck_failures, journal_accepted, journal_finished, journal_errors, budget_refused;
    bool journal_writable;
    struct fault fault[KINDS];
};

void engine_lock(struct engine *e);
void engine_unlock(struct engine *e);

static inline size_t kind_index(enum proof_kind kind) { return (size_t)kind - 1; }
static inline struct counters *counters_of(struct engine *e, const struct job *job)
{
    return &e->counter[kind_index(job->kind)];
}

/* ---- table.c: jobs by job id and by identity; under the lock ---- */

void table_add(struct engine *e, struct job *job);    /* holds it */
void table_remove(struct engine *e, struct job *job); /* drops that hold */
struct job *table_find(struct engine *e, struct bytes job_id);
struct job *table_find_identity(struct engine *e, struct bytes request_id, const uint8_t hash[DIGEST_BYTES]);

/* Takes a final job's ids away, so that a new one may have them; the record leaves the table. */
void table_supersede(struct engine *e, struct job *job);

void job_hold(struct job *job);
void job_release(struct engine *e, struct job *job);

/* ---- finish.c; under the lock ---- */

/* The end for those who wait. `text` (or NULL) becomes the error. Harmless on a job that is final. */
void job_finish(struct engine *e, struct job *job, enum job_state state, const char *text);

/* A step at work on a job begins and ends; the last one to end clears a final job. */
void job_task_begin(struct engine *e, struct job *job);
void job_task_end(struct engine *e, struct job *job);

/* Drops the payload if nobody needs it any more. */
void job_settle_payload(struct engine *e, struct job *job);

void trash_add(struct engine *e, struct trash *t);

/* Forgets finished jobs beyond the retention and the number kept in memory. */
void retire_finished(struct engine *e);

/* ---- waiters.c ---- */

/* Under the lock; NULL without memory. */
struct waiter *waiter_add(struct engine *e, struct job *job, outcome_fn *done, void *context, uint64_t timeout);
void waiters_notify(struct engine *e, struct job *job);
void waiter_time_out(struct engine *e, struct waiter *w);
void deliver_notices(struct engine *e, struct waiter *list); /* without the lock */
void outcome_of_job(struct outcome *out, const struct job *job);

/* ---- admit.c ---- */

/* A job that the journal holds, at the start. */
cuzk_status admit_unfinished(void *engine, const struct unfinished *u);

/* ---- work.c ---- */

void work_gate(struct scheduler_gate *out, struct engine *e);
void *worker_main(void *engine);
void *lane_main(void *lane);

/* ---- marks.c: CUZK_TIMING (base/timing.h); nothing unless config.timing ---- */

struct step_timings;
void mark_step(const struct engine *e, const struct job *job, size_t partition, const char *name, uint64_t ns);
void mark_proof(const struct engine *e, const struct job *job, size_t partition, const struct step_timings *t);
void mark_finish(const struct engine *e, const struct job *job); /* the phases, and pre_destructor */

/* ---- keeper.c, record.c, params.c ---- */

void *keeper_main(void *engine);
void *watcher_main(void *engine);
void look_at_devices(struct engine *e); /* calls them: without the lock */

/* A step has found a device out of order. Under the lock. */
void device_lost(struct engine *e, size_t device);
void *recorder_main(void *engine);
void record_job(struct engine *e, struct job *job); /* under the lock: accept or finish is wanted */
void *preload_main(void *engine);

bool engine_stopping(const struct engine *e);

/* The catalogue's number, SIZE_MAX if unknown. */
size_t circuit_number(const char *circuit_id);

/* A thread of the engine: signals blocked. 0 or an errno. */
int engine_thread(pthread_t *out, void *(*main)(void *), void *argument);

#endif
