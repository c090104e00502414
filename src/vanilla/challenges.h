/* Which leaves a proof has to open: challenges of PoRep, PoSt and sector updates (spec §3.2, §3.3,
 * §3.5). Thread-safe; nothing fails.
 */
#ifndef CUZK_VANILLA_CHALLENGES_H
#define CUZK_VANILLA_CHALLENGES_H

#include "vanilla/registered.h"

/* What a PoRep's challenges depend on. The interactive ones need replica_id and seed, the synthetic
 * ones also comm_r, the non-interactive ones replica_id and comm_r. */
struct porep_challenge_source {
    enum porep_mode mode;
    uint64_t nodes; /* ≥ 2 */
    struct node replica_id;
    struct node comm_r;
    uint8_t seed[32];
};

/* The challenges of one partition, `count` per partition (2 or 18), in the circuit's order. None is
 * 0. */
void porep_challenges(uint64_t *out, size_t count, const struct porep_challenge_source *s,
                      uint32_t partition);

/* The two steps of a synthetic challenge: the whole set of min(nodes, 2^18) candidates, of which
 * element i is computed here, and the position in a set of `set_size` that the seed selects for
 * challenge j. */
uint64_t porep_synthetic_candidate(const struct porep_challenge_source *s, uint64_t i);
uint64_t porep_synthetic_selection(const struct porep_challenge_source *s, uint64_t set_size,
                                   uint64_t j);

/* The leaf of challenge `index` of a sector of `nodes` leaves. */
uint64_t post_challenge(const uint8_t randomness[32], uint64_t sector, uint64_t index,
                        uint64_t nodes);

/* The index of a sector's n-th challenge: counted within the sector since API_V1_2, through all
 * slots of all partitions before. sector_index = partition · slots per partition + slot;
 * `per_sector` is the circuit's number of challenges per slot. Winning PoSt (always API_V1_0, one
 * challenge per slot) has index = slot. */
uint64_t post_challenge_index(enum api_version api, uint64_t sector_index, uint64_t per_sector,
                              uint64_t n);

/* Which of `sectors` (≥ 1) eligible sectors winning PoSt has to prove, n-th draw. */
uint64_t winning_sector(const struct node *prover_id, const uint8_t randomness[32], uint64_t n,
                        uint64_t sectors);

/* The challenges of one update partition: `count` leaves, all within the partition's share of the
 * sector (the top `partition_bits` of node_bits are the partition). comm_r_new is canonical. */
void update_challenges(uint64_t *out, size_t count, const struct node *comm_r_new,
                       unsigned node_bits, unsigned partition_bits, uint32_t partition);

#endif
