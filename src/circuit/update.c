#include "circuit/update.h"

#include "circuit/blocks.h"
#include "gadget/poseidon.h"

#include <string.h>

/* Numbers that follow from the shape; the names are those of the spec. */
struct update_shape {
    unsigned pbl;           /* log2 of the partitions */
    unsigned cbl;           /* log2 of the nodes */
    unsigned abl;           /* log2 of the apex leaves */
    unsigned random_bits;   /* of a challenge: cbl − pbl */
    unsigned per_digest;    /* challenges that one digest yields */
    unsigned digests;
    unsigned levels_d;      /* of TreeD below the apex leaves */
};

static unsigned log2_of(unsigned n)
{
    unsigned bits = 0;
    while (1u << bits < n) bits++;
    return bits;
}

static struct update_shape derive(const struct sector_shape *shape)
{
    struct update_shape u = { .pbl = log2_of(shape->update_partitions), .cbl = shape->node_bits,
                              .abl = log2_of(shape->update_apex) };
    u.random_bits = u.cbl - u.pbl;
    u.per_digest = 254 / u.random_bits;
    u.digests = (shape->update_challenges + u.per_digest - 1) / u.per_digest;
    u.levels_d = u.cbl - u.pbl - u.abl;
    return u;
}

/* What the prefix hands to every challenge. */
struct update_prefix {
    struct bit partition_bits[8], h_select[UPDATE_H_BITS];
    num_ref partition, comm_r_old, comm_d_new, comm_r_new, phi, comm_c, root_r_old, root_r_new;
    num_ref apex[128], partition_path[8];
};

/* k and h_select: one public number, its bits, and the partition as a number of its own. */
static void record_partition(struct recorder *r, const void *params)
{
    unsigned pbl = *(const uint32_t *)params;
    struct num both = num_slot(r);
    num_public(r, both);
    struct word bits = word_slot(r, pbl + UPDATE_H_BITS);
    struct row *row = rec_row(r);
    fr_t power = FR_ONE;
    for (unsigned j = 0; j < bits.width; j++) {
        lc_add_bit(&row->a, bits.bit[j], &power);
        fr_double(&power, &power);
    }
    lc_add_ref(&row->b, REF_ONE);
    lc_add_ref(&row->c, both.ref);
    rec_enforce_row(r, row);
    struct word partition = word_slice(r, &bits, 0, pbl);
    rec_export_word(r, &bits);
    rec_export_num(r, num_pack(r, &partition, 1));
}

static void describe_partition(struct builder *b, const struct update_shape *u, struct update_prefix *p)
{
    static const struct block block = { "partition and h", record_partition };
    struct bit bits[8 + UPDATE_H_BITS];
    uint32_t pbl = u->pbl;
    builder_call(b, &(struct call){ .block = &block, .params = &pbl, .params_size = sizeof pbl,
                                    .bits_out = bits, .bits_out_count = u->pbl + UPDATE_H_BITS,
                                    .nums_out = &p->partition, .nums_out_count = 1 });
    memcpy(p->partition_bits, bits, u->pbl * sizeof *bits);
    memcpy(p->h_select, bits + u->pbl, UPDATE_H_BITS * sizeof *bits);
}

/* The SHA-256 tree over the apex leaves, row by row, and its place under comm_d_new. */
static void describe_apex(struct builder *b, const struct sector_shape *shape, const struct update_shape *u,
                          const struct update_prefix *p)
{
    num_ref row[128];
    unsigned count = shape->update_apex;
    memcpy(row, p->apex, count * sizeof *row);
    for (; count > 1; count /= 2) {
        for (unsigned i = 0; i < count / 2; i++) row[i] = block_node(b, HASH_SHA256, row[2 * i], row[2 * i + 1]);
    }
    num_ref top = block_path_given(b, &shape->tree_d, u->pbl, HASH_SHA256, row[0], p->partition_bits,
                                   p->partition_path);
    block_equal(b, top, p->comm_d_new);
}

static void describe_prefix(struct builder *b, const struct sector_shape *shape, const struct update_shape *u,
                            struct update_prefix *p)
{
    describe_partition(b, u, p);
    p->comm_r_old = block_public_number(b);
    p->comm_d_new = block_public_number(b);
    p->comm_r_new = block_public_number(b);
    p->phi = block_random(b, p->comm_d_new, p->comm_r_old);
    num_ref roots[3];
    block_numbers(b, roots, 3);
    p->comm_c = roots[0];
    p->root_r_old = roots[1];
    p->root_r_new = roots[2];
    block_numbers(b, p->apex, shape->update_apex);
    if (u->pbl > 0) block_numbers(b, p->partition_path, u->pbl);
    block_commitment(b, p->comm_r_old, p->comm_c, p->root_r_old, HASH_FIRST);
    block_commitment(b, p->comm_r_new, p->comm_c, p->root_r_new, HASH_FIRST);
    describe_apex(b, shape, u, p);
}

struct digest_params {
    uint32_t digests, j;
};

/* The 255 bits of PoseidonGen2(comm_r_new, digests · partition + j). */
static void record_challenge_digest(struct recorder *r, const void *params)
{
    const struct digest_params *d = params;
    struct num partition = rec_import_num(r, 0), comm_r_new = rec_import_num(r, 1);
    fr_t k[2];
    fr_from_u64(&k[0], d->digests);
    fr_from_u64(&k[1], d->j);
    struct num index = num_combine(r, (struct num[]){ partition, num_one(r) }, k, 2);
    struct num digest = poseidon(r, (struct num[]){ comm_r_new, index }, 2, POSEIDON_RANDOM);
    struct word bits[NUM_WORDS];
    num_bits(r, bits, digest, UNPACK_IN_A);
    for (unsigned i = 0; i < NUM_WORDS; i++) rec_export_word(r, &bits[i]);
}

/* The challenges' random bits, `random_bits` each. */
static void describe_challenge_bits(struct builder *b, const struct sector_shape *shape,
                                    const struct update_shape *u, const struct update_prefix *p,
                                    struct bit (*out)[32])
{
    static const struct block block = { "challenge digest", record_challenge_digest };
    for (unsigned j = 0, c = 0; j < u->digests; j++) {
        struct bit bits[NUM_BITS];
        struct digest_params params = { u->digests, j };
        builder_call(b, &(struct call){ .block = &block, .params = &params, .params_size = sizeof params,
                                        .nums = (num_ref[]){ p->partition, p->comm_r_new }, .num_count = 2,
                                        .bits_out = bits, .bits_out_count = NUM_BITS });
        for (unsigned i = 0; i < u->per_digest && c < shape->update_challenges; i++, c++) {
            memcpy(out[c], bits + i * u->random_bits, u->random_bits * sizeof *bits);
        }
    }
}

struct high_params {
    uint32_t cbl;
    uint8_t h[UPDATE_H_BITS];
    uint8_t padding[2];
};

/* The top h bits of the challenge for the h that is selected. */
static void record_high_bits(struct recorder *r, const void *params)
{
    const struct high_params *p = params;
    struct word challenge = rec_import_word(r, 0, p->cbl);
    struct num z[UPDATE_H_BITS];
    fr_t one[UPDATE_H_BITS];
    for (unsigned i = 0; i < UPDATE_H_BITS; i++) {
        struct word high = word_slice(r, &challenge, p->cbl - p->h[i], p->h[i]);
        struct word select = rec_import_word(r, p->cbl + i, 1);
        struct num packed = num_pack(r, &high, 1);
        z[i] = num_gate(r, &select, packed);
        one[i] = FR_ONE;
    }
    rec_export_num(r, num_combine(r, z, one, UPDATE_H_BITS));
}

static num_ref describe_high_bits(struct builder *b, const struct sector_shape *shape,
                                  const struct update_prefix *p, const struct bit *challenge)
{
    static const struct block block = { "high bits", record_high_bits };
    struct high_params params = { .cbl = shape->node_bits };
    struct bit bits[32 + UPDATE_H_BITS];
    memcpy(params.h, shape->update_h_bits, sizeof params.h);
    memcpy(bits, challenge, shape->node_bits * sizeof *bits);
    memcpy(bits + shape->node_bits, p->h_select, UPDATE_H_BITS * sizeof *bits);
    num_ref out = 0;
    builder_call(b, &(struct call){ .block = &block, .params = &params, .params_size = sizeof params,
                                    .bits = bits, .bit_count = shape->node_bits + (size_t)UPDATE_H_BITS,
                                    .nums_out = &out, .nums_out_count = 1 });
    return out;
}

struct leaves {
    num_ref r_old, d_new, r_new;
};

/* leaf_r_new = leaf_r_old + leaf_d_new · rho; slots: leaf_r_old, leaf_d_new. */
static void record_leaves(struct recorder *r, const void *params)
{
    (void)params;
    struct num rho = rec_import_num(r, 0);
    struct num r_old = num_slot(r), d_new = num_slot(r);
    struct num t = num_mul(r, d_new, rho);
    struct num r_new = num_add(r, r_old, t);
    rec_export_num(r, r_old);
    rec_export_num(r, d_new);
    rec_export_num(r, r_new);
}

static struct leaves describe_leaves(struct builder *b, num_ref rho)
{
    static const struct block block = { "leaves", record_leaves };
    num_ref out[3] = { 0 };
    builder_call(b, &(struct call){ .block = &block, .nums = &rho, .num_count = 1, .nums_out = out,
                                    .nums_out_count = 3 });
    return (struct leaves){ out[0], out[1], out[2] };
}

static void record_select(struct recorder *r, const void *params)
{
    unsigned width = *(const uint32_t *)params;
    struct num from[128];
    for (size_t i = 0; i < rec_import_nums(r); i++) from[i] = rec_import_num(r, i);
    struct word index = rec_import_word(r, 0, width);
    rec_export_num(r, num_select(r, &index, from));
}

static num_ref describe_select(struct builder *b, const num_ref *from, const struct bit *index, uint32_t width)
{
    static const struct block block = { "selection", record_select };
    num_ref out = 0;
    builder_call(b, &(struct call){ .block = &block, .params = &width, .params_size = sizeof width, .bits = index,
                                    .bit_count = width, .nums = from, .num_count = (size_t)1 << width,
                                    .nums_out = &out, .nums_out_count = 1 });
    return out;
}

/* A path whose siblings are allocated all at once, before its levels (spec §9.10). */
static void describe_path(struct builder *b, const struct tree_shape *tree, unsigned levels, unsigned sibling_count,
                          enum node_hasher hasher, num_ref leaf, const struct bit *position, num_ref root)
{
    num_ref siblings[80];
    block_numbers(b, siblings, sibling_count);
    block_equal(b, block_path_given(b, tree, levels, hasher, leaf, position, siblings), root);
}

static void describe_challenge(struct builder *b, const struct sector_shape *shape, const struct update_shape *u,
                               const struct update_prefix *p, const struct bit *random)
{
    struct bit c[32];
    memcpy(c, random, u->random_bits * sizeof *c);
    memcpy(c + u->random_bits, p->partition_bits, u->pbl * sizeof *c);
    const struct tree_shape *tree_r = &shape->tree_r;
    num_ref rho = block_random(b, p->phi, describe_high_bits(b, shape, p, c));
    struct leaves leaves = describe_leaves(b, rho);
    describe_path(b, tree_r, tree_r->levels, tree_r->siblings, HASH_POSEIDON, leaves.r_old, c, p->root_r_old);
    describe_path(b, tree_r, tree_r->levels, tree_r->siblings, HASH_POSEIDON, leaves.r_new, c, p->root_r_new);
    num_ref apex = describe_select(b, p->apex, c + u->levels_d, u->abl);
    describe_path(b, &shape->tree_d, u->levels_d, u->levels_d, HASH_SHA256, leaves.d_new, c, apex);
}

void update_describe(struct builder *b, const struct sector_shape *shape)
{
    struct update_shape u = derive(shape);
    struct update_prefix p;
    struct bit random[256][32];
    describe_prefix(b, shape, &u, &p);
    describe_challenge_bits(b, shape, &u, &p, random);
    for (unsigned i = 0; i < shape->update_challenges; i++) {
        builder_group(b);
        describe_challenge(b, shape, &u, &p, random[i]);
    }
}

static struct node node_of_u64(uint64_t v)
{
    struct node n = { { 0 } };
    for (int i = 0; i < 8; i++) n.b[i] = (uint8_t)(v >> 8 * i);
    return n;
}

void update_assign(struct slots *s, const struct sector_shape *shape, const struct update_input *in)
{
    struct update_shape u = derive(shape);
    uint64_t both = in->partition | (uint64_t)shape->update_h_select << u.pbl;
    struct node both_node = node_of_u64(both);
    slot_node(s, &both_node);
    slot_int(s, both);
    slot_node(s, &in->comm_r_old);
    slot_node(s, &in->comm_d_new);
    slot_node(s, &in->comm_r_new);
    slot_node(s, &in->comm_c);
    slot_node(s, &in->root_r_old);
    slot_node(s, &in->root_r_new);
    slot_nodes(s, in->apex_leaves, shape->update_apex);
    slot_nodes(s, in->partition_path, u.pbl);
    for (size_t i = 0; i < in->challenge_count; i++) {
        const struct update_challenge *c = &in->challenges[i];
        slot_node(s, &c->leaf_r_old);
        slot_node(s, &c->leaf_d_new);
        slot_nodes(s, c->path_r_old, shape->tree_r.siblings);
        slot_nodes(s, c->path_r_new, shape->tree_r.siblings);
        slot_nodes(s, c->path_d_new, u.levels_d);
    }
}
