#include "vanilla/identity.h"

#include "base/bytes.h"
#include "hash/sha256.h"

void prover_id_make(struct node *out, uint64_t miner_id)
{
    *out = (struct node){ { 0 } };
    size_t i = 0;
    for (; miner_id >= 0x80; miner_id >>= 7) out->b[i++] = (uint8_t)(miner_id | 0x80);
    out->b[i] = (uint8_t)miner_id;
}

void porep_id_make(uint8_t out[32], uint64_t registered_number, uint64_t nonce)
{
    memset(out, 0, 32);
    store_le64(out, registered_number);
    store_le64(out + 8, nonce);
}

void replica_id_make(struct node *out, const struct node *prover_id, uint64_t sector,
                     const uint8_t ticket[32], const struct node *comm_d,
                     const uint8_t porep_id[32])
{
    uint8_t sector_bytes[8];
    struct sha256 h;
    store_be64(sector_bytes, sector);
    sha256_begin(&h);
    sha256_put(&h, prover_id->b, NODE_BYTES);
    sha256_put(&h, sector_bytes, sizeof sector_bytes);
    sha256_put(&h, ticket, 32);
    sha256_put(&h, comm_d->b, NODE_BYTES);
    sha256_put(&h, porep_id, 32);
    sha256_end(&h, out->b);
    sha256_truncate(out->b);
}
