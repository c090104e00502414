#include "vanilla/merkle.h"

#include "vanilla/node.h"
#include "vanilla/place.h"

const char *merkle_variant_name(enum merkle_variant variant)
{
    static const char *const names[] = { "Single", "Sub", "Top" };
    return names[variant];
}

const char *merkle_part_name(const struct tree_shape *shape, unsigned part)
{
    static const char *const names[] = { "base_proof", "sub_proof", "top_proof" };
    return merkle_variant(shape) == MERKLE_SINGLE ? "path" : names[part];
}

void merkle_part_levels(const struct tree_shape *shape, unsigned part, unsigned *begin, unsigned *end)
{
    const unsigned levels[] = { shape->base_levels, shape->sub_levels, shape->top_levels };
    *begin = 0;
    for (unsigned i = 0; i < part; i++) *begin += levels[i];
    *end = *begin + levels[part];
}

cuzk_status nodes_bincode(struct node *out, size_t n, struct reader *r, cuzk_error *err)
{
    for (size_t i = 0; i < n; i++) {
        const uint8_t *p;
        cuzk_status status = reader_take(r, NODE_BYTES, &p, "value", err);
        if (status == CUZK_OK) {
            memcpy(out[i].b, p, NODE_BYTES);
            if (!node_is_canonical(&out[i])) {
                status = cuzk_fail(err, CUZK_ERR_DATA, "byte %zu: %s is not below r", reader_position(r) - NODE_BYTES,
                                   node_hex(&out[i]).text);
            }
        }
        if (status != CUZK_OK) return n > 1 ? place_index(status, err, i) : status;
    }
    return CUZK_OK;
}

cuzk_status count_bincode(size_t expected, const char *what, struct reader *r, cuzk_error *err)
{
    uint64_t count;
    size_t position = reader_position(r);
    cuzk_status status = reader_le64(r, &count, what, err);
    if (status != CUZK_OK || count == expected) return status;
    return cuzk_fail(err, CUZK_ERR_DATA, "byte %zu: %zu %s expected, %llu found", position, expected, what,
                     (unsigned long long)count);
}

static cuzk_status level_bincode(struct node *siblings, unsigned arity, uint64_t *digit, struct reader *r,
                                 cuzk_error *err)
{
    cuzk_status status = count_bincode(arity - 1, arity == 2 ? "hash" : "hashes", r, err);
    if (status == CUZK_OK) status = nodes_bincode(siblings, arity - 1, r, err);
    if (status != CUZK_OK) return place_member(status, err, "hashes");
    status = reader_le64(r, digit, "index", err);
    if (status == CUZK_OK && *digit >= arity) {
        status = cuzk_fail(err, CUZK_ERR_DATA, "byte %zu: %llu is not below %u", reader_position(r) - 8,
                           (unsigned long long)*digit, arity);
        status = place_member(status, err, "index");
    }
    return status;
}

/* One part of the opening. */
static cuzk_status part_bincode(struct merkle_proof *out, struct reader *r, const struct tree_shape *shape,
                                unsigned part, cuzk_error *err)
{
    unsigned begin, end, siblings = 0, bits = 0;
    merkle_part_levels(shape, part, &begin, &end);
    for (unsigned i = 0; i < begin; i++) {
        siblings += shape->arity[i] - 1u;
        bits += arity_bits(shape->arity[i]);
    }
    cuzk_status status = count_bincode(end - begin, "levels", r, err);
    for (unsigned i = begin; status == CUZK_OK && i < end; i++) {
        uint64_t digit = 0;
        status = level_bincode(out->siblings + siblings, shape->arity[i], &digit, r, err);
        status = place_index(status, err, i - begin);
        out->index |= digit << bits;
        siblings += shape->arity[i] - 1u;
        bits += arity_bits(shape->arity[i]);
    }
    return place_member(status, err, merkle_part_name(shape, part));
}

static cuzk_status root_and_leaf(struct merkle_proof *out, struct reader *r, cuzk_error *err)
{
    cuzk_status status = place_member(nodes_bincode(&out->root, 1, r, err), err, "root");
    if (status == CUZK_OK) status = place_member(nodes_bincode(&out->leaf, 1, r, err), err, "leaf");
    return status;
}

cuzk_status merkle_bincode(struct merkle_proof *out, struct reader *r, const struct tree_shape *shape,
                           cuzk_error *err)
{
    enum merkle_variant variant = merkle_variant(shape);
    uint32_t tag;
    cuzk_status status = reader_le32(r, &tag, "variant", err);
    if (status == CUZK_OK && tag != (uint32_t)variant) {
        status = cuzk_fail(err, CUZK_ERR_DATA, "byte %zu: variant %d (%s) expected, %u found", reader_position(r) - 4,
                           (int)variant, merkle_variant_name(variant), tag);
    }
    out->index = 0;
    if (status == CUZK_OK && variant == MERKLE_SINGLE) status = root_and_leaf(out, r, err);
    for (unsigned part = 0; status == CUZK_OK && part <= (unsigned)variant; part++) {
        status = part_bincode(out, r, shape, part, err);
    }
    if (status == CUZK_OK && variant != MERKLE_SINGLE) status = root_and_leaf(out, r, err);
    return status;
}
