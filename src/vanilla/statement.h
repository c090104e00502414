/* A statement: what a verifier knows about a proof, and all that it needs besides the proof and the
 * verification key. Public inputs (public_inputs.h) are computed from it alone.
 *
 * It comes from a job (job.h), from a *.public.json file of the test data, or from values that a person gave.
 */
#ifndef CUZK_VANILLA_STATEMENT_H
#define CUZK_VANILLA_STATEMENT_H

#include "base/arena.h"
#include "base/bytes.h"
#include "vanilla/registered.h"

struct statement_sector {
    uint64_t number;
    struct node comm_r;
};

struct statement {
    enum proof_kind kind;
    const struct registered_proof *proof;
    const struct sector_shape *shape;
    size_t partitions; /* of the whole proof */
    union {
        struct {
            struct node replica_id, comm_d, comm_r;
            uint8_t seed[32];
        } porep;
        struct { /* window and winning; the sectors of one partition in their order */
            struct node randomness;
            uint32_t partition; /* where API V1_0 counts window challenges from */
            size_t sector_count;
            const struct statement_sector *sectors;
        } post;
        struct {
            struct node comm_r_old, comm_d_new, comm_r_new;
        } update;
    };
};

/* Each checks its values and fails with CUZK_ERR_DATA naming the field: not canonical; zero comm_d, comm_r or
 * seed of a PoRep; no sector or more than a partition holds. `proof` is of the right kind. */
cuzk_status statement_porep(struct statement *out, const struct registered_proof *proof,
                            const struct node *replica_id, const struct node *comm_d, const struct node *comm_r,
                            const uint8_t seed[32], cuzk_error *err);

/* `sectors` stay the caller's and must outlive the statement. */
cuzk_status statement_post(struct statement *out, const struct registered_proof *proof, const struct node *randomness,
                           uint32_t partition, const struct statement_sector *sectors, size_t count, cuzk_error *err);

cuzk_status statement_update(struct statement *out, const struct registered_proof *proof,
                             const struct node *comm_r_old, const struct node *comm_d_new,
                             const struct node *comm_r_new, cuzk_error *err);

/* Reads a *.public.json file (data/README.md): PoRep comm_d, comm_r, sector, ticket, seed (porep_seed where
 * seed is something else), miner_id or prover_id; PoSt randomness and sectors with number and comm_r; update
 * the three commitments. The registered proof stands there by name, or follows from size and api_version.
 * Other members are ignored. *out points into the arena. */
cuzk_status statement_json(struct statement *out, struct arena *arena, enum proof_kind kind, struct bytes text,
                           cuzk_error *err);

#endif
