/* vanilla_check of a PoRep (spec §1.2, §3.1, §3.2, §3.4). */
#include "hash/poseidon.h"
#include "vanilla/check.h"
#include "vanilla/identity.h"
#include "vanilla/label.h"
#include "vanilla/node.h"
#include "vanilla/path.h"
#include "vanilla/place.h"
#include "vanilla/public_inputs.h"

#include <stdlib.h>

struct context {
    const struct vanilla_job *job;
    struct stacked_graph graph;
    const uint64_t *challenges; /* of job->inputs, one after the other */
};

/* One challenge and what surrounds it. */
struct subject {
    const struct sector_shape *shape;
    const struct porep_input *input;
    const struct porep_challenge *c;
    const struct porep_claims *claims;
};

static void column_hash(fr_t *out, const struct node *rows, unsigned layers)
{
    fr_t values[MAX_LAYERS];
    for (unsigned i = 0; i < layers; i++) node_to_fr(&values[i], &rows[i]);
    poseidon_node(out, layers, values);
}

/* A column: its hash is the leaf, and the leaf is in TreeC. */
static cuzk_status check_column(const struct subject *s, const struct node *rows, const struct node *leaf,
                                const struct tree_path *path, cuzk_error *err)
{
    fr_t hash;
    struct node found;
    column_hash(&hash, rows, s->shape->layers);
    node_from_fr(&found, &hash);
    cuzk_status status = check_same(leaf, &found, err);
    if (status != CUZK_OK) return place_member(status, err, "inclusion_proof.leaf");
    return check_path(&s->shape->tree_r, path, &hash, &s->input->comm_c, "inclusion_proof", err);
}

static cuzk_status check_parents(const struct subject *s, const struct stacked_graph *graph, cuzk_error *err)
{
    uint64_t expected[PARENTS];
    graph_parents(expected, graph, s->c->node);
    for (unsigned p = 0; p < PARENTS; p++) {
        const struct porep_column *column = &s->c->parents[p];
        bool drg = p < DRG_PARENTS;
        cuzk_status status = check_index(column->path.index, expected[p], "column", err);
        if (status == CUZK_OK) {
            status = check_column(s, column->rows, &s->claims->parents[p], &column->path, err);
        }
        if (status == CUZK_OK) continue;
        status = place_index(status, err, drg ? p : p - DRG_PARENTS);
        status = place_member(status, err, drg ? "drg_parents" : "exp_parents");
        return place_member(status, err, "replica_column_proofs");
    }
    return CUZK_OK;
}

/* The challenge's own label in one layer, from its parents' columns. */
static void make_label(struct node *out, const struct subject *s, unsigned layer)
{
    struct node parents[PARENTS];
    size_t count = layer == 1 ? DRG_PARENTS : PARENTS;
    for (unsigned p = 0; p < count; p++) {
        parents[p] = s->c->parents[p].rows[c1_label_source(layer, p).row];
    }
    label_make(out, &s->input->replica_id, layer, s->c->node, parents, count);
}

/* The challenge's own column and the encoded node. */
static cuzk_status check_own(const struct subject *s, cuzk_error *err)
{
    struct node label = { { 0 } };
    cuzk_status status = CUZK_OK;
    for (unsigned layer = 1; status == CUZK_OK && layer <= s->shape->layers; layer++) {
        make_label(&label, s, layer);
        status = check_same(&s->claims->labels[layer - 1], &label, err);
        status = place_member(place_index(status, err, layer - 1), err, "column.rows");
    }
    if (status == CUZK_OK) {
        status = check_column(s, s->claims->labels, &s->claims->column, &s->c->path_c, err);
    }
    if (status != CUZK_OK) return place_member(status, err, "replica_column_proofs.c_x");
    fr_t encoded, data;
    node_to_fr(&encoded, &label);
    node_to_fr(&data, &s->c->data_leaf);
    fr_add(&encoded, &encoded, &data);
    node_from_fr(&label, &encoded);
    status = check_same(&s->claims->replica, &label, err);
    if (status != CUZK_OK) return place_member(status, err, "comm_r_last_proof.leaf");
    return check_path(&s->shape->tree_r, &s->c->path_r, &encoded, &s->input->comm_r_last, "comm_r_last_proof", err);
}

static cuzk_status check_data(const struct subject *s, cuzk_error *err)
{
    struct node root;
    const struct tree_path *path = &s->c->path_d;
    path_root_sha256(&root, path->siblings, path->index, s->shape->tree_d.levels, &s->c->data_leaf);
    if (node_equal(&root, &s->input->comm_d)) return CUZK_OK;
    cuzk_fail(err, CUZK_ERR_DATA, "the opening leads to %s, not to comm_d %s", node_hex(&root).text,
              node_hex(&s->input->comm_d).text);
    return place_member(CUZK_ERR_DATA, err, "comm_d_proofs");
}

static cuzk_status check_challenge(const void *context, size_t item, cuzk_error *err)
{
    const struct context *x = context;
    const struct vanilla_job *job = x->job;
    size_t per_partition = job->shape->porep_challenges;
    size_t k = item / per_partition, i = item % per_partition;
    const struct porep_input *input = &job->inputs[k].porep;
    struct subject s = { job->shape, input, &input->challenges[i], &job->claims[k][i] };
    cuzk_status status = check_index(s.c->node, x->challenges[item], "labeling_proofs[0].node", err);
    if (status == CUZK_OK) status = check_data(&s, err);
    if (status == CUZK_OK) status = check_parents(&s, &x->graph, err);
    if (status == CUZK_OK) status = check_own(&s, err);
    if (status == CUZK_OK) return status;
    (void)place_finish(status, err);
    return cuzk_within(err, status, "partition %zu, challenge %zu (node %llu)", job->first_partition + k, i,
                       (unsigned long long)s.c->node);
}

/* What does not depend on a challenge. */
static cuzk_status check_commitments(const struct vanilla_job *job, cuzk_error *err)
{
    const struct porep_input *input = &job->inputs[0].porep;
    struct node made, prover;
    uint8_t porep_id[32];
    if (job->has_identity) {
        prover_id_make(&prover, job->miner_id);
        porep_id_make(porep_id, job->proof->number, 0);
        replica_id_make(&made, &prover, job->sector_number, job->ticket, &input->comm_d, porep_id);
        if (!node_equal(&made, &input->replica_id)) {
            return cuzk_fail(err, CUZK_ERR_DATA,
                             "replica_id: %s found, but miner %llu, sector %llu, the ticket and %s give %s",
                             node_hex(&input->replica_id).text, (unsigned long long)job->miner_id,
                             (unsigned long long)job->sector_number, job->proof->name, node_hex(&made).text);
        }
    }
    comm_r_make(&made, &input->comm_c, &input->comm_r_last);
    if (node_equal(&made, &input->comm_r)) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_DATA, "comm_r: %s found, but the roots of the openings give %s",
                     node_hex(&input->comm_r).text, node_hex(&made).text);
}

cuzk_status check_porep(const struct vanilla_job *job, struct pool *pool, cuzk_error *err)
{
    cuzk_status status = check_commitments(job, err);
    if (status != CUZK_OK) return status;
    size_t per_partition = job->shape->porep_challenges, count = job->input_count * per_partition;
    uint64_t *challenges = malloc(count * sizeof *challenges);
    if (!challenges) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu challenges", count);
    struct context x = { .job = job, .challenges = challenges };
    statement_graph(&x.graph, &job->statement);
    for (size_t k = 0; k < job->input_count; k++) {
        statement_porep_challenges(challenges + k * per_partition, &job->statement, job->first_partition + k);
    }
    status = check_all(pool, count, check_challenge, &x, err);
    free(challenges);
    return status;
}
