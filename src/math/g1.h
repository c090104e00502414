/* G1: the subgroup of prime order r of the curve E: y^2 = x^3 + 4 over Fp.
 *
 * g1_affine_t is a point (x, y). Infinity is x = y = 0, which is not on the curve.
 * g1_t is the same in extended Jacobian ("XYZZ") coordinates: x = X/ZZ, y = Y/ZZZ with ZZ^3 = ZZZ^2; infinity
 * is ZZ = 0 (ZZZ is then 0 too, X and Y are arbitrary). A mixed addition costs 8M + 2S, an addition 12M + 2S, a
 * doubling 6M + 4S (Sutherland's and Cohen–Miyaji–Ono's formulas in the Explicit-Formulas Database, short
 * Weierstrass, coordinates "xyzz": madd-2008-s, add-2008-s, dbl-2008-s-1).
 *
 * All operations are complete: equal points, opposite points and infinity give the right sum. They hold on the
 * whole curve, not only in G1. All functions accept the output as any input of the same type. None allocates
 * or fails. Thread-safe. All are variable-time in the exceptional cases; _var marks those that are so in
 * general.
 */
#ifndef CUZK_MATH_G1_H
#define CUZK_MATH_G1_H

#include "math/fp.h"
#include "math/fr.h"

typedef struct g1_affine {
    fp_t x, y;
} g1_affine_t;

typedef struct g1 {
    fp_t x, y, zz, zzz;
} g1_t;

/* The standard generator (draft-irtf-cfrg-pairing-friendly-curves, §4.2.1). */
extern const g1_affine_t G1_GENERATOR;
extern const g1_affine_t G1_AFFINE_INFINITY;
extern const g1_t G1_INFINITY;

bool g1_affine_is_infinity(const g1_affine_t *p);
bool g1_affine_equal(const g1_affine_t *p, const g1_affine_t *q);
void g1_affine_neg(g1_affine_t *out, const g1_affine_t *p);

bool g1_is_infinity(const g1_t *p);
bool g1_equal(const g1_t *p, const g1_t *q); /* as points */

void g1_from_affine(g1_t *out, const g1_affine_t *p);
void g1_neg(g1_t *out, const g1_t *p);
void g1_double(g1_t *out, const g1_t *p);
void g1_add(g1_t *out, const g1_t *p, const g1_t *q);
void g1_add_mixed(g1_t *out, const g1_t *p, const g1_affine_t *q);

/* out = k·p; k is `limbs` 64-bit limbs, least significant first, and may exceed r. */
void g1_mul_var(g1_t *out, const g1_t *p, const uint64_t *k, size_t limbs);
void g1_mul_fr_var(g1_t *out, const g1_t *p, const fr_t *k);

void g1_to_affine_var(g1_affine_t *out, const g1_t *p);

/* n points with one field inversion. `scratch` holds n field elements. */
void g1_batch_to_affine_var(g1_affine_t *out, const g1_t *in, size_t n, fp_t *scratch);

/* Whether p satisfies the curve equation, or is infinity. */
bool g1_on_curve(const g1_affine_t *p);

/* One of the two y that belong to x; false if there is none. */
bool g1_y_from_x_var(fp_t *y, const fp_t *x);

/* The endomorphism φ(x, y) = (β·x, y), β^3 = 1. On G1 it is multiplication by λ = u^2 − 1
 * = 0xac45a4010001a40200000000ffffffff (128 bits; u = −0xd201000000010000 is the curve's parameter and
 * r = λ^2 + λ + 1), so that k = k0 + k1·λ splits a scalar into two of 128 bits. */
void g1_affine_endomorphism(g1_affine_t *out, const g1_affine_t *p);

/* Whether a point on the curve lies in G1: φ'(P) = −u^2·P with the other cube root of unity. Scott, "A note on
 * group membership tests for G1, G2 and GT on BLS pairing-friendly curves" (ePrint 2021/1130), §6; the
 * endomorphism test goes back to Bowe, "Faster subgroup checks for BLS12-381" (ePrint 2019/814). */
bool g1_in_subgroup_var(const g1_affine_t *p);

#endif
