/* A verifying key with proofs that hold, for measuring verifiers: made from known discrete logarithms instead of a
 * circuit. For any A = a·G1 and B = b·G2 the equation e(A, B) = e(alpha, beta)·e(ic(x), gamma)·e(C, delta) gives the
 * logarithm of C. The numbers are pseudo-random, the same each time. */
#ifndef CUZK_CLI_BENCH_CLAIMS_H
#define CUZK_CLI_BENCH_CLAIMS_H

#include "groth16/verifier.h"

enum { CLAIM_INPUTS = 40 };

struct claim {
    struct proof proof;
    fr_t inputs[CLAIM_INPUTS];
};

/* vk_release releases the key. CUZK_ERR_RESOURCE without memory. */
cuzk_status claims_make(struct verifying_key *vk, struct claim *out, size_t count, cuzk_error *err);

#endif
