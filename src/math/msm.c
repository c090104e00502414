#include "math/msm.h"

#include "math/batch_affine.h"
#include "math/bucket_sort.h"
#include "math/glv.h"
#include "math/limbs.h"

#include <stdlib.h>
#include <string.h>

enum {
    SEGMENT = 4096, /* entries that a thread works on at once */
    JOINT = 128,
    AHEAD = 32, /* how many entries early a point is fetched into the cache */
    MAP_GRAIN = 1024,
    MIN_CHUNK = 1 << 16,
    MAX_CHUNK = 1 << 19,
};
#define NO_BUCKET UINT32_MAX

/* The window that costs the fewest additions, for `expected` points: one for each entry, two for each bucket
 * (and one more for the memory that it takes) and what the last steps of a window cost. */
static unsigned choose_bits(size_t expected)
{
    unsigned best = BUCKET_MIN_BITS;
    double least = 0;
    for (unsigned bits = BUCKET_MIN_BITS; bits <= BUCKET_MAX_BITS; bits++) {
        double buckets = (double)((size_t)1 << (bits - 1));
        double side = (double)((size_t)2 << (bits - 1) / 2);
        double cost = bucket_windows(bits) * (2.0 * (double)expected + 3.0 * buckets + 4.0 * side);
        if (bits == BUCKET_MIN_BITS || cost < least) {
            least = cost;
            best = bits;
        }
    }
    return best;
}

/* Points that are sorted at once: enough for several in each bucket. */
static size_t choose_chunk(size_t expected, unsigned bits)
{
    size_t chunk = (size_t)2 << bits;
    if (chunk < MIN_CHUNK) chunk = MIN_CHUNK;
    if (chunk > MAX_CHUNK) chunk = MAX_CHUNK;
    if (chunk > expected) chunk = expected > 0 ? expected : 1;
    return chunk;
}

/* ±a without a branch, which would be mispredicted every other time: p − a = p + 1 + ~a modulo 2^384. */
static inline void fp_negate_if(fp_t *out, const fp_t *a, bool negative)
{
    uint64_t any = 0, carry = 0;
    UNROLL
    for (int i = 0; i < 6; i++) any |= a->l[i];
    uint64_t mask = 0 - (uint64_t)(negative & (any != 0));
    UNROLL
    for (int i = 0; i < 6; i++) {
        uint64_t plus = (FP_MODULUS[i] + (i == 0)) & mask; /* p + 1 has no carry */
        out->l[i] = limb_adc(a->l[i] ^ mask, plus, &carry);
    }
}

static inline void fp2_negate_if(fp2_t *out, const fp2_t *a, bool negative)
{
    fp_negate_if(&out->c0, &a->c0, negative);
    fp_negate_if(&out->c1, &a->c1, negative);
}

#define POINT(name) g1_##name
#define FIELD(name) fp_##name
#define INFINITY_XYZZ G1_INFINITY
#define SCALE_X(out, x) fp_mul(out, x, &GLV_BETA_G1)
#define NEGATE_IF(out, a, negative) fp_negate_if(out, a, negative)
#include "math/msm_template.h"

#undef POINT
#undef FIELD
#undef INFINITY_XYZZ
#undef SCALE_X
#undef NEGATE_IF

#define POINT(name) g2_##name
#define FIELD(name) fp2_##name
#define INFINITY_XYZZ G2_INFINITY
#define SCALE_X(out, x) fp2_mul_fp(out, x, &GLV_BETA_G2)
#define NEGATE_IF(out, a, negative) fp2_negate_if(out, a, negative)
#include "math/msm_template.h"
