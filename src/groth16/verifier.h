/* Verifying Groth16 proofs (spec §6.7): e(A, B) = e(alpha, beta) · e(ic(x), gamma) · e(C, delta),
 * where ic(x) = ic[0] + Σ x[i]·ic[i + 1].
 */
#ifndef CUZK_GROTH16_VERIFIER_H
#define CUZK_GROTH16_VERIFIER_H

#include "groth16/proof.h"
#include "math/pairing.h"

/* A verifying key made ready, some 40 KB; constant, for any number of threads. */
struct verifier {
    struct verifying_key vk;
    struct g2_prepared minus_beta, minus_gamma, minus_delta;
};

/* Takes the key over from *vk, which becomes empty; verifier_release releases it. */
void verifier_create(struct verifier *out, struct verifying_key *vk);
void verifier_release(struct verifier *v); /* harmless on a zeroed struct and when repeated */

/* `inputs` are the public inputs without ONE. CUZK_OK if the proof holds, CUZK_REFUSED if not,
 * CUZK_ERR_DATA if the number of inputs is not that of the key. */
cuzk_status verifier_check(const struct verifier *v, const struct proof *proof, const fr_t *inputs,
                           size_t input_count, struct pool *pool, cuzk_error *err);

/* Several proofs against one key: inputs[i] are those of proof i, input_count each. One equation
 * over random 128-bit multiples of all (as in bellperson; the chance that a false one passes is
 * 2^-127); if it fails, CUZK_REFUSED names the first proof that does not hold. */
cuzk_status verifier_check_all(const struct verifier *v, const struct proof *proofs, const fr_t *const *inputs,
                               size_t input_count, size_t count, struct pool *pool, cuzk_error *err);

#endif
