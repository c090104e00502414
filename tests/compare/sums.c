/* Multi-scalar multiplications of random scalars below r, canonical integers for both, with workspaces that are
 * there beforehand. */
#include "compare/contest.h"

#include "math/msm.h"
#include "math/random.h"

#include <blst.h>

#include <stdlib.h>

enum { SCALAR_BITS = 255, FEW_POINTS = 32 };

/* How blst's Rust bindings (bindings/rust/src/pippenger.rs) divide a sum among threads: a window of as many bits as
 * suit the number of points, made smaller until windows times columns of points give every thread something. */
struct tiling {
    size_t columns, windows, bits;
};

static size_t bits_of(size_t n) { return n ? 64 - (size_t)__builtin_clzll(n) : 0; }

static size_t suitable_window(size_t points)
{
    size_t bits = bits_of(points);
    return bits > 13 ? bits - 4 : bits > 5 ? bits - 3 : 2;
}

static size_t turns(size_t window, size_t threads) { return (SCALAR_BITS / window + threads - 1) / threads; }

static struct tiling choose_tiling(size_t points, size_t threads)
{
    size_t window = suitable_window(points), bits, columns = 1;
    if (SCALAR_BITS > window * threads) {
        size_t less = bits_of(threads / 4);
        if (window + less > 18) {
            bits = window - less;
        } else {
            bits = turns(window + 1, threads) < turns(window, threads) ? window + 1 : window;
        }
    } else {
        columns = 2;
        bits = window - 2;
        while ((SCALAR_BITS / bits + 1) * columns < threads) {
            columns++;
            bits = window - bits_of(3 * columns / 2);
        }
        columns--;
        bits = window - bits_of(3 * columns / 2);
    }
    size_t windows = SCALAR_BITS / bits + 1;
    return (struct tiling){ columns, windows, SCALAR_BITS / windows + 1 };
}

#define POINT(name) g1_##name
#define FIELD(name) fp_##name
#define PEER(name) blst_p1##name
#define GENERATOR G1_GENERATOR
#define TITLE "G1 MSM"
#include "compare/sums_template.h"

#undef POINT
#undef FIELD
#undef PEER
#undef GENERATOR
#undef TITLE

#define POINT(name) g2_##name
#define FIELD(name) fp2_##name
#define PEER(name) blst_p2##name
#define GENERATOR G2_GENERATOR
#define TITLE "G2 MSM"
#include "compare/sums_template.h"

void compare_sums(struct settings *s)
{
    enum { LOG_MIN = 16, STEP = 2 };
    unsigned log_max = s->log_max;
    fr_t *scalars = take_memory(sizeof *scalars << log_max);
    struct random random = { 2 };
    for (size_t i = 0; i < (size_t)1 << log_max; i++) {
        fr_t k = fr_random(&random);
        fr_to_limbs(scalars[i].l, &k);
    }
    g1_compare(s, scalars, log_max < LOG_MIN ? log_max : LOG_MIN, log_max, STEP);
    g2_compare(s, scalars, log_max < LOG_MIN ? log_max - STEP : LOG_MIN - STEP, log_max - STEP, STEP);
    free(scalars);
}
