#include "vanilla/c1.h"

#include "vanilla/node.h"
#include "vanilla/place.h"

void c1_begin(struct c1 *c1, const struct sector_shape *shape, struct arena *arena)
{
    c1->shape = shape;
    c1->arena = arena;
}

cuzk_status c1_begin_partition(struct c1 *c1, cuzk_error *err)
{
    size_t most = c1->shape->ni_partitions;
    if (c1->partition_count == most) {
        return cuzk_fail(err, CUZK_ERR_DATA, "more than %zu partitions", most);
    }
    size_t n = c1->shape->porep_challenges;
    struct porep_challenge *challenges = arena_take(c1->arena, n, sizeof *challenges);
    struct porep_claims *claims = arena_take(c1->arena, n, sizeof *claims);
    if (!challenges || !claims) {
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu challenges", n);
    }
    c1->partitions[c1->partition_count++] = (struct c1_partition){ challenges, claims };
    return CUZK_OK;
}

cuzk_status c1_begin_challenge(struct c1 *c1, struct c1_challenge *out, cuzk_error *err)
{
    const struct sector_shape *s = c1->shape;
    size_t column = s->layers + s->tree_r.siblings; /* rows and opening */
    size_t need = s->tree_d.siblings + s->tree_r.siblings + (1 + PARENTS) * column;
    struct node *at = arena_take(c1->arena, need, sizeof *at);
    if (!at) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a challenge");
    out->comm_d.siblings = at;
    at += s->tree_d.siblings;
    out->comm_r_last.siblings = at;
    at += s->tree_r.siblings;
    for (int i = -1; i < PARENTS; i++) {
        struct c1_column *c = i < 0 ? &out->c_x : &out->parents[i];
        c->rows = at;
        c->inclusion.siblings = at + s->layers;
        at += column;
    }
    return CUZK_OK;
}

/* ---- what the file says twice ---- */

static cuzk_status same_number(uint64_t found, uint64_t expected, const char *field, cuzk_error *err)
{
    if (found == expected) return CUZK_OK;
    cuzk_fail(err, CUZK_ERR_DATA, "%llu expected, %llu found", (unsigned long long)expected,
              (unsigned long long)found);
    return place_member(CUZK_ERR_DATA, err, field);
}

static cuzk_status same_root(const struct node *found, const struct node *expected, const char *field,
                             cuzk_error *err)
{
    if (node_equal(found, expected)) return CUZK_OK;
    cuzk_fail(err, CUZK_ERR_DATA, "%s expected, %s found", node_hex(expected).text, node_hex(found).text);
    return place_member(CUZK_ERR_DATA, err, field);
}

/* An opening of leaf `index` under `root`. */
static cuzk_status check_opening(const struct merkle_proof *p, uint64_t index, const struct node *root,
                                 const char *field, cuzk_error *err)
{
    cuzk_status status = same_number(p->index, index, "index", err);
    if (status == CUZK_OK) status = same_root(&p->root, root, "root", err);
    return place_member(status, err, field);
}

static cuzk_status check_column(const struct c1 *c1, const struct c1_column *c, cuzk_error *err)
{
    return check_opening(&c->inclusion, c->index, &c1->comm_c, "inclusion_proof", err);
}

static cuzk_status check_label(const struct c1_challenge *c, const struct c1_label *l, unsigned layer,
                               cuzk_error *err)
{
    cuzk_status status = same_number(l->layer, layer, "layer_index", err);
    if (status == CUZK_OK) status = same_number(l->node, c->labels[0].node, "node", err);
    for (unsigned i = 0; status == CUZK_OK && i < LABEL_PARENTS; i++) {
        struct c1_label_source source = c1_label_source(layer, i);
        const struct node *expected = &c->parents[source.parent].rows[source.row];
        if (node_equal(&l->parents[i], expected)) continue;
        status = cuzk_fail(err, CUZK_ERR_DATA, "%s expected as in the parent's column, %s found",
                           node_hex(expected).text, node_hex(&l->parents[i]).text);
        status = place_member(place_index(status, err, i), err, "parents");
    }
    return status;
}

static cuzk_status check_labels(const struct c1 *c1, const struct c1_challenge *c, cuzk_error *err)
{
    unsigned layers = c1->shape->layers;
    for (unsigned layer = 1; layer <= layers; layer++) {
        cuzk_status status = check_label(c, &c->labels[layer - 1], layer, err);
        if (status != CUZK_OK) {
            return place_member(place_index(status, err, layer - 1), err, "labeling_proofs");
        }
    }
    return place_member(check_label(c, &c->encoding, layers, err), err, "encoding_proof");
}

static cuzk_status check_columns(const struct c1 *c1, const struct c1_challenge *c, cuzk_error *err)
{
    cuzk_status status = same_number(c->c_x.index, c->labels[0].node, "column.index", err);
    if (status == CUZK_OK) status = check_column(c1, &c->c_x, err);
    status = place_member(status, err, "c_x");
    for (unsigned i = 0; status == CUZK_OK && i < PARENTS; i++) {
        bool drg = i < DRG_PARENTS;
        status = check_column(c1, &c->parents[i], err);
        status = place_index(status, err, drg ? i : i - DRG_PARENTS);
        status = place_member(status, err, drg ? "drg_parents" : "exp_parents");
    }
    return place_member(status, err, "replica_column_proofs");
}

static cuzk_status check_challenge(const struct c1 *c1, const struct c1_challenge *c, cuzk_error *err)
{
    uint64_t node = c->labels[0].node;
    cuzk_status status = CUZK_OK;
    if (node >= c1->shape->nodes) {
        status = cuzk_fail(err, CUZK_ERR_DATA, "%llu is not below %llu", (unsigned long long)node,
                           (unsigned long long)c1->shape->nodes);
        status = place_member(status, err, "labeling_proofs[0].node");
    }
    if (status == CUZK_OK) status = check_opening(&c->comm_d, node, &c1->root_d, "comm_d_proofs", err);
    if (status == CUZK_OK) {
        status = check_opening(&c->comm_r_last, node, &c1->comm_r_last, "comm_r_last_proof", err);
    }
    if (status == CUZK_OK) status = check_columns(c1, c, err);
    if (status == CUZK_OK) status = check_labels(c1, c, err);
    return status;
}

/* ---- what stays ---- */

static struct tree_path path_of(const struct merkle_proof *p) { return (struct tree_path){ p->index, p->siblings }; }

cuzk_status c1_keep_challenge(struct c1 *c1, const struct c1_challenge *c, size_t i, cuzk_error *err)
{
    if (!c1->have_roots) {
        c1->root_d = c->comm_d.root;
        c1->comm_r_last = c->comm_r_last.root;
        c1->comm_c = c->c_x.inclusion.root;
        c1->have_roots = true;
    }
    cuzk_status status = check_challenge(c1, c, err);
    if (status != CUZK_OK) return status;
    const struct c1_partition *partition = &c1->partitions[c1->partition_count - 1];
    struct porep_challenge *kept = &partition->challenges[i];
    struct porep_claims *claims = &partition->claims[i];
    kept->node = c->labels[0].node;
    kept->data_leaf = c->comm_d.leaf;
    kept->path_d = path_of(&c->comm_d);
    kept->path_r = path_of(&c->comm_r_last);
    kept->path_c = path_of(&c->c_x.inclusion);
    claims->labels = c->c_x.rows;
    claims->column = c->c_x.inclusion.leaf;
    claims->replica = c->comm_r_last.leaf;
    for (unsigned p = 0; p < PARENTS; p++) {
        const struct c1_column *column = &c->parents[p];
        kept->parents[p] = (struct porep_column){ column->rows, path_of(&column->inclusion) };
        claims->parents[p] = column->inclusion.leaf;
    }
    return CUZK_OK;
}

cuzk_status c1_finish(struct c1 *c1, cuzk_error *err)
{
    if (c1->partition_count > 0) return same_root(&c1->comm_d, &c1->root_d, "comm_d", err);
    cuzk_fail(err, CUZK_ERR_DATA, "no partition");
    return place_member(CUZK_ERR_DATA, err, "vanilla_proofs");
}
