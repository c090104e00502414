/* A job and everything that it owns.
 *
 * Identity is the request id *and* the SHA-256 of the canonical request. The same identity joins the job that is
 * running or COMPLETED and starts anew after FAILED or CANCELLED; the same id with another payload is another job.
 *
 *     QUEUED → PREPARING → PROVING → VERIFYING → COMPLETED | FAILED | CANCELLED
 *
 * A job ends for those who wait as soon as its state is final. What it owned (payload, typed inputs, pin, reserved
 * memory) is ended in one place, job_clear, when no step is at work on it any more; the record itself (ids, result,
 * timeline) when nobody holds it.
 *
 * Guarded by the engine's lock, but for what the comments say.
 */
#ifndef CUZK_ENGINE_JOB_H
#define CUZK_ENGINE_JOB_H

#include "engine/engine.h"
#include "engine/snapshot.h"
#include "engine/srs_store.h"
#include "hash/digest.h"

/* A partition has two attempts, not counting those that a device's loss has ended: these count for themselves, and
 * the third that it may have caused is the last. */
enum { ATTEMPTS = 2, LOSSES = 3, NO_DEVICE = UINT32_MAX };

struct partition {
    enum partition_state state;
    uint32_t attempts;            /* proofs begun, without those that ended with the device's loss */
    uint32_t losses;              /* devices lost during this one's attempts, and whole at their beginning */
    bool vouched;                 /* the device was known to be whole when the last attempt began */
    uint32_t device;              /* of the last attempt */
    uint32_t avoid;               /* a device that failed it, or NO_DEVICE */
    struct witness_box *box;      /* FILLING … PROVING */
    uint64_t box_bytes;           /* charged for a box that is still to be made */
    bool prove_place;             /* has a place of its own, beyond what the job has reserved */
    bool prove_reserved;          /* uses what the job has reserved */
    size_t fill_span, prove_span; /* of the last attempt */
};

/* A link of a list that the job is on. */
struct job_link {
    struct job *next, *previous;
};

enum journal_state {
    JOURNAL_NONE,    /* there is no journal, or it holds the job no more */
    JOURNAL_PENDING, /* waits for the journal's thread */
    JOURNAL_DURABLE,
    JOURNAL_FAILED
};

enum job_list { LIST_QUEUED, LIST_ACTIVE, LIST_RECENT, LIST_NONE };

struct job {
    /* Fixed at birth. */
    struct bytes job_id, request_id; /* fresh memory, a NUL behind each */
    uint8_t hash[DIGEST_BYTES];
    enum proof_kind kind;
    uint64_t sequence;   /* order of arrival */
    uint64_t accepted;   /* clock_now() */
    int64_t accepted_ms; /* calendar */

    uint32_t priority; /* joining callers may raise it … */
    uint64_t deadline; /* … and bring this forward; 0: none */

    enum job_state state;
    bool keep;       /* wanted even if nobody waits: submitted, or found in the journal */
    bool superseded; /* final, and its ids belong to a newer job */
    bool cut_short;  /* ended by a shutdown: the journal keeps it for the next start */
    unsigned holds;  /* table, steps at work, journal, callers */
    unsigned tasks;  /* steps at work on it */
    struct waiter *waiters;
    unsigned waiter_count;
    uint64_t orphaned; /* since when nobody waits; 0: not an orphan */

    /* The payload. Views and owner are read by steps without the lock, while they are there. */
    bool payload_here;
    struct request request;
    struct arena payload_memory; /* the pieces */
    struct bytes *pieces;
    size_t piece_count;
    struct owner owner;
    uint64_t payload_bytes; /* charged */

    /* The plan. */
    bool planned;
    size_t circuit;
    size_t partition_count;
    uint64_t planned_input_bytes;
    uint64_t input_bytes; /* charged, from PREPARING on */

    /* From PREPARING on. */
    bool pinned, parsing, verifying, cleared;
    uint64_t activated;       /* clock_now() */
    uint64_t witness_reserve; /* charged and not yet turned into a box */
    uint64_t prove_reserve;   /* charged for one proof at work … */
    bool prove_reserve_used;  /* … which one partition has … */
    bool prove_reserve_warm;  /* … and in which a proof has been made, so that the next job will want it */
    uint64_t blocked_since;   /* QUEUED, first in line, and there is no memory */
    void *inputs;
    struct partition *partitions;
    uint8_t (*proofs)[PROOF_BYTES];
    size_t proved;
    size_t srs_span, finish_span; /* SIZE_MAX: none */

    /* The end. */
    char *error;
    struct timeline timeline;
    struct timings timings;
    int64_t finished_ms;

    /* The journal's thread. */
    enum journal_state journal;
    uint64_t journal_id;
    bool journal_wants_accept, journal_wants_finish;
    bool journal_listed;       /* in the journal's list or at work on it */
    uint32_t journal_priority; /* what the row says */
    bool payload_on_disk;

    /* Lists. */
    enum job_list list;
    struct job_link order;                     /* queued, active or recent */
    struct job_link all;                       /* every job in the table */
    struct job *by_id_next, *by_identity_next; /* hash chains */
    struct job *journal_next;
};

/* Fresh, with one hold, QUEUED; copies the ids. NULL without memory. */
struct job *job_create(struct bytes job_id, struct bytes request_id, const uint8_t hash[DIGEST_BYTES]);

/* Frees the record. Everything that it owned has been cleared. */
void job_free(struct job *job);

/* Strict priority, then earliest deadline, then arrival: does `a` go before `b`? */
bool job_before(const struct job *a, const struct job *b);

void job_fail_text(struct job *job, const char *text); /* replaces the error */

/* A list of jobs in `order`. */
struct job_queue {
    struct job *first, *last;
    size_t count;
};

void queue_insert(struct job_queue *q, struct job *job); /* where job_before puts it */
void queue_append(struct job_queue *q, struct job *job);
void queue_remove(struct job_queue *q, struct job *job);
size_t queue_position(const struct job_queue *q, const struct job *job);

/* Bytes that a request's views span. */
uint64_t request_bytes(const struct request *request);

#endif
