#include "math/fp12.h"

const fp12_t FP12_ONE = { { { { { 0x760900000002fffd, 0xebf4000bc40c0002, 0x5f48985753c758ba,
                                  0x77ce585370525745, 0x5c071a97a256ec6d, 0x15f65ec3fa80e493 } },
                              { { 0 } } },
                            { { { 0 } }, { { 0 } } },
                            { { { 0 } }, { { 0 } } } },
                          { { { { 0 } }, { { 0 } } }, { { { 0 } }, { { 0 } } }, { { { 0 } }, { { 0 } } } } };

/* (1 + u)^(i·(p−1)/6) for i = 1 … 5: (w^i)^p = this·w^i */
static const fp2_t FROBENIUS[5] = {
    { { { 0x07089552b319d465, 0xc6695f92b50a8313, 0x97e83cccd117228f,
            0xa35baecab2dc29ee, 0x1ce393ea5daace4d, 0x08f2220fb0fb66eb } },
      { { 0xb2f66aad4ce5d646, 0x5842a06bfc497cec, 0xcf4895d42599d394,
            0xc11b9cba40a8e8d0, 0x2e3813cbe5a0de89, 0x110eefda88847faf } } },
    { { { 0x0000000000000000, 0x0000000000000000, 0x0000000000000000,
            0x0000000000000000, 0x0000000000000000, 0x0000000000000000 } },
      { { 0xcd03c9e48671f071, 0x5dab22461fcda5d2, 0x587042afd3851b95,
            0x8eb60ebe01bacb9e, 0x03f97d6e83d050d2, 0x18f0206554638741 } } },
    { { { 0x7bcfa7a25aa30fda, 0xdc17dec12a927e7c, 0x2f088dd86b4ebef1,
            0xd1ca2087da74d4a7, 0x2da2596696cebc1d, 0x0e2b7eedbbfd87d2 } },
      { { 0x7bcfa7a25aa30fda, 0xdc17dec12a927e7c, 0x2f088dd86b4ebef1,
            0xd1ca2087da74d4a7, 0x2da2596696cebc1d, 0x0e2b7eedbbfd87d2 } } },
    { { { 0x890dc9e4867545c3, 0x2af322533285a5d5, 0x50880866309b7e2c,
            0xa20d1b8c7e881024, 0x14e4f04fe2db9068, 0x14e56d3f1564853a } },
      { { 0x0000000000000000, 0x0000000000000000, 0x0000000000000000,
            0x0000000000000000, 0x0000000000000000, 0x0000000000000000 } } },
    { { { 0x82d83cf50dbce43f, 0xa2813e53df9d018f, 0xc6f0caa53c65e181,
            0x7525cf528d50fe95, 0x4a85ed50f4798a6b, 0x171da0fd6cf8eebd } },
      { { 0x3726c30af242c66c, 0x7c2ac1aad1b6fe70, 0xa04007fbba4b14a2,
            0xef517c3266341429, 0x0095ba654ed2226b, 0x02e370eccc86f7dd } } },
};

bool fp12_is_one(const fp12_t *a) { return fp12_equal(a, &FP12_ONE); }

bool fp12_equal(const fp12_t *a, const fp12_t *b)
{
    return fp6_equal(&a->c0, &b->c0) && fp6_equal(&a->c1, &b->c1);
}

void fp12_mul(fp12_t *out, const fp12_t *a, const fp12_t *b)
{
    /* Karatsuba */
    fp6_t v0, v1, sum_a, sum_b;
    fp6_mul(&v0, &a->c0, &b->c0);
    fp6_mul(&v1, &a->c1, &b->c1);
    fp6_add(&sum_a, &a->c0, &a->c1);
    fp6_add(&sum_b, &b->c0, &b->c1);
    fp6_mul(&sum_a, &sum_a, &sum_b);
    fp6_sub(&sum_a, &sum_a, &v0);
    fp6_sub(&out->c1, &sum_a, &v1);
    fp6_mul_nonresidue(&v1, &v1);
    fp6_add(&out->c0, &v0, &v1);
}

void fp12_sqr(fp12_t *out, const fp12_t *a)
{
    /* c0^2 + v·c1^2 = (c0 + c1)(c0 + v·c1) − c0·c1 − v·c0·c1 */
    fp6_t product, sum, t;
    fp6_mul(&product, &a->c0, &a->c1);
    fp6_add(&sum, &a->c0, &a->c1);
    fp6_mul_nonresidue(&t, &a->c1);
    fp6_add(&t, &t, &a->c0);
    fp6_mul(&sum, &sum, &t);
    fp6_sub(&sum, &sum, &product);
    fp6_mul_nonresidue(&t, &product);
    fp6_sub(&out->c0, &sum, &t);
    fp6_add(&out->c1, &product, &product);
}

void fp12_mul_line(fp12_t *out, const fp12_t *a, const fp2_t *b0, const fp2_t *b2)
{
    /* With l = b0 + b2·v: (c0·l + c1·v^2) + (c0·v + c1·l)·w */
    fp6_t t0, t1, s0, s1;
    fp6_mul_sparse(&t0, &a->c0, b0, b2);
    fp6_mul_sparse(&t1, &a->c1, b0, b2);
    fp6_mul_nonresidue(&s0, &a->c1);
    fp6_mul_nonresidue(&s0, &s0);
    fp6_mul_nonresidue(&s1, &a->c0);
    fp6_add(&out->c0, &t0, &s0);
    fp6_add(&out->c1, &t1, &s1);
}

void fp12_conjugate(fp12_t *out, const fp12_t *a)
{
    out->c0 = a->c0;
    fp6_neg(&out->c1, &a->c1);
}

void fp12_frobenius(fp12_t *out, const fp12_t *a)
{
    fp2_conjugate(&out->c0.c0, &a->c0.c0);
    fp2_t *const to[5] = { &out->c1.c0, &out->c0.c1, &out->c1.c1, &out->c0.c2, &out->c1.c2 };
    const fp2_t *const from[5] = { &a->c1.c0, &a->c0.c1, &a->c1.c1, &a->c0.c2, &a->c1.c2 };
    for (int i = 0; i < 5; i++) {
        fp2_conjugate(to[i], from[i]);
        fp2_mul(to[i], to[i], &FROBENIUS[i]);
    }
}

void fp12_inv_var(fp12_t *out, const fp12_t *a)
{
    /* conjugate / norm down to Fp6 */
    fp6_t norm, t;
    fp6_mul(&norm, &a->c0, &a->c0);
    fp6_mul(&t, &a->c1, &a->c1);
    fp6_mul_nonresidue(&t, &t);
    fp6_sub(&norm, &norm, &t);
    fp6_inv_var(&norm, &norm);
    fp6_mul(&out->c0, &a->c0, &norm);
    fp6_mul(&t, &a->c1, &norm);
    fp6_neg(&out->c1, &t);
}

/* (x + y·s)^2 = (x^2 + (1 + u)·y^2) + 2xy·s in Fp4 = Fp2[s], s = w^3. */
static inline void fp4_sqr(fp2_t *real, fp2_t *imaginary, const fp2_t *x, const fp2_t *y)
{
    fp2_t product, sum, t;
    fp2_mul(&product, x, y);
    fp2_add(&sum, x, y);
    fp2_mul_nonresidue(&t, y);
    fp2_add(&t, &t, x);
    fp2_mul(&sum, &sum, &t);
    fp2_mul_nonresidue(&t, &product);
    fp2_sub(&sum, &sum, &product);
    fp2_sub(real, &sum, &t);
    fp2_double(imaginary, &product);
}

/* out = 3·square − 2·a or 3·square + 2·a */
static inline void triple_minus(fp2_t *out, const fp2_t *square, const fp2_t *a)
{
    fp2_t t;
    fp2_sub(&t, square, a);
    fp2_double(&t, &t);
    fp2_add(out, &t, square);
}

static inline void triple_plus(fp2_t *out, const fp2_t *square, const fp2_t *a)
{
    fp2_t t;
    fp2_add(&t, square, a);
    fp2_double(&t, &t);
    fp2_add(out, &t, square);
}

void fp12_cyclotomic_sqr(fp12_t *out, const fp12_t *a)
{
    /* a = A + B·w + C·w^2 with A = a0 + a3·s, B = a1 + a4·s, C = a2 + a5·s; a bar conjugates s:
     * a^2 = (3A^2 − 2Ā) + (3s·C^2 + 2B̄)·w + (3B^2 − 2C̄)·w^2 */
    fp2_t real_a, imaginary_a, real_b, imaginary_b, real_c, imaginary_c;
    fp4_sqr(&real_a, &imaginary_a, &a->c0.c0, &a->c1.c1);
    fp4_sqr(&real_b, &imaginary_b, &a->c1.c0, &a->c0.c2);
    fp4_sqr(&real_c, &imaginary_c, &a->c0.c1, &a->c1.c2);
    fp2_mul_nonresidue(&imaginary_c, &imaginary_c);
    triple_minus(&out->c0.c0, &real_a, &a->c0.c0);
    triple_plus(&out->c1.c1, &imaginary_a, &a->c1.c1);
    triple_plus(&out->c1.c0, &imaginary_c, &a->c1.c0);
    triple_minus(&out->c0.c2, &real_c, &a->c0.c2);
    triple_minus(&out->c0.c1, &real_b, &a->c0.c1);
    triple_plus(&out->c1.c2, &imaginary_b, &a->c1.c2);
}
