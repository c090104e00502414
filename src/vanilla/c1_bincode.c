#include "vanilla/c1_bincode.h"

#include "vanilla/node.h"
#include "vanilla/place.h"

#include <stdlib.h>

/* column (u32 index, u64 n, rows), then the inclusion proof */
static cuzk_status read_column_proof(struct c1_column *out, const struct sector_shape *shape, struct reader *r,
                                     cuzk_error *err)
{
    cuzk_status status = reader_le32(r, &out->index, "index", err);
    if (status == CUZK_OK) status = count_bincode(shape->layers, "rows", r, err);
    if (status == CUZK_OK) {
        status = place_member(nodes_bincode(out->rows, shape->layers, r, err), err, "rows");
    }
    if (status != CUZK_OK) return place_member(status, err, "column");
    return place_member(merkle_bincode(&out->inclusion, r, &shape->tree_r, err), err, "inclusion_proof");
}

static cuzk_status read_parents(struct c1_column *out, size_t count, const char *field,
                                const struct sector_shape *shape, struct reader *r, cuzk_error *err)
{
    cuzk_status status = count_bincode(count, "columns", r, err);
    for (size_t i = 0; status == CUZK_OK && i < count; i++) {
        status = place_index(read_column_proof(&out[i], shape, r, err), err, i);
    }
    return place_member(status, err, field);
}

static cuzk_status read_columns(struct c1_challenge *out, const struct sector_shape *shape, struct reader *r,
                                cuzk_error *err)
{
    struct c1_column *exp = out->parents + DRG_PARENTS;
    cuzk_status status = place_member(read_column_proof(&out->c_x, shape, r, err), err, "c_x");
    if (status == CUZK_OK) {
        status = read_parents(out->parents, DRG_PARENTS, "drg_parents", shape, r, err);
    }
    if (status == CUZK_OK) status = read_parents(exp, EXP_PARENTS, "exp_parents", shape, r, err);
    return place_member(status, err, "replica_column_proofs");
}

/* u64 n, parents, u32 layer_index, u64 node */
static cuzk_status read_label(struct c1_label *out, struct reader *r, cuzk_error *err)
{
    cuzk_status status = count_bincode(LABEL_PARENTS, "labels", r, err);
    if (status == CUZK_OK) status = nodes_bincode(out->parents, LABEL_PARENTS, r, err);
    if (status != CUZK_OK) return place_member(status, err, "parents");
    status = reader_le32(r, &out->layer, "layer_index", err);
    if (status == CUZK_OK) status = reader_le64(r, &out->node, "node", err);
    return status;
}

static cuzk_status read_labels(struct c1_challenge *out, unsigned layers, struct reader *r, cuzk_error *err)
{
    cuzk_status status = count_bincode(layers, "layers", r, err);
    for (unsigned i = 0; status == CUZK_OK && i < layers; i++) {
        status = place_index(read_label(&out->labels[i], r, err), err, i);
    }
    return place_member(status, err, "labeling_proofs");
}

static cuzk_status read_challenge(struct c1_challenge *out, const struct sector_shape *shape, struct reader *r,
                                  cuzk_error *err)
{
    cuzk_status status = merkle_bincode(&out->comm_d, r, &shape->tree_d, err);
    status = place_member(status, err, "comm_d_proofs");
    if (status == CUZK_OK) {
        status = merkle_bincode(&out->comm_r_last, r, &shape->tree_r, err);
        status = place_member(status, err, "comm_r_last_proof");
    }
    if (status == CUZK_OK) status = read_columns(out, shape, r, err);
    if (status == CUZK_OK) status = read_labels(out, shape->layers, r, err);
    if (status == CUZK_OK) {
        status = place_member(read_label(&out->encoding, r, err), err, "encoding_proof");
    }
    return status;
}

static cuzk_status read_partition(struct c1 *out, struct c1_challenge *scratch, struct reader *r, cuzk_error *err)
{
    cuzk_status status = count_bincode(out->shape->porep_challenges, "challenges", r, err);
    if (status == CUZK_OK) status = c1_begin_partition(out, err);
    for (size_t i = 0; status == CUZK_OK && i < out->shape->porep_challenges; i++) {
        status = c1_begin_challenge(out, scratch, err);
        if (status == CUZK_OK) status = read_challenge(scratch, out->shape, r, err);
        if (status == CUZK_OK) status = c1_keep_challenge(out, scratch, i, err);
        status = place_index(status, err, i);
    }
    return status;
}

static cuzk_status read_partitions(struct c1 *out, struct reader *r, cuzk_error *err)
{
    uint64_t count;
    cuzk_status status = reader_count(r, 8, &count, "partitions", err);
    if (status != CUZK_OK) return status;
    struct c1_challenge *scratch = malloc(sizeof *scratch);
    if (!scratch) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a challenge");
    for (uint64_t i = 0; status == CUZK_OK && i < count; i++) {
        status = place_index(read_partition(out, scratch, r, err), err, i);
    }
    free(scratch);
    return place_member(status, err, "vanilla_proofs");
}

cuzk_status c1_bincode(struct c1 *out, const struct sector_shape *shape, struct arena *arena, struct bytes data,
                       cuzk_error *err)
{
    struct reader r = reader_over(data.data, data.size);
    *out = (struct c1){ 0 };
    c1_begin(out, shape, arena);
    cuzk_status status = read_partitions(out, &r, err);
    struct {
        struct node *node;
        const char *name;
    } const commitments[] = { { &out->comm_r, "comm_r" },
                              { &out->comm_d, "comm_d" },
                              { &out->replica_id, "replica_id" } };
    for (size_t i = 0; status == CUZK_OK && i < sizeof commitments / sizeof commitments[0]; i++) {
        status = place_member(nodes_bincode(commitments[i].node, 1, &r, err), err, commitments[i].name);
    }
    const uint8_t *p = NULL;
    if (status == CUZK_OK) status = reader_take(&r, sizeof out->seed, &p, "seed", err);
    if (status == CUZK_OK) {
        memcpy(out->seed, p, sizeof out->seed);
        status = reader_take(&r, sizeof out->ticket, &p, "ticket", err);
    }
    if (status == CUZK_OK) {
        memcpy(out->ticket, p, sizeof out->ticket);
        status = reader_finish(&r, "the commitments", err);
    }
    return status == CUZK_OK ? c1_finish(out, err) : status;
}

const struct sector_shape *c1_bincode_shape(struct bytes data)
{
    struct reader r = reader_over(data.data, data.size);
    const uint8_t *p;
    uint64_t levels;
    /* partitions, challenges, variant, root and leaf of the opening in TreeD, its number of levels */
    if (reader_take(&r, 8 + 8 + 4 + 2 * NODE_BYTES, &p, "", NULL) != CUZK_OK) return NULL;
    if (reader_le64(&r, &levels, "", NULL) != CUZK_OK) return NULL;
    const struct sector_shape *shape;
    for (size_t i = 0; (shape = sector_shape_at(i)); i++) {
        if (shape->published && shape->tree_d.levels == levels) return shape;
    }
    return NULL;
}
