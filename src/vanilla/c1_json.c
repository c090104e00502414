#include "vanilla/c1_json.h"

#include "vanilla/json.h"
#include "vanilla/node.h"
#include "vanilla/place.h"

#include <stdio.h>
#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* The loop over an object's members, all of them required. */
#define MEMBERS(names)                                                                                               \
    {                                                                                                                \
        .names = (names), .count = COUNT_OF(names), .required = JSON_ALL_OF(COUNT_OF(names))                         \
    }

static cuzk_status read_node(struct node *out, struct json_reader *j, cuzk_error *err)
{
    cuzk_status status = json_read_bytes(j, out->b, NODE_BYTES, err);
    if (status != CUZK_OK || node_is_canonical(out)) return status;
    return json_read_fail(j, err, "%s is not below r", node_hex(out).text);
}

static cuzk_status read_nodes(struct node *out, size_t n, const char *what, struct json_reader *j, cuzk_error *err)
{
    struct json_elements e = { .expected = n, .what = what };
    cuzk_status status = json_read_elements(j, &e, err);
    while (json_read_element(j, &e, &status, err)) {
        status = place_index(read_node(&out[e.index], j, err), err, e.index);
    }
    return status;
}

/* ---- Merkle proofs ---- */

/* {"hashes": […], "index": n} */
static cuzk_status read_level(struct node *siblings, unsigned arity, uint64_t *digit, struct json_reader *j,
                              cuzk_error *err)
{
    static const char *const names[] = { "hashes", "index" };
    struct json_members m = MEMBERS(names);
    cuzk_status status = json_read_object(j, err);
    for (unsigned which; json_read_member(j, &m, &which, &status, err);) {
        if (which == 0) {
            status = read_nodes(siblings, arity - 1, arity == 2 ? "hash" : "hashes", j, err);
        } else {
            status = json_read_u64(j, digit, arity - 1, err);
        }
        status = place_member(status, err, names[which]);
    }
    return status;
}

/* {"path": [level, …]}: the levels [begin, end) of the tree. */
static cuzk_status read_part(struct merkle_proof *out, const struct tree_shape *shape, unsigned part,
                             struct json_reader *j, cuzk_error *err)
{
    static const char *const names[] = { "path" };
    unsigned begin, end, siblings = 0, bits = 0;
    merkle_part_levels(shape, part, &begin, &end);
    for (unsigned i = 0; i < begin; i++) {
        siblings += shape->arity[i] - 1u;
        bits += arity_bits(shape->arity[i]);
    }
    struct json_members m = MEMBERS(names);
    cuzk_status status = json_read_object(j, err);
    for (unsigned which; json_read_member(j, &m, &which, &status, err);) {
        struct json_elements e = { .expected = end - begin, .what = "levels" };
        status = json_read_elements(j, &e, err);
        while (json_read_element(j, &e, &status, err)) {
            unsigned arity = shape->arity[begin + e.index];
            uint64_t digit = 0;
            status = place_index(read_level(out->siblings + siblings, arity, &digit, j, err), err, e.index);
            out->index |= digit << bits;
            siblings += arity - 1;
            bits += arity_bits(arity);
        }
        status = place_member(status, err, names[which]);
    }
    return status;
}

/* What stands in {"Single": …}, {"Sub": …} or {"Top": …}. */
static cuzk_status read_variant(struct merkle_proof *out, const struct tree_shape *shape, struct json_reader *j,
                                cuzk_error *err)
{
    const char *names[5] = { "root", "leaf" };
    unsigned parts = (unsigned)merkle_variant(shape) + 1;
    for (unsigned i = 0; i < parts; i++) names[2 + i] = merkle_part_name(shape, i);
    struct json_members m = { .names = names, .count = 2 + parts, .required = JSON_ALL_OF(2 + parts) };
    out->index = 0;
    cuzk_status status = json_read_object(j, err);
    for (unsigned which; json_read_member(j, &m, &which, &status, err);) {
        switch (which) {
        case 0: status = read_node(&out->root, j, err); break;
        case 1: status = read_node(&out->leaf, j, err); break;
        default: status = read_part(out, shape, which - 2, j, err); break;
        }
        status = place_member(status, err, names[which]);
    }
    return status;
}

/* An object with one member, whose name says of what kind its value is; leaves the cursor in front of the
 * value. */
static cuzk_status open_tag(struct json_reader *j, const char *expected, cuzk_error *err)
{
    struct json_text tag = { 0 };
    bool more = false;
    cuzk_status status = json_read_object(j, err);
    if (status == CUZK_OK) status = json_read_key(j, &more, &tag, err);
    if (status != CUZK_OK || (more && json_text_equal(&tag, expected))) return status;
    return json_read_fail(j, err, "\"%s\" expected, \"%s\" found", expected, json_text_show(&tag).text);
}

static cuzk_status close_tag(struct json_reader *j, cuzk_error *err)
{
    struct json_text tag;
    bool more = false;
    cuzk_status status = json_read_key(j, &more, &tag, err);
    return status == CUZK_OK && more ? json_read_fail(j, err, "a second member where one is allowed") : status;
}

/* {"data": {"Single": …}} */
static cuzk_status read_merkle(struct merkle_proof *out, const struct tree_shape *shape, struct json_reader *j,
                               cuzk_error *err)
{
    static const char *const names[] = { "data" };
    struct json_members m = MEMBERS(names);
    cuzk_status status = json_read_object(j, err);
    for (unsigned which; json_read_member(j, &m, &which, &status, err);) {
        status = open_tag(j, merkle_variant_name(merkle_variant(shape)), err);
        if (status == CUZK_OK) status = read_variant(out, shape, j, err);
        if (status == CUZK_OK) status = close_tag(j, err);
    }
    return status;
}

/* ---- columns and labels ---- */

/* {"index": n, "rows": […], "_h": null}; _h may be missing. */
static cuzk_status read_column(struct c1_column *out, const struct sector_shape *shape, struct json_reader *j,
                               cuzk_error *err)
{
    static const char *const names[] = { "index", "rows", "_h" };
    struct json_members m = { .names = names, .count = 3, .required = JSON_ALL_OF(2) };
    uint64_t index = 0;
    cuzk_status status = json_read_object(j, err);
    for (unsigned which; json_read_member(j, &m, &which, &status, err);) {
        switch (which) {
        case 0: status = json_read_u64(j, &index, UINT32_MAX, err); break;
        case 1: status = read_nodes(out->rows, shape->layers, "rows", j, err); break;
        default: status = json_read_null(j, err); break;
        }
        status = place_member(status, err, names[which]);
    }
    out->index = (uint32_t)index;
    return status;
}

/* {"column": …, "inclusion_proof": …} */
static cuzk_status read_column_proof(struct c1_column *out, const struct sector_shape *shape, struct json_reader *j,
                                     cuzk_error *err)
{
    static const char *const names[] = { "column", "inclusion_proof" };
    struct json_members m = MEMBERS(names);
    cuzk_status status = json_read_object(j, err);
    for (unsigned which; json_read_member(j, &m, &which, &status, err);) {
        status = which == 0 ? read_column(out, shape, j, err) : read_merkle(&out->inclusion, &shape->tree_r, j, err);
        status = place_member(status, err, names[which]);
    }
    return status;
}

static cuzk_status read_parents(struct c1_column *out, size_t count, const struct sector_shape *shape,
                                struct json_reader *j, cuzk_error *err)
{
    struct json_elements e = { .expected = count, .what = "columns" };
    cuzk_status status = json_read_elements(j, &e, err);
    while (json_read_element(j, &e, &status, err)) {
        status = place_index(read_column_proof(&out[e.index], shape, j, err), err, e.index);
    }
    return status;
}

/* {"c_x": …, "drg_parents": […], "exp_parents": […]} */
static cuzk_status read_columns(struct c1_challenge *out, const struct sector_shape *shape, struct json_reader *j,
                                cuzk_error *err)
{
    static const char *const names[] = { "c_x", "drg_parents", "exp_parents" };
    struct json_members m = MEMBERS(names);
    cuzk_status status = json_read_object(j, err);
    for (unsigned which; json_read_member(j, &m, &which, &status, err);) {
        switch (which) {
        case 0: status = read_column_proof(&out->c_x, shape, j, err); break;
        case 1: status = read_parents(out->parents, DRG_PARENTS, shape, j, err); break;
        default: status = read_parents(out->parents + DRG_PARENTS, EXP_PARENTS, shape, j, err); break;
        }
        status = place_member(status, err, names[which]);
    }
    return status;
}

/* {"parents": […], "layer_index": l, "node": v} */
static cuzk_status read_label(struct c1_label *out, struct json_reader *j, cuzk_error *err)
{
    static const char *const names[] = { "parents", "layer_index", "node" };
    struct json_members m = MEMBERS(names);
    uint64_t layer = 0;
    cuzk_status status = json_read_object(j, err);
    for (unsigned which; json_read_member(j, &m, &which, &status, err);) {
        switch (which) {
        case 0: status = read_nodes(out->parents, LABEL_PARENTS, "labels", j, err); break;
        case 1: status = json_read_u64(j, &layer, UINT32_MAX, err); break;
        default: status = json_read_u64(j, &out->node, UINT64_MAX, err); break;
        }
        status = place_member(status, err, names[which]);
    }
    out->layer = (uint32_t)layer;
    return status;
}

static cuzk_status read_labels(struct c1_challenge *out, const struct sector_shape *shape, struct json_reader *j,
                               cuzk_error *err)
{
    struct json_elements e = { .expected = shape->layers, .what = "layers" };
    cuzk_status status = json_read_elements(j, &e, err);
    while (json_read_element(j, &e, &status, err)) {
        status = place_index(read_label(&out->labels[e.index], j, err), err, e.index);
    }
    return status;
}

/* ---- the document ---- */

static cuzk_status read_challenge(struct c1_challenge *out, const struct sector_shape *shape, struct json_reader *j,
                                  cuzk_error *err)
{
    static const char *const names[] = { "comm_d_proofs", "comm_r_last_proof", "replica_column_proofs",
                                         "labeling_proofs", "encoding_proof" };
    struct json_members m = MEMBERS(names);
    cuzk_status status = json_read_object(j, err);
    for (unsigned which; json_read_member(j, &m, &which, &status, err);) {
        switch (which) {
        case 0: status = read_merkle(&out->comm_d, &shape->tree_d, j, err); break;
        case 1: status = read_merkle(&out->comm_r_last, &shape->tree_r, j, err); break;
        case 2: status = read_columns(out, shape, j, err); break;
        case 3: status = read_labels(out, shape, j, err); break;
        default: status = read_label(&out->encoding, j, err); break;
        }
        status = place_member(status, err, names[which]);
    }
    return status;
}

static cuzk_status read_partition(struct c1 *out, struct c1_challenge *scratch, struct json_reader *j,
                                  cuzk_error *err)
{
    struct json_elements e = { .expected = out->shape->porep_challenges, .what = "challenges" };
    cuzk_status status = c1_begin_partition(out, err);
    if (status == CUZK_OK) status = json_read_elements(j, &e, err);
    while (json_read_element(j, &e, &status, err)) {
        status = c1_begin_challenge(out, scratch, err);
        if (status == CUZK_OK) status = read_challenge(scratch, out->shape, j, err);
        if (status == CUZK_OK) status = c1_keep_challenge(out, scratch, e.index, err);
        status = place_index(status, err, e.index);
    }
    return status;
}

/* The tag of vanilla_proofs, which never carries a version (spec §5.1): StackedDrg…V1. */
static const struct sector_shape *shape_of_tag(const struct json_text *tag)
{
    const struct sector_shape *shape;
    for (size_t i = 0; (shape = sector_shape_at(i)); i++) {
        char name[32];
        snprintf(name, sizeof name, "StackedDrg%sV1", shape->name);
        if (shape->published && json_text_equal(tag, name)) return shape;
    }
    return NULL;
}

/* {"StackedDrg32GiBV1": [partition, …]} */
static cuzk_status read_partitions(struct c1 *out, struct arena *arena, struct json_reader *j, cuzk_error *err)
{
    struct json_text tag;
    bool more = false;
    cuzk_status status = json_read_object(j, err);
    if (status == CUZK_OK) status = json_read_key(j, &more, &tag, err);
    if (status != CUZK_OK) return status;
    const struct sector_shape *shape = more ? shape_of_tag(&tag) : NULL;
    if (!shape) return json_read_fail(j, err, "a member named like \"StackedDrg32GiBV1\" expected");
    c1_begin(out, shape, arena);
    struct c1_challenge *scratch = malloc(sizeof *scratch);
    if (!scratch) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a challenge");
    status = json_read_array(j, err);
    for (size_t i = 0; status == CUZK_OK; i++) {
        status = json_read_item(j, &more, err);
        if (status != CUZK_OK || !more) break;
        status = place_index(read_partition(out, scratch, j, err), err, i);
    }
    free(scratch);
    return status == CUZK_OK ? close_tag(j, err) : status;
}

static cuzk_status read_version(const struct registered_proof **out, struct json_reader *j, cuzk_error *err)
{
    struct json_text text;
    cuzk_status status = json_read_string(j, &text, err);
    if (status != CUZK_OK) return status;
    uint8_t name[80]; /* longer than any, even if every letter is escaped once */
    size_t size = text.size <= sizeof name ? json_text_decode(name, &text) : 0;
    *out = registered_by_name(PROOF_POREP, (const char *)name, size);
    if (*out) return CUZK_OK;
    return json_read_fail(j, err, "\"%s\" is no registered seal proof", json_text_show(&text).text);
}

cuzk_status c1_json(struct c1 *out, const struct registered_proof **version, struct arena *arena, struct bytes text,
                    cuzk_error *err)
{
    static const char *const names[] = { "registered_proof", "vanilla_proofs", "comm_r", "comm_d",
                                         "replica_id",       "seed",           "ticket" };
    struct json_members m = MEMBERS(names);
    struct json_reader j = json_reader_over(text.data, text.size);
    *out = (struct c1){ 0 };
    cuzk_status status = json_read_object(&j, err);
    for (unsigned which; json_read_member(&j, &m, &which, &status, err);) {
        switch (which) {
        case 0: status = read_version(version, &j, err); break;
        case 1: status = read_partitions(out, arena, &j, err); break;
        case 2: status = read_node(&out->comm_r, &j, err); break;
        case 3: status = read_node(&out->comm_d, &j, err); break;
        case 4: status = read_node(&out->replica_id, &j, err); break;
        case 5: status = json_read_bytes(&j, out->seed, sizeof out->seed, err); break;
        default: status = json_read_bytes(&j, out->ticket, sizeof out->ticket, err); break;
        }
        status = place_member(status, err, names[which]);
    }
    if (status == CUZK_OK) status = json_read_finish(&j, err);
    return status == CUZK_OK ? c1_finish(out, err) : status;
}
