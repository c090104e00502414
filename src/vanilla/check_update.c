/* vanilla_check of a sector update (spec §1.4, §3.5). */
#include "hash/poseidon.h"
#include "hash/sha256.h"
#include "vanilla/check.h"
#include "vanilla/node.h"
#include "vanilla/path.h"
#include "vanilla/place.h"
#include "vanilla/public_inputs.h"

#include <stdlib.h>

struct context {
    const struct vanilla_job *job;
    fr_t phi;
    const uint64_t *challenges; /* of job->inputs, one after the other */
};

/* The number of leaf bits in front of the apex: a challenge's opening in TreeD reaches an apex leaf there. */
static unsigned apex_level(const struct sector_shape *shape)
{
    return shape->node_bits - update_partition_bits(shape) - (unsigned)__builtin_ctz(shape->update_apex);
}

/* rho of a challenge: the high bits of its index, as many as h says, hashed with phi. */
static void make_rho(fr_t *out, const struct context *x, uint64_t index)
{
    const struct sector_shape *shape = x->job->shape;
    unsigned h = shape->update_h_bits[__builtin_ctz(shape->update_h_select)];
    fr_t high;
    fr_from_u64(&high, index >> (shape->node_bits - h));
    poseidon_random(out, &x->phi, &high);
}

static cuzk_status check_leaf(const struct context *x, const struct update_challenge *c, cuzk_error *err)
{
    fr_t rho, value, old;
    struct node expected;
    make_rho(&rho, x, c->index);
    node_to_fr(&value, &c->leaf_d_new);
    node_to_fr(&old, &c->leaf_r_old);
    fr_mul(&value, &value, &rho);
    fr_add(&value, &value, &old);
    node_from_fr(&expected, &value);
    return place_member(check_same(&c->leaf_r_new, &expected, err), err, "proof_r_new.leaf");
}

static cuzk_status check_replica(const struct context *x, const struct update_challenge *c, const struct node *leaf,
                                 const struct node *siblings, const struct node *root, const char *field,
                                 cuzk_error *err)
{
    struct tree_path path = { c->index, siblings };
    fr_t value;
    node_to_fr(&value, leaf);
    return check_path(&x->job->shape->tree_r, &path, &value, root, field, err);
}

static cuzk_status check_data(const struct sector_shape *shape, const struct update_input *u,
                              const struct update_challenge *c, cuzk_error *err)
{
    unsigned low = apex_level(shape), high = shape->tree_d.levels - low;
    struct node at, root;
    path_root_sha256(&at, c->path_d_new, c->index, low, &c->leaf_d_new);
    size_t leaf = (size_t)(c->index >> low) & (shape->update_apex - 1u);
    cuzk_status status = CUZK_OK;
    if (!node_equal(&at, &u->apex_leaves[leaf])) {
        status = cuzk_fail(err, CUZK_ERR_DATA, "the opening leads to %s, but apex_leafs[%zu] is %s",
                           node_hex(&at).text, leaf, node_hex(&u->apex_leaves[leaf]).text);
    } else {
        path_root_sha256(&root, c->path_d_new + low, c->index >> low, high, &at);
        if (!node_equal(&root, &u->comm_d_new)) {
            status = cuzk_fail(err, CUZK_ERR_DATA, "the opening leads to %s, not to comm_d_new %s",
                               node_hex(&root).text, node_hex(&u->comm_d_new).text);
        }
    }
    return place_member(status, err, "proof_d_new");
}

static cuzk_status check_challenge(const void *context, size_t item, cuzk_error *err)
{
    const struct context *x = context;
    const struct vanilla_job *job = x->job;
    size_t per_partition = job->shape->update_challenges;
    size_t k = item / per_partition, i = item % per_partition;
    const struct update_input *u = &job->inputs[k].update;
    const struct update_challenge *c = &u->challenges[i];
    cuzk_status status = check_index(c->index, x->challenges[item], "proof_r_old", err);
    if (status == CUZK_OK) status = check_leaf(x, c, err);
    if (status == CUZK_OK) {
        status = check_replica(x, c, &c->leaf_r_old, c->path_r_old, &u->root_r_old, "proof_r_old", err);
    }
    if (status == CUZK_OK) {
        status = check_replica(x, c, &c->leaf_r_new, c->path_r_new, &u->root_r_new, "proof_r_new", err);
    }
    if (status == CUZK_OK) status = check_data(job->shape, u, c, err);
    if (status == CUZK_OK) return status;
    status = place_member(place_index(status, err, i), err, "challenge_proofs");
    (void)place_finish(status, err);
    return cuzk_within(err, status, "partition %zu", job->first_partition + k);
}

/* The apex leaves of a partition are the leaves of a tree whose root the partition path leads to comm_d_new. */
static cuzk_status check_apex(const struct sector_shape *shape, const struct update_input *u, size_t partition,
                              cuzk_error *err)
{
    struct node row[128], root;
    memcpy(row, u->apex_leaves, shape->update_apex * sizeof *row);
    for (size_t n = shape->update_apex / 2; n > 0; n /= 2) sha256_nodes(row[0].b, row[0].b, n);
    path_root_sha256(&root, u->partition_path, partition, update_partition_bits(shape), &row[0]);
    if (node_equal(&root, &u->comm_d_new)) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_DATA, "partition %zu: apex_leafs: they lead to %s, not to comm_d_new %s",
                     partition, node_hex(&root).text, node_hex(&u->comm_d_new).text);
}

static cuzk_status check_commitment(const struct node *root, const struct node *comm_c, const struct node *comm_r,
                                    const char *field, cuzk_error *err)
{
    struct node made;
    comm_r_make(&made, comm_c, root);
    if (node_equal(&made, comm_r)) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_DATA, "%s: %s in the request, but comm_c and the root of the openings give %s",
                     field, node_hex(comm_r).text, node_hex(&made).text);
}

static cuzk_status check_commitments(const struct vanilla_job *job, cuzk_error *err)
{
    const struct update_input *u = &job->inputs[0].update;
    cuzk_status status = check_commitment(&u->root_r_old, &u->comm_c, &u->comm_r_old, "comm_r_old", err);
    if (status == CUZK_OK) {
        status = check_commitment(&u->root_r_new, &u->comm_c, &u->comm_r_new, "comm_r_new", err);
    }
    for (size_t k = 0; status == CUZK_OK && k < job->input_count; k++) {
        status = check_apex(job->shape, &job->inputs[k].update, job->first_partition + k, err);
    }
    return status;
}

cuzk_status check_update(const struct vanilla_job *job, struct pool *pool, cuzk_error *err)
{
    cuzk_status status = check_commitments(job, err);
    if (status != CUZK_OK) return status;
    size_t per_partition = job->shape->update_challenges, count = job->input_count * per_partition;
    uint64_t *challenges = malloc(count * sizeof *challenges);
    if (!challenges) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu challenges", count);
    struct context x = { .job = job, .challenges = challenges };
    fr_t comm_r_old, comm_d_new;
    node_to_fr(&comm_r_old, &job->statement.update.comm_r_old);
    node_to_fr(&comm_d_new, &job->statement.update.comm_d_new);
    poseidon_random(&x.phi, &comm_d_new, &comm_r_old);
    for (size_t k = 0; k < job->input_count; k++) {
        statement_update_challenges(challenges + k * per_partition, &job->statement, job->first_partition + k);
    }
    status = check_all(pool, count, check_challenge, &x, err);
    free(challenges);
    return status;
}
