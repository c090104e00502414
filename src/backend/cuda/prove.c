/* One partition on the device: from packed witness and resident parameters to five sums. */
#include "backend/cuda/state.h"

#include "base/clock.h"

#include <string.h>

cuzk_status cuda_upload_witness(struct device_witness *out, const struct witness *w, struct context *c,
                                cuzk_error *err)
{
    char *memory;
    TRY_TAKE(memory, w->size, "a witness");
    TRY(cudaMemcpyAsync(memory, w->memory, w->size, cudaMemcpyHostToDevice, c->stream));
    out->bits = (const uint64_t *)memory;
    out->wides = (const struct fr *)(memory + ((const char *)w->wides - (const char *)w->memory));
    out->inputs = (const struct fr *)(memory + ((const char *)w->inputs - (const char *)w->memory));
    return CUZK_OK;
}

void cuda_combine_g1(g1_t *out, const g1_t *windows, const struct msm_plan *plan)
{
    g1_t sum = G1_INFINITY;
    for (unsigned w = plan->windows; w-- > 0;) {
        for (unsigned i = 0; i < plan->bits; i++) g1_double(&sum, &sum);
        g1_add(&sum, &sum, &windows[w]);
    }
    *out = sum;
}

void cuda_combine_g2(g2_t *out, const g2_t *windows, const struct msm_plan *plan)
{
    g2_t sum = G2_INFINITY;
    for (unsigned w = plan->windows; w-- > 0;) {
        for (unsigned i = 0; i < plan->bits; i++) g2_double(&sum, &sum);
        g2_add(&sum, &sum, &windows[w]);
    }
    *out = sum;
}

void cuda_quotient_factors(fr_t *a, fr_t *b, unsigned k)
{
    /* math/quotient.c: h = C/2 − (C − 2h)/2; a has a factor m^3, b a factor m. */
    fr_t m, denominator;
    fr_from_u64(&m, (uint64_t)1 << k);
    fr_double(&denominator, &m);
    fr_inv_var(b, &denominator);
    fr_sqr(&m, &m);
    fr_mul(&denominator, &denominator, &m);
    fr_neg(&denominator, &denominator);
    fr_inv_var(a, &denominator);
}

/* Everything that one proof has open, and where its results arrive (pinned). */
struct proving {
    struct cuda_state *state;
    const struct device_circuit *d;
    const struct cuda_srs *srs;
    const struct srs_counts *counts;
    struct device_witness w;
    uint64_t clock;
    g1_t *windows_g1, *bits_g1;
    g2_t *windows_g2, *bits_g2;
};

/* Time since the last lap, once the device is done with what was queued. */
static cuzk_status lap(uint64_t *spent, struct proving *p, cuzk_error *err)
{
    cuzk_status status = context_wait(&p->state->context, err);
    uint64_t now = clock_now();
    *spent += now - p->clock;
    p->clock = now;
    return status;
}

/* Leaves the coefficients of h in *out, which stays in the arena. Two vectors are enough; with room for a third, the
 * rows are evaluated once instead of twice. */
static cuzk_status make_quotient(struct fr **out, struct proving *p, struct prove_timings *t, cuzk_error *err)
{
    struct context *c = &p->state->context;
    const struct ntt_tables *tables = &p->state->tables;
    unsigned k = p->d->shape.log2_domain;
    size_t vector = ((size_t)1 << k) * sizeof(fr_t);
    struct fr *a = context_take(c, vector);
    size_t mark = context_mark(c);
    struct fr *b = context_take(c, vector), *products = context_take(c, vector);
    fr_t factor_a, factor_b;
    if (!a || !b) return context_exhausted(c, "the quotient", err);
    TRY_STATUS(circuit_evaluate(a, b, products, p->d, &p->w, true, c, err));
    TRY_STATUS(lap(&t->evaluate, p, err));
    TRY_STATUS(quotient_device_product(a, b, k, tables, c, err));
    TRY_STATUS(lap(&t->quotient, p, err));
    if (!products) {
        products = b;
        TRY_STATUS(circuit_evaluate(NULL, NULL, products, p->d, &p->w, true, c, err));
        TRY_STATUS(lap(&t->evaluate, p, err));
    }
    cuda_quotient_factors(&factor_a, &factor_b, k);
    TRY_STATUS(quotient_device_finish(a, products, k, &factor_a, &factor_b, tables, c, err));
    TRY_STATUS(lap(&t->quotient, p, err));
    context_release(c, mark);
    *out = a;
    return CUZK_OK;
}

static cuzk_status sum_h(g1_t *out, struct proving *p, struct fr *h, cuzk_error *err)
{
    struct context *c = &p->state->context;
    struct msm_plan plan;
    TRY_STATUS(sums_msm(p->windows_g1, &plan, SUMS_G1, p->srs->points[SRS_H], NULL, h, true,
                        p->counts->section[SRS_H], c, err));
    TRY_STATUS(context_wait(c, err));
    cuda_combine_g1(out, p->windows_g1, &plan);
    return CUZK_OK;
}

static enum circuit_sum sum_of(enum srs_section section)
{
    return section == SRS_L ? SUM_L : section == SRS_A ? SUM_A : SUM_B;
}

/* Both parts of a section's sum into the pinned places. */
static cuzk_status queue_section(struct msm_plan *plan, struct proving *p, enum srs_section section, cuzk_error *err)
{
    struct context *c = &p->state->context;
    enum circuit_sum sum = sum_of(section);
    enum sums_group g = section_group(section);
    const struct wide_list *wide = &p->d->wide[sum];
    size_t inputs = sum == SUM_L ? 0 : sum == SUM_A ? p->d->shape.inputs : p->d->shape.b_input_count;
    size_t mark = context_mark(c);
    struct fr *scalars = context_take(c, wide->count * sizeof(fr_t));
    if (!scalars) return context_exhausted(c, "wide scalars", err);
    TRY_STATUS(circuit_gather(scalars, p->d, &p->w, sum, c, err));
    TRY_STATUS(sums_msm(g == SUMS_G1 ? (void *)p->windows_g1 : p->windows_g2, plan, g, p->srs->points[section],
                        wide->points, scalars, true, wide->count, c, err));
    context_release(c, mark);
    uint32_t *numbers, *count;
    TRY_TAKE(numbers, (size_t)p->d->shape.bits + 1, "numbers of selected points");
    TRY_TAKE(count, 1, "a counter");
    TRY_STATUS(circuit_select(numbers, count, p->d, &p->w, sum, c, err));
    TRY_STATUS(sums_listed(g == SUMS_G1 ? (void *)p->bits_g1 : p->bits_g2, g,
                           (const char *)p->srs->points[section] + inputs * sums_affine_bytes(g), numbers, count,
                           p->d->shape.bits, c, err));
    context_release(c, mark);
    return context_wait(c, err);
}

static cuzk_status sum_section_g1(g1_t *out, struct proving *p, enum srs_section section, cuzk_error *err)
{
    struct msm_plan plan;
    TRY_STATUS(queue_section(&plan, p, section, err));
    cuda_combine_g1(out, p->windows_g1, &plan);
    g1_add(out, out, p->bits_g1);
    return CUZK_OK;
}

static cuzk_status sum_section_g2(g2_t *out, struct proving *p, cuzk_error *err)
{
    struct msm_plan plan;
    TRY_STATUS(queue_section(&plan, p, SRS_B_G2, err));
    cuda_combine_g2(out, p->windows_g2, &plan);
    g2_add(out, out, p->bits_g2);
    return CUZK_OK;
}

static cuzk_status prove_steps(struct proof_sums *out, struct prove_timings *t, struct proving *p,
                               const struct witness *w, cuzk_error *err)
{
    struct context *c = &p->state->context;
    struct fr *h = NULL;
    TRY_STATUS(cuda_upload_witness(&p->w, w, c, err));
    TRY_STATUS(lap(&t->memory, p, err));
    size_t mark = context_mark(c);
    TRY_STATUS(make_quotient(&h, p, t, err));
    TRY_STATUS(sum_h(&out->h, p, h, err));
    TRY_STATUS(lap(&t->h, p, err));
    context_release(c, mark);
    TRY_STATUS(sum_section_g1(&out->l, p, SRS_L, err));
    TRY_STATUS(lap(&t->l, p, err));
    TRY_STATUS(sum_section_g1(&out->a, p, SRS_A, err));
    TRY_STATUS(lap(&t->a, p, err));
    TRY_STATUS(sum_section_g1(&out->b_g1, p, SRS_B_G1, err));
    TRY_STATUS(lap(&t->b_g1, p, err));
    TRY_STATUS(sum_section_g2(&out->b_g2, p, err));
    return lap(&t->b_g2, p, err);
}

cuzk_status cuda_prove(struct proof_sums *out, struct prove_timings *timings, const struct backend_circuit *bc,
                       const struct backend_srs *bs, const struct witness *w, void *state, cuzk_error *err)
{
    struct cuda_state *s = state;
    const struct cuda_circuit *loaded = bc->loaded;
    struct proving p = { .state = s, .d = &loaded->device, .srs = bs->loaded, .counts = &bs->file->counts };
    *timings = (struct prove_timings){ 0 };
    cuzk_status status = cuda_enter(s, err);
    if (status != CUZK_OK) return status;
    p.clock = clock_now();
    p.windows_g1 = s->context.pinned;
    p.bits_g1 = p.windows_g1 + MSM_MAX_WINDOWS;
    p.windows_g2 = (g2_t *)(p.bits_g1 + 1);
    p.bits_g2 = p.windows_g2 + MSM_MAX_WINDOWS;
    status = context_reserve(&s->context, loaded->arena_bytes, err);
    if (status == CUZK_OK) status = prove_steps(out, timings, &p, w, err);
    cuda_leave(s);
    return status;
}
