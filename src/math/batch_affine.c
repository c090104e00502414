#include "math/batch_affine.h"

#include "math/cpu.h"
#include "math/lane_sums.h"

#include <string.h>

#if defined(__x86_64__)
#define HAVE_LANES
#include "math/fp_lanes.h"
#endif

/* What an addition amounts to; the first two need a division. */
enum { ADD, DOUBLE, TAKE_A, TAKE_B, VANISH };

enum {
    LANES_WORTH = 16, /* additions from which eight at a time pay */
    FETCHES = 2,      /* elements fetched in each of an addition's two steps */
};

#define POINT(name) g1_##name
#define FIELD(name) fp_##name
#define LANE(name) fp_lanes_##name
#define FACTOR fp_factor_t
#define SCALE(out, a, k) fp_mul(out, a, k)
#define FIELD_ONE FP_ONE
#define AFFINE_INFINITY G1_AFFINE_INFINITY
#define FIRST_LIMB(v) (v).l[0]
#include "math/batch_affine_template.h"

#undef POINT
#undef FIELD
#undef LANE
#undef FACTOR
#undef SCALE
#undef FIELD_ONE
#undef AFFINE_INFINITY
#undef FIRST_LIMB

#define POINT(name) g2_##name
#define FIELD(name) fp2_##name
#define LANE(name) fp2_lanes_##name
#define FACTOR fp2_factor_t
#define SCALE(out, a, k) fp2_mul_fp(out, a, k)
#define FIELD_ONE FP2_ONE
#define AFFINE_INFINITY G2_AFFINE_INFINITY
#define FIRST_LIMB(v) (v).c0.l[0]
#include "math/batch_affine_template.h"

#ifdef HAVE_LANES
LANES void fp_scale_lanes(fp_t *out, size_t out_step, const fp_t *a, size_t a_step, size_t n, const fp_t *factor)
{
    fp_lanes_t x[2];
    fp_factor_t by;
    fp_t idle;
    fp_lanes_set(&x[0], factor);
    fp_lanes_shift(&by, &x[0]);
    for (size_t i = 0; i < n; i += 16) {
        const void *from[16];
        void *to[16];
        for (size_t k = 0; k < 16; k++) {
            from[k] = (const char *)a + (i + k < n ? i + k : 0) * a_step;
            to[k] = i + k < n ? (char *)out + (i + k) * out_step : (char *)&idle;
        }
        for (int k = 0; k < 2; k++) fp_lanes_load(&x[k], from + 8 * k, 0);
        fp_lanes_mul_two(&x[0], &x[0], &by, &x[1], &x[1], &by);
        for (int k = 0; k < 2; k++) {
            fp_lanes_reduce(&x[k]);
            fp_lanes_store(to + 8 * k, 0, &x[k], 0xff);
        }
    }
}
#else
void fp_scale_lanes(fp_t *out, size_t out_step, const fp_t *a, size_t a_step, size_t n, const fp_t *factor)
{
    (void)out, (void)out_step, (void)a, (void)a_step, (void)n, (void)factor;
}
#endif
