#include "vanilla/bincode_write.h"

#include "vanilla/merkle.h"
#include "vanilla/sink.h"

static void put_u32(struct sink *o, uint32_t v)
{
    uint8_t bytes[4];
    store_le32(bytes, v);
    sink_put(o, bytes, sizeof bytes);
}

static void put_u64(struct sink *o, uint64_t v)
{
    uint8_t bytes[8];
    store_le64(bytes, v);
    sink_put(o, bytes, sizeof bytes);
}

static void put_node(struct sink *o, const struct node *n) { sink_put(o, n->b, NODE_BYTES); }

static void put_nodes(struct sink *o, const struct node *nodes, size_t count)
{
    put_u64(o, count);
    for (size_t i = 0; i < count; i++) put_node(o, &nodes[i]);
}

static void put_merkle(struct sink *o, const struct tree_shape *shape, uint64_t index, const struct node *siblings,
                       const struct node *root, const struct node *leaf)
{
    enum merkle_variant variant = merkle_variant(shape);
    put_u32(o, (uint32_t)variant);
    if (variant == MERKLE_SINGLE) {
        put_node(o, root);
        put_node(o, leaf);
    }
    for (unsigned part = 0; part <= (unsigned)variant; part++) {
        unsigned begin, end;
        merkle_part_levels(shape, part, &begin, &end);
        put_u64(o, end - begin);
        for (unsigned i = begin; i < end; i++) {
            unsigned arity = shape->arity[i];
            put_nodes(o, siblings, arity - 1);
            put_u64(o, index & (arity - 1));
            siblings += arity - 1;
            index >>= arity_bits(arity);
        }
    }
    if (variant != MERKLE_SINGLE) {
        put_node(o, root);
        put_node(o, leaf);
    }
}

cuzk_status post_write_bincode(struct file_writer *writer, const struct sector_shape *shape,
                               const struct post_sector *sector, cuzk_error *err)
{
    struct sink o = { writer, CUZK_OK, err };
    const struct post_slot *slot = &sector->slot;
    put_u64(&o, sector->number);
    put_node(&o, &slot->comm_r);
    put_u64(&o, 1);
    put_u64(&o, slot->challenge_count);
    for (size_t i = 0; i < slot->challenge_count; i++) {
        const struct post_challenge *c = &slot->challenges[i];
        put_merkle(&o, &shape->tree_r, c->path.index, c->path.siblings, &slot->comm_r_last, &c->leaf);
    }
    put_node(&o, &slot->comm_c);
    put_node(&o, &slot->comm_r_last);
    return o.status;
}

cuzk_status update_write_bincode(struct file_writer *writer, const struct sector_shape *shape,
                                 const struct update_input *u, cuzk_error *err)
{
    struct sink o = { writer, CUZK_OK, err };
    put_node(&o, &u->comm_c);
    put_nodes(&o, u->apex_leaves, shape->update_apex);
    put_u64(&o, u->challenge_count);
    for (size_t i = 0; i < u->challenge_count; i++) {
        const struct update_challenge *c = &u->challenges[i];
        put_merkle(&o, &shape->tree_r, c->index, c->path_r_old, &u->root_r_old, &c->leaf_r_old);
        put_merkle(&o, &shape->tree_d, c->index, c->path_d_new, &u->comm_d_new, &c->leaf_d_new);
        put_merkle(&o, &shape->tree_r, c->index, c->path_r_new, &u->root_r_new, &c->leaf_r_new);
    }
    return o.status;
}
