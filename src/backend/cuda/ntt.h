/* Transforms over Fr on the device, with the conventions of math/ntt.h and math/quotient.h. Everything is queued on
 * the context's stream. C and C++.
 *
 * Method (math/ntt.c): polynomials modulo x^2n − c^2 are split modulo x^n − c and x^n + c. A pass does up to nine
 * levels on tiles that a thread block holds in shared memory, three levels at a time in registers. All constants come
 * from one table of 2^NTT_TABLE_LOG and one of its multiples. What the quotient does between transforms, products and
 * a weighted sum, is done in their first or last pass. (Ending one transform and beginning the next on the same tile
 * was tried: the code no longer fits the instruction caches, and it is slower.)
 */
#ifndef CUZK_CUDA_NTT_H
#define CUZK_CUDA_NTT_H

#include "backend/cuda/context.h"

#ifdef __cplusplus
extern "C" {
#endif

struct fr;

enum { NTT_TABLE_LOG = 20, NTT_MAX_DOMAIN_LOG = 31 };

/* Tables for all domains up to 2^31, 67 MB. */
struct ntt_tables {
    struct fr *memory;
    uint32_t roots[2][3][8]; /* the transforms' smallest roots of unity and their inverses */
};

cuzk_status ntt_tables_create(struct ntt_tables *out, struct context *c, cuzk_error *err);
void ntt_tables_release(struct ntt_tables *t, struct context *c);

/* x: 2^k elements in device memory, in place. `twisted`: the coset of math/ntt.h's NTT_TWISTED.
 * evaluate: coefficients, natural → values, bit-reversed. interpolate: back, times 2^k. */
cuzk_status ntt_device_evaluate(struct fr *x, unsigned k, bool twisted, const struct ntt_tables *t, struct context *c,
                                cuzk_error *err);
cuzk_status ntt_device_interpolate(struct fr *x, unsigned k, bool twisted, const struct ntt_tables *t,
                                   struct context *c, cuzk_error *err);

/* Natural order ↔ bit-reversed order, out of place. */
cuzk_status ntt_device_bit_reverse(struct fr *out, const struct fr *in, unsigned k, struct context *c,
                                   cuzk_error *err);

/* x[i] *= first·ratio^i; both 32 bytes on the host, in Montgomery form. */
cuzk_status ntt_device_scale(struct fr *x, size_t n, const void *first, const void *ratio, struct context *c,
                             cuzk_error *err);

/* a[i] *= b[i] */
cuzk_status vector_multiply(struct fr *a, const struct fr *b, size_t n, struct context *c, cuzk_error *err);

/* The two halves of the quotient (math/quotient.h): a, b ← values, bit-reversed; a ← m^3·(C − 2h). Then b ← the
 * products of the values, afresh; a ← h with two factors that the caller computes. */
cuzk_status quotient_device_product(struct fr *a, struct fr *b, unsigned k, const struct ntt_tables *t,
                                    struct context *c, cuzk_error *err);
cuzk_status quotient_device_finish(struct fr *a, struct fr *b, unsigned k, const void *factor_a, const void *factor_b,
                                   const struct ntt_tables *t, struct context *c, cuzk_error *err);

#ifdef __cplusplus
}
#endif
#endif
