/* The quotient of Groth16: h = (A·B − C)/(x^m − 1), where the polynomials A, B of degree below m have given
 * values on the domain and C has the products of these values.
 *
 * Modulo x^m + 1 the divisor is −2, so A·B mod (x^m + 1) = C − 2·h exactly, and the twisted coset (ntt.h) serves
 * instead of the one with shift 7: h does not depend on the coset. Six transforms, two vectors of m elements,
 * and no division or scaling but for the last step:
 *
 *   a, b ← the values of A and B                (by the caller, bit-reversed order: row i at ntt_position(i, k))
 *   quotient_product(a, b)                      (a: m^3·(C − 2·h); b is free)
 *   b ← the products of the values, afresh      (by the caller, bit-reversed order)
 *   quotient_finish(a, b)                       (a: h)
 *
 * k ≤ 31. Thread safety and sharing of work as in ntt.h.
 */
#ifndef CUZK_MATH_QUOTIENT_H
#define CUZK_MATH_QUOTIENT_H

#include "math/ntt.h"

void quotient_product(fr_t *a, fr_t *b, const struct ntt_domain *domain, struct pool *pool);

/* Leaves the m coefficients of h in `a`, natural order; the highest is zero. `c` is destroyed. */
void quotient_finish(fr_t *a, fr_t *c, const struct ntt_domain *domain, struct pool *pool);

#endif
