#include "gadget/node_hash.h"

#include "gadget/poseidon.h"
#include "gadget/sha256.h"

struct num digest_number(struct recorder *r, const struct word digest[8])
{
    struct word little[8];
    for (unsigned i = 0; i < 8; i++) little[i] = word_bswap(r, &digest[i]);
    little[7] = word_slice(r, &little[7], 0, MAX_PACK_BITS - 7 * 32);
    return num_pack(r, little, 8);
}

static struct num sha256_node_hash(struct recorder *r, const struct num children[2])
{
    struct word message[16], digest[8];
    for (unsigned c = 0; c < 2; c++) {
        struct word bits[NUM_WORDS];
        num_bits(r, bits, children[c], UNPACK_IN_C);
        for (unsigned i = 0; i < NUM_WORDS; i++) message[8 * c + i] = word_bswap(r, &bits[i]);
    }
    sha256_message(r, digest, message, 16);
    return digest_number(r, digest);
}

struct num node_hash(struct recorder *r, enum node_hasher hasher, const struct num *children, unsigned arity)
{
    if (hasher == HASH_POSEIDON) return poseidon(r, children, arity, POSEIDON_MERKLE);
    if (arity != 2) recorder_fail(r, "a SHA-256 node with an arity other than 2");
    return sha256_node_hash(r, children);
}
