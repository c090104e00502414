/* From a PoRep's payload in any of its forms to a job. */
#include "vanilla/c1_bincode.h"
#include "vanilla/c1_json.h"
#include "vanilla/job_build.h"
#include "vanilla/place.h"
#include "vanilla/wrapper.h"

#include <stdlib.h>

/* The registered proof that the payload names against the request's, where the request has one. */
static cuzk_status agree_on_proof(struct vanilla_job *job, const struct registered_proof *named,
                                  const struct request *request, cuzk_error *err)
{
    if (request->registered_proof != 0 && request->registered_proof != named->number) {
        return cuzk_fail(err, CUZK_ERR_DATA,
                         "registered_proof: %llu in the request, but the vanilla proof is of %s (%u)",
                         (unsigned long long)request->registered_proof, named->name, named->number);
    }
    return job_set_proof(job, named, request, err);
}

static cuzk_status read_json(struct c1 *c1, struct vanilla_job *job, struct bytes text, const struct request *request,
                             cuzk_error *err)
{
    const struct registered_proof *named = NULL;
    cuzk_status status = c1_json(c1, &named, &job->arena, text, err);
    if (status == CUZK_OK) status = agree_on_proof(job, named, request, err);
    if (status == CUZK_OK && c1->shape != job->shape) {
        status = cuzk_fail(err, CUZK_ERR_DATA, "vanilla_proofs: of %s, but registered_proof is %s", c1->shape->name,
                           job->proof->name);
    }
    return status;
}

/* What the wrapper says besides, against the request and its own contents. */
static cuzk_status read_wrapper(struct c1 *c1, struct vanilla_job *job, const struct request *request,
                                cuzk_error *err)
{
    struct wrapper wrapper;
    struct arena text = { 0 }; /* of the decoded JSON; gone when it is read */
    cuzk_status status = wrapper_json(&wrapper, &text, request->vanilla_proof, err);
    if (status == CUZK_OK) {
        status = read_json(c1, job, wrapper.c1, request, err);
        if (status != CUZK_OK) status = place_member(place_finish(status, err), err, "Phase1Out");
    }
    arena_release(&text);
    if (status != CUZK_OK) return status;
    if (wrapper.sector_size != job->shape->bytes) {
        return cuzk_fail(err, CUZK_ERR_DATA, "SectorSize: %llu given, but Phase1Out is of %s (%llu)",
                         (unsigned long long)wrapper.sector_size, job->proof->name,
                         (unsigned long long)job->shape->bytes);
    }
    if (request->has_sector_number && request->sector_number != wrapper.sector_number) {
        return cuzk_fail(err, CUZK_ERR_DATA, "SectorNum: %llu, but the request's sector_number is %llu",
                         (unsigned long long)wrapper.sector_number, (unsigned long long)request->sector_number);
    }
    job->sector_number = wrapper.sector_number;
    job->has_identity = request->miner_id != 0;
    return CUZK_OK;
}

/* Bincode names neither proof nor size: the request does. */
static cuzk_status read_bincode(struct c1 *c1, struct vanilla_job *job, const struct request *request,
                                cuzk_error *err)
{
    const struct registered_proof *proof = NULL;
    cuzk_status status = registered_check(&proof, PROOF_POREP, request->registered_proof, err);
    if (status == CUZK_OK) status = job_set_proof(job, proof, request, err);
    if (status != CUZK_OK) return status;
    const struct sector_shape *shape = c1_bincode_shape(request->vanilla_proof);
    if (shape && shape != job->shape) {
        return cuzk_fail(err, CUZK_ERR_DATA,
                         "registered_proof: %s (%u) in the request, but the vanilla proof is of %s sectors",
                         proof->name, proof->number, shape->name);
    }
    return c1_bincode(c1, job->shape, &job->arena, request->vanilla_proof, err);
}

static cuzk_status read_payload(struct c1 *c1, struct vanilla_job *job, const struct request *request,
                                cuzk_error *err)
{
    struct bytes payload = request->vanilla_proof;
    if (payload.size == 0) return cuzk_fail(err, CUZK_ERR_DATA, "vanilla_proof: empty");
    if (request->vanilla_proof_count != 0) {
        return cuzk_fail(err, CUZK_ERR_DATA, "vanilla_proofs: %zu given, a PoRep has vanilla_proof only",
                         request->vanilla_proof_count);
    }
    job->sector_number = request->sector_number;
    job->has_identity = request->miner_id != 0 && request->has_sector_number;
    job->miner_id = request->miner_id;
    switch (c1_recognise(payload)) {
    case C1_FORM_JSON: return read_json(c1, job, payload, request, err);
    case C1_FORM_WRAPPER: return read_wrapper(c1, job, request, err);
    case C1_FORM_BINCODE: break;
    }
    return read_bincode(c1, job, request, err);
}

static cuzk_status fill_inputs(struct vanilla_job *job, const struct c1 *c1, cuzk_error *err)
{
    struct partition_input *inputs = job_take_inputs(job, err);
    if (!inputs) return CUZK_ERR_RESOURCE;
    const struct porep_claims **claims = arena_take(&job->arena, job->input_count, sizeof *claims);
    if (!claims) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu partitions", job->input_count);
    for (size_t i = 0; i < job->input_count; i++) {
        const struct c1_partition *partition = &c1->partitions[job->first_partition + i];
        inputs[i].porep = (struct porep_input){
            .replica_id = c1->replica_id,
            .comm_d = c1->comm_d,
            .comm_r = c1->comm_r,
            .comm_c = c1->comm_c,
            .comm_r_last = c1->comm_r_last,
            .challenge_count = job->shape->porep_challenges,
            .challenges = partition->challenges,
        };
        claims[i] = partition->claims;
    }
    job->claims = claims;
    memcpy(job->ticket, c1->ticket, sizeof job->ticket);
    return CUZK_OK;
}

cuzk_status job_build_porep(struct vanilla_job *job, const struct request *request, cuzk_error *err)
{
    struct c1 *c1 = calloc(1, sizeof *c1);
    if (!c1) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a vanilla proof");
    cuzk_status status = read_payload(c1, job, request, err);
    if (status == CUZK_OK) {
        status =
            statement_porep(&job->statement, job->proof, &c1->replica_id, &c1->comm_d, &c1->comm_r, c1->seed, err);
    }
    if (status == CUZK_OK) {
        job->aggregated = job->proof->mode == POREP_NON_INTERACTIVE;
        status = job_set_partitions(job, request, job->statement.partitions, c1->partition_count, err);
    }
    if (status == CUZK_OK) status = fill_inputs(job, c1, err);
    free(c1);
    return status;
}
