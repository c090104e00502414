/* Products and squares in Fp, products in Fr. Both libraries keep elements in the same Montgomery form, so that
 * results are compared byte by byte. `size` is the number of operations. */
#include "compare/contest.h"

#include "math/cpu.h"
#include "math/random.h"

#include <blst.h>

#if defined(__x86_64__)
#include "math/fp_lanes.h"
#endif

enum { CHAIN = 100000, STREAMS = 64 };

struct products {
    fp_t start[STREAMS], factor, ours[STREAMS];
    fr_t fr_start, fr_factor, fr_ours, fr_theirs;
    blst_fp theirs[STREAMS];
};

static blst_fp to_blst(const fp_t *a)
{
    blst_fp out;
    memcpy(&out, a, sizeof out);
    return out;
}

/* ---- One chain ---- */

static void mul_ours(void *context)
{
    struct products *p = context;
    fp_t x = p->start[0];
    for (int i = 0; i < CHAIN; i++) fp_mul(&x, &x, &p->factor);
    p->ours[0] = x;
}

static void mul_theirs(void *context)
{
    struct products *p = context;
    blst_fp x = to_blst(&p->start[0]), factor = to_blst(&p->factor);
    for (int i = 0; i < CHAIN; i++) blst_fp_mul(&x, &x, &factor);
    p->theirs[0] = x;
}

static void sqr_ours(void *context)
{
    struct products *p = context;
    fp_t x = p->start[0];
    for (int i = 0; i < CHAIN; i++) fp_sqr(&x, &x);
    p->ours[0] = x;
}

static void sqr_theirs(void *context)
{
    struct products *p = context;
    blst_fp x = to_blst(&p->start[0]);
    for (int i = 0; i < CHAIN; i++) blst_fp_sqr(&x, &x);
    p->theirs[0] = x;
}

static bool first_agrees(const void *context)
{
    const struct products *p = context;
    return memcmp(&p->ours[0], &p->theirs[0], sizeof(fp_t)) == 0;
}

static void fr_mul_ours(void *context)
{
    struct products *p = context;
    p->fr_ours = p->fr_start;
    for (int i = 0; i < CHAIN; i++) fr_mul(&p->fr_ours, &p->fr_ours, &p->fr_factor);
}

static void fr_mul_theirs(void *context)
{
    struct products *p = context;
    blst_fr x, factor;
    memcpy(&x, &p->fr_start, sizeof x);
    memcpy(&factor, &p->fr_factor, sizeof factor);
    for (int i = 0; i < CHAIN; i++) blst_fr_mul(&x, &x, &factor);
    memcpy(&p->fr_theirs, &x, sizeof x);
}

static bool fr_agrees(const void *context)
{
    const struct products *p = context;
    return fr_equal(&p->fr_ours, &p->fr_theirs);
}

/* ---- Many independent chains, all by the same factor ---- */

enum { TURNS = CHAIN / STREAMS };

static void many_scalar(void *context)
{
    struct products *p = context;
    memcpy(p->ours, p->start, sizeof p->ours);
    for (int k = 0; k < STREAMS; k += 8) {
        for (int i = 0; i < TURNS; i++) {
            for (int j = k; j < k + 8; j++) fp_mul(&p->ours[j], &p->ours[j], &p->factor);
        }
    }
}

static void many_theirs(void *context)
{
    struct products *p = context;
    blst_fp factor = to_blst(&p->factor);
    for (int k = 0; k < STREAMS; k++) p->theirs[k] = to_blst(&p->start[k]);
    for (int k = 0; k < STREAMS; k += 8) {
        for (int i = 0; i < TURNS; i++) {
            for (int j = k; j < k + 8; j++) blst_fp_mul(&p->theirs[j], &p->theirs[j], &factor);
        }
    }
}

#if defined(__x86_64__)
/* As the batches of point additions do it: numbers stay in limbs of 52 bits from one product to the next. */
LANES static void many_lanes(void *context)
{
    struct products *p = context;
    fp_lanes_t x[STREAMS / 8];
    fp_factor_t factor;
    void *at[STREAMS];
    for (int k = 0; k < STREAMS; k++) {
        p->ours[k] = p->start[k];
        at[k] = &p->ours[k];
    }
    fp_lanes_set(&x[0], &p->factor);
    fp_lanes_shift(&factor, &x[0]);
    for (int k = 0; k < STREAMS / 8; k++) fp_lanes_load(&x[k], (const void *const *)at + 8 * k, 0);
    for (int i = 0; i < TURNS; i++) {
        for (int k = 0; k < STREAMS / 8; k += 2) {
            fp_lanes_mul_two(&x[k], &x[k], &factor, &x[k + 1], &x[k + 1], &factor);
        }
    }
    for (int k = 0; k < STREAMS / 8; k++) {
        fp_lanes_reduce(&x[k]);
        fp_lanes_store(at + 8 * k, 0, &x[k], 0xff);
    }
}

static void many_ours(void *context)
{
    if (cpu_level() == CPU_IFMA) {
        many_lanes(context);
    } else {
        many_scalar(context);
    }
}
#else
static void many_ours(void *context) { many_scalar(context); }
#endif

static bool all_agree(const void *context)
{
    const struct products *p = context;
    return memcmp(p->ours, p->theirs, sizeof p->ours) == 0;
}

void compare_fields(struct settings *s)
{
    struct random random = { 1 };
    struct products p = { .factor = fp_random(&random) };
    p.fr_start = fr_random(&random);
    p.fr_factor = fr_random(&random);
    for (int i = 0; i < STREAMS; i++) p.start[i] = fp_random(&random);
    const struct contest contests[] = {
        { "Fp mul, latency", CHAIN, 1, mul_ours, mul_theirs, first_agrees, &p },
        { "Fp mul, throughput", (size_t)STREAMS * TURNS, 1, many_ours, many_theirs, all_agree, &p },
        { "Fp sqr, latency", CHAIN, 1, sqr_ours, sqr_theirs, first_agrees, &p },
        { "Fr mul, latency", CHAIN, 1, fr_mul_ours, fr_mul_theirs, fr_agrees, &p },
    };
    for (size_t i = 0; i < sizeof contests / sizeof contests[0]; i++) contest_run(s, &contests[i]);
}
