#include "math/g2.h"
#include "math/random.h"
#include "test.h"

#define POINT(name) g2_##name
#define FIELD(name) fp2_##name
#define FIELD_ONE FP2_ONE
#define GENERATOR G2_GENERATOR
#define INFINITY_AFFINE G2_AFFINE_INFINITY
#define INFINITY_POINT G2_INFINITY

/* 4·(1 + u) */
static const fp2_t CURVE_B = { { { 0xaa270000000cfff3, 0x53cc0032fc34000a, 0x478fe97a6b0a807f,
                                   0xb1d37ebee6ba24d7, 0x8ec9733bbf78ab2f, 0x09d645513d83de7e } },
                               { { 0xaa270000000cfff3, 0x53cc0032fc34000a, 0x478fe97a6b0a807f,
                                   0xb1d37ebee6ba24d7, 0x8ec9733bbf78ab2f, 0x09d645513d83de7e } } };
/* (u^8 − 4u^7 + 5u^6 − 4u^4 + 6u^3 − 4u^2 − 4u + 13)/9, divisible by 13^2 */
static const uint64_t COFACTOR[] = { 0xcf1c38e31c7238e5, 0x1616ec6e786f0c70, 0x21537e293a6691ae,
                                     0xa628f1cb4d9e82ef, 0xa68a205b2e5a7ddf, 0xcd91de4547085aba,
                                     0x091d50792876a202, 0x05d543a95414e7f1 };
#define SMALL_ORDER 13
#define SMALL_EXPONENT_LIMBS 12
static const uint64_t SMALL_EXPONENT[] = { 0x216f89d878578e39, 0x7b501beea0946083, 0x2146aea0f3e04fa0,
                                           0xa265454a421f192d, 0xe18f8d560dd5f23d, 0x8e1bcdcf49d0a2b2,
                                           0xc4177bc8d9581262, 0x19e565ec157385b9, 0x6a606ea32b6ea84b,
                                           0x11736d9b7743b6ab, 0x7bfc7f7482a12a4d, 0x00340447bf717d85 };

#include "math/point_cases.h"

static void g2_psi__is_multiplication_by_the_parameter(void **state)
{
    (void)state;
    const uint64_t parameter = 0xd201000000010000;
    struct random random = { 41 };
    for (int i = 0; i < 5; i++) {
        g2_affine_t p = group_point(&random), image;
        g2_t x;
        g2_from_affine(&x, &p);
        g2_mul_var(&x, &x, &parameter, 1);
        g2_neg(&x, &x);
        g2_affine_psi(&image, &p);
        check_point(&image, &x);
        g2_affine_psi(&p, &p);
        assert_true(g2_affine_equal(&p, &image));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        POINT_TESTS,
        test(g2_psi__is_multiplication_by_the_parameter),
    };
    return run_tests(tests);
}
