#include "math/g1.h"
#include "math/random.h"
#include "test.h"

#define POINT(name) g1_##name
#define FIELD(name) fp_##name
#define FIELD_ONE FP_ONE
#define GENERATOR G1_GENERATOR
#define INFINITY_AFFINE G1_AFFINE_INFINITY
#define INFINITY_POINT G1_INFINITY

/* 4 */
static const fp_t CURVE_B = { { 0xaa270000000cfff3, 0x53cc0032fc34000a, 0x478fe97a6b0a807f,
                                0xb1d37ebee6ba24d7, 0x8ec9733bbf78ab2f, 0x09d645513d83de7e } };
/* (u − 1)^2/3 = 3·11^2·10177^2·859267^2·52437899^2 */
static const uint64_t COFACTOR[] = { 0x8c00aaab0000aaab, 0x396c8c005555e156 };
#define SMALL_ORDER 11
#define SMALL_EXPONENT_LIMBS 6
static const uint64_t SMALL_EXPONENT[] = { 0xff0a941963702343, 0x461258dc05b269c8, 0xe11e05f8de12635b,
                                           0xe98ebcebf11641bd, 0x85e8f4b11c0f6f71, 0x0037046124713073 };

#include "math/point_cases.h"

/* (0, ±2) has order 3, and x = 0 must not be taken for infinity. */
static void g1__points_of_order_three(void **state)
{
    (void)state;
    struct random random = { 31 };
    g1_affine_t p = { FP_ZERO, FP_ZERO }, minus_p;
    fp_from_u64(&p.y, 2);
    g1_affine_neg(&minus_p, &p);
    assert_true(g1_on_curve(&p));
    assert_false(g1_in_subgroup_var(&p));
    check_sums(&random, &p, &p, &minus_p);
    check_sums(&random, &p, &minus_p, &G1_AFFINE_INFINITY);
    check_sums(&random, &minus_p, &minus_p, &p);
}

static void g1_endomorphism__is_multiplication_by_lambda(void **state)
{
    (void)state;
    const uint64_t lambda[] = { 0x00000000ffffffff, 0xac45a4010001a402 };
    struct random random = { 32 };
    for (int i = 0; i < 5; i++) {
        g1_affine_t p = group_point(&random), image;
        g1_t x;
        g1_from_affine(&x, &p);
        g1_mul_var(&x, &x, lambda, 2);
        g1_affine_endomorphism(&image, &p);
        check_point(&image, &x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        POINT_TESTS,
        test(g1__points_of_order_three),
        test(g1_endomorphism__is_multiplication_by_lambda),
    };
    return run_tests(tests);
}
