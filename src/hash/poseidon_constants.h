/* Where Poseidon's constants come from. Only poseidon.c and the tests need this; everybody else
 * takes a struct poseidon_params from poseidon.h.
 *
 * Sources: Grassi, Khovratovich, Rechberger, Roy, Schofnegger, "Poseidon: a new hash function for
 * zero-knowledge proof systems" (USENIX Security 2021), for the Grain LFSR, the Cauchy matrix and
 * the factorisation of appendix B; spec §7 for Filecoin's parameters and the order of everything.
 */
#ifndef CUZK_HASH_POSEIDON_CONSTANTS_H
#define CUZK_HASH_POSEIDON_CONSTANTS_H

#include "hash/poseidon.h"

/* Number of elements of each array of a parameter set, by width t and partial rounds rp. */
#define POSEIDON_COMPRESSED(t, rp) (POSEIDON_FULL_ROUNDS * (t) + (rp))
#define POSEIDON_SPARSE(t, rp) ((rp) * (2 * (t)-1))
#define POSEIDON_GROUP_SIZE(t)                                                                     \
    (POSEIDON_GROUP * (t) + POSEIDON_GROUP * (POSEIDON_GROUP - 1) / 2 + POSEIDON_GROUP * ((t)-1))
#define POSEIDON_GROUPS(t, rp) ((rp) / POSEIDON_GROUP * POSEIDON_GROUP_SIZE(t))
#define POSEIDON_SPACE(t, rp)                                                                      \
    (POSEIDON_COMPRESSED(t, rp) + 3 * (t) * (t) + POSEIDON_SPARSE(t, rp) + POSEIDON_GROUPS(t, rp))

/* The plain round constants: (8 + rp)·t elements, round by round. */
void poseidon_round_constants(fr_t *out, unsigned t, unsigned rp);

/* Fills every member of *p. `space` holds POSEIDON_SPACE(arity + 1, rp) elements and must outlive
 * *p. */
void poseidon_params_make(struct poseidon_params *p, fr_t *space, unsigned arity, unsigned rp);

/* Σ a[i]·b[i] for any n (fr_dot takes at most 16 terms). */
static inline void poseidon_dot(fr_t *out, const fr_t *a, const fr_t *b, unsigned n)
{
    if (n <= 16) {
        fr_dot(out, a, b, n);
        return;
    }
    fr_t sum = FR_ZERO;
    for (unsigned i = 0; i < n; i += 16) {
        fr_t part;
        fr_dot(&part, a + i, b + i, n - i < 16 ? n - i : 16);
        fr_add(&sum, &sum, &part);
    }
    *out = sum;
}

#endif
