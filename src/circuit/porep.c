#include "circuit/porep.h"

#include "circuit/blocks.h"
#include "circuit/label_block.h"

#include <string.h>

/* What the prefix hands to every challenge. */
struct prefix {
    struct bit replica_id[NUM_BITS]; /* as SHA-256 message words */
    num_ref comm_d, comm_r_last, comm_c;
};

static void describe_prefix(struct builder *b, struct prefix *p)
{
    struct bit bits[NUM_BITS];
    num_ref comms[2], comm_r;
    block_public_number_bits(b, bits);
    sha256_word_order(p->replica_id, bits);
    p->comm_d = block_public_number(b);
    comm_r = block_public_number(b);
    block_numbers(b, comms, 2);
    p->comm_r_last = comms[0];
    p->comm_c = comms[1];
    block_commitment(b, comm_r, p->comm_c, p->comm_r_last, COMMITMENT_FIRST);
}

static void describe_labels(struct builder *b, const struct sector_shape *shape, const struct prefix *p,
                            num_ref columns[PARENTS][MAX_LAYERS], const struct bit node[64], num_ref *labels)
{
    for (unsigned layer = 1; layer <= shape->layers; layer++) {
        struct bit parents[PARENTS][NUM_BITS], bits[NUM_BITS];
        unsigned count = layer > 1 ? PARENTS : DRG_PARENTS;
        for (unsigned i = 0; i < count; i++) {
            unsigned from = i < DRG_PARENTS ? layer - 1 : layer - 2; /* expander parents: the layer before */
            block_bits(b, bits, columns[i][from]);
            sha256_word_order(parents[i], bits);
        }
        labels[layer - 1] = block_label(b, p->replica_id, layer, node, parents, count);
    }
}

static void describe_challenge(struct builder *b, const struct sector_shape *shape, const struct prefix *p)
{
    num_ref data_leaf, columns[PARENTS][MAX_LAYERS], labels[MAX_LAYERS];
    struct bit node[64];
    block_numbers(b, &data_leaf, 1);
    block_path(b, &shape->tree_d, HASH_SHA256, data_leaf, p->comm_d);
    for (unsigned i = 0; i < PARENTS; i++) {
        num_ref hash = block_column(b, columns[i], shape->layers);
        block_path(b, &shape->tree_r, HASH_POSEIDON, hash, p->comm_c);
    }
    block_public_u64(b, node);
    describe_labels(b, shape, p, columns, node, labels);
    num_ref encoded = block_add(b, labels[shape->layers - 1], data_leaf);
    block_path(b, &shape->tree_r, HASH_POSEIDON, encoded, p->comm_r_last);
    num_ref column = block_poseidon(b, labels, shape->layers);
    block_path(b, &shape->tree_r, HASH_POSEIDON, column, p->comm_c);
}

void porep_describe(struct builder *b, const struct sector_shape *shape)
{
    struct prefix p;
    describe_prefix(b, &p);
    for (unsigned i = 0; i < shape->porep_challenges; i++) {
        builder_group(b);
        describe_challenge(b, shape, &p);
    }
}

void porep_assign(struct slots *s, const struct sector_shape *shape, const struct porep_input *in)
{
    slot_node(s, &in->replica_id);
    slot_node(s, &in->comm_d);
    slot_node(s, &in->comm_r);
    slot_node(s, &in->comm_r_last);
    slot_node(s, &in->comm_c);
    for (size_t i = 0; i < in->challenge_count; i++) {
        const struct porep_challenge *c = &in->challenges[i];
        slot_node(s, &c->data_leaf);
        slot_path(s, &shape->tree_d, &c->path_d);
        for (unsigned k = 0; k < PARENTS; k++) {
            slot_nodes(s, c->parents[k].rows, shape->layers);
            slot_path(s, &shape->tree_r, &c->parents[k].path);
        }
        slot_int(s, c->node);
        slot_path(s, &shape->tree_r, &c->path_r);
        slot_path(s, &shape->tree_r, &c->path_c);
    }
}
