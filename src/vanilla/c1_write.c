#include "vanilla/c1_write.h"

#include "vanilla/sink.h"

#include <stdio.h>

static void put_text(struct sink *o, const char *text) { sink_put(o, text, strlen(text)); }

static void put_number(struct sink *o, const char *before, uint64_t v)
{
    char text[64];
    int n = snprintf(text, sizeof text, "%s%llu", before, (unsigned long long)v);
    sink_put(o, text, (size_t)n);
}

/* "[1,2,…]" of 32 bytes. */
static void put_bytes(struct sink *o, const uint8_t b[32])
{
    char text[32 * 4 + 2];
    size_t n = 0;
    for (size_t i = 0; i < 32; i++) {
        text[n++] = i == 0 ? '[' : ',';
        if (b[i] >= 100) text[n++] = (char)('0' + b[i] / 100);
        if (b[i] >= 10) text[n++] = (char)('0' + b[i] / 10 % 10);
        text[n++] = (char)('0' + b[i] % 10);
    }
    text[n++] = ']';
    sink_put(o, text, n);
}

static void put_node(struct sink *o, const char *before, const struct node *n)
{
    put_text(o, before);
    put_bytes(o, n->b);
}

/* "[node,node,…]" */
static void put_nodes(struct sink *o, const char *before, const struct node *nodes, size_t count)
{
    put_text(o, before);
    for (size_t i = 0; i < count; i++) put_node(o, i == 0 ? "[" : ",", &nodes[i]);
    put_text(o, count == 0 ? "[]" : "]");
}

/* The levels of one part of an opening; advances siblings and index. */
static void put_part(struct sink *o, const struct tree_shape *shape, unsigned part, const struct node **siblings,
                     uint64_t *index)
{
    unsigned begin, end;
    merkle_part_levels(shape, part, &begin, &end);
    put_text(o, "{\"path\":[");
    for (unsigned i = begin; i < end; i++) {
        unsigned arity = shape->arity[i];
        put_nodes(o, i == begin ? "{\"hashes\":" : ",{\"hashes\":", *siblings, arity - 1);
        put_number(o, ",\"index\":", *index & (arity - 1));
        put_text(o, "}");
        *siblings += arity - 1;
        *index >>= arity_bits(arity);
    }
    put_text(o, "]}");
}

static void put_merkle(struct sink *o, const char *before, const struct tree_shape *shape,
                       const struct tree_path *path, const struct node *root, const struct node *leaf)
{
    const struct node *siblings = path->siblings;
    uint64_t index = path->index;
    enum merkle_variant variant = merkle_variant(shape);
    put_text(o, before);
    put_text(o, "{\"data\":{\"");
    put_text(o, merkle_variant_name(variant));
    put_text(o, "\":{");
    if (variant == MERKLE_SINGLE) {
        put_node(o, "\"root\":", root);
        put_node(o, ",\"leaf\":", leaf);
        put_text(o, ",");
    }
    for (unsigned part = 0; part <= (unsigned)variant; part++) {
        put_text(o, part == 0 ? "\"" : ",\"");
        put_text(o, merkle_part_name(shape, part));
        put_text(o, "\":");
        put_part(o, shape, part, &siblings, &index);
    }
    if (variant != MERKLE_SINGLE) {
        put_node(o, ",\"root\":", root);
        put_node(o, ",\"leaf\":", leaf);
    }
    put_text(o, "}}}");
}

static void put_column(struct sink *o, const char *before, const struct c1 *c1, const struct node *rows,
                       const struct tree_path *path, const struct node *leaf)
{
    put_text(o, before);
    put_number(o, "{\"column\":{\"index\":", path->index);
    put_nodes(o, ",\"rows\":", rows, c1->shape->layers);
    put_merkle(o, ",\"_h\":null},\"inclusion_proof\":", &c1->shape->tree_r, path, &c1->comm_c, leaf);
    put_text(o, "}");
}

static void put_columns(struct sink *o, const struct c1 *c1, const struct porep_challenge *c,
                        const struct porep_claims *claims)
{
    put_column(o, ",\"replica_column_proofs\":{\"c_x\":", c1, claims->labels, &c->path_c, &claims->column);
    for (unsigned p = 0; p < PARENTS; p++) {
        const char *before = p == 0 ? ",\"drg_parents\":[" : p == DRG_PARENTS ? "],\"exp_parents\":[" : ",";
        put_column(o, before, c1, c->parents[p].rows, &c->parents[p].path, &claims->parents[p]);
    }
    put_text(o, "]}");
}

static void put_label(struct sink *o, const char *before, const struct porep_challenge *c, unsigned layer)
{
    struct node parents[LABEL_PARENTS];
    for (unsigned i = 0; i < LABEL_PARENTS; i++) {
        struct c1_label_source source = c1_label_source(layer, i);
        parents[i] = c->parents[source.parent].rows[source.row];
    }
    put_text(o, before);
    put_nodes(o, "{\"parents\":", parents, LABEL_PARENTS);
    put_number(o, ",\"layer_index\":", layer);
    put_number(o, ",\"node\":", c->node);
    put_text(o, "}");
}

static void put_challenge(struct sink *o, const char *before, const struct c1 *c1, const struct porep_challenge *c,
                          const struct porep_claims *claims)
{
    unsigned layers = c1->shape->layers;
    put_text(o, before);
    put_merkle(o, "{\"comm_d_proofs\":", &c1->shape->tree_d, &c->path_d, &c1->comm_d, &c->data_leaf);
    put_merkle(o, ",\"comm_r_last_proof\":", &c1->shape->tree_r, &c->path_r, &c1->comm_r_last, &claims->replica);
    put_columns(o, c1, c, claims);
    for (unsigned layer = 1; layer <= layers; layer++) {
        put_label(o, layer == 1 ? ",\"labeling_proofs\":[" : ",", c, layer);
    }
    put_label(o, "],\"encoding_proof\":", c, layers);
    put_text(o, "}");
}

cuzk_status c1_write_json(struct file_writer *writer, const struct c1 *c1, const struct registered_proof *version,
                          cuzk_error *err)
{
    struct sink o = { writer, CUZK_OK, err };
    put_text(&o, "{\"registered_proof\":\"");
    put_text(&o, version->name);
    put_text(&o, "\",\"vanilla_proofs\":{\"StackedDrg");
    put_text(&o, c1->shape->name);
    put_text(&o, "V1\":[");
    for (size_t k = 0; k < c1->partition_count; k++) {
        const struct c1_partition *p = &c1->partitions[k];
        put_text(&o, k == 0 ? "[" : ",[");
        for (size_t i = 0; i < c1->shape->porep_challenges; i++) {
            put_challenge(&o, i == 0 ? "" : ",", c1, &p->challenges[i], &p->claims[i]);
        }
        put_text(&o, "]");
    }
    put_node(&o, "]},\"comm_r\":", &c1->comm_r);
    put_node(&o, ",\"comm_d\":", &c1->comm_d);
    put_node(&o, ",\"replica_id\":", &c1->replica_id);
    put_text(&o, ",\"seed\":");
    put_bytes(&o, c1->seed);
    put_text(&o, ",\"ticket\":");
    put_bytes(&o, c1->ticket);
    put_text(&o, "}");
    return o.status;
}
