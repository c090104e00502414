/* The secret numbers of a trusted setup ("toxic waste"), for *insecure* test parameters only.
 *
 * Here they are hashes of a public label, so anyone can forge proofs against such parameters. They
 * exist to make parameter files that are reproducible byte for byte, for tests and benchmarks;
 * whatever uses them must say so.
 */
#ifndef CUZK_GROTH16_TOXIC_H
#define CUZK_GROTH16_TOXIC_H

#include "base/status.h"
#include "math/fr.h"

/* Longest seed or tag that is accepted, in bytes. */
enum { LABEL_MAX = 128 };

struct toxic {
    fr_t alpha, beta, gamma, delta, tau;
};

/* alpha = scalar_from_label("SEED/alpha") and so on. CUZK_ERR_USAGE if the seed is longer than
 * LABEL_MAX, CUZK_ERR_DATA if gamma or delta comes out as zero. */
cuzk_status toxic_from_insecure_seed(struct toxic *out, const char *seed, cuzk_error *err);

/* The little-endian integer of SHA-256 over the label, with the top two bits of the last byte
 * cleared. */
void scalar_from_label(fr_t *out, const char *label);

#endif
