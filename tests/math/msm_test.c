#include "math/msm.h"
#include "math/random.h"
#include "test.h"

#include <stdlib.h>

#define POINT(name) g1_##name
#define FIELD(name) fp_##name
#define GENERATOR G1_GENERATOR
#define XYZZ_INFINITY G1_INFINITY
#define AFFINE_INFINITY G1_AFFINE_INFINITY
#define MOST 4096
#define LARGEST ((size_t)1 << 22)
#include "math/msm_cases.h"

#undef POINT
#undef FIELD
#undef GENERATOR
#undef XYZZ_INFINITY
#undef AFFINE_INFINITY
#undef MOST
#undef LARGEST

#define POINT(name) g2_##name
#define FIELD(name) fp2_##name
#define GENERATOR G2_GENERATOR
#define XYZZ_INFINITY G2_INFINITY
#define AFFINE_INFINITY G2_AFFINE_INFINITY
#define MOST 1024
#define LARGEST ((size_t)1 << 18)
#include "math/msm_cases.h"

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(g1_msm__matches_single_multiplications),
        test(g2_msm__matches_single_multiplications),
        test(g1_msm__of_every_small_size),
        test(g2_msm__of_every_small_size),
        test(g1_msm__with_any_number_of_threads),
        test(g2_msm__with_any_number_of_threads),
        test(g1_msm__of_edge_cases),
        test(g2_msm__of_edge_cases),
        test(g1_msm__with_all_scalars_equal),
        test(g2_msm__with_all_scalars_equal),
        test(g1_msm_add__in_pieces),
        test(g2_msm_add__in_pieces),
    };
    return run_tests(tests);
}
