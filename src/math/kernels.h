/* The operations that everything else is made of, in the versions that exist of each. fr.h, fp.h and fp2.h are
 * what to call; dispatch.c chooses between the versions, and the tests compare them. The contracts are those of
 * the functions without suffix.
 *
 * _portable is plain C. _adx is x86-64 assembly for processors with BMI2 and ADX (cpu.h), _aarch64 is assembly for
 * every processor of that kind. Addition and subtraction need no choice: on both they are assembly under their own
 * names.
 */
#ifndef CUZK_MATH_KERNELS_H
#define CUZK_MATH_KERNELS_H

#include "math/fp2.h"
#include "math/fp_wide.h"
#include "math/fr.h"

void fr_add_portable(fr_t *out, const fr_t *a, const fr_t *b);
void fr_sub_portable(fr_t *out, const fr_t *a, const fr_t *b);
void fr_mul_portable(fr_t *out, const fr_t *a, const fr_t *b);
void fr_sqr_portable(fr_t *out, const fr_t *a);

/* The sum of fr_dot before its last step: Σ a[i]·b[i]/2^256 up to a multiple of r, below 8.3·r, for 0 < n ≤ 16. */
void fr_dot_unreduced(uint64_t out[5], const fr_t *a, const fr_t *b, size_t n);
void fr_dot_unreduced_portable(uint64_t out[5], const fr_t *a, const fr_t *b, size_t n);

void fp_add_portable(fp_t *out, const fp_t *a, const fp_t *b);
void fp_sub_portable(fp_t *out, const fp_t *a, const fp_t *b);
void fp_mul_portable(fp_t *out, const fp_t *a, const fp_t *b);
void fp_sqr_portable(fp_t *out, const fp_t *a);

void fp2_add_portable(fp2_t *out, const fp2_t *a, const fp2_t *b);
void fp2_sub_portable(fp2_t *out, const fp2_t *a, const fp2_t *b);
void fp2_mul_portable(fp2_t *out, const fp2_t *a, const fp2_t *b);
void fp2_sqr_portable(fp2_t *out, const fp2_t *a);

#if defined(__x86_64__)
void fr_mul_adx(fr_t *out, const fr_t *a, const fr_t *b);
void fr_sqr_adx(fr_t *out, const fr_t *a);
void fr_dot_unreduced_adx(uint64_t out[5], const fr_t *a, const fr_t *b, size_t n);
void fp_mul_adx(fp_t *out, const fp_t *a, const fp_t *b);
void fp_sqr_adx(fp_t *out, const fp_t *a);
void fp2_mul_adx(fp2_t *out, const fp2_t *a, const fp2_t *b);
void fp2_sqr_adx(fp2_t *out, const fp2_t *a);
#endif

#if defined(__aarch64__)
void fr_mul_aarch64(fr_t *out, const fr_t *a, const fr_t *b);
void fr_sqr_aarch64(fr_t *out, const fr_t *a);
void fp_mul_aarch64(fp_t *out, const fp_t *a, const fp_t *b);
void fp_sqr_aarch64(fp_t *out, const fp_t *a);
void fp_mul_wide_aarch64(fp_wide_t *out, const fp_t *a, const fp_t *b); /* out is neither a nor b */
void fp_reduce_wide_aarch64(fp_t *out, const fp_wide_t *a);
void fp2_mul_aarch64(fp2_t *out, const fp2_t *a, const fp2_t *b);
void fp2_sqr_aarch64(fp2_t *out, const fp2_t *a);
#define fr_dot_unreduced_aarch64 fr_dot_unreduced_portable
#endif

#endif
