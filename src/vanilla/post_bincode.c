#include "vanilla/post_bincode.h"

#include "vanilla/merkle.h"
#include "vanilla/node.h"
#include "vanilla/place.h"

/* Fills `count` challenges, whose siblings follow each other in `siblings`. */
static cuzk_status read_openings(struct post_challenge *challenges, struct node *siblings, struct node *root,
                                 struct reader *r, const struct tree_shape *tree, size_t count, cuzk_error *err)
{
    for (size_t i = 0; i < count; i++) {
        struct merkle_proof proof = { .siblings = siblings + i * tree->siblings };
        cuzk_status status = merkle_bincode(&proof, r, tree, err);
        if (status == CUZK_OK && i > 0 && !node_equal(&proof.root, root)) {
            status = cuzk_fail(err, CUZK_ERR_DATA, "%s differs from the root of opening 0, %s",
                               node_hex(&proof.root).text, node_hex(root).text);
            status = place_member(status, err, "root");
        }
        if (status != CUZK_OK) {
            return place_member(place_index(status, err, i), err, "inclusion_proofs");
        }
        *root = proof.root;
        challenges[i].leaf = proof.leaf;
        challenges[i].path = (struct tree_path){ proof.index, proof.siblings };
    }
    return CUZK_OK;
}

cuzk_status post_bincode(struct post_sector *out, struct arena *arena, const struct sector_shape *shape,
                         size_t challenges, struct bytes payload, cuzk_error *err)
{
    struct reader r = reader_over(payload.data, payload.size);
    struct post_slot *slot = &out->slot;
    struct node root;
    cuzk_status status = reader_le64(&r, &out->number, "sector_id", err);
    if (status == CUZK_OK) {
        status = place_member(nodes_bincode(&slot->comm_r, 1, &r, err), err, "comm_r");
    }
    if (status == CUZK_OK) status = count_bincode(1, "sectors", &r, err);
    if (status == CUZK_OK) status = count_bincode(challenges, "inclusion_proofs", &r, err);
    if (status != CUZK_OK) return status;
    const struct tree_shape *tree = &shape->tree_r;
    struct post_challenge *openings = arena_take(arena, challenges, sizeof *openings);
    struct node *siblings = arena_take(arena, challenges * tree->siblings, sizeof *siblings);
    if (!openings || !siblings) {
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu openings", challenges);
    }
    status = read_openings(openings, siblings, &root, &r, tree, challenges, err);
    if (status == CUZK_OK) {
        status = place_member(nodes_bincode(&slot->comm_c, 1, &r, err), err, "comm_c");
    }
    if (status == CUZK_OK) {
        status = nodes_bincode(&slot->comm_r_last, 1, &r, err);
        if (status == CUZK_OK && !node_equal(&slot->comm_r_last, &root)) {
            status = cuzk_fail(err, CUZK_ERR_DATA, "%s differs from the root of the openings, %s",
                               node_hex(&slot->comm_r_last).text, node_hex(&root).text);
        }
        status = place_member(status, err, "comm_r_last");
    }
    if (status == CUZK_OK) status = reader_finish(&r, "the sector's proof", err);
    slot->challenge_count = challenges;
    slot->challenges = openings;
    return status;
}
