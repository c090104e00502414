/* The two random numbers r and s of a proof: from the system in production, from a tag in tests. */
#ifndef CUZK_GROTH16_RANDOMNESS_H
#define CUZK_GROTH16_RANDOMNESS_H

#include "groth16/toxic.h"

#include <stddef.h>

struct proof_randomness {
    fr_t r, s;
};

/* Uniform in Fr, from getrandom(2). CUZK_ERR_UNAVAILABLE if the system has none to give. */
cuzk_status proof_randomness_draw(struct proof_randomness *out, cuzk_error *err);

/* *Insecure*, for tests: r and s are hashes of "cuzk-test-proof/v1/r/TAG" and "…/s/TAG". Partition
 * 0 uses the tag itself, partition K > 0 the tag "TAG/K". CUZK_ERR_USAGE if the tag is longer than
 * LABEL_MAX. */
cuzk_status proof_randomness_from_tag(struct proof_randomness *out, const char *tag, size_t partition,
                                      cuzk_error *err);

/* n bytes from getrandom(2). */
cuzk_status random_bytes(void *out, size_t n, cuzk_error *err);

#endif
