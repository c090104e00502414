#include "math/point_sum.h"

#include "math/batch_affine.h"

#include <stdlib.h>
#include <string.h>

enum { SELECT_GRAIN = 4096 };

#define POINT(name) g1_##name
#define INFINITY_XYZZ G1_INFINITY
#include "math/point_sum_template.h"

#undef POINT
#undef INFINITY_XYZZ

#define POINT(name) g2_##name
#define INFINITY_XYZZ G2_INFINITY
#include "math/point_sum_template.h"
