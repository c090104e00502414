#include "circuit/post.h"

#include "circuit/blocks.h"

static void describe_slot(struct builder *b, const struct sector_shape *shape, size_t challenges)
{
    num_ref comm_r_last = block_post_sector(b);
    for (size_t i = 0; i < challenges; i++) {
        num_ref leaf;
        block_numbers(b, &leaf, 1);
        block_path(b, &shape->tree_r, HASH_POSEIDON, leaf, comm_r_last);
    }
}

void post_describe(struct builder *b, const struct sector_shape *shape, size_t slots, size_t challenges)
{
    for (size_t i = 0; i < slots; i++) {
        builder_group(b);
        describe_slot(b, shape, challenges);
    }
}

void post_assign(struct slots *s, const struct sector_shape *shape, const struct post_input *in)
{
    for (size_t i = 0; i < in->slot_count; i++) {
        const struct post_slot *slot = &in->slots[i];
        slot_node(s, &slot->comm_r_last);
        slot_node(s, &slot->comm_c);
        slot_node(s, &slot->comm_r);
        for (size_t k = 0; k < slot->challenge_count; k++) {
            slot_node(s, &slot->challenges[k].leaf);
            slot_path(s, &shape->tree_r, &slot->challenges[k].path);
        }
    }
}
