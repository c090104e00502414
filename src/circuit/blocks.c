#include "circuit/blocks.h"

#include "gadget/insert.h"
#include "gadget/poseidon.h"
#include "gadget/sha256.h"
#include "hash/sha256.h"

#include <string.h>

/* Numbers */

static void record_numbers(struct recorder *r, const void *params)
{
    for (uint32_t i = 0; i < *(const uint32_t *)params; i++) rec_export_num(r, num_slot(r));
}

void block_numbers(struct builder *b, num_ref *out, size_t count)
{
    static const struct block block = { "numbers", record_numbers };
    uint32_t n = (uint32_t)count;
    builder_call(b, &(struct call){ .block = &block, .params = &n, .params_size = sizeof n, .nums_out = out,
                                    .nums_out_count = count });
}

static void record_public_number(struct recorder *r, const void *params)
{
    uint32_t with_bits = *(const uint32_t *)params;
    struct num n = num_slot(r);
    num_public(r, n);
    rec_export_num(r, n);
    if (!with_bits) return;
    struct word bits[NUM_WORDS];
    num_bits(r, bits, n, UNPACK_IN_C);
    for (unsigned i = 0; i < NUM_WORDS; i++) rec_export_word(r, &bits[i]);
}

static const struct block public_number = { "public number", record_public_number };

num_ref block_public_number(struct builder *b)
{
    num_ref out = 0;
    uint32_t with_bits = 0;
    builder_call(b, &(struct call){ .block = &public_number, .params = &with_bits,
                                    .params_size = sizeof with_bits, .nums_out = &out, .nums_out_count = 1 });
    return out;
}

num_ref block_public_number_bits(struct builder *b, struct bit bits[NUM_BITS])
{
    num_ref out = 0;
    uint32_t with_bits = 1;
    builder_call(b, &(struct call){ .block = &public_number, .params = &with_bits,
                                    .params_size = sizeof with_bits, .nums_out = &out, .nums_out_count = 1,
                                    .bits_out = bits, .bits_out_count = NUM_BITS });
    return out;
}

static void record_bits(struct recorder *r, const void *params)
{
    (void)params;
    struct word bits[NUM_WORDS];
    num_bits(r, bits, rec_import_num(r, 0), UNPACK_IN_C);
    for (unsigned i = 0; i < NUM_WORDS; i++) rec_export_word(r, &bits[i]);
}

void block_bits(struct builder *b, struct bit bits[NUM_BITS], num_ref a)
{
    static const struct block block = { "bits of a number", record_bits };
    builder_call(b, &(struct call){ .block = &block, .nums = &a, .num_count = 1, .bits_out = bits,
                                    .bits_out_count = NUM_BITS });
}

static void record_equal(struct recorder *r, const void *params)
{
    (void)params;
    struct num x = rec_import_num(r, 0), y = rec_import_num(r, 1);
    num_equal(r, x, y);
}

void block_equal(struct builder *b, num_ref x, num_ref y)
{
    static const struct block block = { "equality", record_equal };
    builder_call(b, &(struct call){ .block = &block, .nums = (num_ref[]){ x, y }, .num_count = 2 });
}

static void record_add(struct recorder *r, const void *params)
{
    (void)params;
    struct num x = rec_import_num(r, 0), y = rec_import_num(r, 1);
    rec_export_num(r, num_add(r, x, y));
}

num_ref block_add(struct builder *b, num_ref x, num_ref y)
{
    static const struct block block = { "sum", record_add };
    num_ref out = 0;
    builder_call(b, &(struct call){ .block = &block, .nums = (num_ref[]){ x, y }, .num_count = 2,
                                    .nums_out = &out, .nums_out_count = 1 });
    return out;
}

static void record_public_u64(struct recorder *r, const void *params)
{
    (void)params;
    struct word w = word_slot(r, 64);
    num_pack_public(r, &w, 1);
    rec_export_word(r, &w);
}

void block_public_u64(struct builder *b, struct bit bits[64])
{
    static const struct block block = { "public u64", record_public_u64 };
    builder_call(b, &(struct call){ .block = &block, .bits_out = bits, .bits_out_count = 64 });
}

/* Poseidon */

static void record_commitment(struct recorder *r, const void *params)
{
    struct num comm = rec_import_num(r, 0);
    struct num children[2] = { rec_import_num(r, 1), rec_import_num(r, 2) };
    struct num hash = poseidon(r, children, 2, POSEIDON_MERKLE);
    if (*(const uint32_t *)params == COMMITMENT_FIRST) num_equal(r, comm, hash);
    else num_equal(r, hash, comm);
}

void block_commitment(struct builder *b, num_ref comm, num_ref comm_c, num_ref comm_r_last, enum commitment_row row)
{
    static const struct block block = { "commitment", record_commitment };
    uint32_t form = row;
    builder_call(b, &(struct call){ .block = &block, .params = &form, .params_size = sizeof form,
                                    .nums = (num_ref[]){ comm, comm_c, comm_r_last }, .num_count = 3 });
}

static void record_post_sector(struct recorder *r, const void *params)
{
    (void)params;
    struct num comm_r_last = num_slot(r), comm_c = num_slot(r), comm_r = num_slot(r);
    num_public(r, comm_r);
    struct num hash = poseidon(r, (struct num[]){ comm_c, comm_r_last }, 2, POSEIDON_MERKLE);
    num_equal(r, comm_r, hash);
    rec_export_num(r, comm_r_last);
}

num_ref block_post_sector(struct builder *b)
{
    static const struct block block = { "sector commitments", record_post_sector };
    num_ref out = 0;
    builder_call(b, &(struct call){ .block = &block, .nums_out = &out, .nums_out_count = 1 });
    return out;
}

static void import_nums(struct recorder *r, struct num *out, size_t from, size_t count)
{
    for (size_t i = 0; i < count; i++) out[i] = rec_import_num(r, from + i);
}

static void record_poseidon(struct recorder *r, const void *params)
{
    struct num inputs[MAX_LAYERS];
    unsigned arity = (unsigned)rec_import_nums(r);
    import_nums(r, inputs, 0, arity);
    rec_export_num(r, poseidon(r, inputs, arity, (enum poseidon_tag)*(const uint32_t *)params));
}

static num_ref call_poseidon(struct builder *b, const num_ref *inputs, unsigned arity, uint32_t tag)
{
    static const struct block block = { "Poseidon", record_poseidon };
    num_ref out = 0;
    builder_call(b, &(struct call){ .block = &block, .params = &tag, .params_size = sizeof tag, .nums = inputs,
                                    .num_count = arity, .nums_out = &out, .nums_out_count = 1 });
    return out;
}

num_ref block_poseidon(struct builder *b, const num_ref *inputs, unsigned arity)
{
    return call_poseidon(b, inputs, arity, POSEIDON_MERKLE);
}

num_ref block_random(struct builder *b, num_ref x, num_ref y)
{
    return call_poseidon(b, (num_ref[]){ x, y }, 2, POSEIDON_RANDOM);
}

static void record_column(struct recorder *r, const void *params)
{
    struct num rows[MAX_LAYERS];
    uint32_t count = *(const uint32_t *)params;
    for (uint32_t i = 0; i < count; i++) {
        rows[i] = num_slot(r);
        rec_export_num(r, rows[i]);
    }
    rec_export_num(r, poseidon(r, rows, count, POSEIDON_MERKLE));
}

num_ref block_column(struct builder *b, num_ref *rows, unsigned count)
{
    static const struct block block = { "column", record_column };
    num_ref out[MAX_LAYERS + 1] = { 0 };
    uint32_t n = count;
    builder_call(b, &(struct call){ .block = &block, .params = &n, .params_size = sizeof n, .nums_out = out,
                                    .nums_out_count = count + 1 });
    memcpy(rows, out, count * sizeof *rows);
    return out[count];
}

/* Trees */

struct level_params {
    uint32_t hasher, arity;
};

static unsigned log2_arity(unsigned arity) { return arity == 2 ? 1 : arity == 4 ? 2 : 3; }

static void record_node(struct recorder *r, const void *params)
{
    const struct level_params *p = params;
    struct num children[2] = { rec_import_num(r, 0), rec_import_num(r, 1) };
    rec_export_num(r, node_hash(r, (enum node_hasher)p->hasher, children, p->arity));
}

num_ref block_node(struct builder *b, enum node_hasher hasher, num_ref left, num_ref right)
{
    static const struct block block = { "tree node", record_node };
    struct level_params params = { hasher, 2 };
    num_ref out = 0;
    builder_call(b, &(struct call){ .block = &block, .params = &params, .params_size = sizeof params,
                                    .nums = (num_ref[]){ left, right }, .num_count = 2, .nums_out = &out,
                                    .nums_out_count = 1 });
    return out;
}

/* A level with its own index bits and siblings: index bits first, then siblings (spec §9.10). */
static void record_level(struct recorder *r, const void *params)
{
    const struct level_params *p = params;
    struct num siblings[7], children[8];
    struct num current = rec_import_num(r, 0);
    struct word index = word_slot(r, log2_arity(p->arity));
    for (uint32_t i = 0; i < p->arity - 1; i++) siblings[i] = num_slot(r);
    insert(r, children, current, &index, siblings, p->arity);
    rec_export_num(r, node_hash(r, (enum node_hasher)p->hasher, children, p->arity));
    rec_export_word(r, &index);
}

/* The whole position as one public input, and the comparison with the root. */
static void record_path_end(struct recorder *r, const void *params)
{
    (void)params;
    struct word position = rec_import_word(r, 0, (unsigned)rec_import_bits(r));
    num_pack_public(r, &position, 1);
    num_equal(r, rec_import_num(r, 0), rec_import_num(r, 1));
}

void block_path(struct builder *b, const struct tree_shape *tree, enum node_hasher hasher, num_ref leaf,
                num_ref root)
{
    static const struct block level = { "tree level", record_level };
    static const struct block end = { "path end", record_path_end };
    struct bit position[64];
    unsigned bits = 0;
    num_ref current = leaf;
    for (unsigned i = 0; i < tree->levels; i++) {
        struct level_params params = { hasher, tree->arity[i] };
        unsigned width = log2_arity(tree->arity[i]);
        num_ref next = 0;
        builder_call(b, &(struct call){ .block = &level, .params = &params, .params_size = sizeof params,
                                        .nums = &current, .num_count = 1, .nums_out = &next, .nums_out_count = 1,
                                        .bits_out = position + bits, .bits_out_count = width });
        current = next;
        bits += width;
    }
    builder_call(b, &(struct call){ .block = &end, .bits = position, .bit_count = bits,
                                    .nums = (num_ref[]){ current, root }, .num_count = 2 });
}

static void record_level_given(struct recorder *r, const void *params)
{
    const struct level_params *p = params;
    struct num siblings[7], children[8];
    struct num current = rec_import_num(r, 0);
    import_nums(r, siblings, 1, p->arity - 1);
    struct word index = rec_import_word(r, 0, log2_arity(p->arity));
    insert(r, children, current, &index, siblings, p->arity);
    rec_export_num(r, node_hash(r, (enum node_hasher)p->hasher, children, p->arity));
}

num_ref block_path_given(struct builder *b, const struct tree_shape *tree, unsigned levels,
                         enum node_hasher hasher, num_ref leaf, const struct bit *position,
                         const num_ref *siblings)
{
    static const struct block block = { "tree level, given path", record_level_given };
    num_ref current = leaf;
    for (unsigned i = 0; i < levels; i++) {
        struct level_params params = { hasher, tree->arity[i] };
        unsigned width = log2_arity(tree->arity[i]), count = tree->arity[i] - 1u;
        num_ref nums[8] = { current }, next = 0;
        memcpy(nums + 1, siblings, count * sizeof *siblings);
        builder_call(b, &(struct call){ .block = &block, .params = &params, .params_size = sizeof params,
                                        .bits = position, .bit_count = width, .nums = nums,
                                        .num_count = 1 + count, .nums_out = &next, .nums_out_count = 1 });
        current = next;
        position += width;
        siblings += count;
    }
    return current;
}

/* SHA-256 */

static void record_sha256(struct recorder *r, const void *params)
{
    (void)params;
    struct word state[8], message[16];
    for (unsigned i = 0; i < 8; i++) state[i] = rec_import_word(r, 32 * i, 32);
    for (unsigned i = 0; i < 16; i++) message[i] = rec_import_word(r, SHA_STATE_BITS + 32 * i, 32);
    sha256_block(r, state, message);
    for (unsigned i = 0; i < 8; i++) rec_export_word(r, &state[i]);
}

void block_sha256(struct builder *b, struct bit state[SHA_STATE_BITS], const struct bit message[SHA_BLOCK_BITS])
{
    static const struct block block = { "SHA-256 block", record_sha256 };
    struct bit bits[SHA_STATE_BITS + SHA_BLOCK_BITS];
    memcpy(bits, state, SHA_STATE_BITS * sizeof *bits);
    memcpy(bits + SHA_STATE_BITS, message, SHA_BLOCK_BITS * sizeof *bits);
    builder_call(b, &(struct call){ .block = &block, .bits = bits,
                                    .bit_count = SHA_STATE_BITS + SHA_BLOCK_BITS, .bits_out = state,
                                    .bits_out_count = SHA_STATE_BITS });
}

void block_sha256_initial(struct bit state[SHA_STATE_BITS])
{
    for (unsigned i = 0; i < SHA_STATE_BITS; i++) {
        state[i] = SHA256_INIT[i / 32] >> i % 32 & 1 ? BIT_TRUE : BIT_FALSE;
    }
}

void sha256_word_order(struct bit out[NUM_BITS], const struct bit bits[NUM_BITS])
{
    for (unsigned i = 0; i < NUM_BITS; i++) out[i] = bits[i / 32 * 32 + (24 - i % 32 / 8 * 8) + i % 8];
}

static void record_digest_number(struct recorder *r, const void *params)
{
    (void)params;
    struct word state[8];
    for (unsigned i = 0; i < 8; i++) state[i] = rec_import_word(r, 32 * i, 32);
    rec_export_num(r, digest_number(r, state));
}

num_ref block_digest_number(struct builder *b, const struct bit state[SHA_STATE_BITS])
{
    static const struct block block = { "digest number", record_digest_number };
    num_ref out = 0;
    builder_call(b, &(struct call){ .block = &block, .bits = state, .bit_count = SHA_STATE_BITS,
                                    .nums_out = &out, .nums_out_count = 1 });
    return out;
}
