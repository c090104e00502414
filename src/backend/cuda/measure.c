#include "backend/cuda/measure.h"

#include "backend/cuda/state.h"
#include "base/clock.h"

#include <stdlib.h>

enum { DIFFERENT_POINTS = 1 << 12 };

/* n points in device memory: the first multiples of the generator, over and over. */
static cuzk_status copy_points(char *out, size_t size, size_t n, const void *multiples, struct context *c,
                               cuzk_error *err)
{
    for (size_t done = 0; done < n;) {
        size_t some = done == 0 ? DIFFERENT_POINTS : done;
        if (some > n - done) some = n - done;
        TRY(cudaMemcpyAsync(out + done * size, done == 0 ? multiples : out, some * size, cudaMemcpyDefault,
                            c->stream));
        done += some;
    }
    return context_wait(c, err);
}

static cuzk_status fill_g1(void *out, size_t n, struct context *c, cuzk_error *err)
{
    g1_t *sums = malloc(DIFFERENT_POINTS * sizeof *sums);
    g1_affine_t *points = malloc(DIFFERENT_POINTS * sizeof *points);
    fp_t *scratch = malloc(DIFFERENT_POINTS * sizeof *scratch);
    cuzk_status status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for points");
    if (sums && points && scratch) {
        g1_from_affine(&sums[0], &G1_GENERATOR);
        for (int i = 1; i < DIFFERENT_POINTS; i++) g1_add_mixed(&sums[i], &sums[i - 1], &G1_GENERATOR);
        g1_batch_to_affine_var(points, sums, DIFFERENT_POINTS, scratch);
        status = copy_points(out, sizeof *points, n, points, c, err);
    }
    free(sums);
    free(points);
    free(scratch);
    return status;
}

static cuzk_status fill_g2(void *out, size_t n, struct context *c, cuzk_error *err)
{
    g2_t *sums = malloc(DIFFERENT_POINTS * sizeof *sums);
    g2_affine_t *points = malloc(DIFFERENT_POINTS * sizeof *points);
    fp2_t *scratch = malloc(DIFFERENT_POINTS * sizeof *scratch);
    cuzk_status status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for points");
    if (sums && points && scratch) {
        g2_from_affine(&sums[0], &G2_GENERATOR);
        for (int i = 1; i < DIFFERENT_POINTS; i++) g2_add_mixed(&sums[i], &sums[i - 1], &G2_GENERATOR);
        g2_batch_to_affine_var(points, sums, DIFFERENT_POINTS, scratch);
        status = copy_points(out, sizeof *points, n, points, c, err);
    }
    free(sums);
    free(points);
    free(scratch);
    return status;
}

/* Products in the field that the method needs: half of n for each level of a transform; six for each addition of a
 * point to a bucket, a product in Fp2 being three in Fp. */
static double needed(enum primitive what, unsigned k, unsigned windows)
{
    double n = (double)((uint64_t)1 << k);
    if (what == PRIMITIVE_NTT) return n / 2 * k;
    return n * windows * 6 * (what == PRIMITIVE_MSM_G2 ? 3 : 1);
}

static cuzk_status time_ntt(double *seconds, unsigned k, unsigned repeat, struct cuda_state *s, struct context *c,
                            cuzk_error *err)
{
    size_t n = (size_t)1 << k;
    struct fr *x = context_take(c, n * sizeof(fr_t));
    if (!x) return context_exhausted(c, "a vector", err);
    TRY_STATUS(measure_fill(x, n, 7, c, err));
    for (unsigned i = 0; i <= repeat; i++) { /* the first warms up */
        TRY_STATUS(context_wait(c, err));
        uint64_t start = clock_now();
        TRY_STATUS(ntt_device_evaluate(x, k, true, &s->tables, c, err));
        TRY_STATUS(context_wait(c, err));
        if (i > 0) seconds[i - 1] = 1e-9 * (double)(clock_now() - start);
    }
    return CUZK_OK;
}

static cuzk_status time_msm(double *seconds, unsigned *windows, enum sums_group g, unsigned k, unsigned repeat,
                            struct context *c, cuzk_error *err)
{
    size_t n = (size_t)1 << k;
    struct msm_plan plan;
    void *points = context_take(c, n * sums_affine_bytes(g));
    struct fr *scalars = context_take(c, n * sizeof(fr_t));
    if (!points || !scalars) return context_exhausted(c, "points and scalars", err);
    TRY_STATUS(g == SUMS_G1 ? fill_g1(points, n, c, err) : fill_g2(points, n, c, err));
    for (unsigned i = 0; i <= repeat; i++) {
        TRY_STATUS(measure_fill(scalars, n, (uint64_t)i << 40, c, err));
        TRY_STATUS(context_wait(c, err));
        uint64_t start = clock_now();
        TRY_STATUS(sums_msm(c->pinned, &plan, g, points, NULL, scalars, true, n, c, err));
        TRY_STATUS(context_wait(c, err));
        if (i > 0) seconds[i - 1] = 1e-9 * (double)(clock_now() - start);
    }
    *windows = plan.windows;
    return CUZK_OK;
}

static size_t arena_for(enum primitive what, unsigned k, const struct cuda_state *s)
{
    size_t n = (size_t)1 << k;
    enum sums_group g = what == PRIMITIVE_MSM_G2 ? SUMS_G2 : SUMS_G1;
    size_t products = (size_t)s->device.multiprocessors * ((size_t)1 << 19), bytes = n * sizeof(fr_t) + (1 << 16);
    if (what != PRIMITIVE_NTT) {
        bytes += n * sums_affine_bytes(g) + sums_msm_bytes(g, n, s->device.memory_limit / 2);
    }
    return bytes > products ? bytes : products;
}

cuzk_status cuda_measure(double *seconds, double *fraction, enum primitive what, unsigned k, unsigned repeat,
                         void *state, cuzk_error *err)
{
    struct cuda_state *s = state;
    struct context *c;
    double fr_rate, fp_rate;
    unsigned windows = 0;
    if (k > 28) return cuzk_fail(err, CUZK_ERR_USAGE, "a size of 2^%u: at most 2^28", k);
    TRY_STATUS(cuda_enter(&c, s, arena_for(what, k, s), err));
    cuzk_status status = measure_products(&fr_rate, &fp_rate, c, err);
    if (status == CUZK_OK && what == PRIMITIVE_NTT) status = time_ntt(seconds, k, repeat, s, c, err);
    if (status == CUZK_OK && what != PRIMITIVE_NTT) {
        status = time_msm(seconds, &windows, what == PRIMITIVE_MSM_G2 ? SUMS_G2 : SUMS_G1, k, repeat, c, err);
    }
    cuda_leave(s, c);
    if (status != CUZK_OK) return status;
    double ceiling = what == PRIMITIVE_NTT ? fr_rate : fp_rate;
    for (unsigned i = 0; i < repeat; i++) fraction[i] = needed(what, k, windows) / seconds[i] / ceiling;
    return CUZK_OK;
}
