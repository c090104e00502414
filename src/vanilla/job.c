#include "vanilla/job.h"

#include "vanilla/check.h"
#include "vanilla/job_build.h"
#include "vanilla/node.h"
#include "vanilla/payloads.h"
#include "vanilla/place.h"

#include <stdlib.h>

cuzk_status job_set_proof(struct vanilla_job *job, const struct registered_proof *proof,
                          const struct request *request, cuzk_error *err)
{
    job->proof = proof;
    job->shape = registered_shape(proof);
    if (request->sector_size == 0 || request->sector_size == job->shape->bytes) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_DATA, "sector_size: %llu given, but registered proof %s (%u) has %llu",
                     (unsigned long long)request->sector_size, proof->name, proof->number,
                     (unsigned long long)job->shape->bytes);
}

cuzk_status job_set_partitions(struct vanilla_job *job, const struct request *request, size_t count, size_t found,
                               cuzk_error *err)
{
    job->partition_count = count;
    job->first_partition = 0;
    job->input_count = count;
    if (found > count || (!request->one_partition && found != count)) {
        return cuzk_fail(err, CUZK_ERR_DATA, "vanilla_proofs: %zu partitions expected, %zu found", count, found);
    }
    if (!request->one_partition) return CUZK_OK;
    if (request->partition >= count) {
        return cuzk_fail(err, CUZK_ERR_DATA, "partition %u asked for, %s has 0 to %zu", request->partition,
                         job->proof->name, count - 1);
    }
    if (request->partition >= found) {
        return cuzk_fail(err, CUZK_ERR_DATA, "partition %u asked for, but vanilla_proofs holds only %zu",
                         request->partition, found);
    }
    job->first_partition = request->partition;
    job->input_count = 1;
    return CUZK_OK;
}

struct partition_input *job_take_inputs(struct vanilla_job *job, cuzk_error *err)
{
    struct partition_input *inputs = arena_take(&job->arena, job->input_count, sizeof *inputs);
    if (!inputs) {
        cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu partitions", job->input_count);
        return NULL;
    }
    for (size_t i = 0; i < job->input_count; i++) {
        inputs[i].kind = job->kind;
        inputs[i].shape = job->shape;
    }
    job->inputs = inputs;
    return inputs;
}

cuzk_status job_read_node(struct node *out, struct bytes value, const char *field, cuzk_error *err)
{
    cuzk_status status = CUZK_OK;
    if (value.size != NODE_BYTES) {
        status = cuzk_fail(err, CUZK_ERR_DATA, "%d bytes expected, %zu found", NODE_BYTES, value.size);
    } else {
        memcpy(out->b, value.data, NODE_BYTES);
        if (!node_is_canonical(out)) {
            status = cuzk_fail(err, CUZK_ERR_DATA, "%s is not below r", node_hex(out).text);
        }
    }
    return place_member(status, err, field);
}

cuzk_status job_payloads(const struct bytes **out, size_t *count, struct vanilla_job *job,
                         const struct request *request, cuzk_error *err)
{
    struct bytes *parts = NULL;
    cuzk_status status =
        payloads_expand(&parts, count, &job->arena, request->vanilla_proofs, request->vanilla_proof_count, err);
    *out = parts;
    return status;
}

static cuzk_status build(struct vanilla_job *job, const struct request *request, cuzk_error *err)
{
    switch (job->kind) {
    case PROOF_POREP: return job_build_porep(job, request, err);
    case PROOF_UPDATE: return job_build_update(job, request, err);
    case PROOF_WINDOW:
    case PROOF_WINNING: return job_build_post(job, request, err);
    }
    return cuzk_fail(err, CUZK_ERR_DATA, "proof_kind: %d is none of 1 to 4", (int)job->kind);
}

cuzk_status vanilla_parse(struct vanilla_job **out, const struct request *request, cuzk_error *err)
{
    *out = NULL;
    struct vanilla_job *job = calloc(1, sizeof *job);
    if (!job) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a job");
    job->kind = request->kind;
    cuzk_status status = place_finish(build(job, request, err), err);
    if (status == CUZK_OK)
        *out = job;
    else
        vanilla_job_free(job);
    return status;
}

void vanilla_job_free(struct vanilla_job *job)
{
    if (!job) return;
    arena_release(&job->arena);
    free(job);
}

cuzk_status vanilla_check(const struct vanilla_job *job, struct pool *pool, cuzk_error *err)
{
    switch (job->kind) {
    case PROOF_POREP: return check_porep(job, pool, err);
    case PROOF_UPDATE: return check_update(job, pool, err);
    case PROOF_WINDOW:
    case PROOF_WINNING: return check_post(job, pool, err);
    }
    return cuzk_fail(err, CUZK_ERR_INTERNAL, "a job of kind %d", (int)job->kind);
}
