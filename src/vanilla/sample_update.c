/* sample_update: see sample.h. */
#include "hash/poseidon.h"
#include "vanilla/challenges.h"
#include "vanilla/node.h"
#include "vanilla/path.h"
#include "vanilla/public_inputs.h"
#include "vanilla/sample.h"
#include "vanilla/sample_source.h"
#include "vanilla/sum_tree.h"

#include <stdlib.h>

struct sample_update {
    const struct sector_shape *shape;
    struct sum_tree r_old, d_new, r_new;
    struct node comm_c, comm_r_old, comm_r_new;
};

/* The old replica and the new data: a few leaves each. */
static cuzk_status make_old(struct sample_update *u, const struct sample_source *source, struct pool *pool,
                            cuzk_error *err)
{
    struct node old[SUM_TREE_SUMS], data[SUM_TREE_SUMS];
    for (unsigned i = 0; i < SUM_TREE_SUMS; i++) {
        sample_value(&old[i], source, 0, i);
        sample_value(&data[i], source, 1, i);
    }
    cuzk_status status = sum_tree_build(&u->r_old, &u->shape->tree_r, SUM_TREE_POSEIDON, 0, old, pool, err);
    if (status != CUZK_OK) return status;
    status = sum_tree_build(&u->d_new, &u->shape->tree_d, SUM_TREE_SHA256, 0, data, pool, err);
    sample_named(&u->comm_c, source, "comm_c");
    comm_r_make(&u->comm_r_old, &u->comm_c, sum_tree_root(&u->r_old));
    return status;
}

/* The new replica: old + data · rho, where rho depends on the top bits of the index (spec §3.5). */
static cuzk_status make_new(struct sample_update *u, struct pool *pool, cuzk_error *err)
{
    unsigned h = u->shape->update_h_bits[__builtin_ctz(u->shape->update_h_select)];
    size_t blocks = (size_t)1 << h;
    struct node *leaves = calloc(blocks * SUM_TREE_SUMS, sizeof *leaves);
    if (!leaves) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu leaves", blocks);
    fr_t comm_d, comm_r, phi;
    node_to_fr(&comm_d, sum_tree_root(&u->d_new));
    node_to_fr(&comm_r, &u->comm_r_old);
    poseidon_random(&phi, &comm_d, &comm_r);
    for (size_t block = 0; block < blocks; block++) {
        fr_t high, rho, old, data;
        fr_from_u64(&high, block);
        poseidon_random(&rho, &phi, &high);
        for (unsigned sum = 0; sum < SUM_TREE_SUMS; sum++) {
            node_to_fr(&old, &u->r_old.levels[0][sum]);
            node_to_fr(&data, &u->d_new.levels[0][sum]);
            fr_mul(&data, &data, &rho);
            fr_add(&data, &data, &old);
            node_from_fr(&leaves[block * SUM_TREE_SUMS + sum], &data);
        }
    }
    cuzk_status status = sum_tree_build(&u->r_new, &u->shape->tree_r, SUM_TREE_POSEIDON, h, leaves, pool, err);
    free(leaves);
    if (status == CUZK_OK) comm_r_make(&u->comm_r_new, &u->comm_c, sum_tree_root(&u->r_new));
    return status;
}

cuzk_status sample_update_make(struct sample_update **out, const struct sample_options *options, struct pool *pool,
                               cuzk_error *err)
{
    struct sample_source source;
    struct sample_update *u = calloc(1, sizeof *u);
    *out = u;
    if (!u) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for an update");
    u->shape = options->shape;
    sample_source_init(&source, options->seed);
    sample_source_derive(&source, &source, "update", options->shape->bytes);
    cuzk_status status = make_old(u, &source, pool, err);
    if (status == CUZK_OK) status = make_new(u, pool, err);
    if (status != CUZK_OK) {
        sample_update_free(u);
        *out = NULL;
    }
    return status;
}

void sample_update_free(struct sample_update *u)
{
    if (!u) return;
    sum_tree_free(&u->r_old);
    sum_tree_free(&u->d_new);
    sum_tree_free(&u->r_new);
    free(u);
}

static const struct node *open_leaf(struct arena *arena, const struct sum_tree *tree, uint64_t index)
{
    struct node *siblings = arena_take(arena, tree->shape->siblings, sizeof *siblings);
    if (siblings) sum_tree_open(siblings, tree, index);
    return siblings;
}

static bool fill_challenge(struct update_challenge *c, struct arena *arena, const struct sample_update *u,
                           uint64_t index)
{
    *c = (struct update_challenge){
        .index = index,
        .leaf_r_old = *sum_tree_leaf(&u->r_old, index),
        .leaf_d_new = *sum_tree_leaf(&u->d_new, index),
        .leaf_r_new = *sum_tree_leaf(&u->r_new, index),
        .path_r_old = open_leaf(arena, &u->r_old, index),
        .path_r_new = open_leaf(arena, &u->r_new, index),
        .path_d_new = open_leaf(arena, &u->d_new, index),
    };
    return c->path_r_old && c->path_r_new && c->path_d_new;
}

static void fill_commitments(struct update_input *out, const struct sample_update *u)
{
    out->comm_r_old = u->comm_r_old;
    out->comm_d_new = *sum_tree_root(&u->d_new);
    out->comm_r_new = u->comm_r_new;
    out->comm_c = u->comm_c;
    out->root_r_old = *sum_tree_root(&u->r_old);
    out->root_r_new = *sum_tree_root(&u->r_new);
}

cuzk_status sample_update_partition(struct update_input *out, struct arena *arena, const struct sample_update *u,
                                    uint32_t partition, cuzk_error *err)
{
    const struct sector_shape *shape = u->shape;
    size_t count = shape->update_challenges, apex_count = shape->update_apex;
    unsigned bits = update_partition_bits(shape), apart = shape->node_bits - bits;
    unsigned apex_level = apart - (unsigned)__builtin_ctz(shape->update_apex);
    uint64_t indices[256];
    struct node *apex = arena_take(arena, apex_count, sizeof *apex);
    struct update_challenge *challenges = arena_take(arena, count, sizeof *challenges);
    bool done = apex && challenges;
    *out = (struct update_input){
        .partition = partition, .apex_leaves = apex, .challenge_count = count, .challenges = challenges
    };
    fill_commitments(out, u);
    for (size_t i = 0; done && i < apex_count; i++) {
        apex[i] = *sum_tree_node(&u->d_new, apex_level, partition * apex_count + i);
    }
    update_challenges(indices, count, &u->comm_r_new, shape->node_bits, bits, partition);
    for (size_t i = 0; done && i < count; i++) {
        done = fill_challenge(&challenges[i], arena, u, indices[i]);
    }
    if (!done) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for partition %u", partition);
    out->partition_path = challenges[0].path_d_new + apart;
    return CUZK_OK;
}
