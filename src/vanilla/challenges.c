#include "vanilla/challenges.h"

#include "base/bytes.h"
#include "hash/blake2b.h"
#include "hash/chacha.h"
#include "hash/poseidon.h"
#include "hash/sha256.h"
#include "vanilla/node.h"

#include <assert.h>

static const char synthetic_generation[] = "filecoin.io|PoRep|1|Synthetic|1|Generation";
static const char synthetic_selection[] = "filecoin.io|PoRep|1|Synthetic|1|Selection";
static const char non_interactive[] = "filecoin.io|PoRep|1|NonInteractive|1";
static const uint8_t synthetic_nonce[12] = "synth-porep"; /* with its NUL */

/* A 256-bit little-endian integer as a leaf: node 0 is never challenged, it has no parents to speak
 * of. */
static uint64_t leaf_from(const uint8_t integer[32], uint64_t nodes)
{
    uint64_t m = nodes - 1, remainder = 0;
    for (int i = 32; i-- > 0;) {
        __extension__ unsigned __int128 wide = remainder;
        remainder = (uint64_t)((wide << 8 | integer[i]) % m);
    }
    return remainder + 1;
}

/* 64-byte block `block` of the keystream of BLAKE2b(key = domain; replica_id ‖ with). */
static void synthetic_block(uint8_t out[64], const char *domain, const struct node *replica_id,
                            const uint8_t with[32], uint32_t block)
{
    uint8_t message[64], key[32];
    memcpy(message, replica_id->b, 32);
    memcpy(message + 32, with, 32);
    blake2b(key, sizeof key, message, sizeof message, domain, strlen(domain));
    chacha20_keystream(out, 64, key, synthetic_nonce, block);
}

uint64_t porep_synthetic_candidate(const struct porep_challenge_source *s, uint64_t i)
{
    uint8_t block[64];
    synthetic_block(block, synthetic_generation, &s->replica_id, s->comm_r.b, (uint32_t)(i / 2));
    return leaf_from(block + 32 * (i % 2), s->nodes);
}

uint64_t porep_synthetic_selection(const struct porep_challenge_source *s, uint64_t set_size,
                                   uint64_t j)
{
    uint8_t block[64];
    synthetic_block(block, synthetic_selection, &s->replica_id, s->seed, (uint32_t)(j / 16));
    return load_le32(block + 4 * (j % 16)) % set_size;
}

static uint64_t synthetic_challenge(const struct porep_challenge_source *s, uint32_t j)
{
    enum { LARGEST_SET = 1 << 18 };
    uint64_t set_size = s->nodes < LARGEST_SET ? s->nodes : LARGEST_SET;
    return porep_synthetic_candidate(s, porep_synthetic_selection(s, set_size, j));
}

/* sha256(domain ‖ replica_id ‖ with ‖ le32(j)) */
static uint64_t hashed_challenge(const struct porep_challenge_source *s, const char *domain,
                                 const uint8_t with[32], uint32_t j)
{
    uint8_t counter[4], digest[32];
    struct sha256 h;
    store_le32(counter, j);
    sha256_begin(&h);
    sha256_put(&h, domain, strlen(domain));
    sha256_put(&h, s->replica_id.b, NODE_BYTES);
    sha256_put(&h, with, 32);
    sha256_put(&h, counter, sizeof counter);
    sha256_end(&h, digest);
    return leaf_from(digest, s->nodes);
}

static uint64_t porep_challenge(const struct porep_challenge_source *s, uint32_t j)
{
    switch (s->mode) {
    case POREP_INTERACTIVE: return hashed_challenge(s, "", s->seed, j);
    case POREP_SYNTHETIC: return synthetic_challenge(s, j);
    case POREP_NON_INTERACTIVE: return hashed_challenge(s, non_interactive, s->comm_r.b, j);
    }
    assert(!"a known mode");
    return 0;
}

void porep_challenges(uint64_t *out, size_t count, const struct porep_challenge_source *s,
                      uint32_t partition)
{
    assert(s->nodes >= 2);
    uint32_t first = partition * (uint32_t)count;
    for (size_t i = 0; i < count; i++) out[i] = porep_challenge(s, first + (uint32_t)i);
}

/* The first eight bytes of sha256(a ‖ b ‖ …) as a little-endian number. */
static uint64_t hash_to_u64(struct sha256 *h)
{
    uint8_t digest[32];
    sha256_end(h, digest);
    return load_le64(digest);
}

static void put_le64(struct sha256 *h, uint64_t v)
{
    uint8_t bytes[8];
    store_le64(bytes, v);
    sha256_put(h, bytes, sizeof bytes);
}

uint64_t post_challenge(const uint8_t randomness[32], uint64_t sector, uint64_t index,
                        uint64_t nodes)
{
    struct sha256 h;
    sha256_begin(&h);
    sha256_put(&h, randomness, 32);
    put_le64(&h, sector);
    put_le64(&h, index);
    return hash_to_u64(&h) % nodes;
}

uint64_t post_challenge_index(enum api_version api, uint64_t sector_index, uint64_t per_sector,
                              uint64_t n)
{
    return api == API_V1_2 ? n : sector_index * per_sector + n;
}

uint64_t winning_sector(const struct node *prover_id, const uint8_t randomness[32], uint64_t n,
                        uint64_t sectors)
{
    struct sha256 h;
    sha256_begin(&h);
    sha256_put(&h, prover_id->b, NODE_BYTES);
    sha256_put(&h, randomness, 32);
    put_le64(&h, n);
    return hash_to_u64(&h) % sectors;
}

/* Bits [from, from + width) of a little-endian number, width < 64. */
static uint64_t bits_at(const uint64_t limbs[4], unsigned from, unsigned width)
{
    uint64_t low = limbs[from / 64] >> from % 64;
    if (from % 64 + width > 64) low |= limbs[from / 64 + 1] << (64 - from % 64);
    return low & ((UINT64_C(1) << width) - 1);
}

void update_challenges(uint64_t *out, size_t count, const struct node *comm_r_new,
                       unsigned node_bits, unsigned partition_bits, uint32_t partition)
{
    assert(partition_bits < node_bits && node_bits < 64);
    unsigned width = node_bits - partition_bits;
    size_t per_digest = 254 / width;
    uint64_t digests = (count + per_digest - 1) / per_digest;
    fr_t comm_r, counter, digest;
    uint64_t limbs[4] = { 0 };
    node_to_fr(&comm_r, comm_r_new);
    for (size_t i = 0; i < count; i++) {
        if (i % per_digest == 0) {
            fr_from_u64(&counter, partition * digests + i / per_digest);
            poseidon_random(&digest, &comm_r, &counter);
            fr_to_limbs(limbs, &digest);
        }
        unsigned from = (unsigned)(i % per_digest) * width;
        out[i] = bits_at(limbs, from, width) | (uint64_t)partition << width;
    }
}
