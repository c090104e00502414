/* Tables of small multiples of a few points of G1, and what can be computed from them: products and their sum by
 * interleaved windows (Straus, "Addition chains of vectors", 1964) over scalars in two halves (glv.h) with signed
 * digits. For tens of points this beats buckets (msm.h), and a table for points that stay serves again and again.
 *
 * A scalar is first + second·(−u^2); both halves are below 0.68·2^length in absolute value. Points must have order r or be infinity.
 * Tables are constant; any number of threads may use one.
 */
#ifndef CUZK_MATH_MULTIPLES_H
#define CUZK_MATH_MULTIPLES_H

#include "base/status.h"
#include "math/batch_affine.h"
#include "math/fr.h"
#include "math/limbs.h"

enum { HALF_LENGTH = 127 }; /* of the halves of any scalar */

struct halves {
    limb_wide_signed first, second;
};

void halves_of(struct halves *out, const fr_t *k);

/* The other way round. */
void halves_join(fr_t *out, const struct halves *k);

/* at[m·points + i] = (m + 1)·P_i for m < 2^(bits − 1) */
struct g1_multiples {
    unsigned bits;
    size_t points;
    g1_affine_t *at;
};

/* bits from 3 to 10: 96 bytes · 2^(bits − 1) for each point. CUZK_ERR_RESOURCE without memory. */
cuzk_status g1_multiples_create(struct g1_multiples *out, const g1_affine_t *points, size_t n, unsigned bits,
                                cuzk_error *err);
void g1_multiples_release(struct g1_multiples *table); /* harmless on a zeroed struct and when repeated */

/* The same in memory of the caller's: `at` for n·2^(bits − 1) points, `list` for half as many additions. There is
 * nothing to release. */
void g1_multiples_fill(struct g1_multiples *out, const g1_affine_t *points, size_t n, unsigned bits, g1_affine_t *at,
                       struct g1_addition *list);

/* k·P_i */
void g1_multiples_mul_var(g1_t *out, const struct g1_multiples *table, size_t i, const struct halves *k,
                          unsigned length);

/* Σ k[i]·P_(begin + i), 0 ≤ i < n. `rows` holds multiples_rows points, `list` half as many additions. */
void g1_multiples_sum_var(g1_t *out, const struct g1_multiples *table, size_t begin, const struct halves *k, size_t n,
                          unsigned length, g1_affine_t *rows, struct g1_addition *list);
size_t multiples_rows(unsigned bits, size_t n, unsigned length);

#endif
