/* The labels as templates and fill programs: the blocks that the PoRep circuit itself is made of. */
#include "circuit/blocks.h"
#include "circuit/label_block.h"
#include "synthesis/label.h"

#include <stdlib.h>
#include <string.h>

static void describe_challenge(struct builder *b, const struct sector_shape *shape,
                               const struct bit replica_id[NUM_BITS])
{
    num_ref columns[PARENTS][MAX_LAYERS];
    struct bit node[64], bits[NUM_BITS], parents[PARENTS][NUM_BITS];
    for (unsigned i = 0; i < PARENTS; i++) block_numbers(b, columns[i], shape->layers);
    block_public_u64(b, node);
    for (unsigned layer = 1; layer <= shape->layers; layer++) {
        unsigned count = layer > 1 ? PARENTS : DRG_PARENTS;
        for (unsigned i = 0; i < count; i++) {
            block_bits(b, bits, columns[i][i < DRG_PARENTS ? layer - 1 : layer - 2]);
            sha256_word_order(parents[i], bits);
        }
        block_label(b, replica_id, layer, node, parents, count);
    }
}

static void describe(struct builder *b, const struct sector_shape *shape)
{
    num_ref id;
    struct bit bits[NUM_BITS], replica_id[NUM_BITS];
    block_numbers(b, &id, 1);
    block_bits(b, bits, id);
    sha256_word_order(replica_id, bits);
    for (unsigned i = 0; i < shape->porep_challenges; i++) {
        builder_group(b);
        describe_challenge(b, shape, replica_id);
    }
}

cuzk_status labels_compile(struct circuit **out, const struct sector_shape *shape, cuzk_error *err)
{
    struct builder *b = NULL;
    *out = NULL;
    cuzk_status status = builder_create(&b, err);
    if (status == CUZK_OK) {
        describe(b, shape);
        status = builder_finish(out, b, err);
    }
    builder_free(b);
    return status;
}

/* What witness_fill takes for one thread: the registers of the largest program. */
static uint64_t register_bytes(const struct circuit *c)
{
    uint64_t words = 0, nums = 0;
    for (size_t i = 0; i < c->template_count; i++) {
        const struct program *p = &c->templates[i]->program;
        if (p->word_registers > words) words = p->word_registers;
        if (p->num_registers > nums) nums = p->num_registers;
    }
    return words * sizeof(uint64_t) + nums * sizeof(fr_t);
}

static void lay_slots(uint64_t *ints, uint8_t (*nodes)[32], const struct sector_shape *shape,
                      const struct porep_input *in)
{
    memcpy(*nodes++, in->replica_id.b, 32);
    for (size_t i = 0; i < in->challenge_count; i++) {
        const struct porep_challenge *c = &in->challenges[i];
        *ints++ = c->node;
        for (unsigned k = 0; k < PARENTS; k++, nodes += shape->layers) {
            memcpy(nodes, c->parents[k].rows, shape->layers * sizeof *nodes);
        }
    }
}

cuzk_status labels_fill(struct witness *w, uint64_t *allocated, const struct sector_shape *shape,
                        const struct porep_input *in, cuzk_error *err)
{
    size_t int_count = in->challenge_count, node_count = 1 + in->challenge_count * PARENTS * shape->layers;
    uint64_t *ints = malloc((int_count + 1) * sizeof *ints);
    uint8_t(*nodes)[32] = malloc(node_count * sizeof *nodes);
    cuzk_status status = ints && nodes ? CUZK_OK : cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for input slots");
    if (status == CUZK_OK) {
        lay_slots(ints, nodes, shape, in);
        struct assignment a = { .ints = ints, .int_count = int_count, .nodes = (const uint8_t(*)[32])nodes,
                                .node_count = node_count, .groups = in->challenge_count };
        status = witness_fill(w, &a, NULL, err);
    }
    *allocated = (int_count + 1) * sizeof *ints + node_count * sizeof *nodes + register_bytes(w->circuit);
    free(ints);
    free(nodes);
    return status;
}
