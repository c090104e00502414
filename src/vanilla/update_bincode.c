#include "vanilla/update_bincode.h"

#include "vanilla/merkle.h"
#include "vanilla/node.h"
#include "vanilla/place.h"

enum tree { R_OLD, D_NEW, R_NEW, TREES }; /* in the order of the file */

static const char *const proof_names[TREES] = { "proof_r_old", "proof_d_new", "proof_r_new" };

/* The three openings of one challenge as the file holds them. */
struct openings {
    struct merkle_proof proof[TREES];
};

static const struct tree_shape *tree_of(const struct sector_shape *shape, enum tree tree)
{
    return tree == D_NEW ? &shape->tree_d : &shape->tree_r;
}

static unsigned partition_bits(const struct sector_shape *shape)
{
    return (unsigned)__builtin_ctz(shape->update_partitions);
}

static cuzk_status read_openings(struct openings *o, struct arena *arena, const struct sector_shape *shape,
                                 struct reader *r, cuzk_error *err)
{
    for (enum tree t = R_OLD; t < TREES; t++) {
        struct merkle_proof *p = &o->proof[t];
        p->siblings = arena_take(arena, tree_of(shape, t)->siblings, sizeof *p->siblings);
        if (!p->siblings) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for an opening");
        cuzk_status status = merkle_bincode(p, r, tree_of(shape, t), err);
        if (status != CUZK_OK) return place_member(status, err, proof_names[t]);
    }
    return CUZK_OK;
}

/* What the openings of one challenge share with each other and with those of the first challenge. */
static cuzk_status compare_openings(const struct openings *o, const struct openings *first,
                                    const struct sector_shape *shape, cuzk_error *err)
{
    unsigned bits = partition_bits(shape), apart = shape->node_bits - bits;
    for (enum tree t = R_OLD; t < TREES; t++) {
        const struct merkle_proof *p = &o->proof[t], *q = &first->proof[t];
        cuzk_status status = CUZK_OK;
        if (!node_equal(&p->root, &q->root)) {
            status = cuzk_fail(err, CUZK_ERR_DATA, "root %s differs from challenge 0's, %s", node_hex(&p->root).text,
                               node_hex(&q->root).text);
        } else if (p->index != o->proof[R_OLD].index) {
            status = cuzk_fail(err, CUZK_ERR_DATA, "leaf %llu, but %s opens leaf %llu", (unsigned long long)p->index,
                               proof_names[R_OLD], (unsigned long long)o->proof[R_OLD].index);
        } else if (p->index >> apart != q->index >> apart) {
            status = cuzk_fail(err, CUZK_ERR_DATA, "leaf %llu is of partition %llu, challenge 0 of partition %llu",
                               (unsigned long long)p->index, (unsigned long long)(p->index >> apart),
                               (unsigned long long)(q->index >> apart));
        }
        if (status != CUZK_OK) return place_member(status, err, proof_names[t]);
    }
    if (memcmp(o->proof[D_NEW].siblings + apart, first->proof[D_NEW].siblings + apart, bits * sizeof(struct node)) !=
        0) {
        cuzk_fail(err, CUZK_ERR_DATA, "the last %u levels differ from challenge 0's", bits);
        return place_member(CUZK_ERR_DATA, err, proof_names[D_NEW]);
    }
    return CUZK_OK;
}

static void keep_challenge(struct update_challenge *out, const struct openings *o)
{
    *out = (struct update_challenge){
        .index = o->proof[R_OLD].index,
        .leaf_r_old = o->proof[R_OLD].leaf,
        .leaf_d_new = o->proof[D_NEW].leaf,
        .leaf_r_new = o->proof[R_NEW].leaf,
        .path_r_old = o->proof[R_OLD].siblings,
        .path_r_new = o->proof[R_NEW].siblings,
        .path_d_new = o->proof[D_NEW].siblings,
    };
}

static void keep_partition(struct update_input *out, const struct openings *first, const struct sector_shape *shape)
{
    unsigned apart = shape->node_bits - partition_bits(shape);
    out->partition = (uint32_t)(first->proof[R_OLD].index >> apart);
    out->root_r_old = first->proof[R_OLD].root;
    out->root_r_new = first->proof[R_NEW].root;
    out->comm_d_new = first->proof[D_NEW].root;
    out->partition_path = first->proof[D_NEW].siblings + apart;
}

static cuzk_status read_challenges(struct update_input *out, struct arena *arena, const struct sector_shape *shape,
                                   struct reader *r, cuzk_error *err)
{
    size_t count = shape->update_challenges;
    struct update_challenge *challenges = arena_take(arena, count, sizeof *challenges);
    if (!challenges) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu challenges", count);
    struct openings first = { 0 };
    for (size_t i = 0; i < count; i++) {
        struct openings o = { 0 };
        cuzk_status status = read_openings(&o, arena, shape, r, err);
        if (i == 0) first = o;
        if (status == CUZK_OK) status = compare_openings(&o, &first, shape, err);
        if (status != CUZK_OK) {
            return place_member(place_index(status, err, i), err, "challenge_proofs");
        }
        keep_challenge(&challenges[i], &o);
    }
    keep_partition(out, &first, shape);
    out->challenge_count = count;
    out->challenges = challenges;
    return CUZK_OK;
}

cuzk_status update_bincode(struct update_input *out, struct arena *arena, const struct sector_shape *shape,
                           struct bytes payload, cuzk_error *err)
{
    *out = (struct update_input){ 0 };
    struct reader r = reader_over(payload.data, payload.size);
    struct node *apex = arena_take(arena, shape->update_apex, sizeof *apex);
    if (!apex) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %u apex leaves", shape->update_apex);
    out->apex_leaves = apex;
    cuzk_status status = place_member(nodes_bincode(&out->comm_c, 1, &r, err), err, "comm_c");
    if (status == CUZK_OK) {
        status = count_bincode(shape->update_apex, "apex_leafs", &r, err);
        if (status == CUZK_OK) {
            status = place_member(nodes_bincode(apex, shape->update_apex, &r, err), err, "apex_leafs");
        }
    }
    if (status == CUZK_OK) {
        status = count_bincode(shape->update_challenges, "challenge_proofs", &r, err);
    }
    if (status == CUZK_OK) status = read_challenges(out, arena, shape, &r, err);
    if (status == CUZK_OK) status = reader_finish(&r, "the partition's proof", err);
    return status;
}
