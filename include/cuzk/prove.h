/* Parameters, proofs and their verification for one circuit, in the calling process. */
#ifndef CUZK_PROVE_H
#define CUZK_PROVE_H

#include "cuzk/circuit.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CUZK_PROOF_BYTES = 192 };

/* Writes DIR/STEM.params and DIR/STEM.vk. INSECURE: the secret numbers are hashes of `seed`, so anyone can forge
 * proofs; for tests and benchmarks. CUZK_ERR_CREATE if a file exists already. threads 0: all CPUs. */
cuzk_status cuzk_generate_insecure(const cuzk_circuit *circuit, const char *seed, const char *dir, const char *stem,
                                   unsigned threads, cuzk_error *err);

typedef struct cuzk_prover cuzk_prover;

/* Opens a parameter file for a circuit, which must outlive the prover. */
cuzk_status cuzk_prover_open(cuzk_prover **out, const cuzk_circuit *circuit, const char *params_path,
                             unsigned threads, cuzk_error *err);
void cuzk_prover_close(cuzk_prover *p); /* NULL is allowed */

/* Proves and verifies. `inputs` are the private inputs in the order in which cuzk_private_input took them, `groups` how
 * many groups they are for. r and s come from the system, or from `insecure_tag` (tests) unless it is NULL.
 * `publics`, if not NULL, receives the public inputs without ONE. CUZK_REFUSED if the inputs do not satisfy the
 * circuit. One proof at a time per prover. */
cuzk_status cuzk_prover_prove(uint8_t proof[CUZK_PROOF_BYTES], uint8_t (*publics)[32], cuzk_prover *p,
                              const uint8_t (*inputs)[32], size_t input_count, size_t groups,
                              const char *insecure_tag, cuzk_error *err);

/* CUZK_OK if the proof holds for these public inputs (without ONE), CUZK_REFUSED if not. */
cuzk_status cuzk_prover_verify(const cuzk_prover *p, const uint8_t proof[CUZK_PROOF_BYTES],
                               const uint8_t (*publics)[32], size_t public_count, cuzk_error *err);

#ifdef __cplusplus
}
#endif
#endif
