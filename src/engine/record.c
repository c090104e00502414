/* The journal's thread: takes what is to be written in batches, so that one fsync serves many jobs. */
#include "engine/engine_private.h"

#include "base/clock.h"

enum { BATCH = 64, PRUNE_MS = 60 * 1000 };

struct operation {
    struct job *job;
    bool accept, finish;
    cuzk_status status;
};

void record_job(struct engine *e, struct job *job)
{
    if (job->journal_listed) return; /* its turn will see what is wanted */
    job->journal_listed = true;
    job->journal_next = NULL;
    *e->records_end = job;
    e->records_end = &job->journal_next;
    e->record_count++;
    job_hold(job);
    bell_ring(&e->record);
}

/* Under the lock. A job that has finished before it was accepted on disk needs no payload there. */
static size_t take_batch(struct engine *e, struct operation ops[BATCH])
{
    size_t n = 0;
    while (e->records && n < BATCH) {
        struct job *job = e->records;
        e->records = job->journal_next;
        if (!e->records) e->records_end = &e->records;
        bool finish = job->journal_wants_finish;
        bool accept = job->journal_wants_accept && !finish && job->payload_here;
        job->journal_priority = job->priority;
        job_task_begin(e, job); /* keeps the payload */
        ops[n++] = (struct operation){ job, accept, finish, CUZK_OK };
    }
    return n;
}

static cuzk_status write_one(struct engine *e, const struct operation *op, cuzk_error *err)
{
    if (op->finish) return journal_finish(e->journal, op->job, err);
    if (op->accept) return journal_accept(e->journal, op->job, err);
    return CUZK_OK;
}

static cuzk_status write_batch(struct engine *e, struct operation *ops, size_t n, cuzk_error *err)
{
    cuzk_status status = journal_begin(e->journal, err);
    if (status != CUZK_OK) return status;
    for (size_t i = 0; i < n && status == CUZK_OK; i++) status = write_one(e, &ops[i], err);
    if (status == CUZK_OK) return journal_commit(e->journal, err);
    journal_rollback(e->journal);
    return status;
}

/* All at once, or where that fails one by one, so that a job that cannot be written does not harm others. */
static void write_all(struct engine *e, struct operation *ops, size_t n)
{
    cuzk_error err = { "" };
    if (write_batch(e, ops, n, &err) == CUZK_OK) return;
    for (size_t i = 0; i < n; i++) {
        ops[i].status = n == 1 ? CUZK_ERR_WRITE : write_batch(e, &ops[i], 1, &err);
        if (ops[i].status == CUZK_OK) continue;
        log_line(e->log, LOG_ERROR, LOG_JOURNAL, ops[i].job->job_id, "not written: %s", err.detail);
    }
}

/* Under the lock. */
static void note_written(struct engine *e, const struct operation *op)
{
    struct job *job = op->job;
    bool ok = op->status == CUZK_OK;
    if (op->accept || op->finish) {
        job->journal = ok ? JOURNAL_DURABLE : JOURNAL_FAILED;
        job->journal_wants_accept = false;
        e->journal_writable = ok;
    }
    if (op->accept) job->payload_on_disk = ok;
    if (op->finish) job->journal_wants_finish = false;
    e->journal_accepted += op->accept && ok;
    e->journal_finished += op->finish && ok;
    e->journal_errors += !ok;
    job->journal_listed = false;
    e->record_count--;
    if (job->journal_wants_finish) record_job(e, job);
    job_settle_payload(e, job);
    job_task_end(e, job);
    job_release(e, job);
}

static bool write_some(struct engine *e)
{
    struct operation ops[BATCH];
    engine_lock(e);
    size_t n = take_batch(e, ops);
    engine_unlock(e);
    if (n == 0) return false;
    write_all(e, ops, n);
    engine_lock(e);
    for (size_t i = 0; i < n; i++) note_written(e, &ops[i]);
    pthread_cond_broadcast(&e->changed);
    engine_unlock(e);
    return true;
}

static void prune(struct engine *e)
{
    engine_lock(e);
    int64_t before = clock_calendar_ms() - (int64_t)e->config.retention_ms;
    engine_unlock(e);
    cuzk_error err = { "" };
    cuzk_status status = journal_begin(e->journal, &err);
    if (status == CUZK_OK) {
        status = journal_prune(e->journal, before, &err);
        if (status == CUZK_OK)
            status = journal_commit(e->journal, &err);
        else
            journal_rollback(e->journal);
    }
    engine_lock(e);
    e->journal_writable = status == CUZK_OK;
    e->journal_errors += status != CUZK_OK;
    engine_unlock(e);
    if (status != CUZK_OK) log_error(e->log, LOG_JOURNAL, "%s", err.detail);
}

void *recorder_main(void *context)
{
    struct engine *e = context;
    uint64_t next_prune = clock_now();
    for (;;) {
        uint64_t seen = bell_now(&e->record);
        if (write_some(e)) continue;
        if (engine_stopping(e)) return NULL;
        if (clock_now() >= next_prune) {
            prune(e);
            next_prune = clock_now() + PRUNE_MS * CLOCK_MS;
        }
        bell_wait(&e->record, seen, next_prune);
    }
}
