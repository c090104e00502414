/* The optimal ate pairing e: G1 × G2 → GT on BLS12-381, GT the subgroup of order r of Fp12*.
 *
 * Elements of G2 are prepared: the lines of the Miller loop (Miller, "The Weil pairing, and its efficient
 * calculation", 2004; Vercauteren, "Optimal pairings", 2008) depend on Q alone, so they are computed once and
 * used with any number of P. One loop serves several pairs at once and shares its squarings.
 *
 * The value is the cube of the reduced ate pairing f_{u,Q}(P)^((p^12−1)/r), because the final exponentiation
 * then gets by without roots (Hayashida, Hayasaka, Teruya, ePrint 2020/875). That is a non-degenerate bilinear
 * map just as well; GT elements never leave the program.
 *
 * Points must lie in their subgroups; infinity is allowed and contributes one. Nothing allocates or fails.
 * Thread-safe.
 */
#ifndef CUZK_MATH_PAIRING_H
#define CUZK_MATH_PAIRING_H

#include "base/pool.h"
#include "math/fp12.h"
#include "math/g1.h"
#include "math/g2.h"

typedef fp12_t gt_t;

/* 63 doublings and 5 additions, as |u| = 0xd201000000010000. */
#define PAIRING_LINES 68

/* A line through points of the twist, in the normal form b0/y + (b2·x/y)·w^2 + w^3 at a point (x, y). */
struct pairing_line {
    fp2_t b0, b2;
};

struct g2_prepared {
    bool infinity;
    struct pairing_line line[PAIRING_LINES];
};

void g2_prepare_var(struct g2_prepared *out, const g2_affine_t *q);

/* Several at once, which share inversions: 0.6 of the time from ten on. */
void g2_prepare_many_var(struct g2_prepared *out, const g2_affine_t *q, size_t n);

/* The loop alone: Π f_{u,q[i]}(p[i]) up to factors that the final exponentiation removes. */
void pairing_miller_loop_var(fp12_t *out, const g1_affine_t *p, const struct g2_prepared *const *q, size_t n);

/* The same with the pairs shared out to the threads of a pool (NULL: one). Each part has squarings of its own, so a
 * part has two pairs at least. */
void pairing_miller_loop_shared_var(fp12_t *out, const g1_affine_t *p, const struct g2_prepared *const *q, size_t n,
                                    struct pool *pool);

/* f^(3·(p^12−1)/r), f not zero. */
void pairing_final_exponentiation_var(gt_t *out, const fp12_t *f);

/* Π e(p[i], q[i]) */
void pairing_product_var(gt_t *out, const g1_affine_t *p, const struct g2_prepared *const *q, size_t n);
bool pairing_product_is_one_var(const g1_affine_t *p, const struct g2_prepared *const *q, size_t n);

/* One pair, prepared on the fly. */
void pairing_var(gt_t *out, const g1_affine_t *p, const g2_affine_t *q);

#endif
