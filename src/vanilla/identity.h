/* The three identifiers that every PoRep is bound to (spec §3.1). Thread-safe; nothing fails. */
#ifndef CUZK_VANILLA_IDENTITY_H
#define CUZK_VANILLA_IDENTITY_H

#include "circuit/shape.h"

/* The payload of the miner's ID address: the actor number as unsigned LEB128 at the start of 32
 * zero bytes. Always canonical. */
void prover_id_make(struct node *out, uint64_t miner_id);

/* le64(number of the registered seal proof) ‖ le64(nonce) ‖ 16 zero bytes. Every network uses nonce
 * 0. */
void porep_id_make(uint8_t out[32], uint64_t registered_number, uint64_t nonce);

/* sha256(prover_id ‖ be64(sector) ‖ ticket ‖ comm_d ‖ porep_id), truncated to 254 bits. */
void replica_id_make(struct node *out, const struct node *prover_id, uint64_t sector,
                     const uint8_t ticket[32], const struct node *comm_d,
                     const uint8_t porep_id[32]);

#endif
