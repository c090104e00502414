#include "math/batch_affine.h"

/* The first two need a division. */
enum { ADD, DOUBLE, TAKE_A, TAKE_B, VANISH };

#define POINT(name) g1_##name
#define FIELD(name) fp_##name
#define FIELD_ONE FP_ONE
#define AFFINE_INFINITY G1_AFFINE_INFINITY
#define FIRST_LIMB(v) (v).l[0]
#include "math/batch_affine_template.h"

#undef POINT
#undef FIELD
#undef FIELD_ONE
#undef AFFINE_INFINITY
#undef FIRST_LIMB

#define POINT(name) g2_##name
#define FIELD(name) fp2_##name
#define FIELD_ONE FP2_ONE
#define AFFINE_INFINITY G2_AFFINE_INFINITY
#define FIRST_LIMB(v) (v).c0.l[0]
#include "math/batch_affine_template.h"
