#include "math/point_sum.h"
#include "math/random.h"
#include "test.h"

#include <stdlib.h>

#define POINT(name) g1_##name
#define FIELD(name) fp_##name
#define GENERATOR G1_GENERATOR
#define XYZZ_INFINITY G1_INFINITY
#define AFFINE_INFINITY G1_AFFINE_INFINITY
#define POINTS 9001
#include "math/point_sum_cases.h"

#undef POINT
#undef FIELD
#undef GENERATOR
#undef XYZZ_INFINITY
#undef AFFINE_INFINITY
#undef POINTS

#define POINT(name) g2_##name
#define FIELD(name) fp2_##name
#define GENERATOR G2_GENERATOR
#define XYZZ_INFINITY G2_INFINITY
#define AFFINE_INFINITY G2_AFFINE_INFINITY
#define POINTS 3001
#include "math/point_sum_cases.h"

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(g1_sum_selected__with_any_bitmap_and_threads),
        test(g2_sum_selected__with_any_bitmap_and_threads),
        test(g1_sum_selected__of_equal_opposite_and_infinite_points),
        test(g2_sum_selected__of_equal_opposite_and_infinite_points),
        test(g1_point_sum__in_chunks),
        test(g2_point_sum__in_chunks),
    };
    return run_tests(tests);
}
