/* sample_post: see sample.h. */
#include "vanilla/node.h"
#include "vanilla/path.h"
#include "vanilla/public_inputs.h"
#include "vanilla/sample.h"
#include "vanilla/sample_source.h"
#include "vanilla/sparse_tree.h"

static void kind_source(struct sample_source *out, const struct sample_options *options)
{
    sample_source_init(out, options->seed);
    sample_source_derive(out, out, proof_kind_name(options->kind), options->shape->bytes);
}

void sample_randomness(struct node *out, const struct sample_options *options)
{
    struct sample_source source;
    kind_source(&source, options);
    sample_named(out, &source, "randomness");
}

/* The leaves to be opened, in the order of the proof. */
static void make_challenges(uint64_t *out, size_t count, const struct sample_options *options,
                            const struct node *randomness, uint64_t sector)
{
    const struct statement_sector of = { .number = sector };
    struct statement s = { .kind = options->kind,
                           .proof = sample_proof(options->kind, options->shape),
                           .shape = options->shape };
    s.post.randomness = *randomness;
    s.post.sector_count = 1;
    s.post.sectors = &of;
    bool winning = options->kind == PROOF_WINNING;
    for (size_t i = 0; i < count; i++) {
        out[i] = winning ? statement_post_challenge(&s, i, 0) : statement_post_challenge(&s, 0, i);
    }
}

/* TreeR with the challenged leaves. */
static cuzk_status make_tree(struct sparse_tree *out, const struct sector_shape *shape,
                             const struct sample_source *source, const uint64_t *challenges, size_t count,
                             struct pool *pool, cuzk_error *err)
{
    uint64_t positions[WINNING_SLOTS];
    struct node leaves[WINNING_SLOTS];
    memcpy(positions, challenges, count * sizeof *positions);
    size_t distinct = sparse_sort(positions, count);
    for (size_t i = 0; i < distinct; i++) sample_value(&leaves[i], source, 0, positions[i]);
    return sparse_tree_build(out, &shape->tree_r, source, positions, leaves, distinct, pool, err);
}

cuzk_status sample_post(struct post_sector *out, struct arena *arena, const struct sample_options *options,
                        const struct node *randomness, uint64_t sector, struct pool *pool, cuzk_error *err)
{
    const struct sector_shape *shape = options->shape;
    size_t count = options->kind == PROOF_WINNING ? WINNING_SLOTS : POST_CHALLENGES;
    uint64_t challenges[WINNING_SLOTS];
    struct sample_source source;
    struct sparse_tree tree;
    kind_source(&source, options);
    sample_source_derive(&source, &source, "sector", sector);
    make_challenges(challenges, count, options, randomness, sector);
    struct post_challenge *openings = arena_take(arena, count, sizeof *openings);
    struct node *siblings = arena_take(arena, count * shape->tree_r.siblings, sizeof *siblings);
    if (!openings || !siblings) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu openings", count);
    cuzk_status status = make_tree(&tree, shape, &source, challenges, count, pool, err);
    if (status != CUZK_OK) return status;
    for (size_t i = 0; i < count; i++, siblings += shape->tree_r.siblings) {
        sparse_tree_open(siblings, &tree, challenges[i]);
        sample_value(&openings[i].leaf, &source, 0, challenges[i]);
        openings[i].path = (struct tree_path){ challenges[i], siblings };
    }
    out->number = sector;
    out->slot = (struct post_slot){ .challenge_count = count, .challenges = openings };
    sample_named(&out->slot.comm_c, &source, "comm_c");
    out->slot.comm_r_last = *sparse_tree_root(&tree);
    comm_r_make(&out->slot.comm_r, &out->slot.comm_c, &out->slot.comm_r_last);
    sparse_tree_free(&tree);
    return CUZK_OK;
}
