/* include/cuzk/engine.h over engine.h: other names, and everything copied. */
#include "cuzk/engine.h"

#include "engine/snapshot.h"

#include <stdlib.h>

_Static_assert((int)CUZK_JOB_QUEUED == JOB_QUEUED && (int)CUZK_JOB_CANCELLED == JOB_CANCELLED, "the same states");
_Static_assert((int)CUZK_POREP == PROOF_POREP && (int)CUZK_WINNING == PROOF_WINNING, "the same kinds");

struct cuzk_engine {
    struct engine *engine;
    struct log *log;
};

void cuzk_engine_config_default(cuzk_engine_config *out)
{
    struct engine_config c;
    engine_config_default(&c);
    *out = (cuzk_engine_config){
        .param_cache = c.param_cache, .max_queued = c.max_queued, .retention_ms = c.retention_ms, .log_fd = -1
    };
}

cuzk_status cuzk_engine_create(cuzk_engine **out, const cuzk_engine_config *config, cuzk_error *err)
{
    cuzk_engine *e = *out = calloc(1, sizeof *e);
    if (!e) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the engine");
    struct engine_config c;
    engine_config_default(&c);
    c.param_cache = config->param_cache;
    c.preload = config->preload;
    c.preload_count = config->preload_count;
    c.verify = config->trust_parameters ? SRS_VERIFY_TRUST : SRS_VERIFY_DIGEST;
    c.allow_test_parameters = config->allow_test_parameters != 0;
    c.total_budget = config->memory_budget;
    c.threads = config->threads;
    c.max_queued = config->max_queued;
    c.journal_dir = config->journal_dir;
    c.retention_ms = config->retention_ms;
    cuzk_status status = CUZK_OK;
    if (config->log_fd >= 0) status = log_create(&e->log, config->log_fd, false, LOG_INFO, err);
    c.log = e->log;
    if (status == CUZK_OK) status = engine_create(&e->engine, &c, err);
    if (status == CUZK_OK) return CUZK_OK;
    cuzk_engine_destroy(e);
    *out = NULL;
    return status;
}

void cuzk_engine_destroy(cuzk_engine *e)
{
    if (!e) return;
    engine_destroy(e->engine);
    log_destroy(e->log);
    free(e);
}

/* ---- requests: their bytes move into one arena, which the engine releases ---- */

static void release_arena(void *context)
{
    arena_release(context);
    free(context);
}

static bool copy_in(struct bytes *out, struct arena *arena, cuzk_bytes in)
{
    uint8_t *p = arena_take(arena, in.size, 1);
    if (!p) return false;
    if (in.size) memcpy(p, in.data, in.size);
    *out = (struct bytes){ p, in.size };
    return true;
}

static bool copy_request(struct request *out, struct arena *arena, const cuzk_request *in)
{
    *out = (struct request){
        .kind = (enum proof_kind)in->kind,
        .registered_proof = in->registered_proof,
        .sector_size = in->sector_size,
        .miner_id = in->miner_id,
        .sector_number = in->sector_number,
        .has_sector_number = in->sector_number != 0,
        .partition_index = in->partition_index,
        .vanilla_proof_count = in->vanilla_proof_count,
        .priority = in->priority,
    };
    bool ok = copy_in(&out->request_id, arena, in->id) && copy_in(&out->randomness, arena, in->randomness) &&
              copy_in(&out->vanilla_proof, arena, in->vanilla_proof) &&
              copy_in(&out->comm_r_old, arena, in->comm_r_old) && copy_in(&out->comm_r_new, arena, in->comm_r_new) &&
              copy_in(&out->comm_d_new, arena, in->comm_d_new);
    struct bytes *proofs = ok ? arena_take(arena, in->vanilla_proof_count, sizeof *proofs) : NULL;
    if (!proofs) return false;
    out->vanilla_proofs = proofs;
    for (size_t i = 0; i < in->vanilla_proof_count && ok; i++) ok = copy_in(&proofs[i], arena, in->vanilla_proofs[i]);
    return ok;
}

static cuzk_status submit(cuzk_engine *e, char **job_id, size_t *job_id_size, const struct request *request,
                          struct arena *arena, cuzk_error *err)
{
    struct submission submission = { .request = request, .owner = { release_arena, arena } };
    struct accepted accepted;
    cuzk_status status = engine_submit(e->engine, &accepted, &submission, err);
    *job_id = accepted.job_id;
    *job_id_size = accepted.job_id_size;
    return status;
}

static struct arena *new_arena(cuzk_error *err)
{
    struct arena *arena = calloc(1, sizeof *arena);
    if (!arena) cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a request");
    return arena;
}

cuzk_status cuzk_engine_submit(cuzk_engine *e, char **job_id, size_t *job_id_size, const cuzk_request *request,
                               cuzk_error *err)
{
    struct request r;
    struct arena *arena = new_arena(err);
    *job_id = NULL;
    *job_id_size = 0;
    if (!arena) return CUZK_ERR_RESOURCE;
    if (copy_request(&r, arena, request)) return submit(e, job_id, job_id_size, &r, arena, err);
    release_arena(arena);
    return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a request");
}

cuzk_status cuzk_engine_submit_json(cuzk_engine *e, char **job_id, size_t *job_id_size, const char *json, size_t size,
                                    cuzk_error *err)
{
    struct request r;
    struct bytes text;
    struct arena *arena = new_arena(err);
    *job_id = NULL;
    *job_id_size = 0;
    if (!arena) return CUZK_ERR_RESOURCE;
    cuzk_status status = CUZK_OK;
    if (!copy_in(&text, arena, (cuzk_bytes){ (const uint8_t *)json, size })) {
        status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a request");
    }
    if (status == CUZK_OK) status = request_json(&r, arena, text, err);
    if (status == CUZK_OK) return submit(e, job_id, job_id_size, &r, arena, err);
    release_arena(arena);
    return status;
}

/* ---- results ---- */

struct result {
    cuzk_result public;
    struct outcome *outcome;
};

cuzk_status cuzk_engine_await(cuzk_engine *e, cuzk_result **out, const char *job_id, size_t job_id_size,
                              uint64_t timeout_ms, cuzk_error *err)
{
    *out = NULL;
    struct result *r = calloc(1, sizeof *r);
    if (!r) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a result");
    struct bytes id = { (const uint8_t *)job_id, job_id_size };
    cuzk_status status = engine_await(e->engine, &r->outcome, id, timeout_ms, err);
    if (status != CUZK_OK) {
        free(r);
        return status;
    }
    uint64_t ms[PHASES], total;
    const struct outcome *o = r->outcome;
    timings_ms(ms, &total, &o->timings);
    r->public = (cuzk_result){
        .state = (cuzk_job_state)o->state,
        .proof = { o->proof.data, o->proof.size },
        .error = o->error,
        .timings = { ms[PHASE_QUEUE], ms[PHASE_SRS], ms[PHASE_SYNTH], ms[PHASE_GPU], ms[PHASE_FINISH], total },
    };
    *out = &r->public;
    return CUZK_OK;
}

void cuzk_result_free(cuzk_result *result)
{
    if (!result) return;
    struct result *r = (struct result *)result; /* its first member */
    outcome_free(r->outcome);
    free(r);
}

/* ---- the rest ---- */

int cuzk_engine_cancel(cuzk_engine *e, const char *job_id, size_t job_id_size)
{
    bool running;
    return engine_cancel(e->engine, (struct bytes){ (const uint8_t *)job_id, job_id_size }, &running);
}

cuzk_status cuzk_engine_preload(cuzk_engine *e, const char *circuit_id, uint64_t timeout_ms, cuzk_error *err)
{
    bool already;
    uint64_t ms;
    return engine_preload(e->engine, &already, &ms, circuit_id, timeout_ms, err);
}

cuzk_status cuzk_engine_evict(cuzk_engine *e, const char *circuit_id, uint64_t *freed_bytes, cuzk_error *err)
{
    bool was_loaded;
    return engine_evict(e->engine, &was_loaded, freed_bytes, circuit_id, err);
}

cuzk_status cuzk_engine_state_get(cuzk_engine *e, cuzk_engine_state *out, cuzk_error *err)
{
    struct engine_status *s;
    struct engine_readiness ready;
    cuzk_status status = engine_status(e->engine, &s, err);
    if (status != CUZK_OK) return status;
    engine_readiness(e->engine, &ready);
    *out = (cuzk_engine_state){
        .completed = s->completed,
        .failed = s->failed,
        .cancelled = s->cancelled,
        .queued = s->queue_depth,
        .budget_bytes = s->budget_limit,
        .used_bytes = s->budget_used,
        .devices = (uint32_t)s->device_count,
        .ready = ready.ready,
    };
    for (size_t k = 0; k < KINDS; k++) out->running += s->queues[k].in_progress;
    engine_status_free(s);
    return CUZK_OK;
}

int cuzk_engine_drain(cuzk_engine *e, uint64_t timeout_ms) { return engine_drain(e->engine, timeout_ms); }
