/* Verifying Groth16 proofs (spec §6.7): e(A, B) = e(alpha, beta) · e(ic(x), gamma) · e(C, delta),
 * where ic(x) = ic[0] + Σ x[i]·ic[i + 1].
 */
#ifndef CUZK_GROTH16_VERIFIER_H
#define CUZK_GROTH16_VERIFIER_H

#include "groth16/proof.h"
#include "math/multiples.h"
#include "math/pairing.h"

struct verifier_memory;

/* A verifying key made ready, some 40 KB, and 12 KB for each input if they are few.
 *
 * Any number of threads may check against one at the same time, with the same pool or with others; creating and
 * releasing are for one thread alone. All is constant but `idle`, where a check leaves its memory for the next, so
 * that between a proof and its answer nothing is allocated or freed: a check takes it with an atomic exchange, and one
 * that finds none, or too little, makes its own. For a key with many inputs that memory holds a workspace for their
 * sum, which is made anew when another pool comes; so a pool may go away before the verifier. */
struct verifier {
    struct verifying_key vk;
    struct g2_prepared minus_beta, minus_gamma, minus_delta;
    gt_t alpha_beta;               /* e(alpha, beta) */
    struct g1_multiples multiples; /* of ic and alpha; empty if ic is long */
    struct verifier_memory *idle;  /* NULL while a check works in it */
};

/* Takes the key over from *vk, which becomes empty; verifier_release releases it. */
void verifier_create(struct verifier *out, struct verifying_key *vk);
void verifier_release(struct verifier *v); /* harmless on a zeroed struct and when repeated */

/* `inputs` are the public inputs without ONE. CUZK_OK if the proof holds, CUZK_REFUSED if not,
 * CUZK_ERR_DATA if the number of inputs is not that of the key. */
cuzk_status verifier_check(const struct verifier *v, const struct proof *proof, const fr_t *inputs,
                           size_t input_count, struct pool *pool, cuzk_error *err);

/* Several proofs against one key: inputs[i] are those of proof i, input_count each. One equation
 * over random multiples of all, one of 2^128 each (as in bellperson; the chance that a false one passes is
 * 2^-128); if it fails, CUZK_REFUSED names the first proof that does not hold. */
cuzk_status verifier_check_all(const struct verifier *v, const struct proof *proofs, const fr_t *const *inputs,
                               size_t input_count, size_t count, struct pool *pool, cuzk_error *err);

#endif
