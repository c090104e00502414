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
static const uint64_t SMALL_EXPONENT[] = { 0x29f4e3380941cfdd, 0xa706298882819145, 0xb3ca5c33c3fd8ff8,
                                           0x96568f2d18c750b4, 0xd6461e907737d78e, 0xcfdac10ff1fc5b48,
                                           0x3677f5d45f7cedb8, 0xb33907d71557a7d3, 0x56f3b9bdc84396ca,
                                           0x28ba1c1fa6b67083, 0xa7136c440a0c65b7, 0x0004005449cda731 };

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
