#include "math/batch_affine.h"
#include "math/random.h"
#include "test.h"

#include <string.h>

#define POINT(name) g1_##name
#define FIELD(name) fp_##name
#define GENERATOR G1_GENERATOR
#define XYZZ_INFINITY G1_INFINITY
#define AFFINE_INFINITY G1_AFFINE_INFINITY
#include "math/batch_affine_cases.h"

#undef POINT
#undef FIELD
#undef GENERATOR
#undef XYZZ_INFINITY
#undef AFFINE_INFINITY

#define POINT(name) g2_##name
#define FIELD(name) fp2_##name
#define GENERATOR G2_GENERATOR
#define XYZZ_INFINITY G2_INFINITY
#define AFFINE_INFINITY G2_AFFINE_INFINITY
#include "math/batch_affine_cases.h"

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(g1_batch_add__is_complete),
        test(g2_batch_add__is_complete),
        test(g1_batch_add_fetching__adds_as_well),
        test(g2_batch_add_fetching__adds_as_well),
        test(g1_batch_add__doubles_points_of_order_two),
        test(g2_batch_add__doubles_points_of_order_two),
        test(g1_batch_accumulate__adds_in_place),
        test(g2_batch_accumulate__adds_in_place),
        test(g1_batch_sum__of_any_number),
        test(g2_batch_sum__of_any_number),
    };
    return run_tests(tests);
}
