#include "circuit/label_block.h"

#include <string.h>

/* The message of a label that is being written, 512 bits at a time. */
struct label_message {
    struct builder *b;
    struct bit state[SHA_STATE_BITS];
    struct bit block[SHA_BLOCK_BITS];
    unsigned used;   /* bits in block */
    unsigned length; /* bits in all */
};

static void put_word(struct label_message *m, const struct bit word[32])
{
    memcpy(m->block + m->used, word, 32 * sizeof *word);
    m->used += 32;
    m->length += 32;
    if (m->used == SHA_BLOCK_BITS) {
        block_sha256(m->b, m->state, m->block);
        m->used = 0;
    }
}

static void put_constant(struct label_message *m, uint32_t value)
{
    struct bit word[32];
    for (unsigned j = 0; j < 32; j++) word[j] = value >> j & 1 ? BIT_TRUE : BIT_FALSE;
    put_word(m, word);
}

static void put_words(struct label_message *m, const struct bit *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++) put_word(m, words + 32 * i);
}

num_ref block_label(struct builder *b, const struct bit replica_id[NUM_BITS], uint32_t layer,
                    const struct bit node[64], struct bit (*parents)[NUM_BITS], unsigned parent_count)
{
    struct label_message m = { .b = b };
    block_sha256_initial(m.state);
    put_words(&m, replica_id, 8);
    put_constant(&m, layer);
    put_word(&m, node + 32); /* big-endian: the high word first */
    put_word(&m, node);
    for (unsigned i = 0; i < 5; i++) put_constant(&m, 0);
    for (unsigned i = 0; i < LABEL_PARENTS; i++) put_words(&m, parents[i % parent_count], 8);
    unsigned length = m.length;
    put_constant(&m, 0x80000000u);
    while (m.used != SHA_BLOCK_BITS - 32) put_constant(&m, 0);
    put_constant(&m, length);
    return block_digest_number(b, m.state);
}
