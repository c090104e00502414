/* Number-theoretic transforms over Fr.
 *
 * The domain of size m = 2^k is the set of the ω^i, ω = ROOT^(2^(32 − k)) with ROOT = 7^((r − 1)/2^32)
 * (spec §6). A transform turns the coefficients of a polynomial of degree below m into its values on the domain
 * or on a coset of it, or back, in place.
 *
 * Method: a polynomial modulo x^2n − c^2 is split into its remainders modulo x^n − c and x^n + c, and so on
 * down to x − (point). From natural order this ends in bit-reversed order, with one constant c for each block,
 * and all constants of all sizes come from one table (see ntt.c). Cache blocking as in Bailey, "FFTs in
 * external or hierarchical memory" (1990), with the twiddle pass folded into the constants.
 *
 * Every function shares its work over `pool` (NULL: one thread); results do not depend on it. Arrays hold m
 * elements. Nothing is allocated after ntt_domain_create, but up to 200 KB of stack are used. A domain is
 * constant: any number of threads may use it.
 */
#ifndef CUZK_MATH_NTT_H
#define CUZK_MATH_NTT_H

#include "base/pool.h"
#include "math/fr.h"

#define NTT_MAX_LOG 32

struct ntt_domain;

/* The generator of the subgroup of order 2^k, k ≤ 32. */
void ntt_root(fr_t *out, unsigned k);

/* Makes the table for m = 2^k: at most m elements, and never more than 33 MB. CUZK_ERR_USAGE if k > 32,
 * CUZK_ERR_RESOURCE without memory. */
cuzk_status ntt_domain_create(struct ntt_domain **out, unsigned k, struct pool *pool, cuzk_error *err);
void ntt_domain_destroy(struct ntt_domain *domain); /* NULL is allowed */
/* Whether transforms work on eight elements at a time where the processor can, as they do unless told otherwise: for
 * measurements. Not while the domain is in use. */
void ntt_domain_use_lanes(struct ntt_domain *domain, bool lanes);
unsigned ntt_domain_log(const struct ntt_domain *domain);
size_t ntt_domain_size(const struct ntt_domain *domain);

/* Natural order on both sides. The coset's shift is 7, the generator of Fr's multiplicative group. */
void ntt_forward(fr_t *x, const struct ntt_domain *domain, struct pool *pool);
void ntt_inverse(fr_t *x, const struct ntt_domain *domain, struct pool *pool);
void ntt_coset_forward(fr_t *x, const struct ntt_domain *domain, struct pool *pool);
void ntt_coset_inverse(fr_t *x, const struct ntt_domain *domain, struct pool *pool);

/* The transforms underneath, which leave values in bit-reversed order and results unscaled. NTT_TWISTED is the
 * coset with shift η, η^2 = ω, so that η^m = −1 (k ≤ 31): it costs no scaling, and x^m − 1 is −2 on all of it. */
enum ntt_set { NTT_PLAIN, NTT_TWISTED };

/* Coefficients in natural order → values in bit-reversed order. */
void ntt_evaluate(fr_t *x, enum ntt_set set, const struct ntt_domain *domain, struct pool *pool);

/* Values in bit-reversed order → coefficients in natural order, times m. */
void ntt_interpolate(fr_t *x, enum ntt_set set, const struct ntt_domain *domain, struct pool *pool);

/* Where bit-reversed order keeps the element of index i, and the other way round; k ≤ 32. */
static inline size_t ntt_position(size_t i, unsigned k)
{
    uint64_t v = i;
    v = (v >> 1 & 0x5555555555555555) | (v & 0x5555555555555555) << 1;
    v = (v >> 2 & 0x3333333333333333) | (v & 0x3333333333333333) << 2;
    v = (v >> 4 & 0x0f0f0f0f0f0f0f0f) | (v & 0x0f0f0f0f0f0f0f0f) << 4;
    return k == 0 ? 0 : (size_t)(__builtin_bswap64(v) >> (64 - k));
}

/* Swaps natural and bit-reversed order. */
void ntt_bit_reverse(fr_t *x, const struct ntt_domain *domain, struct pool *pool);

/* x[i] = first·ratio^i. */
void ntt_powers(fr_t *x, const fr_t *first, const fr_t *ratio, const struct ntt_domain *domain, struct pool *pool);

/* x[i] = L_i(tau), natural order: the value at tau of the polynomial that is 1 at ω^i and 0 elsewhere on the
 * domain. Right for every tau, in the domain too. */
void ntt_lagrange(fr_t *x, const fr_t *tau, const struct ntt_domain *domain, struct pool *pool);

#endif
