#include "math/msm.h"

#include "base/huge.h"
#include "math/batch_affine.h"
#include "math/bucket_sort.h"
#include "math/cpu.h"
#include "math/glv.h"
#include "math/lane_sums.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* Entries that a thread works on at once, which share inversions; without lanes few enough that they and the
     * points of the next ones stay in a second-level cache of 512 KB. */
    SEGMENT = 2048,
    MOST_SEGMENTS = 32, /* that a thread takes one after the other */
    JOINT = 128,
    AHEAD = 16, /* how many entries early a point is fetched into the cache */
    MAP_GRAIN = 1024,
    MIN_CHUNK = 1 << 14,
    CHUNK_OF_THREAD = 1 << 10,
    MAX_CHUNK = 1 << 19,
    /* With lanes: sums at once, half as many in G2, which with their terms stay in a second-level cache of 2 MB; the
     * fewest that are worth it; terms that each gets; and entries of a segment. */
    MOST_SLOTS = 2048,
    FEWEST_SLOTS = 64,
    MOST_STEPS = 128,
    LONG_SEGMENT = 16384,
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

/* Points that are sorted at once: enough for eight entries in each bucket, and for several segments for each
 * thread, but not more, so that they stay in the cache. */
static size_t choose_chunk(size_t expected, unsigned bits, unsigned threads)
{
    size_t chunk = (size_t)2 << bits, busy = (size_t)threads * CHUNK_OF_THREAD;
    if (chunk < MIN_CHUNK) chunk = MIN_CHUNK;
    if (chunk < busy) chunk = busy;
    if (chunk > MAX_CHUNK) chunk = MAX_CHUNK;
    if (chunk > expected) chunk = expected > 0 ? expected : 1;
    return chunk;
}

static size_t choose_segment(void) { return lane_sums_pay() ? LONG_SEGMENT : SEGMENT; }

#define POINT(name) g1_##name
#define FIELD(name) fp_##name
#define INFINITY_XYZZ G1_INFINITY
#define SCALE_X(out, x) fp_mul(out, x, &GLV_BETA_G1)
#define SCALE_LANES(out, points, n) fp_scale_lanes(out, sizeof(fp_t), &(points)->x, sizeof *(points), n, &GLV_BETA_G1)
#define FIELD_ZERO FP_ZERO
#include "math/msm_template.h"

#undef POINT
#undef FIELD
#undef INFINITY_XYZZ
#undef SCALE_X
#undef SCALE_LANES
#undef FIELD_ZERO

#define POINT(name) g2_##name
#define FIELD(name) fp2_##name
#define INFINITY_XYZZ G2_INFINITY
#define SCALE_X(out, x) fp2_mul_fp(out, x, &GLV_BETA_G2)
#define SCALE_LANES(out, points, n)                                                                                  \
    do {                                                                                                             \
        fp_scale_lanes(&(out)->c0, sizeof(fp2_t), &(points)->x.c0, sizeof *(points), n, &GLV_BETA_G2);               \
        fp_scale_lanes(&(out)->c1, sizeof(fp2_t), &(points)->x.c1, sizeof *(points), n, &GLV_BETA_G2);               \
    } while (0)
#define FIELD_ZERO FP2_ZERO
#include "math/msm_template.h"
