/* A Groth16 proof: its 192 bytes, and how it is put together from the prover's sums (spec §4.6,
 * §6.5). */
#ifndef CUZK_GROTH16_PROOF_H
#define CUZK_GROTH16_PROOF_H

#include "groth16/randomness.h"
#include "groth16/vk.h"

enum { PROOF_BYTES = 192 };

struct proof {
    g1_affine_t a;
    g2_affine_t b;
    g1_affine_t c;
};

/* What a backend computes for a partition (spec §6.4): ⟨h, H⟩, ⟨aux, L⟩, ⟨dense in A, A⟩, ⟨dense in
 * B, B1⟩ and ⟨dense in B, B2⟩. */
struct proof_sums {
    g1_t h, l, a, b_g1;
    g2_t b_g2;
};

/* A = alpha + Aq + r·delta;  B = beta + B2 + s·delta;
 * C = s·Aq + r·B1 + r·s·delta + s·alpha + r·beta + H + L. */
void proof_assemble(struct proof *out, const struct proof_sums *sums, const struct verifying_key *vk,
                    const struct proof_randomness *random);

/* A compressed 48 | B compressed 96 | C compressed 48. */
void proof_encode(uint8_t out[PROOF_BYTES], const struct proof *proof);

/* CUZK_ERR_DATA, naming the point and what is wrong with it, unless all three are well encoded, on
 * their curve, in the subgroup and not infinity. */
cuzk_status proof_decode(struct proof *out, const uint8_t in[PROOF_BYTES], cuzk_error *err);

/* `count` proofs one after another, as partitions are concatenated; CUZK_ERR_DATA also if `size` is
 * not PROOF_BYTES · count. */
cuzk_status proof_decode_all(struct proof *out, size_t count, const uint8_t *in, size_t size, cuzk_error *err);

#endif
