/* Those who work: CPU workers parse, fill and verify; lanes prove. Each looks for the best step under the lock, does
 * it without, and notes the result under the lock again. */
#include "engine/engine_private.h"

#include "base/clock.h"
#include "base/timing.h"
#include "engine/canonical.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the gate: what the scheduler asks of the world, under the lock ---- */

static bool gate_activate(void *context, struct job *job, bool urgent)
{
    struct engine *e = context;
    struct circuit_needs needs = srs_needs(e->store, job->circuit);
    bool place = srs_place_take(e->store, job->circuit);
    uint64_t extra = needs.witness + (place ? 0 : needs.prove) + job->planned_input_bytes;
    if (!srs_pin(e->store, job->circuit, extra, urgent)) {
        if (place) srs_place_put(e->store, job->circuit);
        return false;
    }
    job->pinned = true;
    job->prove_reserve_warm = place;
    job->witness_reserve = needs.witness;
    job->prove_reserve = needs.prove;
    job->input_bytes = job->planned_input_bytes;
    job->state = JOB_PREPARING;
    job->activated = clock_now();
    if (!srs_on_any_device(e->store, job->circuit)) {
        job->srs_span = timeline_open(&job->timeline, PHASE_SRS, SPAN_JOB, 0, clock_now());
    }
    return true;
}

static bool gate_resident(void *context, const struct job *job)
{
    struct engine *e = context;
    return srs_resident(e->store, job->circuit);
}

static enum srs_readiness gate_look(void *context, const struct job *job)
{
    struct engine *e = context;
    return srs_look(e->store, job->circuit, NULL);
}

static bool gate_on_device(void *context, const struct job *job, size_t device)
{
    struct engine *e = context;
    return srs_on_device(e->store, job->circuit, device);
}

static bool gate_ready(void *context, const struct job *job)
{
    struct engine *e = context;
    return srs_on_any_device(e->store, job->circuit);
}

static bool gate_coming(void *context, const struct job *job)
{
    struct engine *e = context;
    return srs_loading(e->store, job->circuit);
}

static bool gate_witness(void *context, struct job *job, struct partition *p)
{
    struct engine *e = context;
    p->box = srs_box_take(e->store, job->circuit);
    if (p->box) return true;
    uint64_t bytes = srs_needs(e->store, job->circuit).witness, reserved = job->witness_reserve;
    job->witness_reserve = 0;
    bool ok = true;
    if (reserved >= bytes)
        budget_credit(&e->host, reserved - bytes);
    else if (reserved)
        budget_force(&e->host, bytes - reserved); /* the estimate was too low */
    else
        ok = budget_try(&e->host, bytes);
    if (ok)
        p->box_bytes = bytes;
    else
        srs_boxes_trim(e->store);
    return ok;
}

static bool take_prove_memory(struct engine *e, struct job *job, struct partition *p)
{
    if (!job->prove_reserve_used) {
        p->prove_reserved = job->prove_reserve_used = job->prove_reserve_warm = true;
        return true;
    }
    if (srs_place_take(e->store, job->circuit)) return p->prove_place = true;
    uint64_t bytes = srs_needs(e->store, job->circuit).prove;
    p->prove_place = budget_try(&e->host, bytes);
    return p->prove_place;
}

static bool gate_prove_means(void *context, struct job *job, struct partition *p, size_t device)
{
    struct engine *e = context;
    if (!srs_work_begin(e->store, job->circuit, device)) return false;
    if (take_prove_memory(e, job, p)) return true;
    if (srs_work_end(e->store, job->circuit, device)) bell_ring(&e->watch);
    return false;
}

void work_gate(struct scheduler_gate *out, struct engine *e)
{
    *out = (struct scheduler_gate){
        .context = e,
        .activate = gate_activate,
        .resident = gate_resident,
        .look = gate_look,
        .on_device = gate_on_device,
        .ready = gate_ready,
        .coming = gate_coming,
        .witness = gate_witness,
        .prove_means = gate_prove_means,
    };
}

/* ---- reading the payload ---- */

/* A payload that is only on disk comes back. */
static cuzk_status recall_payload(struct engine *e, struct job *job, struct request *request, struct arena *arena,
                                  uint8_t **bytes, cuzk_error *err)
{
    size_t size = 0, count = 0;
    struct bytes *pieces = NULL;
    uint8_t hash[DIGEST_BYTES];
    cuzk_status status = journal_payload(e->journal, bytes, &size, job->journal_id, err);
    if (status == CUZK_OK) status = request_wire(request, arena, (struct bytes){ *bytes, size }, err);
    if (status == CUZK_OK) status = canonical_pieces(&pieces, &count, arena, request, err);
    if (status == CUZK_OK) status = canonical_hash(hash, pieces, count, err);
    if (status == CUZK_OK && memcmp(hash, job->hash, DIGEST_BYTES) != 0) {
        status = cuzk_fail(err, CUZK_ERR_DATA, "the payload in the journal is not the one that was accepted");
    }
    return cuzk_within(err, status, "journal");
}

static cuzk_status parse_from_disk(struct engine *e, struct job *job, void **inputs, cuzk_error *err)
{
    struct request request = { 0 };
    struct arena arena = { 0 };
    uint8_t *bytes = NULL;
    cuzk_status status = recall_payload(e, job, &request, &arena, &bytes, err);
    if (status == CUZK_OK) status = e->steps.parse(e->steps.context, inputs, &request, err);
    arena_release(&arena);
    free(bytes);
    return status;
}

static void do_parse(struct engine *e, struct job *job)
{
    cuzk_error err = { "" };
    void *inputs = NULL;
    job_task_begin(e, job);
    job->parsing = true;
    e->parses_active++;
    bool here = job->payload_here;
    uint64_t begin = clock_now();
    size_t span = timeline_open(&job->timeline, PHASE_SYNTH, SPAN_JOB, 0, begin);
    engine_unlock(e);

    cuzk_status status = here ? e->steps.parse(e->steps.context, &inputs, &job->request, &err)
                              : parse_from_disk(e, job, &inputs, &err);
    mark_step(e, job, TIMING_WHOLE, "entry_prep", clock_now() - begin);

    engine_lock(e);
    timeline_close(&job->timeline, span, clock_now());
    e->parses_active--;
    job->parsing = false;
    job->inputs = inputs; /* also of a job that has ended meanwhile: the last task clears it */
    if (status != CUZK_OK) job_finish(e, job, JOB_FAILED, err.detail);
    job_settle_payload(e, job);
    job_task_end(e, job);
}

/* ---- filling ---- */

static void return_box(struct engine *e, struct job *job, struct partition *p)
{
    if (p->box) srs_box_put(e->store, job->circuit, p->box);
    p->box = NULL;
}

static void do_fill(struct engine *e, struct job *job, uint32_t number)
{
    cuzk_error err = { "" };
    struct partition *p = &job->partitions[number];
    struct witness_box *box = p->box;
    uint64_t bytes = p->box_bytes;
    p->box_bytes = 0;
    p->state = PARTITION_FILLING;
    if (job->state == JOB_PREPARING) job->state = JOB_PROVING;
    job_task_begin(e, job);
    e->fills_active++;
    p->fill_span = timeline_open(&job->timeline, PHASE_SYNTH, number, 0, clock_now());
    engine_unlock(e);

    uint64_t begin = clock_now();
    cuzk_status status = box ? CUZK_OK : srs_box_create(&box, e->store, job->circuit, bytes, &err);
    uint64_t made = clock_now();
    if (status == CUZK_OK) {
        status = e->steps.fill(e->steps.context, box->witness, job->inputs, number, &err);
        cuzk_within(&err, status, "partition %u", number);
    }
    mark_step(e, job, number, "alloc", made - begin);
    mark_step(e, job, number, "witness", clock_now() - made);

    engine_lock(e);
    timeline_close(&job->timeline, p->fill_span, clock_now());
    e->fills_active--;
    p->box = box;
    p->state = PARTITION_FILLED;
    if (status != CUZK_OK) {
        p->state = PARTITION_FAILED;
        job_finish(e, job, JOB_FAILED, err.detail);
    }
    if (job_state_is_final(job->state)) return_box(e, job, p);
    job_task_end(e, job);
}

/* ---- verifying ---- */

/* A proof that does not hold is made once more, on another device if there is one. */
static void refused(struct engine *e, struct job *job, size_t bad, const cuzk_error *err)
{
    struct partition *p = &job->partitions[bad];
    e->selfcheck_failures++;
    e->device[p->device].selfcheck_failures++;
    log_line(e->log, LOG_ERROR, LOG_ENGINE, job->job_id, "partition %zu: the proof of device %u does not hold: %s",
             bad, p->device, err->detail);
    if (p->attempts < ATTEMPTS) {
        e->retries++;
        p->avoid = p->device;
        p->state = PARTITION_PENDING;
        job->proved--;
        job->state = JOB_PROVING;
        timeline_close(&job->timeline, job->finish_span, clock_now());
        return;
    }
    char text[256];
    p->state = PARTITION_FAILED;
    snprintf(text, sizeof text,
             "partition %zu: the proof does not verify after %u attempts, the last on device %u (%s)", bad,
             p->attempts, p->device, e->device[p->device].state.name);
    job_finish(e, job, JOB_FAILED, text);
}

static void do_verify(struct engine *e, struct job *job)
{
    cuzk_error err = { "" };
    size_t bad = 0;
    job_task_begin(e, job);
    job->verifying = true;
    job->state = JOB_VERIFYING;
    e->verifies_active++;
    engine_unlock(e);
    uint64_t begin = clock_now();

    uint32_t *partitions = malloc(job->partition_count * sizeof *partitions);
    for (uint32_t i = 0; partitions && i < job->partition_count; i++) partitions[i] = i;
    void *srs = srs_get(e->store, job->circuit);
    const uint8_t(*proofs)[PROOF_BYTES] = (const uint8_t(*)[PROOF_BYTES])job->proofs;
    cuzk_status status = !partitions ? cuzk_fail(&err, CUZK_ERR_RESOURCE, "no memory to verify")
                                     : e->steps.verify(e->steps.context, &bad, srs, job->inputs, proofs, partitions,
                                                       job->partition_count, &err);
    free(partitions);
    mark_step(e, job, TIMING_WHOLE, "verify", clock_now() - begin);

    engine_lock(e);
    e->verifies_active--;
    job->verifying = false;
    if (!job_state_is_final(job->state)) {
        if (status == CUZK_OK)
            job_finish(e, job, JOB_COMPLETED, NULL);
        else if (status == CUZK_REFUSED)
            refused(e, job, bad, &err);
        else
            job_finish(e, job, JOB_FAILED, err.detail);
    }
    job_task_end(e, job);
}

/* ---- workers ---- */

static void do_task(struct engine *e, const struct task *t)
{
    cuzk_error err = { "" };
    switch (t->kind) {
    case TASK_PARSE: do_parse(e, t->job); break;
    case TASK_FILL: do_fill(e, t->job, t->partition); break;
    case TASK_VERIFY: do_verify(e, t->job); break;
    case TASK_FAIL:
        srs_look(e->store, t->job->circuit, &err);
        job_finish(e, t->job, JOB_FAILED, err.detail);
        break;
    case TASK_NONE: break;
    }
}

/* Jobs whose parameters have arrived wait for them no more. */
static void close_srs_spans(struct engine *e)
{
    for (struct job *job = e->scheduler.active.first; job; job = job->order.next) {
        if (job->srs_span == SIZE_MAX || !srs_on_any_device(e->store, job->circuit)) continue;
        timeline_close(&job->timeline, job->srs_span, clock_now());
        job->srs_span = SIZE_MAX;
    }
}

void *worker_main(void *context)
{
    struct engine *e = context;
    for (;;) {
        uint64_t seen = bell_now(&e->work); /* before the look at `stopping`: its ring must not be missed */
        if (engine_stopping(e)) return NULL;
        engine_lock(e);
        close_srs_spans(e);
        if (!e->draining) scheduler_activate(&e->scheduler, clock_now());
        struct task task = scheduler_cpu(&e->scheduler);
        if (task.kind != TASK_NONE) do_task(e, &task);
        engine_unlock(e);
        if (task.kind == TASK_NONE)
            bell_wait(&e->work, seen, 0);
        else
            bell_ring(&e->work);
    }
}

/* ---- lanes ---- */

/* Test hook: flips the sign of A, which gives a point that decodes and a proof that does not hold. */
static void maybe_inject(struct engine *e, const struct job *job, uint32_t partition, uint8_t proof[PROOF_BYTES])
{
    struct fault *f = &e->fault[kind_index(job->kind)];
    if (f->times == 0 || f->partition != partition) return;
    f->times--;
    proof[0] ^= 0x20;
    log_line(e->log, LOG_WARN, LOG_ENGINE, job->job_id, "partition %u: a fault is injected", partition);
}

static void release_prove_means(struct engine *e, struct job *job, struct partition *p)
{
    if (srs_work_end(e->store, job->circuit, p->device)) bell_ring(&e->watch);
    if (p->prove_place) srs_place_put(e->store, job->circuit);
    if (p->prove_reserved) job->prove_reserve_used = false;
    p->prove_place = p->prove_reserved = false;
}

static void lane_failed(struct engine *e, struct lane *lane, struct job *job, uint32_t number, cuzk_status status,
                        const cuzk_error *err)
{
    struct partition *p = &job->partitions[number];
    log_line(e->log, LOG_ERROR, LOG_DEVICE, job->job_id, "partition %u on device %zu: %s", number, lane->device,
             err->detail);
    p->avoid = (uint32_t)lane->device;
    if (status == CUZK_ERR_UNAVAILABLE) {
        p->attempts--;
        p->losses += p->vouched;
    }
    if (p->attempts < ATTEMPTS && p->losses < LOSSES) {
        e->retries++;
        p->state = PARTITION_FILLED; /* the witness is as good as before */
        return;
    }
    char text[512 + 64], losses[64] = "";
    p->state = PARTITION_FAILED;
    if (p->losses == LOSSES) snprintf(losses, sizeof losses, "%u devices lost while it was proved: ", p->losses);
    snprintf(text, sizeof text, "partition %u: %s%s", number, losses, err->detail);
    job_finish(e, job, JOB_FAILED, text);
}

static void lane_proved(struct engine *e, struct job *job, uint32_t number, const uint8_t proof[PROOF_BYTES])
{
    struct partition *p = &job->partitions[number];
    memcpy(job->proofs[number], proof, PROOF_BYTES);
    maybe_inject(e, job, number, job->proofs[number]);
    p->state = PARTITION_PROVED;
    if (++job->proved == job->partition_count) {
        job->finish_span = timeline_open(&job->timeline, PHASE_FINISH, SPAN_JOB, 0, clock_now());
    }
}

static void lane_begin(struct engine *e, struct lane *lane, struct job *job, uint32_t number)
{
    struct partition *p = &job->partitions[number];
    uint64_t now = clock_now();
    job_task_begin(e, job);
    p->state = PARTITION_PROVING;
    p->attempts++;
    p->device = (uint32_t)lane->device;
    p->vouched = e->vouched >> lane->device & 1;
    p->prove_span = timeline_open(&job->timeline, PHASE_GPU, number, p->device, now);
    lane->job = job;
    lane->partition = number;
    lane->since = now;
    e->provers_active++;
}

static void lane_end(struct engine *e, struct lane *lane, struct job *job, uint32_t number)
{
    struct partition *p = &job->partitions[number];
    uint64_t now = clock_now();
    timeline_close(&job->timeline, p->prove_span, now);
    e->device[lane->device].busy_ns += now - lane->since;
    e->device[lane->device].partitions++;
    e->provers_active--;
    lane->job = NULL;
    release_prove_means(e, job, p);
}

static void do_prove(struct engine *e, struct lane *lane, struct job *job, uint32_t number)
{
    cuzk_error err = { "" };
    uint8_t proof[PROOF_BYTES];
    struct partition *p = &job->partitions[number];
    struct witness_box *box = p->box;
    lane_begin(e, lane, job, number);
    engine_unlock(e);

    struct step_timings timings = { .epilogue = 0 };
    cuzk_status status = e->steps.prove(e->steps.context, proof, &timings, srs_get(e->store, job->circuit),
                                        box->witness, lane->device, &err);
    mark_proof(e, job, number, &timings);

    engine_lock(e);
    if (status == CUZK_ERR_UNAVAILABLE) device_lost(e, lane->device);
    lane_end(e, lane, job, number);
    if (!job_state_is_final(job->state)) {
        if (status == CUZK_OK)
            lane_proved(e, job, number, proof);
        else
            lane_failed(e, lane, job, number, status, &err);
    }
    if (p->state != PARTITION_FILLED) return_box(e, job, p);
    job_task_end(e, job);
}

void *lane_main(void *context)
{
    struct lane *lane = context;
    struct engine *e = lane->engine;
    for (;;) {
        uint64_t seen = bell_now(&e->work);
        if (engine_stopping(e)) return NULL;
        struct job *job;
        uint32_t number;
        engine_lock(e);
        bool found = scheduler_device(&e->scheduler, lane->device, &job, &number);
        if (found) do_prove(e, lane, job, number);
        engine_unlock(e);
        if (found)
            bell_ring(&e->work);
        else
            bell_wait(&e->work, seen, 0);
    }
}
