/* The operations that tests and benchmarks call one at a time: copy in, compute, copy out. */
#include "backend/cuda/state.h"

#include <string.h>

/* A lane with an arena that is large enough: these calls are for tests. */
static cuzk_status begin(struct context **lane, struct cuda_state *s, size_t bytes, cuzk_error *err)
{
    return cuda_enter(lane, s, bytes + (1 << 16), err);
}

static cuzk_status copy_in(void **out, const void *in, size_t bytes, struct context *c, cuzk_error *err)
{
    *out = context_take(c, bytes);
    if (!*out) return context_exhausted(c, "input", err);
    TRY(cudaMemcpyAsync(*out, in, bytes, cudaMemcpyHostToDevice, c->stream));
    return CUZK_OK;
}

static cuzk_status copy_out(void *out, const void *in, size_t bytes, struct context *c, cuzk_error *err)
{
    TRY(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToHost, c->stream));
    return context_wait(c, err);
}

static cuzk_status transform(fr_t *x, unsigned k, enum ntt_kind kind, struct cuda_state *s, struct context *c,
                             cuzk_error *err)
{
    size_t n = (size_t)1 << k, bytes = n * sizeof(fr_t);
    void *a, *b = context_take(c, bytes);
    bool inverse = kind == NTT_INVERSE || kind == NTT_COSET_INVERSE;
    fr_t first = FR_ONE, ratio = FR_ONE;
    if (!b) return context_exhausted(c, "a vector", err);
    if (kind == NTT_COSET_FORWARD || kind == NTT_COSET_INVERSE) fr_from_u64(&ratio, 7);
    if (inverse) {
        fr_from_u64(&first, n);
        fr_inv_var(&first, &first);
        fr_inv_var(&ratio, &ratio);
    }
    TRY_STATUS(copy_in(&a, x, bytes, c, err));
    if (inverse) {
        TRY_STATUS(ntt_device_bit_reverse(b, a, k, c, err));
        TRY_STATUS(ntt_device_interpolate(b, k, false, &s->tables, c, err));
        TRY_STATUS(ntt_device_scale(b, n, &first, &ratio, c, err));
    } else {
        TRY_STATUS(ntt_device_scale(a, n, &first, &ratio, c, err));
        TRY_STATUS(ntt_device_evaluate(a, k, false, &s->tables, c, err));
        TRY_STATUS(ntt_device_bit_reverse(b, a, k, c, err));
    }
    return copy_out(x, b, bytes, c, err);
}

static cuzk_status check_size(unsigned k, cuzk_error *err)
{
    if (k <= NTT_MAX_DOMAIN_LOG) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_USAGE, "domain of 2^%u: at most 2^%d", k, NTT_MAX_DOMAIN_LOG);
}

cuzk_status cuda_ntt(fr_t *x, unsigned k, enum ntt_kind kind, void *state, cuzk_error *err)
{
    struct cuda_state *s = state;
    struct context *c;
    TRY_STATUS(check_size(k, err));
    TRY_STATUS(begin(&c, s, 2 * sizeof(fr_t) << k, err));
    cuzk_status status = transform(x, k, kind, s, c, err);
    cuda_leave(s, c);
    return status;
}

static cuzk_status quotient(fr_t *a, const fr_t *b, unsigned k, struct cuda_state *s, struct context *c,
                            cuzk_error *err)
{
    size_t n = (size_t)1 << k, bytes = n * sizeof(fr_t);
    void *x, *y, *u = context_take(c, bytes), *v = context_take(c, bytes), *w = context_take(c, bytes);
    fr_t factor_a, factor_b;
    if (!u || !v || !w) return context_exhausted(c, "a vector", err);
    TRY_STATUS(copy_in(&x, a, bytes, c, err));
    TRY_STATUS(copy_in(&y, b, bytes, c, err));
    TRY_STATUS(ntt_device_bit_reverse(u, x, k, c, err));
    TRY_STATUS(ntt_device_bit_reverse(v, y, k, c, err));
    TRY(cudaMemcpyAsync(w, u, bytes, cudaMemcpyDeviceToDevice, c->stream));
    TRY_STATUS(vector_multiply(w, v, n, c, err));
    TRY_STATUS(quotient_device_product(u, v, k, &s->tables, c, err));
    cuda_quotient_factors(&factor_a, &factor_b, k);
    TRY_STATUS(quotient_device_finish(u, w, k, &factor_a, &factor_b, &s->tables, c, err));
    return copy_out(a, u, bytes, c, err);
}

cuzk_status cuda_quotient(fr_t *a, const fr_t *b, unsigned k, void *state, cuzk_error *err)
{
    struct cuda_state *s = state;
    struct context *c;
    TRY_STATUS(check_size(k, err));
    TRY_STATUS(begin(&c, s, 5 * sizeof(fr_t) << k, err));
    cuzk_status status = quotient(a, b, k, s, c, err);
    cuda_leave(s, c);
    return status;
}

/* Inputs into the arena, windows to pinned memory. */
static cuzk_status msm(struct msm_plan *plan, enum sums_group g, const void *points, const fr_t *scalars, size_t n,
                       struct context *c, cuzk_error *err)
{
    void *p, *k;
    TRY_STATUS(copy_in(&p, points, n * sums_affine_bytes(g), c, err));
    TRY_STATUS(copy_in(&k, scalars, n * sizeof(fr_t), c, err));
    TRY_STATUS(sums_msm(c->pinned, plan, g, p, NULL, k, true, n, c, err));
    return context_wait(c, err);
}

static size_t msm_bytes(enum sums_group g, size_t n)
{
    return n * (sums_affine_bytes(g) + sizeof(fr_t)) + sums_msm_bytes(g, n, SIZE_MAX / 2);
}

static cuzk_status check_count(size_t n, cuzk_error *err)
{
    if (n < (size_t)1 << 31) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_USAGE, "a sum of %zu points: below 2^31 please", n);
}

cuzk_status cuda_msm_g1(g1_t *out, const g1_affine_t *points, const fr_t *scalars, size_t n, void *state,
                        cuzk_error *err)
{
    struct cuda_state *s = state;
    struct context *c;
    struct msm_plan plan;
    TRY_STATUS(check_count(n, err));
    TRY_STATUS(begin(&c, s, msm_bytes(SUMS_G1, n), err));
    cuzk_status status = msm(&plan, SUMS_G1, points, scalars, n, c, err);
    if (status == CUZK_OK) cuda_combine_g1(out, c->pinned, &plan);
    cuda_leave(s, c);
    return status;
}

cuzk_status cuda_msm_g2(g2_t *out, const g2_affine_t *points, const fr_t *scalars, size_t n, void *state,
                        cuzk_error *err)
{
    struct cuda_state *s = state;
    struct context *c;
    struct msm_plan plan;
    TRY_STATUS(check_count(n, err));
    TRY_STATUS(begin(&c, s, msm_bytes(SUMS_G2, n), err));
    cuzk_status status = msm(&plan, SUMS_G2, points, scalars, n, c, err);
    if (status == CUZK_OK) cuda_combine_g2(out, c->pinned, &plan);
    cuda_leave(s, c);
    return status;
}

static cuzk_status sum_selected(void *out, enum sums_group g, const void *points, const uint64_t *selection, size_t n,
                                struct context *c, cuzk_error *err)
{
    size_t words = (n + 63) / 64;
    void *p, *bits;
    uint32_t *numbers, *count;
    TRY_STATUS(copy_in(&p, points, n * sums_affine_bytes(g), c, err));
    TRY_STATUS(copy_in(&bits, selection, words * sizeof *selection, c, err));
    TRY_TAKE(numbers, n, "numbers of points");
    TRY_TAKE(count, 1, "a counter");
    if (n % 64 != 0) { /* bits past the end say nothing */
        uint64_t *last = c->pinned;
        *last = selection[words - 1] & (((uint64_t)1 << (n % 64)) - 1);
        TRY(cudaMemcpyAsync((uint64_t *)bits + words - 1, last, sizeof *last, cudaMemcpyHostToDevice, c->stream));
    }
    TRY_STATUS(bits_select(numbers, count, bits, NULL, NULL, words, c, err));
    TRY_STATUS(sums_listed(c->pinned, g, p, numbers, count, n, c, err));
    TRY_STATUS(context_wait(c, err));
    memcpy(out, c->pinned, sums_point_bytes(g));
    return CUZK_OK;
}

static cuzk_status selected(void *out, enum sums_group g, const void *points, const uint64_t *selection, size_t n,
                            void *state, cuzk_error *err)
{
    struct cuda_state *s = state;
    struct context *c;
    TRY_STATUS(check_count(n, err));
    size_t listed = sums_listed_bytes(g, n, SIZE_MAX / 2, &s->lane[0]);
    TRY_STATUS(begin(&c, s, n * (sums_affine_bytes(g) + 5) + listed + (4 << 20), err));
    cuzk_status status = sum_selected(out, g, points, selection, n, c, err);
    cuda_leave(s, c);
    return status;
}

cuzk_status cuda_sum_selected_g1(g1_t *out, const g1_affine_t *points, size_t n, const uint64_t *selection,
                                 void *state, cuzk_error *err)
{
    return selected(out, SUMS_G1, points, selection, n, state, err);
}

cuzk_status cuda_sum_selected_g2(g2_t *out, const g2_affine_t *points, size_t n, const uint64_t *selection,
                                 void *state, cuzk_error *err)
{
    return selected(out, SUMS_G2, points, selection, n, state, err);
}

static cuzk_status evaluate(fr_t *out, const struct cuda_circuit *loaded, const struct witness *w, enum matrix_name m,
                            struct context *c, cuzk_error *err)
{
    const struct device_circuit *d = &loaded->device;
    struct device_witness on_device;
    struct fr *values = context_take(c, d->shape.rows * sizeof(fr_t));
    if (!values) return context_exhausted(c, "rows", err);
    TRY_STATUS(cuda_upload_witness(&on_device, w, loaded, c, err));
    TRY_STATUS(circuit_evaluate(m == MATRIX_A ? values : NULL, m == MATRIX_B ? values : NULL, NULL, d, &on_device,
                                false, c, err));
    return copy_out(out, values, d->shape.rows * sizeof(fr_t), c, err);
}

cuzk_status cuda_evaluate(fr_t *out, const struct backend_circuit *bc, const struct witness *w, enum matrix_name m,
                          void *state, cuzk_error *err)
{
    struct cuda_state *s = state;
    struct context *c;
    const struct cuda_circuit *loaded = bc->loaded;
    if (m == MATRIX_C) return cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "backend cuda does not evaluate C");
    size_t witness = witness_value_bytes(bc->circuit) + fill_scratch_bytes(loaded->fill);
    TRY_STATUS(begin(&c, s, loaded->device.shape.rows * sizeof(fr_t) + witness, err));
    cuzk_status status = evaluate(out, loaded, w, m, c, err);
    cuda_leave(s, c);
    return status;
}
