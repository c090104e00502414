/* G2: the subgroup of prime order r of the curve E': y^2 = x^3 + 4·(1 + u) over Fp2.
 *
 * g2_affine_t is a point (x, y). Infinity is x = y = 0, which is not on the curve.
 * g2_t is the same in extended Jacobian ("XYZZ") coordinates: x = X/ZZ, y = Y/ZZZ with ZZ^3 = ZZZ^2; infinity
 * is ZZ = 0 (ZZZ is then 0 too, X and Y are arbitrary). A mixed addition costs 8M + 2S, an addition 12M + 2S, a
 * doubling 6M + 4S (Sutherland's and Cohen–Miyaji–Ono's formulas in the Explicit-Formulas Database, short
 * Weierstrass, coordinates "xyzz": madd-2008-s, add-2008-s, dbl-2008-s-1).
 *
 * All operations are complete: equal points, opposite points and infinity give the right sum. They hold on the
 * whole curve, not only in G2. All functions accept the output as any input of the same type. None allocates
 * or fails. Thread-safe. All are variable-time in the exceptional cases; _var marks those that are so in
 * general.
 */
#ifndef CUZK_MATH_G2_H
#define CUZK_MATH_G2_H

#include "math/fp2.h"
#include "math/fr.h"

typedef struct g2_affine {
    fp2_t x, y;
} g2_affine_t;

typedef struct g2 {
    fp2_t x, y, zz, zzz;
} g2_t;

/* The standard generator (draft-irtf-cfrg-pairing-friendly-curves, §4.2.1). */
extern const g2_affine_t G2_GENERATOR;
extern const g2_affine_t G2_AFFINE_INFINITY;
extern const g2_t G2_INFINITY;

bool g2_affine_is_infinity(const g2_affine_t *p);
bool g2_affine_equal(const g2_affine_t *p, const g2_affine_t *q);
void g2_affine_neg(g2_affine_t *out, const g2_affine_t *p);

bool g2_is_infinity(const g2_t *p);
bool g2_equal(const g2_t *p, const g2_t *q); /* as points */

void g2_from_affine(g2_t *out, const g2_affine_t *p);
void g2_neg(g2_t *out, const g2_t *p);
void g2_double(g2_t *out, const g2_t *p);
void g2_add(g2_t *out, const g2_t *p, const g2_t *q);
void g2_add_mixed(g2_t *out, const g2_t *p, const g2_affine_t *q);

/* out = k·p; k is `limbs` 64-bit limbs, least significant first, and may exceed r. */
void g2_mul_var(g2_t *out, const g2_t *p, const uint64_t *k, size_t limbs);
void g2_mul_fr_var(g2_t *out, const g2_t *p, const fr_t *k);

void g2_to_affine_var(g2_affine_t *out, const g2_t *p);

/* n points with one field inversion. `scratch` holds n field elements. */
void g2_batch_to_affine_var(g2_affine_t *out, const g2_t *in, size_t n, fp2_t *scratch);

/* Whether p satisfies the curve equation, or is infinity. */
bool g2_on_curve(const g2_affine_t *p);

/* One of the two y that belong to x; false if there is none. */
bool g2_y_from_x_var(fp2_t *y, const fp2_t *x);

/* The untwist-Frobenius-twist endomorphism ψ; on G2 it is multiplication by u, the curve's parameter
 * (Galbraith, Scott, "Exponentiation in pairing-friendly groups using homomorphisms", Pairing 2008). */
void g2_affine_psi(g2_affine_t *out, const g2_affine_t *p);

/* Whether a point on the curve lies in G2: ψ(P) = u·P. Scott (ePrint 2021/1130), §4. */
bool g2_in_subgroup_var(const g2_affine_t *p);

#endif
