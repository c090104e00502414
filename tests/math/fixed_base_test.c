#include "math/fixed_base.h"
#include "math/random.h"
#include "test.h"

#include <stdlib.h>

#define POINT(name) g1_##name
#define FIELD(name) fp_##name
#define GENERATOR G1_GENERATOR
#define XYZZ_INFINITY G1_INFINITY
#define AFFINE_INFINITY G1_AFFINE_INFINITY
#define LARGEST_TABLE 1000000
#include "math/fixed_base_cases.h"

#undef POINT
#undef FIELD
#undef GENERATOR
#undef XYZZ_INFINITY
#undef AFFINE_INFINITY
#undef LARGEST_TABLE

#define POINT(name) g2_##name
#define FIELD(name) fp2_##name
#define GENERATOR G2_GENERATOR
#define XYZZ_INFINITY G2_INFINITY
#define AFFINE_INFINITY G2_AFFINE_INFINITY
#define LARGEST_TABLE 20000
#include "math/fixed_base_cases.h"

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(g1_fixed_base_mul__with_any_window),
        test(g2_fixed_base_mul__with_any_window),
        test(g1_fixed_base_mul__with_any_number_of_threads),
        test(g2_fixed_base_mul__with_any_number_of_threads),
        test(g1_fixed_base_mul__of_infinity),
        test(g2_fixed_base_mul__of_infinity),
    };
    return run_tests(tests);
}
