#include "math/fp2.h"

const fp2_t FP2_ZERO = { { { 0 } }, { { 0 } } };
const fp2_t FP2_ONE = { { { 0x760900000002fffd, 0xebf4000bc40c0002, 0x5f48985753c758ba,
                            0x77ce585370525745, 0x5c071a97a256ec6d, 0x15f65ec3fa80e493 } },
                        { { 0 } } };

bool fp2_is_zero(const fp2_t *a) { return fp_is_zero(&a->c0) && fp_is_zero(&a->c1); }

bool fp2_is_one(const fp2_t *a) { return fp_is_one(&a->c0) && fp_is_zero(&a->c1); }

bool fp2_equal(const fp2_t *a, const fp2_t *b)
{
    return fp_equal(&a->c0, &b->c0) && fp_equal(&a->c1, &b->c1);
}

void fp2_neg(fp2_t *out, const fp2_t *a) { fp2_sub(out, &FP2_ZERO, a); }

void fp2_double(fp2_t *out, const fp2_t *a) { fp2_add(out, a, a); }

void fp2_mul_fp(fp2_t *out, const fp2_t *a, const fp_t *b)
{
    const fp_t factor = *b;
    fp_mul(&out->c0, &a->c0, &factor);
    fp_mul(&out->c1, &a->c1, &factor);
}

void fp2_conjugate(fp2_t *out, const fp2_t *a)
{
    out->c0 = a->c0;
    fp_neg(&out->c1, &a->c1);
}

void fp2_mul_nonresidue(fp2_t *out, const fp2_t *a)
{
    fp_t difference;
    fp_sub(&difference, &a->c0, &a->c1);
    fp_add(&out->c1, &a->c0, &a->c1);
    out->c0 = difference;
}

void fp2_pow_var(fp2_t *out, const fp2_t *a, const uint64_t *exponent, size_t limbs)
{
    const fp2_t base = *a;
    fp2_t power = FP2_ONE;
    bool started = false;
    for (size_t i = 64 * limbs; i-- > 0;) {
        if (started) fp2_sqr(&power, &power);
        if (exponent[i / 64] >> (i % 64) & 1) {
            fp2_mul(&power, &power, &base);
            started = true;
        }
    }
    *out = power;
}

void fp2_inv_var(fp2_t *out, const fp2_t *a)
{
    /* conjugate / norm */
    fp_t norm, t;
    fp_sqr(&norm, &a->c0);
    fp_sqr(&t, &a->c1);
    fp_add(&norm, &norm, &t);
    fp_inv_var(&norm, &norm);
    fp_mul(&out->c0, &a->c0, &norm);
    fp_neg(&norm, &norm);
    fp_mul(&out->c1, &a->c1, &norm);
}

void fp2_batch_inv_var(fp2_t *a, size_t n, fp2_t *scratch)
{
    /* scratch[i] = product of the non-zero elements in front of a[i] */
    fp2_t product = FP2_ONE;
    for (size_t i = 0; i < n; i++) {
        scratch[i] = product;
        if (!fp2_is_zero(&a[i])) fp2_mul(&product, &product, &a[i]);
    }
    fp2_t inverse;
    fp2_inv_var(&inverse, &product);
    for (size_t i = n; i-- > 0;) {
        if (fp2_is_zero(&a[i])) continue;
        fp2_t value = a[i];
        fp2_mul(&a[i], &inverse, &scratch[i]);
        fp2_mul(&inverse, &inverse, &value);
    }
}

/* (a0 ± s)/2, whichever is a square, for s^2 = a0^2 + a1^2: the square of the root's real part. */
static bool root_real_part(fp_t *out, const fp_t *a0, const fp_t *s)
{
    fp_t half, t;
    fp_double(&half, &FP_ONE);
    fp_inv_var(&half, &half);
    fp_add(&t, a0, s);
    fp_mul(&t, &t, &half);
    if (fp_sqrt_var(out, &t)) return true;
    fp_sub(&t, a0, s);
    fp_mul(&t, &t, &half);
    return fp_sqrt_var(out, &t);
}

bool fp2_sqrt_var(fp2_t *out, const fp2_t *a)
{
    fp2_t root = FP2_ZERO;
    bool is_square;
    if (fp_is_zero(&a->c1)) {
        /* Either c0 or −c0 is a square, as −1 is not; u·√−c0 is a root of c0. */
        fp_t negative;
        fp_neg(&negative, &a->c0);
        is_square = fp_sqrt_var(&root.c0, &a->c0);
        if (!is_square) {
            root.c0 = FP_ZERO;
            is_square = fp_sqrt_var(&root.c1, &negative);
        }
    } else {
        fp_t norm, t;
        fp_sqr(&norm, &a->c0);
        fp_sqr(&t, &a->c1);
        fp_add(&norm, &norm, &t);
        is_square = fp_sqrt_var(&norm, &norm) && root_real_part(&root.c0, &a->c0, &norm);
        fp_double(&t, &root.c0);
        fp_inv_var(&t, &t);
        fp_mul(&root.c1, &a->c1, &t);
    }
    *out = root;
    return is_square;
}

bool fp2_is_larger(const fp2_t *a)
{
    return fp_is_zero(&a->c1) ? fp_is_larger(&a->c0) : fp_is_larger(&a->c1);
}
