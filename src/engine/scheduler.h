/* Who goes next. Strict priority, then earliest deadline, then arrival, decided at every partition boundary.
 *
 * Two stages: CPU workers parse payloads and fill witnesses, lanes of devices prove. Partitions of all active jobs
 * flow through both, the best job's first; a lower job's partition is taken only where a better job has nothing to
 * do. At most witness_limit witnesses are in flight for jobs of a priority and those above it: a better job is never
 * kept waiting by witnesses of lesser ones.
 *
 * At most active_limit jobs of a priority and those above it are active, and as many again while their parameters are
 * still on the way, so that a long load does not keep a device idle.
 *
 * A job becomes active when its parameters are pinned and one witness and the prover's memory are charged, all or
 * nothing: so every active job can make progress whatever else happens. A job without memory keeps lesser and later
 * jobs from starting, except that those whose parameters are loaded may pass for `patience`, unless it is CRITICAL.
 *
 * Partitions that were at work on a device when it was lost are proved one at a time, so that one which itself puts
 * devices out of order soon stands alone with it.
 *
 * Plain decisions over lists: no threads, no clock, no lock of its own. What depends on the world stands behind the
 * gate.
 */
#ifndef CUZK_ENGINE_SCHEDULER_H
#define CUZK_ENGINE_SCHEDULER_H

#include "engine/job.h"

struct scheduler_gate {
    void *context;
    bool (*activate)(void *context, struct job *job, bool urgent); /* pins and charges */
    bool (*resident)(void *context, const struct job *job);
    enum srs_readiness (*look)(void *context, const struct job *job);
    bool (*on_device)(void *context, const struct job *job, size_t device);
    bool (*ready)(void *context, const struct job *job);  /* on some device */
    bool (*coming)(void *context, const struct job *job); /* to devices that do not have it yet */

    /* A witness for one more partition: puts a box, or charged bytes for one, into *p. */
    bool (*witness)(void *context, struct job *job, struct partition *p);

    /* The job's circuit on a device, and the memory of one more proof at work. */
    bool (*prove_means)(void *context, struct job *job, struct partition *p, size_t device);
};

struct scheduler {
    struct job_queue queued, active;
    unsigned witness_limit, active_limit;
    size_t devices;
    uint64_t healthy;  /* bit d: device d */
    uint64_t patience; /* nanoseconds */
    struct scheduler_gate gate;
};

void scheduler_enqueue(struct scheduler *s, struct job *job); /* QUEUED */
void scheduler_remove(struct scheduler *s, struct job *job);  /* from either list; harmless on none */
void scheduler_resort(struct scheduler *s, struct job *job);  /* its priority or deadline changed */

/* Makes jobs active as far as memory allows. True if a job waits for memory. */
bool scheduler_activate(struct scheduler *s, uint64_t now);

enum task_kind {
    TASK_NONE,
    TASK_PARSE,
    TASK_FILL,
    TASK_VERIFY,
    TASK_FAIL /* its parameters cannot be loaded */
};

struct task {
    enum task_kind kind;
    struct job *job;
    uint32_t partition; /* FILL */
};

/* The next step for a CPU worker. The caller carries out what it changes in the job. */
struct task scheduler_cpu(struct scheduler *s);

/* The next partition for a lane of a device: FILLED. False if there is none. */
bool scheduler_device(struct scheduler *s, size_t device, struct job **job, uint32_t *partition);

/* Witnesses in flight of jobs of at least this priority. */
unsigned scheduler_in_flight(const struct scheduler *s, uint32_t priority);

#endif
