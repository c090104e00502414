/* Partitions on the device: from packed witnesses and parameters to five sums each. With resident parameters one
 * partition after the other; with streamed ones all of a batch together, so that l, a, b_g1 and b_g2 cross the bus
 * once for the batch. */
#include "backend/cuda/plan.h"
#include "backend/cuda/stream.h"

#include "base/clock.h"

#include <string.h>

cuzk_status cuda_upload_witness(struct device_witness *out, const struct witness *w,
                                const struct cuda_circuit *circuit, struct context *c, cuzk_error *err)
{
    if (witness_is_deferred(w)) return fill_witness(out, w, circuit->fill, c, err);
    size_t size = witness_value_bytes(w->circuit);
    char *memory;
    TRY_TAKE(memory, size, "a witness");
    TRY(cudaMemcpyAsync(memory, w->memory, size, cudaMemcpyHostToDevice, c->stream));
    out->bits = (const uint64_t *)memory;
    out->wides = (const struct fr *)(memory + ((const char *)w->wides - (const char *)w->memory));
    out->inputs = (const struct fr *)(memory + ((const char *)w->inputs - (const char *)w->memory));
    return CUZK_OK;
}

/* Horner's scheme: position e has term e if a window begins there, and term e + 1 if none begins there. */
#define COMBINE(group, INFINITY_POINT)                                                                               \
    void cuda_combine_##group(group##_t *out, const group##_t *terms, const struct msm_plan *plan)                   \
    {                                                                                                                \
        group##_t sum = INFINITY_POINT;                                                                              \
        bool begins[MSM_TERMS + 1] = { false };                                                                      \
        for (unsigned w = 0; w < plan->windows; w++) begins[msm_window_start(plan, w)] = true;                       \
        begins[MSM_TERMS] = true;                                                                                    \
        for (unsigned e = plan->windows ? MSM_TERMS : 0; e-- > 0;) {                                                 \
            group##_double(&sum, &sum);                                                                              \
            if (!begins[e + 1]) group##_add(&sum, &sum, &terms[e + 1]);                                              \
            if (begins[e]) group##_add(&sum, &sum, &terms[e]);                                                       \
        }                                                                                                            \
        *out = sum;                                                                                                  \
    }
COMBINE(g1, G1_INFINITY)
COMBINE(g2, G2_INFINITY)

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

/* Everything that a call has open, and where its results arrive (pinned). */
struct proving {
    struct cuda_state *state;
    struct context *c;
    const struct cuda_circuit *circuit;
    const struct device_circuit *d;
    const struct cuda_srs *srs;
    const struct cuda_plan *plan;
    uint64_t clock;
    g1_t *terms_g1, *bits_g1;
    g2_t *terms_g2, *bits_g2;
};

/* One partition of it. */
struct item {
    struct device_witness w;
    struct proof_sums *out;
    struct prove_timings *t;
};

/* Time since the last lap, once the device is done with what was queued. */
static cuzk_status lap(uint64_t *spent, struct proving *p, cuzk_error *err)
{
    cuzk_status status = context_wait(p->c, err);
    uint64_t now = clock_now();
    *spent += now - p->clock;
    p->clock = now;
    return status;
}

/* Leaves the coefficients of h in *out, which stays in the arena. Two vectors are enough; with room for a third, the
 * rows are evaluated once instead of twice. */
static cuzk_status make_quotient(struct fr **out, struct proving *p, struct item *x, cuzk_error *err)
{
    struct context *c = p->c;
    const struct ntt_tables *tables = &p->state->tables;
    unsigned k = p->d->shape.log2_domain;
    size_t vector = ((size_t)1 << k) * sizeof(fr_t);
    struct fr *a = context_take(c, vector);
    size_t mark = context_mark(c);
    struct fr *b = context_take(c, vector), *products = context_take(c, vector);
    fr_t factor_a, factor_b;
    if (!a || !b) return context_exhausted(c, "the quotient", err);
    TRY_STATUS(circuit_evaluate(a, b, products, p->d, &x->w, true, c, err));
    TRY_STATUS(lap(&x->t->evaluate, p, err));
    TRY_STATUS(quotient_device_product(a, b, k, tables, c, err));
    TRY_STATUS(lap(&x->t->quotient, p, err));
    if (!products) {
        products = b;
        TRY_STATUS(circuit_evaluate(NULL, NULL, products, p->d, &x->w, true, c, err));
        TRY_STATUS(lap(&x->t->evaluate, p, err));
    }
    cuda_quotient_factors(&factor_a, &factor_b, k);
    TRY_STATUS(quotient_device_finish(a, products, k, &factor_a, &factor_b, tables, c, err));
    TRY_STATUS(lap(&x->t->quotient, p, err));
    context_release(c, mark);
    *out = a;
    return CUZK_OK;
}

/* ---- sums over a section, a chunk of points at a time ---- */

static enum circuit_sum sum_of(enum srs_section section)
{
    return section == SRS_L ? SUM_L : section == SRS_A ? SUM_A : SUM_B;
}

static uint64_t *time_of(struct prove_timings *t, enum srs_section section)
{
    switch (section) {
    case SRS_H: return &t->h;
    case SRS_L: return &t->l;
    case SRS_A: return &t->a;
    case SRS_B_G1: return &t->b_g1;
    default: return &t->b_g2;
    }
}

static g1_t *sum_place(struct proof_sums *out, enum srs_section section)
{
    return section == SRS_H ? &out->h : section == SRS_L ? &out->l : section == SRS_A ? &out->a : &out->b_g1;
}

/* The wide variables among the chunk's points. */
static cuzk_status queue_wide(struct msm_plan *plan, struct proving *p, struct item *x, enum srs_section section,
                              const struct point_chunk *chunk, cuzk_error *err)
{
    struct context *c = p->c;
    enum circuit_sum sum = sum_of(section);
    enum sums_group g = section_group(section);
    const struct wide_list *wide = &p->d->wide[sum];
    uint32_t range[2] = { 0, (uint32_t)wide->count }, *count;
    size_t mark = context_mark(c);
    if (p->plan->chunk_bytes != 0) {
        TRY_TAKE(count, 1, "a counter");
        TRY(cudaMemcpyAsync(count, &range[1], sizeof *count, cudaMemcpyHostToDevice, c->stream));
        TRY_STATUS(
            circuit_find_range(range, wide->points, count, (uint32_t)chunk->begin, (uint32_t)chunk->end, c, err));
    }
    size_t n = range[1] - range[0];
    struct fr *scalars = context_take(c, n * sizeof(fr_t));
    if (!scalars) return context_exhausted(c, "wide scalars", err);
    TRY_STATUS(circuit_gather(scalars, p->d, &x->w, sum, range[0], n, c, err));
    TRY_STATUS(sums_msm(g == SUMS_G1 ? (void *)p->terms_g1 : p->terms_g2, plan, g, chunk->points,
                        wide->points + range[0], scalars, true, n, c, err));
    context_release(c, mark);
    return CUZK_OK;
}

/* The bits. Their numbers count without the public inputs, whose points come first. */
static cuzk_status queue_bits(struct proving *p, struct item *x, enum srs_section section,
                              const struct point_chunk *chunk, cuzk_error *err)
{
    struct context *c = p->c;
    const struct flat_circuit *f = &p->d->shape;
    enum circuit_sum sum = sum_of(section);
    enum sums_group g = section_group(section);
    size_t inputs = sum == SUM_L ? 0 : sum == SUM_A ? f->inputs : f->b_input_count, mark = context_mark(c);
    uint32_t *numbers, *count, range[2] = { 0, f->bits };
    TRY_TAKE(numbers, (size_t)f->bits + 1, "numbers of selected points");
    TRY_TAKE(count, 1, "a counter");
    TRY_STATUS(circuit_select(numbers, count, p->d, &x->w, sum, c, err));
    if (p->plan->chunk_bytes != 0) {
        uint64_t begin = chunk->begin > inputs ? chunk->begin - inputs : 0;
        uint64_t end = chunk->end > inputs ? chunk->end - inputs : 0;
        TRY_STATUS(circuit_find_range(range, numbers, count, (uint32_t)begin, (uint32_t)end, c, err));
    }
    TRY_STATUS(sums_listed(g == SUMS_G1 ? (void *)p->bits_g1 : p->bits_g2, g,
                           chunk->points + inputs * sums_affine_bytes(g), numbers + range[0], count,
                           range[1] - range[0], c, err));
    context_release(c, mark);
    return CUZK_OK;
}

/* Adds what has arrived in pinned memory. */
static void add_results(struct proving *p, struct item *x, enum srs_section section, const struct msm_plan *plan)
{
    if (section == SRS_B_G2) {
        g2_t sum;
        cuda_combine_g2(&sum, p->terms_g2, plan);
        g2_add(&sum, &sum, p->bits_g2);
        g2_add(&x->out->b_g2, &x->out->b_g2, &sum);
        return;
    }
    g1_t sum, *to = sum_place(x->out, section);
    cuda_combine_g1(&sum, p->terms_g1, plan);
    if (section != SRS_H) g1_add(&sum, &sum, p->bits_g1);
    g1_add(to, to, &sum);
}

/* A chunk's share of one partition's sum; `h`: its scalars if the section is H. The next chunk's transfer, if it is
 * due, is queued behind it. */
static cuzk_status add_chunk(struct proving *p, struct item *x, enum srs_section section, struct fr *h,
                             const struct point_chunk *chunk, struct point_stream *next, cuzk_error *err)
{
    struct context *c = p->c;
    struct msm_plan plan;
    if (section == SRS_H) {
        size_t offset = chunk->begin * srs_point_bytes(section);
        TRY_STATUS(sums_msm(p->terms_g1, &plan, SUMS_G1, chunk->points + offset, NULL,
                            (struct fr *)((fr_t *)h + chunk->begin), true, chunk->end - chunk->begin, c, err));
    } else {
        TRY_STATUS(queue_wide(&plan, p, x, section, chunk, err));
        TRY_STATUS(queue_bits(p, x, section, chunk, err));
    }
    if (next) TRY_STATUS(stream_queue(next, err));
    TRY_STATUS(context_wait(c, err));
    add_results(p, x, section, &plan);
    return lap(time_of(x->t, section), p, err);
}

static cuzk_status add_chunks(struct proving *p, struct item *items, size_t count, enum srs_section section,
                              struct fr *h, struct point_stream *s, cuzk_error *err)
{
    while (!stream_ended(s)) {
        struct point_chunk chunk;
        TRY_STATUS(stream_take(&chunk, s, err));
        for (size_t i = 0; i < count; i++) {
            TRY_STATUS(add_chunk(p, &items[i], section, h, &chunk, i == 0 ? s : NULL, err));
        }
    }
    return CUZK_OK;
}

static cuzk_status sum_section(struct proving *p, struct item *items, size_t count, enum srs_section section,
                               struct fr *h, cuzk_error *err)
{
    struct point_stream s;
    size_t mark = context_mark(p->c);
    TRY_STATUS(stream_open(&s, p->srs, section, p->plan->chunk_bytes, p->state, p->c, err));
    cuzk_status status = add_chunks(p, items, count, section, h, &s, err);
    cuzk_status closed = stream_close(&s, status == CUZK_OK ? err : NULL);
    context_release(p->c, mark);
    return status == CUZK_OK ? closed : status;
}

/* ---- the whole ---- */

static cuzk_status prove_items(struct proving *p, struct item *items, size_t count, cuzk_error *err)
{
    static const enum srs_section sections[] = { SRS_L, SRS_A, SRS_B_G1, SRS_B_G2 };
    for (size_t i = 0; i < count; i++) {
        struct fr *h = NULL;
        size_t mark = context_mark(p->c);
        TRY_STATUS(make_quotient(&h, p, &items[i], err));
        TRY_STATUS(sum_section(p, &items[i], 1, SRS_H, h, err));
        context_release(p->c, mark);
    }
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        TRY_STATUS(sum_section(p, items, count, sections[i], NULL, err));
    }
    return CUZK_OK;
}

/* At most p->plan->batch witnesses. */
static cuzk_status prove_some(struct proof_sums *out, struct prove_timings *timings, const struct witness *const *w,
                              size_t count, struct proving *p, cuzk_error *err)
{
    struct item items[BACKEND_MAX_BATCH];
    struct context *c = p->c;
    p->clock = clock_now();
    for (size_t i = 0; i < count; i++) {
        out[i] = (struct proof_sums){ G1_INFINITY, G1_INFINITY, G1_INFINITY, G1_INFINITY, G2_INFINITY };
        timings[i] = (struct prove_timings){ 0 };
        items[i] = (struct item){ .out = &out[i], .t = &timings[i] };
        TRY_STATUS(cuda_upload_witness(&items[i].w, w[i], p->circuit, c, err));
        TRY_STATUS(lap(&timings[i].memory, p, err));
    }
    TRY_STATUS(prove_items(p, items, count, err));
    context_release(c, 0);
    return CUZK_OK;
}

static void place_results(struct proving *p)
{
    p->terms_g1 = p->c->pinned;
    p->bits_g1 = p->terms_g1 + MSM_TERMS;
    p->terms_g2 = (g2_t *)(p->bits_g1 + 1);
    p->bits_g2 = p->terms_g2 + MSM_TERMS;
}

cuzk_status cuda_prove_batch(struct proof_sums *out, struct prove_timings *timings, const struct backend_circuit *bc,
                             const struct backend_srs *bs, const struct witness *const *w, size_t count, void *state,
                             cuzk_error *err)
{
    struct cuda_state *s = state;
    const struct cuda_circuit *loaded = bc->loaded;
    struct cuda_plan plan;
    struct prove_timings ignored[BACKEND_MAX_BATCH];
    struct proving p = {
        .state = s, .circuit = loaded, .d = &loaded->device, .srs = bs->loaded, .plan = &plan
    };
    TRY_STATUS(cuda_plan_make(&plan, loaded, p.srs, count, s, err));
    TRY_STATUS(cuda_enter(&p.c, s, plan.arena_bytes, err));
    place_results(&p);
    cuzk_status status = CUZK_OK;
    for (size_t done = 0; done < count && status == CUZK_OK; done += plan.batch) {
        size_t some = count - done < plan.batch ? count - done : plan.batch;
        status = prove_some(out + done, timings ? timings + done : ignored, w + done, some, &p, err);
    }
    cuda_leave(s, p.c);
    return status;
}

cuzk_status cuda_prove(struct proof_sums *out, struct prove_timings *timings, const struct backend_circuit *bc,
                       const struct backend_srs *bs, const struct witness *w, void *state, cuzk_error *err)
{
    return cuda_prove_batch(out, timings, bc, bs, &w, 1, state, err);
}

size_t cuda_batch(const struct backend_circuit *bc, const struct backend_srs *bs, void *state)
{
    struct cuda_plan plan;
    cuzk_status status = cuda_plan_make(&plan, bc->loaded, bs->loaded, BACKEND_MAX_BATCH, state, NULL);
    return status == CUZK_OK ? plan.batch : 1;
}
