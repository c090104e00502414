/* From the partitions of a sector update to a job. */
#include "vanilla/job_build.h"
#include "vanilla/node.h"
#include "vanilla/place.h"
#include "vanilla/public_inputs.h"
#include "vanilla/update_bincode.h"

static cuzk_status same(const struct node *found, const struct node *expected, const char *field, const char *whose,
                        cuzk_error *err)
{
    if (node_equal(found, expected)) return CUZK_OK;
    cuzk_fail(err, CUZK_ERR_DATA, "%s differs from %s, %s", node_hex(found).text, whose, node_hex(expected).text);
    return place_member(CUZK_ERR_DATA, err, field);
}

/* One part against the request, its place and the first part. */
static cuzk_status compare(const struct update_input *u, const struct update_input *first, const struct statement *s,
                           size_t partition, cuzk_error *err)
{
    if (u->partition != partition) {
        return cuzk_fail(err, CUZK_ERR_DATA, "the leaves are of partition %u, partition %zu expected", u->partition,
                         partition);
    }
    cuzk_status status =
        same(&u->comm_d_new, &s->update.comm_d_new, "proof_d_new.root", "the request's comm_d_new", err);
    if (status == CUZK_OK) status = same(&u->comm_c, &first->comm_c, "comm_c", "the first part's", err);
    if (status == CUZK_OK) {
        status = same(&u->root_r_old, &first->root_r_old, "proof_r_old.root", "the first part's", err);
    }
    if (status == CUZK_OK) {
        status = same(&u->root_r_new, &first->root_r_new, "proof_r_new.root", "the first part's", err);
    }
    return status;
}

static cuzk_status read_parts(struct vanilla_job *job, const struct bytes *parts, size_t offset, cuzk_error *err)
{
    struct partition_input *inputs = job_take_inputs(job, err);
    if (!inputs) return CUZK_ERR_RESOURCE;
    for (size_t i = 0; i < job->input_count; i++) {
        struct update_input *u = &inputs[i].update;
        size_t part = offset + i;
        cuzk_status status = update_bincode(u, &job->arena, job->shape, parts[part], err);
        if (status == CUZK_OK) {
            status = compare(u, &inputs[0].update, &job->statement, job->first_partition + i, err);
        }
        if (status != CUZK_OK) return place_member(place_index(status, err, part), err, "vanilla_proofs");
        u->comm_r_old = job->statement.update.comm_r_old;
        u->comm_r_new = job->statement.update.comm_r_new;
    }
    return CUZK_OK;
}

static cuzk_status read_statement(struct vanilla_job *job, const struct registered_proof *proof,
                                  const struct request *request, cuzk_error *err)
{
    struct node comm_r_old, comm_d_new, comm_r_new;
    cuzk_status status = job_read_node(&comm_r_old, request->comm_r_old, "comm_r_old", err);
    if (status == CUZK_OK) status = job_read_node(&comm_d_new, request->comm_d_new, "comm_d_new", err);
    if (status == CUZK_OK) status = job_read_node(&comm_r_new, request->comm_r_new, "comm_r_new", err);
    if (status != CUZK_OK) return status;
    return statement_update(&job->statement, proof, &comm_r_old, &comm_d_new, &comm_r_new, err);
}

cuzk_status job_build_update(struct vanilla_job *job, const struct request *request, cuzk_error *err)
{
    const struct registered_proof *proof = NULL;
    const struct bytes *parts = NULL;
    size_t count = 0;
    cuzk_status status = registered_check(&proof, PROOF_UPDATE, request->registered_proof, err);
    if (status == CUZK_OK) status = job_set_proof(job, proof, request, err);
    if (status == CUZK_OK) status = read_statement(job, proof, request, err);
    if (status == CUZK_OK) status = job_payloads(&parts, &count, job, request, err);
    if (status != CUZK_OK) return status;
    size_t whole = job->statement.partitions;
    bool lone = request->one_partition && count == 1; /* this part is the partition asked for */
    status = job_set_partitions(job, request, whole, lone ? whole : count, err);
    if (status == CUZK_OK) status = read_parts(job, parts, lone ? 0 : job->first_partition, err);
    return status;
}
