/* Jobs in: identity, joining, admission. */
#include "engine/engine_private.h"

#include "base/clock.h"
#include "engine/canonical.h"
#include "groth16/randomness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UUID_BYTES = 36 };

/* What is known about a submission before the lock is taken. */
struct admission {
    uint64_t begin; /* clock_now() */
    struct request request;
    struct owner owner;
    uint64_t deadline;
    bool keep;
    outcome_fn *done; /* engine_prove */
    void *context;
    waiter_id waiter;

    char uuid[UUID_BYTES + 1];
    struct bytes request_id;
    uint8_t hash[DIGEST_BYTES];
    struct bytes longer_id; /* ID# and eight digits of the hash */
    bool kept, longer_kept; /* the journal keeps another job's result under the request id, under the longer one */
    struct arena memory;    /* the pieces and the longer id; moves into the job */
    struct bytes *pieces;
    size_t piece_count;
    uint64_t bytes;

    cuzk_status plan_status;
    cuzk_error plan_error;
    struct steps_plan plan;

    bool joined;
    uint32_t position;
};

/* ---- before the lock ---- */

static cuzk_status make_uuid(char out[UUID_BYTES + 1], cuzk_error *err)
{
    uint8_t b[16];
    cuzk_status status = random_bytes(b, sizeof b, err);
    if (status != CUZK_OK) return status;
    b[6] = (b[6] & 0x0f) | 0x40; /* version 4, variant 1 (RFC 4122) */
    b[8] = (b[8] & 0x3f) | 0x80;
    char hex[33];
    hex_encode(hex, b, sizeof b);
    snprintf(out, UUID_BYTES + 1, "%.8s-%.4s-%.4s-%.4s-%.12s", hex, hex + 8, hex + 12, hex + 16, hex + 20);
    return CUZK_OK;
}

static uint32_t effective_priority(const struct request *r)
{
    if (r->priority == PRIORITY_LOW || r->priority == PRIORITY_HIGH || r->priority == PRIORITY_CRITICAL) {
        return r->priority;
    }
    if (r->priority != 0) return PRIORITY_NORMAL;
    if (r->kind == PROOF_WINNING) return PRIORITY_CRITICAL;
    return r->kind == PROOF_WINDOW ? PRIORITY_HIGH : PRIORITY_NORMAL;
}

/* All digits are written, eight count. */
static cuzk_status make_longer_id(struct admission *a, cuzk_error *err)
{
    size_t size = a->request_id.size;
    char *text = arena_take(&a->memory, 1, size + 1 + 2 * DIGEST_BYTES + 1);
    if (!text) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a job id");
    memcpy(text, a->request_id.data, size);
    text[size] = '#';
    hex_encode(text + size + 1, a->hash, DIGEST_BYTES);
    a->longer_id = (struct bytes){ (const uint8_t *)text, size + 1 + 8 };
    return CUZK_OK;
}

static cuzk_status prepare(struct engine *e, struct admission *a, cuzk_error *err)
{
    struct request *r = &a->request;
    if ((unsigned)r->kind < PROOF_POREP || (unsigned)r->kind > PROOF_WINNING) {
        return cuzk_fail(err, CUZK_ERR_USAGE, "proof_kind: %u is none of 1 to 4", (unsigned)r->kind);
    }
    if (r->one_partition) {
        return cuzk_fail(err, CUZK_ERR_USAGE, "a job proves all of its partitions");
    }
    cuzk_status status = CUZK_OK;
    a->request_id = r->request_id;
    if (r->request_id.size == 0) {
        status = make_uuid(a->uuid, err);
        a->request_id = (struct bytes){ (const uint8_t *)a->uuid, UUID_BYTES };
    }
    if (status == CUZK_OK) status = canonical_pieces(&a->pieces, &a->piece_count, &a->memory, r, err);
    if (status == CUZK_OK) status = canonical_hash(a->hash, a->pieces, a->piece_count, err);
    if (status == CUZK_OK) status = make_longer_id(a, err);
    if (status != CUZK_OK) return status;
    r->priority = effective_priority(r);
    a->bytes = request_bytes(r);
    a->plan_status = e->steps.plan(e->steps.context, &a->plan, r, &a->plan_error);
    return CUZK_OK;
}

/* A circuit that can never be proved within the budget is refused at once. */
static cuzk_status check_possible(struct engine *e, const struct admission *a, cuzk_error *err)
{
    if (a->plan_status != CUZK_OK) return CUZK_OK; /* it will fail for another reason */
    struct circuit_needs needs = srs_needs(e->store, a->plan.circuit);
    uint64_t bytes = srs_job_bytes(&needs) + a->plan.input_bytes + a->bytes;
    return budget_possible(&e->host, bytes, catalogue_at(a->plan.circuit)->id, err);
}

/* ---- under the lock ---- */

/* May a new job have this id? Takes it from a job that ended without a result. */
static bool claim_id(struct engine *e, struct bytes id)
{
    struct job *job = table_find(e, id);
    if (!job) return true;
    if (job->state != JOB_FAILED && job->state != JOB_CANCELLED) return false;
    table_supersede(e, job);
    return true;
}

/* The request id, or ID# and as many digits of the hash as it takes. */
static struct bytes choose_id(struct engine *e, const struct admission *a)
{
    if (!a->kept && claim_id(e, a->request_id)) return a->request_id;
    struct bytes id = a->longer_id;
    if (!a->longer_kept && claim_id(e, id)) return id;
    for (size_t digits = 16; digits <= 2 * DIGEST_BYTES; digits *= 2) {
        id.size = a->request_id.size + 1 + digits;
        if (claim_id(e, id)) return id;
    }
    return (struct bytes){ 0 };
}

static bool give_plan(struct job *job, const struct admission *a)
{
    job->planned = true;
    job->circuit = a->plan.circuit;
    job->partition_count = a->plan.partitions;
    job->planned_input_bytes = a->plan.input_bytes;
    job->partitions = calloc(a->plan.partitions, sizeof *job->partitions);
    job->proofs = calloc(a->plan.partitions, sizeof *job->proofs);
    if (!job->partitions || !job->proofs) return false;
    for (size_t i = 0; i < job->partition_count; i++) {
        job->partitions[i].device = job->partitions[i].avoid = NO_DEVICE;
    }
    return true;
}

/* The payload changes hands. */
static void give_payload(struct job *job, struct admission *a)
{
    job->payload_here = true;
    job->request = a->request;
    job->payload_memory = a->memory;
    job->pieces = a->pieces;
    job->piece_count = a->piece_count;
    job->owner = a->owner;
    job->payload_bytes = a->bytes;
    a->memory = (struct arena){ 0 };
    a->owner = (struct owner){ 0 };
}

static struct job *new_job(struct engine *e, struct admission *a)
{
    struct bytes id = choose_id(e, a);
    struct job *job = id.size ? job_create(id, a->request_id, a->hash) : NULL;
    if (!job) return NULL;
    job->kind = a->request.kind;
    job->priority = a->request.priority;
    job->deadline = a->deadline;
    job->sequence = ++e->sequence;
    job->accepted = a->begin;
    job->accepted_ms = clock_calendar_ms();
    timeline_begin(&job->timeline, a->begin);
    size_t reading = timeline_open(&job->timeline, PHASE_SYNTH, SPAN_JOB, 0, a->begin);
    timeline_close(&job->timeline, reading, clock_now()); /* the payload's hash */
    if (a->plan_status == CUZK_OK && !give_plan(job, a)) {
        job_free(job);
        return NULL;
    }
    return job;
}

static cuzk_status check_room(struct engine *e, const struct admission *a, cuzk_error *err)
{
    if (e->scheduler.queued.count >= e->config.max_queued) {
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "the queue is full: %zu jobs wait, the limit is %zu",
                         e->scheduler.queued.count, e->config.max_queued);
    }
    if (budget_try(&e->host, a->bytes)) return CUZK_OK;
    struct budget_state b;
    budget_state(&e->host, &b);
    return cuzk_fail(err, CUZK_ERR_RESOURCE, "the payload has %llu bytes, %llu of %llu bytes of %s are in use",
                     (unsigned long long)a->bytes, (unsigned long long)b.used, (unsigned long long)b.limit,
                     e->host.name);
}

static void want_journal(struct engine *e, struct job *job)
{
    if (!e->journal) return;
    job->journal = JOURNAL_PENDING;
    job->journal_id = journal_next_id(e->journal);
    job->journal_wants_accept = true;
    record_job(e, job);
}

/* A job that nobody knows yet. It comes with one hold, the caller's. */
static cuzk_status begin_job(struct engine *e, struct job **out, struct admission *a, cuzk_error *err)
{
    retire_finished(e); /* many short jobs end between two rounds of the keeper */
    cuzk_status status = check_room(e, a, err);
    if (status != CUZK_OK) return status;
    struct job *job = *out = new_job(e, a);
    if (!job) {
        budget_credit(&e->host, a->bytes);
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a job");
    }
    give_payload(job, a);
    job->keep = a->keep;
    table_add(e, job);
    counters_of(e, job)->submitted++;
    scheduler_enqueue(&e->scheduler, job);
    want_journal(e, job);
    log_line(e->log, LOG_DEBUG, LOG_ENGINE, job->job_id, "accepted: kind %d, priority %u, %llu bytes", (int)job->kind,
             job->priority, (unsigned long long)job->payload_bytes);
    return CUZK_OK;
}

static void join_job(struct engine *e, struct job *job, struct admission *a)
{
    job_hold(job);
    a->joined = true;
    counters_of(e, job)->joined++;
    if (a->keep) {
        job->keep = true;
        job->orphaned = 0;
    }
    if (job_state_is_final(job->state)) return;
    bool sooner = a->deadline && (job->deadline == 0 || a->deadline < job->deadline);
    if (sooner) job->deadline = a->deadline;
    if (a->request.priority > job->priority) job->priority = a->request.priority;
    scheduler_resort(&e->scheduler, job);
}

static cuzk_status add_waiter(struct engine *e, struct job *job, struct admission *a, cuzk_error *err)
{
    if (!a->done) return CUZK_OK;
    struct waiter *w = waiter_add(e, job, a->done, a->context, 0);
    if (!w) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory to wait for a job");
    a->waiter = w->id;
    if (job_state_is_final(job->state)) waiters_notify(e, job);
    return CUZK_OK;
}

/* Joins or begins; *job comes with a hold. */
static cuzk_status place(struct engine *e, struct job **job, struct admission *a, cuzk_error *err)
{
    if (e->draining) return cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "shutting down: no new jobs");
    cuzk_status status = CUZK_OK;
    *job = table_find_identity(e, a->request_id, a->hash);
    if (*job)
        join_job(e, *job, a);
    else
        status = begin_job(e, job, a, err);
    if (status != CUZK_OK) return status;
    status = add_waiter(e, *job, a, err);
    if (status != CUZK_OK && !a->joined) job_finish(e, *job, JOB_CANCELLED, err->detail);
    if (status == CUZK_OK && a->plan_status != CUZK_OK) job_finish(e, *job, JOB_FAILED, a->plan_error.detail);
    if ((*job)->state == JOB_QUEUED) a->position = (uint32_t)queue_position(&e->scheduler.queued, *job);
    if (status != CUZK_OK) {
        job_release(e, *job);
        *job = NULL;
    }
    bell_ring(&e->work);
    return status;
}

/* The journal has it when this returns CUZK_OK. */
static cuzk_status wait_journal(struct engine *e, struct job *job, bool mine, cuzk_error *err)
{
    while (job->journal == JOURNAL_PENDING) pthread_cond_wait(&e->changed, &e->lock);
    if (job->journal != JOURNAL_FAILED) return CUZK_OK;
    if (mine && job->waiter_count == 0) job_finish(e, job, JOB_CANCELLED, "the journal cannot be written");
    return cuzk_fail(err, CUZK_ERR_WRITE, "the journal in %s cannot be written", e->journal_dir);
}

/* ---- the result is in the journal already ---- */

static cuzk_status answer_from_journal(struct engine *e, struct accepted *out, struct admission *a, cuzk_error *err)
{
    struct stored s;
    cuzk_status status = journal_find_identity(e->journal, &s, a->request_id, a->hash, err);
    if (status != CUZK_OK) return status;
    if (out) {
        uint8_t *id = malloc(s.job_id.size + 1);
        if (!id) {
            stored_free(&s);
            return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a job id");
        }
        memcpy(id, s.job_id.data, s.job_id.size + 1);
        *out = (struct accepted){ (char *)id, s.job_id.size, 0, true };
    }
    if (a->done) {
        struct outcome outcome = { s.state, s.job_id, s.request_id, s.proof, s.error, s.timings };
        a->done(a->context, &outcome);
    }
    stored_free(&s);
    engine_lock(e);
    e->counter[kind_index(a->request.kind)].joined++;
    engine_unlock(e);
    return CUZK_OK;
}

static bool known_here(struct engine *e, const struct admission *a)
{
    engine_lock(e);
    bool known = table_find_identity(e, a->request_id, a->hash) != NULL;
    engine_unlock(e);
    return known;
}

/* ---- the whole ---- */

static cuzk_status accepted_of(struct accepted *out, const struct job *job, const struct admission *a,
                               cuzk_error *err)
{
    if (!out) return CUZK_OK;
    *out = (struct accepted){ malloc(job->job_id.size + 1), job->job_id.size, a->position, a->joined };
    if (!out->job_id) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a job id");
    memcpy(out->job_id, job->job_id.data, job->job_id.size + 1);
    return CUZK_OK;
}

static cuzk_status admit_locked(struct engine *e, struct accepted *out, struct admission *a, cuzk_error *err)
{
    struct job *job = NULL;
    engine_lock(e);
    cuzk_status status = place(e, &job, a, err);
    engine_unlock(e); /* whoever can be told already is */
    engine_lock(e);
    if (status == CUZK_OK && a->keep) status = wait_journal(e, job, !a->joined, err);
    if (status == CUZK_OK) status = accepted_of(out, job, a, err);
    if (job) job_release(e, job);
    if (status == CUZK_ERR_RESOURCE) e->counter[kind_index(a->request.kind)].refused++;
    engine_unlock(e);
    return status;
}

static cuzk_status admit(struct engine *e, struct accepted *out, struct admission *a, cuzk_error *err)
{
    if (out) *out = (struct accepted){ 0 };
    cuzk_error unused = { "" };
    cuzk_error *detail = err ? err : &unused; /* it is also shown to waiters */
    cuzk_status status = prepare(e, a, detail);
    if (status == CUZK_OK) {
        status = check_possible(e, a, detail);
        if (status != CUZK_OK) {
            engine_lock(e);
            e->budget_refused++;
            e->counter[kind_index(a->request.kind)].refused++;
            engine_unlock(e);
        }
    }
    bool answered = false;
    if (status == CUZK_OK && e->journal && a->request.request_id.size && !known_here(e, a)) {
        cuzk_error missing = { "" };
        answered = answer_from_journal(e, out, a, &missing) == CUZK_OK;
        a->kept = journal_holds(e->journal, a->request_id);
        a->longer_kept = a->kept && journal_holds(e->journal, a->longer_id);
    }
    if (status == CUZK_OK && !answered) status = admit_locked(e, out, a, detail);
    arena_release(&a->memory);
    if (a->owner.release) a->owner.release(a->owner.context); /* refused, or joined */
    return status;
}

cuzk_status engine_submit(struct engine *e, struct accepted *out, const struct submission *s, cuzk_error *err)
{
    struct admission a = { .begin = clock_now(), .request = *s->request, .owner = s->owner, .keep = true };
    a.deadline = s->deadline;
    return admit(e, out, &a, err);
}

cuzk_status engine_prove(struct engine *e, struct accepted *out, waiter_id *waiter, const struct submission *s,
                         outcome_fn *done, void *context, cuzk_error *err)
{
    struct admission a = { .begin = clock_now(), .request = *s->request, .owner = s->owner };
    a.deadline = s->deadline;
    a.done = done;
    a.context = context;
    cuzk_status status = admit(e, out, &a, err);
    if (waiter) *waiter = a.waiter;
    return status;
}

/* ---- the journal's jobs at the start ---- */

cuzk_status admit_unfinished(void *context, const struct unfinished *u)
{
    struct engine *e = context;
    struct job *job = job_create(u->job_id, u->request_id, u->hash);
    if (!job) return CUZK_ERR_RESOURCE;
    bool kind_ok = (unsigned)u->kind >= PROOF_POREP && (unsigned)u->kind <= PROOF_WINNING;
    job->kind = kind_ok ? u->kind : PROOF_POREP;
    job->priority = u->priority >= PRIORITY_LOW && u->priority < PRIORITIES ? u->priority : PRIORITY_NORMAL;
    job->sequence = ++e->sequence;
    job->accepted = clock_now();
    job->accepted_ms = u->accepted_ms;
    job->keep = true;
    job->journal = JOURNAL_DURABLE;
    job->journal_id = u->journal_id;
    job->payload_on_disk = true;
    timeline_begin(&job->timeline, job->accepted);
    size_t circuit = circuit_number(u->circuit_id);
    struct admission a = { .plan = { circuit, u->partitions, u->input_bytes } };
    bool ok = kind_ok && circuit != SIZE_MAX && u->partitions > 0 && give_plan(job, &a);
    table_add(e, job);
    scheduler_enqueue(&e->scheduler, job);
    if (ok)
        log_line(e->log, LOG_INFO, LOG_JOURNAL, job->job_id, "taken up again");
    else
        job_finish(e, job, JOB_FAILED, "the journal's record of this job cannot be used");
    job_release(e, job);
    return CUZK_OK;
}
