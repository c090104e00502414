/* Poseidon over Fr as Filecoin uses it (spec §7): width t = arity + 1, state[0] = domain tag,
 * state[1…] = inputs, output = state[1]; x^5, 8 full and R_P partial rounds, Cauchy matrix.
 *
 * Everything here runs the optimised rounds, in which the linear layers of the partial rounds are
 * sparse. Their intermediate values are part of the contract: Filecoin's circuit allocates them
 * (poseidon_trace).
 *
 * All functions are thread-safe; none allocates or fails.
 */
#ifndef CUZK_HASH_POSEIDON_H
#define CUZK_HASH_POSEIDON_H

#include "math/fr.h"

enum {
    POSEIDON_FULL_ROUNDS = 8, /* four before the partial rounds, four after */
    POSEIDON_MAX_WIDTH = 37,
    POSEIDON_GROUP = 4 /* partial rounds that poseidon.c takes together */
};

/* Constants of one width. Rounds are numbered ρ = 0 … 7 + partial_rounds; the partial ones are
 * 4 ≤ ρ < 4 + partial_rounds. */
struct poseidon_params {
    unsigned arity;
    unsigned t;              /* arity + 1 */
    unsigned partial_rounds; /* R_P */

    /* 8·t + R_P elements in the order of use: t are added to the state before round 0; then each
     * S-box adds one to its output, elements 0 … t−1 in a full round, element 0 in a partial one,
     * none in the last. */
    const fr_t *constants;

    /* t × t, row-major, symmetric: the linear layer of every round but those below. */
    const fr_t *mds;

    /* t × t: the linear layer after round 3. new[j] = Σ_i pre_sparse[i·t + j]·x[i]. The second
     * array is the same matrix column by column: new[j] = Σ_i pre_sparse_columns[j·t + i]·x[i]. */
    const fr_t *pre_sparse;
    const fr_t *pre_sparse_columns;

    /* R_P blocks of 2t − 1 elements: the linear layer after round 4 + k is block k, w_hat (t
     * elements) followed by v_rest (t − 1): new[0] = Σ_i w_hat[i]·x[i], new[j] = x[j] +
     * v_rest[j−1]·x[0]. */
    const fr_t *sparse;

    /* The same layers for POSEIDON_GROUP rounds at a time, for poseidon.c alone; laid out in
     * poseidon_constants.c. */
    const fr_t *groups;
};

/* Arities 2, 4, 8, 11, 16, 24 and 36; NULL for any other. The constants are generated at the first
 * call for an arity (two milliseconds for 8, five for 11) and live as long as the process. */
const struct poseidon_params *poseidon_params(unsigned arity);

static inline const fr_t *poseidon_w_hat(const struct poseidon_params *p, unsigned k)
{
    return p->sparse + (size_t)k * (2 * p->t - 1);
}

static inline const fr_t *poseidon_v_rest(const struct poseidon_params *p, unsigned k)
{
    return poseidon_w_hat(p, k) + p->t;
}

/* Domain tags: 2^arity − 1 for Merkle trees and columns, 2^40 for the randomness of sector updates
 * (with arity 2; spec calls that function PoseidonGen2). */
void poseidon_tag_merkle(fr_t *out, unsigned arity);
void poseidon_tag_random(fr_t *out);

/* `inputs` holds p->arity elements; `out` may be one of them. */
void poseidon_hash(fr_t *out, const struct poseidon_params *p, const fr_t *tag, const fr_t *inputs);

/* The two hashes above by their usual names: a Merkle node or column of `arity` children (arity as
 * for poseidon_params), and PoseidonGen2(a, b). */
void poseidon_node(fr_t *out, unsigned arity, const fr_t *children);
void poseidon_random(fr_t *out, const fr_t *a, const fr_t *b);

/* Number of elements of a trace: 3·(8t + R_P − 1) + (8t + R_P − arity). 311 for arity 2, 377 for 4,
 * 505 for 8, 598 for 11. */
size_t poseidon_trace_length(const struct poseidon_params *p);

/* Hashes and stores every value that the legacy circuit (spec §7 "Circuit") allocates, in its
 * order:
 *
 *   round 0, elements 1 … t−1:          (x+k)²  (x+k)⁴  (x+k)⁵ + post
 *   every later S-box on an element x:  x  x²  x⁴  x⁵ + post         (no post in the last round)
 *   at the end:                         the result
 *
 * where k and post are the constants added before and after. Element 0 of round 0 is the tag, which
 * the circuit folds to a constant. `trace` must not overlap `inputs`. */
void poseidon_trace(fr_t *trace, const struct poseidon_params *p, const fr_t *tag,
                    const fr_t *inputs);

#endif
