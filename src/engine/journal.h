/* The journal: accepted jobs and finished results in SQLite (WAL), payloads as files beside it (design §5).
 *
 *     DIR/lock                one process at a time
 *     DIR/journal.db          table job: one row for each job id
 *     DIR/payloads/ID         canonical bytes (canonical.h) of an accepted job, ID is the row's in 16 hexadecimal
 * digits
 *
 * Crash safety. A payload is on disk under its name, synced, before the row that needs it is committed, and is
 * removed after the row that no longer needs it is committed. So at any moment every committed row is one of:
 * accepted with its payload; finished with its result. A file without a row is what a crash left; opening the journal
 * removes it. A commit returns after SQLite's fsync (synchronous = FULL).
 *
 * One thread writes (journal_begin … journal_commit), any number read: they have a connection of their own and never
 * wait for the writer's disk.
 */
#ifndef CUZK_ENGINE_JOURNAL_H
#define CUZK_ENGINE_JOURNAL_H

#include "base/log.h"
#include "engine/job.h"

struct journal;

/* Creates the folder and what is missing in it. CUZK_ERR_UNAVAILABLE: another process has it; CUZK_ERR_CREATE,
 * CUZK_ERR_DATA (not a journal, or of a later version). */
cuzk_status journal_open(struct journal **out, const char *dir, struct log *log, cuzk_error *err);
void journal_close(struct journal *j); /* NULL is allowed */

/* ---- writing: one thread ---- */

/* Numbers for rows, unique for ever. Any thread. */
uint64_t journal_next_id(struct journal *j);

cuzk_status journal_begin(struct journal *j, cuzk_error *err);

/* Payload and row of job->journal_id. An older row with the same job id goes. */
cuzk_status journal_accept(struct journal *j, const struct job *job, cuzk_error *err);

/* The end of a job, accepted before or not. */
cuzk_status journal_finish(struct journal *j, const struct job *job, cuzk_error *err);

/* Rows that finished before `calendar_ms` go. */
cuzk_status journal_prune(struct journal *j, int64_t calendar_ms, cuzk_error *err);

/* After a failure in between: rolls back. */
cuzk_status journal_commit(struct journal *j, cuzk_error *err);
void journal_rollback(struct journal *j);

/* ---- reading: any thread ---- */

/* What a row of a finished job says; fresh memory, free with stored_free. */
struct stored {
    enum job_state state;
    struct bytes job_id, request_id, proof;
    char *error;
    struct timings timings;
    void *memory;
};

void stored_free(struct stored *s);

/* CUZK_ERR_MISSING: no row, or not finished. */
cuzk_status journal_find(struct journal *j, struct stored *out, struct bytes job_id, cuzk_error *err);

/* The COMPLETED job of this identity. */
cuzk_status journal_find_identity(struct journal *j, struct stored *out, struct bytes request_id,
                                  const uint8_t hash[DIGEST_BYTES], cuzk_error *err);

/* Is a COMPLETED job's result kept under this id? */
bool journal_holds(struct journal *j, struct bytes job_id);

/* Every accepted job that did not finish, oldest first. The views are valid during the call only; stops early when it
 * answers other than CUZK_OK. */
struct unfinished {
    uint64_t journal_id;
    struct bytes job_id, request_id;
    const uint8_t *hash;
    enum proof_kind kind;
    uint32_t priority;
    int64_t accepted_ms;
    const char *circuit_id; /* the plan */
    size_t partitions;
    uint64_t input_bytes;
};

cuzk_status journal_recover(struct journal *j, cuzk_status (*each)(void *context, const struct unfinished *u),
                            void *context, cuzk_error *err);

/* The canonical bytes of an accepted job, in fresh memory that the caller frees. */
cuzk_status journal_payload(struct journal *j, uint8_t **out, size_t *size, uint64_t journal_id, cuzk_error *err);

#endif
