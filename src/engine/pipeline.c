#define _GNU_SOURCE
#include "engine/pipeline.h"

#include "backend/cpu/cpu.h"
#ifdef CUZK_CUDA
#include "backend/cuda/cuda.h"
#endif
#include "backend/prover.h"
#include "base/clock.h"
#include "circuit/compile.h"
#include "engine/integrity.h"
#include "vanilla/job.h"
#include "vanilla/public_inputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEVICES = 16 };

struct pipeline {
    char *dir;
    struct integrity_rules rules;
    struct integrity *integrity;
    struct pool *filling; /* parsing, filling, verifying */
    struct pool *proving; /* the CPU backend's */
    struct backend backend[DEVICES];
    struct backend_description description[DEVICES];
    uint32_t ordinal[DEVICES];
    size_t devices;
    bool on_cuda; /* the parameters live in device memory; the host's mapping can be dropped by the system */
};

/* A circuit with its parameters, and what each device holds of it. */
struct loaded {
    const struct circuit_entry *entry;
    struct circuit *circuit;
    struct params_file params;
    struct verifier verifier;
    struct backend_circuit on_device[DEVICES];
    struct backend_srs srs[DEVICES];
};

/* ---- plan ---- */

static size_t number_of(const struct circuit_entry *entry)
{
    size_t i = 0;
    while (catalogue_at(i) && catalogue_at(i) != entry) i++;
    return i;
}

/* A PoRep whose request says neither proof nor size: the payload does. */
static cuzk_status shape_of_payload(const struct sector_shape **out, const struct request *request, cuzk_error *err)
{
    struct vanilla_job *job;
    cuzk_status status = vanilla_parse(&job, request, err);
    if (status == CUZK_OK) *out = job->shape;
    if (status == CUZK_OK) vanilla_job_free(job);
    return status;
}

static cuzk_status shape_of(const struct sector_shape **out, const struct request *r, cuzk_error *err)
{
    const struct registered_proof *proof = NULL;
    if (r->kind == PROOF_POREP && r->registered_proof == 0) {
        if (r->sector_size == 0) return shape_of_payload(out, r, err);
        *out = sector_shape_by_bytes(r->sector_size);
        if (*out && catalogue_by_shape(PROOF_POREP, *out)) return CUZK_OK;
        return cuzk_fail(err, CUZK_ERR_DATA, "sector_size: %llu is no sector size",
                         (unsigned long long)r->sector_size);
    }
    cuzk_status status = registered_check(&proof, r->kind, r->registered_proof, err);
    if (status == CUZK_OK) *out = registered_shape(proof);
    return status;
}

static uint64_t payload_bytes(const struct request *r)
{
    uint64_t bytes = r->vanilla_proof.size;
    for (size_t i = 0; i < r->vanilla_proof_count; i++) bytes += r->vanilla_proofs[i].size;
    return bytes;
}

static cuzk_status plan(void *context, struct steps_plan *out, const struct request *request, cuzk_error *err)
{
    (void)context;
    const struct sector_shape *shape = NULL;
    cuzk_status status = shape_of(&shape, request, err);
    if (status != CUZK_OK) return status;
    const struct circuit_entry *entry = catalogue_by_shape(request->kind, shape);
    bool post = request->kind == PROOF_WINDOW || request->kind == PROOF_WINNING;
    *out = (struct steps_plan){
        .circuit = number_of(entry),
        .partitions = post ? 1 : partition_count(request->kind, shape, 0),
        .input_bytes = payload_bytes(request) + (1 << 16),
    };
    return CUZK_OK;
}

static bool known(void *context, size_t circuit)
{
    (void)context;
    return catalogue_at(circuit) != NULL;
}

/* Upper bounds; after loading the exact sizes are known, but the prover's (tests/engine/needs_test.c). A PoSt's
 * variables are all but few wide, and its slots take up to a byte for each; of the other circuits' about one in fifty
 * is wide. */
/* Parameters that a device cannot hold are streamed through what it has. */
static uint64_t device_bytes(const struct pipeline *p, uint64_t params)
{
    for (size_t d = 0; d < p->devices; d++) {
        if (p->description[d].memory < params) params = p->description[d].memory;
    }
    return params;
}

static void needs(void *context, struct circuit_needs *out, size_t circuit)
{
    const struct pipeline *p = context;
    const struct circuit_entry *e = catalogue_at(circuit);
    bool post = e->kind == PROOF_WINDOW || e->kind == PROOF_WINNING;
    uint64_t aux = e->aux, slack = UINT64_C(8) << 20;
    *out = (struct circuit_needs){
        .circuit = 3 * (uint64_t)e->constraints + slack,
        .witness = post ? 33 * aux + slack : 2 * aux + slack,
    };
    if (p->on_cuda) {
        out->device = device_bytes(p, catalogue_params_bytes(e));
        if (post && aux >> 24) out->witness = aux / 2 + slack; /* a deferred witness: slots, not values */
        return;
    }
    out->srs = catalogue_params_bytes(e);
    out->prove = cpu_prove_bound(catalogue_log_domain(e), e->inputs, post ? aux : aux / 32, pool_threads(p->proving));
}

/* ---- loading ---- */

static cuzk_status present(void *context, size_t circuit, cuzk_error *err)
{
    const struct pipeline *p = context;
    const struct circuit_entry *e = catalogue_at(circuit);
    char *path = NULL;
    struct stat st;
    cuzk_status status = params_path(&path, e, p->dir, "params", err);
    if (status != CUZK_OK) return status;
    if (stat(path, &st) != 0) {
        status = cuzk_fail(err, CUZK_ERR_MISSING, "%s: %s", path, strerror(errno));
    } else if ((uint64_t)st.st_size != catalogue_params_bytes(e)) {
        status = cuzk_fail(err, CUZK_ERR_DATA, "%s: %llu bytes, %llu expected", path, (unsigned long long)st.st_size,
                           (unsigned long long)catalogue_params_bytes(e));
    }
    free(path);
    return status;
}

static void unload(void *context, void *srs)
{
    struct pipeline *p = context;
    struct loaded *l = srs;
    for (size_t d = 0; d < p->devices; d++) {
        backend_srs_drop(&l->srs[d]);
        backend_circuit_drop(&l->on_device[d]);
    }
    verifier_release(&l->verifier);
    params_close(&l->params);
    circuit_free(l->circuit);
    free(l);
}

/* The verifier keeps a key of its own. */
static cuzk_status open_verifier(struct loaded *l, struct pool *pool, cuzk_error *err)
{
    struct verifying_key vk;
    struct reader r = reader_over(l->params.map.data, l->params.map.size);
    cuzk_status status = vk_read(&vk, &r, pool, err);
    if (status == CUZK_OK) verifier_create(&l->verifier, &vk);
    return status;
}

static cuzk_status open_params(struct loaded *l, struct pipeline *p, bool *test, const struct progress *progress,
                               cuzk_error *err)
{
    char *path = NULL;
    struct srs_counts expected = catalogue_counts(l->entry);
    cuzk_status status = params_path(&path, l->entry, p->dir, "params", err);
    if (status == CUZK_OK) status = params_open(&l->params, path, &expected, p->filling, err);
    free(path);
    if (status != CUZK_OK) return status;
    return integrity_check(p->integrity, test, &l->params, l->entry, &p->rules, p->filling, progress, err);
}

static cuzk_status load(void *context, void **srs, struct circuit_needs *actual, bool *test, size_t circuit,
                        const struct progress *progress, cuzk_error *err)
{
    struct pipeline *p = context;
    struct loaded *l = calloc(1, sizeof *l);
    if (!l) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a circuit");
    l->entry = catalogue_at(circuit);
    cuzk_status status = open_params(l, p, test, progress, err);
    if (status == CUZK_OK) status = open_verifier(l, p->filling, err);
    if (status == CUZK_OK) {
        status = circuit_compile(&l->circuit, l->entry->kind, catalogue_shape(l->entry), err);
    }
    if (status != CUZK_OK) {
        unload(p, l);
        return status;
    }
    actual->srs = p->on_cuda ? 0 : l->params.map.size;
    actual->circuit = circuit_bytes(l->circuit);
    actual->witness = backend_witness_bytes(&p->backend[0], l->circuit);
    *srs = l;
    return CUZK_OK;
}

static cuzk_status attach(void *context, void *srs, size_t device, const struct progress *progress, cuzk_error *err)
{
    struct pipeline *p = context;
    struct loaded *l = srs;
    const struct backend *b = &p->backend[device];
    cuzk_status status = backend_circuit_load(&l->on_device[device], b, l->circuit, err);
    if (status == CUZK_OK) status = backend_srs_load(&l->srs[device], b, &l->params, progress, err);
    if (status != CUZK_OK) backend_circuit_drop(&l->on_device[device]);
    return status;
}

static void detach(void *context, void *srs, size_t device)
{
    (void)context;
    struct loaded *l = srs;
    backend_srs_drop(&l->srs[device]);
    backend_circuit_drop(&l->on_device[device]);
}

/* Only the CPU backend leaves memory of the host behind, and it is never one of several devices. */
static void *spare_take(void *context, void *srs)
{
    (void)context;
    struct loaded *l = srs;
    return backend_spare_take(&l->on_device[0]);
}

static void spare_free(void *context, void *spare)
{
    struct pipeline *p = context;
    backend_spare_free(&p->backend[0], spare);
}

/* ---- proving ---- */

/* What a job is proved and verified from. The public inputs are computed with the rest, so that verifying, which
 * stands between the proofs and the answer, has nothing large to allocate and to free. */
struct inputs {
    struct vanilla_job *job;
    struct public_values claims;
};

static void forget(void *context, void *inputs)
{
    (void)context;
    struct inputs *in = inputs;
    vanilla_job_free(in->job);
    public_values_release(&in->claims);
    free(in);
}

static cuzk_status parse(void *context, void **out, const struct request *request, cuzk_error *err)
{
    struct pipeline *p = context;
    struct inputs *in = calloc(1, sizeof *in);
    if (!in) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for typed inputs");
    cuzk_status status = vanilla_parse(&in->job, request, err);
    if (status == CUZK_OK) status = vanilla_check(in->job, p->filling, err);
    if (status == CUZK_OK && in->job->aggregated) {
        status = cuzk_fail(err, CUZK_ERR_DATA,
                           "%s: a whole non-interactive PoRep is an aggregate, which cuzk does not make",
                           in->job->proof->name);
    }
    if (status == CUZK_OK) {
        const struct vanilla_job *job = in->job;
        status = public_values_create(&in->claims, &job->statement, job->first_partition, job->input_count, err);
    }
    if (status == CUZK_OK)
        *out = in;
    else
        forget(context, in);
    return status;
}

static cuzk_status make_witness(void *context, void **witness, void *srs, cuzk_error *err)
{
    struct pipeline *p = context;
    struct loaded *l = srs;
    struct witness *w = *witness = calloc(1, sizeof *w);
    if (!w) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a witness");
    cuzk_status status = backend_witness_create(w, &p->backend[0], l->circuit, err);
    if (status != CUZK_OK) free(w);
    return status;
}

static void free_witness(void *context, void *witness)
{
    (void)context;
    witness_destroy(witness);
    free(witness);
}

static cuzk_status fill(void *context, void *witness, const void *inputs, size_t partition, cuzk_error *err)
{
    struct pipeline *p = context;
    const struct vanilla_job *job = ((const struct inputs *)inputs)->job;
    if (partition >= job->input_count) {
        return cuzk_fail(err, CUZK_ERR_INTERNAL, "the payload has %zu partitions", job->input_count);
    }
    return circuit_fill(witness, &job->inputs[partition], p->filling, err);
}

static cuzk_status prove(void *context, uint8_t proof[PROOF_BYTES], struct step_timings *timings, void *srs,
                         const void *witness, size_t device, cuzk_error *err)
{
    (void)context;
    struct loaded *l = srs;
    struct proof_sums sums;
    struct proof_randomness random;
    struct proof assembled;
    cuzk_status status = proof_randomness_draw(&random, err);
    if (status == CUZK_OK) {
        status = backend_prove(&sums, &timings->backend, &l->on_device[device], &l->srs[device], witness, err);
    }
    if (status != CUZK_OK) return status;
    uint64_t start = clock_now();
    proof_assemble(&assembled, &sums, &l->params.vk, &random);
    proof_encode(proof, &assembled);
    timings->epilogue = clock_now() - start;
    return CUZK_OK;
}

/* ---- verifying ---- */

/* What the verifier needs of several proofs. */
struct claims {
    struct proof *proofs;
    const fr_t **inputs;
    size_t each; /* public inputs of one */
};

static void claims_release(struct claims *c)
{
    free(c->proofs);
    free(c->inputs);
}

static cuzk_status claims_make(struct claims *c, const struct inputs *in, const uint32_t *partitions, size_t count,
                               cuzk_error *err)
{
    c->each = in->claims.each;
    c->proofs = calloc(count, sizeof *c->proofs);
    c->inputs = calloc(count, sizeof *c->inputs);
    if (!c->proofs || !c->inputs) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory to verify");
    for (size_t i = 0; i < count; i++) c->inputs[i] = in->claims.inputs[partitions[i]];
    return CUZK_OK;
}

/* All at once; only if that fails one by one, to find the first that does not hold. */
static cuzk_status check_claims(size_t *bad, const struct loaded *l, const struct claims *c, size_t count,
                                struct pool *pool, cuzk_error *err)
{
    cuzk_status status = verifier_check_all(&l->verifier, c->proofs, c->inputs, c->each, count, pool, err);
    if (status != CUZK_REFUSED) return status;
    for (size_t i = 0; i < count; i++) {
        status = verifier_check(&l->verifier, &c->proofs[i], c->inputs[i], c->each, pool, err);
        *bad = i;
        if (status != CUZK_OK) return status;
    }
    return cuzk_fail(err, CUZK_ERR_INTERNAL, "the proofs hold one by one but not together");
}

static cuzk_status verify(void *context, size_t *bad, void *srs, const void *inputs,
                          const uint8_t (*proofs)[PROOF_BYTES], const uint32_t *partitions, size_t count,
                          cuzk_error *err)
{
    struct pipeline *p = context;
    struct claims c = { 0 };
    cuzk_status status = claims_make(&c, inputs, partitions, count, err);
    for (size_t i = 0; i < count && status == CUZK_OK; i++) {
        *bad = i;
        if (proof_decode(&c.proofs[i], proofs[i], err) != CUZK_OK) status = CUZK_REFUSED;
    }
    if (status == CUZK_OK) status = check_claims(bad, srs, &c, count, p->filling, err);
    claims_release(&c);
    return status;
}

/* ---- devices ---- */

static void device(void *context, struct device_state *out, size_t number)
{
    struct pipeline *p = context;
    const struct backend *b = &p->backend[number];
    cuzk_error err = { "" };
    *out = (struct device_state){
        .backend = b->ops->name,
        .ordinal = p->ordinal[number],
        .lanes = p->description[number].lanes,
        .memory_total = p->description[number].memory,
        .healthy = backend_health(b, &err) == CUZK_OK,
    };
    snprintf(out->name, sizeof out->name, "%.63s", p->description[number].device);
    snprintf(out->trouble, sizeof out->trouble, "%.127s", err.detail);
}

static cuzk_status open_cpu(struct pipeline *p, cuzk_error *err)
{
    cuzk_status status = cpu_backend_open(&p->backend[0], p->proving, err);
    if (status == CUZK_OK) p->devices = 1;
    return status;
}

static bool cpu_only(const struct engine_config *config)
{
    if (config->device_count != 1) return false;
    return strcmp(config->devices[0], "none") == 0 || strcmp(config->devices[0], "cpu") == 0;
}

#ifdef CUZK_CUDA
static cuzk_status open_cuda(struct pipeline *p, const char *name, int ordinal, uint64_t limit, cuzk_error *err)
{
    if (p->devices == DEVICES) {
        return cuzk_fail(err, CUZK_ERR_CONFIG, "gpus.devices: more than %d", DEVICES);
    }
    cuzk_status status = cuda_backend_open(&p->backend[p->devices], ordinal, limit, p->filling, err);
    if (status != CUZK_OK) return cuzk_within(err, status, "gpus.devices: %s", name);
    p->ordinal[p->devices++] = (uint32_t)ordinal;
    p->on_cuda = true;
    return CUZK_OK;
}

/* All that the driver shows and that can be opened. */
static void open_all_gpus(struct pipeline *p, const struct engine_config *config)
{
    int shown = cuda_device_count();
    for (int i = 0; i < shown && i < DEVICES; i++) {
        cuzk_error err = { "" };
        if (open_cuda(p, "auto", i, config->device_memory_limit, &err) == CUZK_OK) continue;
        log_warn(config->log, LOG_DEVICE, "device %d is left out: %s", i, err.detail);
    }
}

/* Those named by their numbers, each of which must open. */
static cuzk_status open_gpus(struct pipeline *p, const struct engine_config *config, cuzk_error *err)
{
    cuzk_status status = CUZK_OK;
    if (config->device_count == 0) open_all_gpus(p, config);
    for (size_t i = 0; i < config->device_count && status == CUZK_OK; i++) {
        char *end;
        long ordinal = strtol(config->devices[i], &end, 10);
        if (*end || end == config->devices[i] || ordinal < 0 || ordinal > 1 << 16) {
            return cuzk_fail(err, CUZK_ERR_CONFIG, "gpus.devices: %s is no device number", config->devices[i]);
        }
        status = open_cuda(p, config->devices[i], (int)ordinal, config->device_memory_limit, err);
    }
    return status;
}
#else
static cuzk_status open_gpus(struct pipeline *p, const struct engine_config *config, cuzk_error *err)
{
    (void)p;
    if (config->device_count == 0) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "gpus.devices: %s: this build has no CUDA backend",
                     config->devices[0]);
}
#endif

static cuzk_status open_devices(struct pipeline *p, const struct engine_config *config, cuzk_error *err)
{
    cuzk_status status = cpu_only(config) ? CUZK_OK : open_gpus(p, config, err);
    if (status == CUZK_OK && p->devices == 0) status = open_cpu(p, err);
    for (size_t d = 0; d < p->devices; d++) backend_describe(&p->description[d], &p->backend[d]);
    return status;
}

/* ---- the whole ---- */

static void pipeline_close(void *context)
{
    struct pipeline *p = context;
    for (size_t d = 0; d < DEVICES; d++) backend_close(&p->backend[d]);
    pool_destroy(p->proving);
    pool_destroy(p->filling);
    integrity_destroy(p->integrity);
    free(p->dir);
    free(p);
}

static cuzk_status open_integrity(struct pipeline *p, const struct engine_config *config, cuzk_error *err)
{
    char *cache = NULL;
    bool journal = config->journal_dir && *config->journal_dir;
    if (journal && !(cache = path_join(config->journal_dir, "parameters.checked"))) {
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    }
    cuzk_status status = integrity_create(&p->integrity, cache, config->log, err);
    free(cache);
    return status;
}

cuzk_status pipeline_open(struct steps *out, const struct engine_config *config, cuzk_error *err)
{
    struct pipeline *p = calloc(1, sizeof *p);
    if (!p) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the engine");
    p->rules = (struct integrity_rules){ config->verify, config->allow_test_parameters };
    p->dir = strdup(config->param_cache ? config->param_cache : param_cache_default());
    cuzk_status status = p->dir ? CUZK_OK : cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the engine");
    if (status == CUZK_OK) status = pool_create(&p->filling, config->threads, err);
    if (status == CUZK_OK) status = pool_create(&p->proving, config->threads, err);
    if (status == CUZK_OK) status = open_integrity(p, config, err);
    if (status == CUZK_OK) status = open_devices(p, config, err);
    if (status != CUZK_OK) {
        pipeline_close(p);
        return status;
    }
    *out = (struct steps){
        .context = p,
        .devices = p->devices,
        .known = known,
        .plan = plan,
        .needs = needs,
        .parse = parse,
        .forget = forget,
        .load = load,
        .unload = unload,
        .attach = attach,
        .detach = detach,
        .spare_take = spare_take,
        .spare_free = spare_free,
        .witness_create = make_witness,
        .witness_free = free_witness,
        .fill = fill,
        .prove = prove,
        .verify = verify,
        .device = device,
        .present = present,
        .close = pipeline_close,
    };
    return CUZK_OK;
}
