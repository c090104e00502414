#include "math/fp6.h"

const fp6_t FP6_ZERO = { { { { 0 } }, { { 0 } } }, { { { 0 } }, { { 0 } } }, { { { 0 } }, { { 0 } } } };
const fp6_t FP6_ONE = { { { { 0x760900000002fffd, 0xebf4000bc40c0002, 0x5f48985753c758ba,
                              0x77ce585370525745, 0x5c071a97a256ec6d, 0x15f65ec3fa80e493 } },
                          { { 0 } } },
                        { { { 0 } }, { { 0 } } },
                        { { { 0 } }, { { 0 } } } };

bool fp6_is_zero(const fp6_t *a) { return fp6_equal(a, &FP6_ZERO); }

bool fp6_equal(const fp6_t *a, const fp6_t *b)
{
    return fp2_equal(&a->c0, &b->c0) && fp2_equal(&a->c1, &b->c1) && fp2_equal(&a->c2, &b->c2);
}

void fp6_add(fp6_t *out, const fp6_t *a, const fp6_t *b)
{
    fp2_add(&out->c0, &a->c0, &b->c0);
    fp2_add(&out->c1, &a->c1, &b->c1);
    fp2_add(&out->c2, &a->c2, &b->c2);
}

void fp6_sub(fp6_t *out, const fp6_t *a, const fp6_t *b)
{
    fp2_sub(&out->c0, &a->c0, &b->c0);
    fp2_sub(&out->c1, &a->c1, &b->c1);
    fp2_sub(&out->c2, &a->c2, &b->c2);
}

void fp6_neg(fp6_t *out, const fp6_t *a)
{
    fp2_neg(&out->c0, &a->c0);
    fp2_neg(&out->c1, &a->c1);
    fp2_neg(&out->c2, &a->c2);
}

/* out = a_i·b_j + a_j·b_i, given the products v_i and v_j of equal indices (Karatsuba). */
static inline void cross(fp2_t *out, const fp2_t *ai, const fp2_t *aj, const fp2_t *bi, const fp2_t *bj,
                         const fp2_t *vi, const fp2_t *vj)
{
    fp2_t sum_a, sum_b;
    fp2_add(&sum_a, ai, aj);
    fp2_add(&sum_b, bi, bj);
    fp2_mul(out, &sum_a, &sum_b);
    fp2_sub(out, out, vi);
    fp2_sub(out, out, vj);
}

void fp6_mul(fp6_t *out, const fp6_t *a, const fp6_t *b)
{
    fp2_t v0, v1, v2, t0, t1, t2;
    fp2_mul(&v0, &a->c0, &b->c0);
    fp2_mul(&v1, &a->c1, &b->c1);
    fp2_mul(&v2, &a->c2, &b->c2);
    cross(&t0, &a->c1, &a->c2, &b->c1, &b->c2, &v1, &v2);
    cross(&t1, &a->c0, &a->c1, &b->c0, &b->c1, &v0, &v1);
    cross(&t2, &a->c0, &a->c2, &b->c0, &b->c2, &v0, &v2);
    fp2_mul_nonresidue(&t0, &t0);
    fp2_add(&out->c0, &v0, &t0);
    fp2_mul_nonresidue(&v2, &v2);
    fp2_add(&out->c1, &t1, &v2);
    fp2_add(&out->c2, &t2, &v1);
}

void fp6_mul_nonresidue(fp6_t *out, const fp6_t *a)
{
    fp2_t t = a->c2;
    out->c2 = a->c1;
    out->c1 = a->c0;
    fp2_mul_nonresidue(&out->c0, &t);
}

void fp6_mul_sparse(fp6_t *out, const fp6_t *a, const fp2_t *b0, const fp2_t *b1)
{
    fp2_t v0, v1, t0, t1, t2;
    fp2_mul(&v0, &a->c0, b0);
    fp2_mul(&v1, &a->c1, b1);
    cross(&t1, &a->c0, &a->c1, b0, b1, &v0, &v1);
    fp2_mul(&t0, &a->c2, b1);
    fp2_mul(&t2, &a->c2, b0);
    fp2_mul_nonresidue(&t0, &t0);
    fp2_add(&out->c0, &v0, &t0);
    out->c1 = t1;
    fp2_add(&out->c2, &t2, &v1);
}

void fp6_inv_var(fp6_t *out, const fp6_t *a)
{
    /* Cofactors of the matrix of a; their combination with a is the norm down to Fp2. */
    fp2_t n0, n1, n2, norm, t;
    fp2_sqr(&n0, &a->c0);
    fp2_mul(&t, &a->c1, &a->c2);
    fp2_mul_nonresidue(&t, &t);
    fp2_sub(&n0, &n0, &t);
    fp2_sqr(&n1, &a->c2);
    fp2_mul_nonresidue(&n1, &n1);
    fp2_mul(&t, &a->c0, &a->c1);
    fp2_sub(&n1, &n1, &t);
    fp2_sqr(&n2, &a->c1);
    fp2_mul(&t, &a->c0, &a->c2);
    fp2_sub(&n2, &n2, &t);

    fp2_mul(&norm, &a->c2, &n1);
    fp2_mul(&t, &a->c1, &n2);
    fp2_add(&norm, &norm, &t);
    fp2_mul_nonresidue(&norm, &norm);
    fp2_mul(&t, &a->c0, &n0);
    fp2_add(&norm, &norm, &t);
    fp2_inv_var(&norm, &norm);
    fp2_mul(&out->c0, &n0, &norm);
    fp2_mul(&out->c1, &n1, &norm);
    fp2_mul(&out->c2, &n2, &norm);
}
