#include "math/batch_affine.h"

#include "math/cpu.h"

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
