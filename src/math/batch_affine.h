/* Many independent additions of affine points with one shared inversion (Montgomery's trick): 5 multiplications
 * and a squaring each, where a mixed addition in extended Jacobian coordinates takes 10. Every sum of many
 * points in this folder comes down to these functions; both groups are one text, batch_affine_template.h. With
 * AVX-512 IFMA sixteen additions are done at a time, with the same results.
 *
 * Complete: infinity, equal and opposite points give the right sums, on the whole curve. Nothing is allocated.
 * Thread-safe.
 */
#ifndef CUZK_MATH_BATCH_AFFINE_H
#define CUZK_MATH_BATCH_AFFINE_H

#include "math/g1.h"
#include "math/g2.h"

/* *out = *a + *b. The caller sets the pointers, the rest is scratch: of one addition, or of eight neighbours that
 * are done side by side. */
struct g1_addition {
    g1_affine_t *out;
    const g1_affine_t *a, *b;
    int kind, special;
    union {
        struct {
            fp_t divisor, product;
        };
        uint64_t rows[16];
    };
};

struct g2_addition {
    g2_affine_t *out;
    const g2_affine_t *a, *b;
    int kind, special;
    union {
        struct {
            fp2_t divisor, product;
        };
        uint64_t rows[32];
    };
};

/* Does n additions. An output may be a term of the same addition or of one that stands in front of it, never of
 * a later one. */
void g1_batch_add(struct g1_addition *list, size_t n);
void g2_batch_add(struct g2_addition *list, size_t n);

/* Addresses of field elements, Fp or Fp2 as the group has it, that will be read soon. */
struct fetch_ahead {
    const void *const *next, *const *end;
};

/* The same, and meanwhile memory is fetched into the second-level cache, four elements for each addition until there
 * are no more; `next` moves on. With IFMA nothing is fetched in batches of sixteen or more. */
void g1_batch_add_fetching(struct g1_addition *list, size_t n, struct fetch_ahead *fetch);
void g2_batch_add_fetching(struct g2_addition *list, size_t n, struct fetch_ahead *fetch);

/* sums[i] += terms[i], 0 ≤ i < n. `list` holds n additions. */
void g1_batch_accumulate(g1_affine_t *sums, const g1_affine_t *terms, size_t n, struct g1_addition *list);
void g2_batch_accumulate(g2_affine_t *sums, const g2_affine_t *terms, size_t n, struct g2_addition *list);

/* The sum of n points, which are destroyed: neighbours are added until one is left. `list` holds n/2
 * additions. */
void g1_batch_sum(g1_affine_t *out, g1_affine_t *points, size_t n, struct g1_addition *list);
void g2_batch_sum(g2_affine_t *out, g2_affine_t *points, size_t n, struct g2_addition *list);

#endif
