/* Fp2 for aarch64, on the assembly of fp_aarch64.S. The algorithms are those of fp_portable.c. */
#if defined(__aarch64__)
#include "math/fp_wide.h"
#include "math/kernels.h"

void fp2_add(fp2_t *out, const fp2_t *a, const fp2_t *b)
{
    fp_add(&out->c0, &a->c0, &b->c0);
    fp_add(&out->c1, &a->c1, &b->c1);
}

void fp2_sub(fp2_t *out, const fp2_t *a, const fp2_t *b)
{
    fp_sub(&out->c0, &a->c0, &b->c0);
    fp_sub(&out->c1, &a->c1, &b->c1);
}

void fp2_mul_aarch64(fp2_t *out, const fp2_t *a, const fp2_t *b)
{
    fp_wide_t low, high, cross;
    fp_t sum_a, sum_b;
    fp_add_unreduced(&sum_a, &a->c0, &a->c1);
    fp_add_unreduced(&sum_b, &b->c0, &b->c1);
    fp_mul_wide_aarch64(&cross, &sum_a, &sum_b);
    fp_mul_wide_aarch64(&low, &a->c0, &b->c0);
    fp_mul_wide_aarch64(&high, &a->c1, &b->c1);
    fp_wide_sub_unreduced(&cross, &cross, &low);
    fp_wide_sub_unreduced(&cross, &cross, &high);
    fp_wide_sub(&low, &low, &high);
    fp_reduce_wide_aarch64(&out->c0, &low);
    fp_reduce_wide_aarch64(&out->c1, &cross);
}

void fp2_sqr_aarch64(fp2_t *out, const fp2_t *a)
{
    fp_t sum, difference, twice;
    fp_add_unreduced(&sum, &a->c0, &a->c1);
    fp_sub(&difference, &a->c0, &a->c1);
    fp_add_unreduced(&twice, &a->c0, &a->c0);
    fp_mul_aarch64(&out->c1, &twice, &a->c1);
    fp_mul_aarch64(&out->c0, &sum, &difference);
}
#else
typedef int fp2_aarch64_is_empty; /* a file must declare something */
#endif
