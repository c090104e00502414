#include "math/glv.h"

#include "math/g1.h"
#include "math/g2.h"
#include "math/random.h"
#include "test.h"

static fr_t from_signed(limb_wide_signed v)
{
    limb_wide magnitude = v < 0 ? 0 - (limb_wide)v : (limb_wide)v;
    const uint64_t limbs[4] = { (uint64_t)magnitude, (uint64_t)(magnitude >> 64) };
    fr_t out;
    assert_true(fr_from_limbs(&out, limbs));
    if (v < 0) fr_neg(&out, &out);
    return out;
}

/* u^2, from u */
static fr_t square_of_parameter(void)
{
    fr_t u;
    fr_from_u64(&u, 0xd201000000010000);
    fr_sqr(&u, &u);
    return u;
}

static void check_split(const uint64_t k[4])
{
    limb_wide_signed first, second, bound = (limb_wide_signed)175 << 119; /* 0.684·2^127 */
    glv_split(&first, &second, k);
    assert_true(-bound < first && first < bound && -bound < second && second < bound);
    fr_t expected, sum = from_signed(first), term = from_signed(second), square = square_of_parameter();
    fr_mul(&term, &term, &square);
    fr_sub(&sum, &sum, &term);
    assert_true(fr_from_limbs(&expected, k));
    assert_true(fr_equal(&expected, &sum));
}

static void glv_split__recombines_and_is_short(void **state)
{
    (void)state;
    struct random random = { 40 };
    for (uint64_t i = 0; i < 4; i++) {
        const uint64_t small[4] = { i };
        uint64_t large[4], borrow = 0;
        check_split(small);
        for (int j = 0; j < 4; j++) large[j] = limb_sbb(FR_MODULUS[j], j ? 0 : i + 1, &borrow);
        check_split(large);
    }
    /* Where the quotient is about to change: around halves of multiples of u^2, and around r/2. */
    fr_t square = square_of_parameter(), half;
    fr_from_u64(&half, 2);
    fr_inv_var(&half, &half);
    for (int i = 0; i < 2000; i++) {
        uint64_t k[4];
        fr_t x = fr_random(&random), offset;
        if (i % 4) {
            const uint64_t multiple[4] = { random_u64(&random), i % 4 > 1 ? random_u64(&random) >> 2 : 0 };
            assert_true(fr_from_limbs(&x, multiple));
            fr_mul(&x, &x, &square);
            if (i % 8 > 4) fr_mul(&x, &x, &half);
            fr_from_i64(&offset, i % 5 - 2);
            fr_add(&x, &x, &offset);
        }
        fr_to_limbs(k, &x);
        check_split(k);
    }
    for (int i = -2; i < 3; i++) {
        fr_t x;
        uint64_t k[4];
        fr_from_i64(&x, i);
        fr_add(&x, &x, &half);
        fr_to_limbs(k, &x);
        check_split(k);
    }
}

static void glv_beta__belongs_to_minus_u_squared(void **state)
{
    (void)state;
    fr_t k = square_of_parameter();
    fr_neg(&k, &k);
    g1_affine_t p1 = G1_GENERATOR;
    g1_t a1, b1;
    fp_mul(&p1.x, &p1.x, &GLV_BETA_G1);
    g1_from_affine(&a1, &G1_GENERATOR);
    g1_mul_fr_var(&a1, &a1, &k);
    g1_from_affine(&b1, &p1);
    assert_true(g1_equal(&a1, &b1));
    g2_affine_t p2 = G2_GENERATOR;
    g2_t a2, b2;
    fp2_mul_fp(&p2.x, &p2.x, &GLV_BETA_G2);
    g2_from_affine(&a2, &G2_GENERATOR);
    g2_mul_fr_var(&a2, &a2, &k);
    g2_from_affine(&b2, &p2);
    assert_true(g2_equal(&a2, &b2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(glv_split__recombines_and_is_short),
        test(glv_beta__belongs_to_minus_u_squared),
    };
    return run_tests(tests);
}
