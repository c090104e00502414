/* The engine: jobs with priorities, parameters that stay loaded, verified proofs, a memory budget and a journal, for
 * programs that embed it. The daemon `cuzkd` is one of them. See examples/embed.c.
 *
 * Thread safety: every function may be called from any thread between create and destroy.
 */
#ifndef CUZK_ENGINE_H
#define CUZK_ENGINE_H

#include "cuzk/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cuzk_engine cuzk_engine;

typedef enum cuzk_kind { CUZK_POREP = 1, CUZK_UPDATE = 2, CUZK_WINDOW = 3, CUZK_WINNING = 4 } cuzk_kind;

typedef enum cuzk_job_state {
    CUZK_JOB_QUEUED,
    CUZK_JOB_PREPARING,
    CUZK_JOB_PROVING,
    CUZK_JOB_VERIFYING,
    CUZK_JOB_COMPLETED,
    CUZK_JOB_FAILED,
    CUZK_JOB_CANCELLED
} cuzk_job_state;

typedef struct cuzk_bytes {
    const uint8_t *data;
    size_t size;
} cuzk_bytes;

typedef struct cuzk_engine_config {
    const char *param_cache;    /* folder of .params files */
    const char *const *preload; /* circuit ids to load at the start, for example "winning-32g" */
    size_t preload_count;
    int trust_parameters;      /* look at size and structure only, not at the digest */
    int allow_test_parameters; /* accept parameters that are not the published ones */
    uint64_t memory_budget;    /* bytes; 0: what the machine or the control group allows, less 5 GiB */
    unsigned threads;          /* 0: all CPUs allowed */
    size_t max_queued;
    const char *journal_dir; /* NULL: no journal, jobs and results are lost with the process */
    uint64_t retention_ms;   /* of finished results */
    int log_fd;              /* -1: silent */
} cuzk_engine_config;

/* The defaults of the daemon, without a journal and silent. */
void cuzk_engine_config_default(cuzk_engine_config *out);

/* The config is copied. */
cuzk_status cuzk_engine_create(cuzk_engine **out, const cuzk_engine_config *config, cuzk_error *err);

/* Ends what runs. With a journal, unfinished jobs run again after the next create. NULL is allowed. */
void cuzk_engine_destroy(cuzk_engine *engine);

/* A request, as in cuzk.v1.SubmitProofRequest: what does not belong to the kind stays zero. */
typedef struct cuzk_request {
    cuzk_kind kind;
    cuzk_bytes id; /* free text; the same id and contents join the same job. Empty: a new one is made */
    uint64_t registered_proof;
    uint64_t sector_size;
    unsigned priority; /* 1 low, 2 normal, 3 high, 4 critical; 0: by kind */
    cuzk_bytes vanilla_proof;
    const cuzk_bytes *vanilla_proofs;
    size_t vanilla_proof_count;
    uint64_t sector_number, miner_id;
    cuzk_bytes randomness;
    uint32_t partition_index;
    cuzk_bytes comm_r_old, comm_r_new, comm_d_new;
} cuzk_request;

/* Queues a job (everything is copied) and returns its id, which the caller frees with free(3); one NUL follows. A
 * payload that cannot be proved is a job that ends FAILED. CUZK_ERR_USAGE: no such kind; CUZK_ERR_RESOURCE: queue or
 * memory is full, or the circuit can never fit; CUZK_ERR_UNAVAILABLE: shutting down; CUZK_ERR_WRITE: the journal. */
cuzk_status cuzk_engine_submit(cuzk_engine *engine, char **job_id, size_t *job_id_size, const cuzk_request *request,
                               cuzk_error *err);

/* The same for a request in proto3 JSON. CUZK_ERR_DATA: malformed. */
cuzk_status cuzk_engine_submit_json(cuzk_engine *engine, char **job_id, size_t *job_id_size, const char *json,
                                    size_t size, cuzk_error *err);

/* Whole milliseconds; queue + srs + synth + gpu + finish = total. */
typedef struct cuzk_timings {
    uint64_t queue, srs, synth, gpu, finish, total;
} cuzk_timings;

typedef struct cuzk_result {
    cuzk_job_state state; /* not final: the wait timed out */
    cuzk_bytes proof;     /* COMPLETED: 192 bytes per partition, verified */
    const char *error;    /* FAILED, CANCELLED */
    cuzk_timings timings;
} cuzk_result;

/* Waits for a job, at most timeout_ms (0: no limit). CUZK_ERR_MISSING: no such job. */
cuzk_status cuzk_engine_await(cuzk_engine *engine, cuzk_result **out, const char *job_id, size_t job_id_size,
                              uint64_t timeout_ms, cuzk_error *err);
void cuzk_result_free(cuzk_result *result); /* NULL is allowed */

/* 1: the job is cancelled; 0: there was nothing to cancel. */
int cuzk_engine_cancel(cuzk_engine *engine, const char *job_id, size_t job_id_size);

/* Loads a circuit's parameters and waits for it. */
cuzk_status cuzk_engine_preload(cuzk_engine *engine, const char *circuit_id, uint64_t timeout_ms, cuzk_error *err);

/* Drops them. CUZK_ERR_UNAVAILABLE: in use. *freed_bytes may be 0: they were not loaded. */
cuzk_status cuzk_engine_evict(cuzk_engine *engine, const char *circuit_id, uint64_t *freed_bytes, cuzk_error *err);

typedef struct cuzk_engine_state {
    uint64_t completed, failed, cancelled; /* since create */
    uint32_t queued, running;
    uint64_t budget_bytes, used_bytes;
    uint32_t devices;
    int ready; /* a device is usable, parameters are there, the journal can be written */
} cuzk_engine_state;

/* Never waits for a load or a proof. */
cuzk_status cuzk_engine_state_get(cuzk_engine *engine, cuzk_engine_state *out, cuzk_error *err);

/* Admits nothing more and waits at most timeout_ms for what runs; 1 if all of it ended. */
int cuzk_engine_drain(cuzk_engine *engine, uint64_t timeout_ms);

#ifdef __cplusplus
}
#endif
#endif
