/* The engine: everything of the daemon that is not a wire format. Jobs come in as requests, are queued by priority,
 * proved partition by partition on the devices, verified, and handed to whoever waits.
 *
 *     engine_create → engine_submit / engine_prove / engine_watch / engine_cancel … → engine_drain → engine_destroy
 *
 * Thread safety: every function may be called from any thread at any time between create and destroy. None but those
 * that say so waits for a proof, a load, a device or the disk.
 *
 * A job's identity is its request id and the SHA-256 of its canonical request (canonical.h), see job.h. Its *job id*
 * is the request id; where another job that is alive or whose result is still kept has that id, it is `ID#` and the
 * first eight hexadecimal digits of the hash. Ids are any bytes but none at all; an empty request id is replaced by a
 * random UUID.
 */
#ifndef CUZK_ENGINE_ENGINE_H
#define CUZK_ENGINE_ENGINE_H

#include "base/log.h"
#include "engine/config.h"
#include "engine/timeline.h"
#include "vanilla/request.h"

struct engine;
struct steps; /* steps.h: the proving steps behind a seam, for tests */

/* Opens the journal and takes up the jobs it holds, opens the devices, starts the threads and the preloads. The
 * config is copied. CUZK_ERR_CONFIG, _UNAVAILABLE (no device; the journal belongs to another process), _CREATE. */
cuzk_status engine_create(struct engine **out, const struct engine_config *config, cuzk_error *err);

/* The same over other steps, which the engine closes in the end (also if this fails). */
cuzk_status engine_create_with(struct engine **out, const struct engine_config *config, const struct steps *steps,
                               cuzk_error *err);

/* Ends what still runs as engine_drain with no time does, and frees everything. NULL is allowed. */
void engine_destroy(struct engine *engine);

/* ---- jobs in ---- */

enum job_state {
    JOB_QUEUED,
    JOB_PREPARING, /* waiting for memory and parameters, reading and checking the payload */
    JOB_PROVING,
    JOB_VERIFYING,
    JOB_COMPLETED,
    JOB_FAILED,
    JOB_CANCELLED
};

/* Of a request; the values are those of the wire (cuzk.v1.Priority). 0: by kind (winning CRITICAL, window HIGH,
 * others NORMAL); any other number is NORMAL. */
enum { PRIORITY_LOW = 1, PRIORITY_NORMAL, PRIORITY_HIGH, PRIORITY_CRITICAL, PRIORITIES };

const char *job_state_name(enum job_state state); /* "queued", … */
static inline bool job_state_is_final(enum job_state state) { return state >= JOB_COMPLETED; }

/* Memory that a request's views point into, handed over to the engine, which calls release(context) exactly once,
 * from any thread, when it needs the bytes no more, whatever submit or prove answer. */
struct owner {
    void (*release)(void *context); /* NULL: nothing to release, the bytes live for ever */
    void *context;
};

struct submission {
    const struct request *request; /* copied; its views stay valid until owner.release */
    struct owner owner;
    uint64_t deadline; /* clock_now() time by which the caller wants it, 0: none; earlier goes first */
};

struct accepted {
    char *job_id; /* the caller frees it; one NUL follows */
    size_t job_id_size;
    uint32_t queue_position; /* jobs that go before it, 0 if it runs or is finished */
    bool joined;             /* an existing job, running or completed */
};

/* Takes a job in, or joins the same one. Returns when the journal has it on disk (waits for the disk). A payload that
 * cannot be proved (unknown registered proof, damaged bytes, …) is a job that ends FAILED, not an error here.
 * CUZK_ERR_USAGE: the kind is none of the four; CUZK_ERR_RESOURCE: the queue or the memory is full, or the circuit
 * can never fit (with both numbers); CUZK_ERR_UNAVAILABLE: draining; CUZK_ERR_WRITE: the journal cannot be written.
 */
cuzk_status engine_submit(struct engine *engine, struct accepted *out, const struct submission *submission,
                          cuzk_error *err);

/* What a job has come to. Everything points into memory of the engine (or of the outcome_copy). */
struct outcome {
    enum job_state state; /* not final: the wait timed out */
    struct bytes job_id, request_id;
    struct bytes proof; /* COMPLETED: 192 bytes per partition, in order */
    const char *error;  /* FAILED, CANCELLED: one line; otherwise "" */
    struct timings timings;
};

/* Called once, on a thread of the engine or from within the call that asked for it, with no lock held. Brief. */
typedef void outcome_fn(void *context, const struct outcome *outcome);

/* A caller who waits; 0 is nobody. */
typedef uint64_t waiter_id;

/* Submits (journalled beside the work) and waits: `done` gets the outcome. If this fails, `done` is never called.
 * `out` may be NULL. Errors as engine_submit, without the journal's. */
cuzk_status engine_prove(struct engine *engine, struct accepted *out, waiter_id *waiter,
                         const struct submission *submission, outcome_fn *done, void *context, cuzk_error *err);

/* Waits for a job that is known: `done` gets the outcome, or after timeout_ms (0: no limit) a state that is not
 * final. CUZK_ERR_MISSING: no such job. May read the journal for a result that has left memory. */
cuzk_status engine_watch(struct engine *engine, waiter_id *waiter, struct bytes job_id, uint64_t timeout_ms,
                         outcome_fn *done, void *context, cuzk_error *err);

/* The caller has gone. True: `done` will not be called; false: it has been, or is being called. A job that nobody but
 * gone callers of engine_prove wanted is cancelled after config.orphan_grace_ms. */
bool engine_leave(struct engine *engine, waiter_id waiter);

/* engine_watch for callers who can wait. Free with outcome_free. */
cuzk_status engine_await(struct engine *engine, struct outcome **out, struct bytes job_id, uint64_t timeout_ms,
                         cuzk_error *err);

struct outcome *outcome_copy(const struct outcome *outcome); /* one allocation; NULL without memory */
void outcome_free(struct outcome *outcome);                  /* of outcome_copy or engine_await; NULL is allowed */

/* Ends a job as CANCELLED: at once for its waiters, at the next partition boundary on the devices. False: there
 * was nothing to cancel (unknown or finished). *was_running: it was beyond QUEUED. */
bool engine_cancel(struct engine *engine, struct bytes job_id, bool *was_running);

/* ---- parameters ---- */

/* Loads a circuit's parameters onto all devices; waits for memory and the load, at most timeout_ms (0: no limit).
 * *already: they were there. CUZK_ERR_MISSING: unknown circuit id or no such file; CUZK_ERR_RESOURCE: can never fit,
 * or not in that time. */
cuzk_status engine_preload(struct engine *engine, bool *already, uint64_t *load_ms, const char *circuit_id,
                           uint64_t timeout_ms, cuzk_error *err);

/* Drops a circuit's parameters. Not loaded or unknown: CUZK_OK with *was_loaded false. In use by jobs or being
 * loaded: CUZK_ERR_UNAVAILABLE. The memory is freed by the reaper, a little later. */
cuzk_status engine_evict(struct engine *engine, bool *was_loaded, uint64_t *freed_bytes, const char *circuit_id,
                         cuzk_error *err);

/* ---- looking at it: snapshot.h ---- */

struct engine_status;
struct engine_metrics;
struct engine_readiness;

/* ---- running it ---- */

/* Takes over what may change while it runs: total_budget, safety_margin, eviction_min_idle_ms, max_queued,
 * orphan_grace_ms, retention_ms. The rest of the config is ignored. */
cuzk_status engine_reconfigure(struct engine *engine, const struct engine_config *config, cuzk_error *err);

/* Admits nothing more and lets running jobs (beyond QUEUED) end for at most timeout_ms, then fails them. Jobs
 * that have not begun stay in the journal for the next start (without a journal they fail); their waiters hear
 * FAILED with the reason. Waits; returns true if nothing had to be cut short. */
bool engine_drain(struct engine *engine, uint64_t timeout_ms);

/* From any thread, to end an engine_drain that waits (a second signal). Not async-signal-safe. */
void engine_hurry(struct engine *engine);

/* Under keep_when_lost: no device has been usable for device_recovery_ms, and jobs wait for one. CUDA does not give a
 * process its devices back after some faults, so that only a new process helps; the journal keeps the jobs for it. */
bool engine_lost(struct engine *engine);

/* Test hook: the next `times` proofs of partition `partition` of a job of `kind` come out wrong. Every use is
 * logged as a warning. */
void engine_inject_fault(struct engine *engine, enum proof_kind kind, uint32_t partition, uint32_t times);

#endif
