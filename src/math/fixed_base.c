#include "math/fixed_base.h"

#include "math/batch_affine.h"
#include "math/limbs.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIXED_MIN_BITS = 4,
    FIXED_MAX_BITS = 16,
    FIXED_MAX_WINDOWS = 64,
    BLOCK = 1024, /* running sums that share an inversion */
    AHEAD = 16,   /* how many scalars early a table entry is fetched into the cache */
};

/* Adding 2^(bits − 1) at the foot of every window but the last makes the digits there nonnegative. The last
 * digit has no sign: as r < 0.46·2^256 it is at most 2^(bits − 1), like all others. */
struct fixed_windows {
    unsigned bits, count;
    size_t entries;
    uint64_t offset[4];
};

/* A scalar with the offset added. */
struct shifted_scalar {
    uint64_t limb[4];
};

/* The windows that need the fewest additions, those of the table included. */
static struct fixed_windows choose_windows(size_t expected)
{
    struct fixed_windows v = { .bits = FIXED_MIN_BITS };
    double least = 0;
    for (unsigned bits = FIXED_MIN_BITS; bits <= FIXED_MAX_BITS; bits++) {
        double cost = ((256 + bits - 1) / bits) * ((double)expected + (double)(1 << (bits - 1)));
        if (bits > FIXED_MIN_BITS && cost >= least) continue;
        least = cost;
        v.bits = bits;
    }
    v.count = (256 + v.bits - 1) / v.bits;
    v.entries = (size_t)1 << (v.bits - 1);
    for (unsigned w = 0; w + 1 < v.count; w++) {
        unsigned bit = w * v.bits + v.bits - 1;
        v.offset[bit / 64] |= UINT64_C(1) << bit % 64;
    }
    return v;
}

static void shift_scalar(struct shifted_scalar *out, const struct fixed_windows *v, const fr_t *scalar)
{
    uint64_t limbs[4], carry = 0;
    fr_to_limbs(limbs, scalar);
    for (int i = 0; i < 4; i++) out->limb[i] = limb_adc(limbs[i], v->offset[i], &carry);
}

/* At most 2^(bits − 1) in absolute value. */
static inline int32_t window_digit(const struct fixed_windows *v, const struct shifted_scalar *s, unsigned w)
{
    unsigned bit = w * v->bits, shift = bit % 64;
    uint64_t field = s->limb[bit / 64] >> shift;
    if (w + 1 == v->count) return (int32_t)field;
    if (shift + v->bits > 64) field |= s->limb[bit / 64 + 1] << (64 - shift);
    return (int32_t)(field & (2 * v->entries - 1)) - (int32_t)v->entries;
}

#define POINT(name) g1_##name
#define FIELD(name) fp_##name
#define AFFINE_INFINITY G1_AFFINE_INFINITY
#include "math/fixed_base_template.h"

#undef POINT
#undef FIELD
#undef AFFINE_INFINITY

#define POINT(name) g2_##name
#define FIELD(name) fp2_##name
#define AFFINE_INFINITY G2_AFFINE_INFINITY
#include "math/fixed_base_template.h"
