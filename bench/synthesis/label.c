#include "synthesis/label.h"

#include "circuit/blocks.h"
#include "circuit/label_block.h"
#include "synthesis/number.h"
#include "synthesis/sha256.h"

/* The message of a label that is being hashed, 16 words at a time. */
struct message {
    struct constraint_system *cs;
    struct uint32 state[8], block[16];
    unsigned used, length; /* words in the block, and in all */
};

static void put(struct message *m, struct uint32 word) /* takes the word */
{
    m->block[m->used++] = word;
    m->length++;
    if (m->used < 16) return;
    objects_sha256_block(m->cs, m->state, m->block);
    for (unsigned i = 0; i < 16; i++) uint32_free(&m->block[i]);
    m->used = 0;
}

static void put_constant(struct message *m, uint32_t value) { put(m, uint32_constant(m->cs, value)); }

/* Eight words of a number's bits: files are little-endian, SHA-256 reads big-endian. */
static void put_number(struct message *m, const struct boolean bits[NUMBER_BITS])
{
    for (unsigned i = 0; i < 8; i++) {
        struct boolean word[WORD_BITS];
        for (unsigned j = 0; j < WORD_BITS; j++) word[j] = bits[32 * i + (24 - j / 8 * 8) + j % 8];
        put(m, uint32_of(m->cs, word));
    }
}

static void put_padding(struct message *m)
{
    uint32_t bits = m->length * WORD_BITS;
    put_constant(m, 0x80000000u);
    while (m->used != 15) put_constant(m, 0);
    put_constant(m, bits);
}

/* The digest's low 254 bits as a number. */
static struct number digest_value(struct message *m)
{
    struct boolean bits[NUMBER_BITS];
    for (unsigned i = 0; i < NUMBER_BITS; i++) {
        const struct boolean *word = m->state[i / 32].bits;
        bits[i] = word ? word[(24 - i % 32 / 8 * 8) + i % 8] : boolean_constant(false);
    }
    return number_pack(m->cs, bits, PACKED_BITS, false);
}

static void one_label(struct constraint_system *cs, const struct boolean replica_id[NUMBER_BITS], uint32_t layer,
                      const struct boolean node[64], struct boolean (*parents)[NUMBER_BITS], unsigned count)
{
    struct message m = { .cs = cs };
    objects_sha256_initial(cs, m.state);
    put_number(&m, replica_id);
    put_constant(&m, layer);
    put(&m, uint32_of(cs, node + 32));
    put(&m, uint32_of(cs, node));
    for (unsigned i = 0; i < 5; i++) put_constant(&m, 0);
    for (unsigned i = 0; i < LABEL_PARENTS; i++) put_number(&m, parents[i % count]);
    put_padding(&m);
    digest_value(&m);
    for (unsigned i = 0; i < 8; i++) uint32_free(&m.state[i]);
}

static struct number alloc_node(struct constraint_system *cs, const struct node *n)
{
    fr_t value;
    fr_from_bytes(&value, n->b);
    return number_alloc(cs, &value);
}

static void alloc_u64(struct constraint_system *cs, struct boolean bits[64], uint64_t value)
{
    for (unsigned k = 0; k < 64; k++) bits[k] = boolean_alloc(cs, value >> k & 1);
    number_pack(cs, bits, 64, true);
}

static void one_challenge(struct constraint_system *cs, const struct sector_shape *shape,
                          const struct boolean replica_id[NUMBER_BITS], const struct porep_challenge *in)
{
    struct number columns[PARENTS][MAX_LAYERS];
    struct boolean node[64], parents[PARENTS][NUMBER_BITS];
    for (unsigned i = 0; i < PARENTS; i++) {
        for (unsigned l = 0; l < shape->layers; l++) columns[i][l] = alloc_node(cs, &in->parents[i].rows[l]);
    }
    alloc_u64(cs, node, in->node);
    for (unsigned layer = 1; layer <= shape->layers; layer++) {
        unsigned count = layer > 1 ? PARENTS : DRG_PARENTS;
        for (unsigned i = 0; i < count; i++) {
            number_bits(cs, parents[i], &columns[i][i < DRG_PARENTS ? layer - 1 : layer - 2]);
        }
        one_label(cs, replica_id, layer, node, parents, count);
    }
}

cuzk_status labels_synthesise(struct constraint_system *cs, const struct sector_shape *shape,
                              const struct porep_input *in, cuzk_error *err)
{
    struct boolean replica_id[NUMBER_BITS];
    struct number id = alloc_node(cs, &in->replica_id);
    number_bits(cs, replica_id, &id);
    for (size_t i = 0; i < in->challenge_count && !cs->heap.failed; i++) {
        one_challenge(cs, shape, replica_id, &in->challenges[i]);
    }
    return cs->heap.failed ? cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for one object per bit") : CUZK_OK;
}
