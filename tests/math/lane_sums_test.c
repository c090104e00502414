#include "math/lane_sums.h"
#include "math/random.h"
#include "test.h"

#include <string.h>

#define POINT(name) g1_##name
#define FIELD(name) fp_##name
#define GENERATOR G1_GENERATOR
#define XYZZ_INFINITY G1_INFINITY
#define AFFINE_INFINITY G1_AFFINE_INFINITY
#include "math/lane_sums_cases.h"

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
#include "math/lane_sums_cases.h"

static void fp_scale_lanes__multiplies(void **state)
{
    (void)state;
    if (!lane_sums_pay()) skip();
    enum { N = 37 };
    struct random random = { 36 };
    fp_t a[2 * N], out[N + 1], expected, factor = fp_random(&random), untouched = fp_random(&random);
    for (int i = 0; i < 2 * N; i++) a[i] = fp_random(&random);
    a[4] = FP_ZERO;
    fp_neg(&a[6], &FP_ONE);
    for (size_t n = 0; n <= N; n++) {
        out[n] = untouched;
        fp_scale_lanes(out, sizeof *out, a, 2 * sizeof *a, n, &factor);
        for (size_t i = 0; i < n; i++) {
            fp_mul(&expected, &a[2 * i], &factor);
            assert_true(fp_equal(&expected, &out[i]));
        }
        assert_true(fp_equal(&out[n], &untouched));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(g1_lane_sums__of_many_terms),
        test(g2_lane_sums__of_many_terms),
        test(g1_lane_sums__are_complete),
        test(g2_lane_sums__are_complete),
        test(fp_scale_lanes__multiplies),
    };
    return run_tests(tests);
}
