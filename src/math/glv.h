/* Halving scalars with an endomorphism: Gallant, Lambert, Vanstone, "Faster point multiplication on elliptic
 * curves with efficient endomorphisms" (Crypto 2001).
 *
 * With u the curve's parameter, r = u^4 − u^2 + 1. On G1 and on G2 there is a cube root of unity β of Fp such
 * that −u^2·(x, y) = (β·x, y): on G1 the square of the one in g1.h, on G2 that of ψ∘ψ. As u^2 has 128 bits,
 * k = first − second·u^2 splits a scalar into two of half its length, and
 *
 *   k·(x, y) = first·(x, y) + second·(β·x, y)     for points of order r.
 */
#ifndef CUZK_MATH_GLV_H
#define CUZK_MATH_GLV_H

#include "math/fp.h"
#include "math/limbs.h"

extern const fp_t GLV_BETA_G1;
extern const fp_t GLV_BETA_G2;

/* k: four limbs, below r. Both halves are below 0.68·2^127 in absolute value. */
void glv_split(limb_wide_signed *first, limb_wide_signed *second, const uint64_t k[4]);

#endif
