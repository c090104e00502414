#include "backend/cpu/prove.h"

#include "backend/cpu/section_sum.h"
#include "base/clock.h"
#include "math/quotient.h"
#include "r1cs/evaluate.h"

#include <string.h>

enum { PRODUCT_PIECE = 1 << 12 };

/* Everything that one proof has open. */
struct proving {
    const struct backend_circuit *c;
    const struct params_file *file;
    const struct witness *w;
    struct pool *pool;
    const struct ntt_domain *domain;
    size_t m;
    struct workspace *space;
    fr_t *a, *b;   /* vectors of m elements */
    fr_t *scratch; /* ROW_CHUNK elements */
};

/* Time since *since, which moves on to now. */
static uint64_t lap(uint64_t *since)
{
    uint64_t now = clock_now(), spent = now - *since;
    *since = now;
    return spent;
}

/* The values of one matrix on the domain, in the order that the quotient takes. */
static cuzk_status evaluate(fr_t *out, const struct proving *p, enum matrix_name m, cuzk_error *err)
{
    uint32_t rows = p->c->circuit->rows;
    cuzk_status status = evaluate_rows(out, p->w, m, 0, rows, p->pool, err);
    if (status != CUZK_OK) return status;
    memset(out + rows, 0, (p->m - rows) * sizeof *out);
    ntt_bit_reverse(out, p->domain, p->pool);
    return CUZK_OK;
}

struct products {
    fr_t *a;
    const fr_t *b;
};

static void multiply_piece(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    struct products *x = context;
    for (size_t i = begin; i < end; i++) fr_mul(&x->a[i], &x->a[i], &x->b[i]);
}

/* The same for the products of A's and B's values. */
static cuzk_status evaluate_products(fr_t *out, const struct proving *p, cuzk_error *err)
{
    uint32_t rows = p->c->circuit->rows;
    cuzk_status status = evaluate_rows(out, p->w, MATRIX_A, 0, rows, p->pool, err);
    for (uint32_t begin = 0; begin < rows && status == CUZK_OK; begin += ROW_CHUNK) {
        uint32_t end = rows - begin < ROW_CHUNK ? rows : begin + ROW_CHUNK;
        status = evaluate_rows(p->scratch, p->w, MATRIX_B, begin, end, p->pool, err);
        struct products x = { .a = out + begin, .b = p->scratch };
        if (status == CUZK_OK) pool_for(p->pool, end - begin, PRODUCT_PIECE, multiply_piece, &x);
    }
    if (status != CUZK_OK) return status;
    memset(out + rows, 0, (p->m - rows) * sizeof *out);
    ntt_bit_reverse(out, p->domain, p->pool);
    return CUZK_OK;
}

/* Leaves the coefficients of h in p->a. */
static cuzk_status make_quotient(struct proving *p, struct prove_timings *t, uint64_t *clock, cuzk_error *err)
{
    cuzk_status status = evaluate(p->a, p, MATRIX_A, err);
    if (status == CUZK_OK) status = evaluate(p->b, p, MATRIX_B, err);
    if (status != CUZK_OK) return status;
    t->evaluate += lap(clock);
    quotient_product(p->a, p->b, p->domain, p->pool);
    t->quotient += lap(clock);
    status = evaluate_products(p->b, p, err);
    if (status != CUZK_OK) return status;
    t->evaluate += lap(clock);
    quotient_finish(p->a, p->b, p->domain, p->pool);
    t->quotient += lap(clock);
    return CUZK_OK;
}

static cuzk_status sum_h(g1_t *out, const struct proving *p, cuzk_error *err)
{
    size_t n = p->m - 1, chunk = n < H_CHUNK ? n : H_CHUNK;
    g1_affine_t *points = p->space->shared;
    cuzk_status status = CUZK_OK;
    for (size_t begin = 0; begin < n && status == CUZK_OK; begin += chunk) {
        size_t end = n - begin < chunk ? n : begin + chunk;
        status = params_decode_g1(points, p->file, SRS_H, begin, end, POINT_CHECK_ENCODING, p->pool, err);
        if (status == CUZK_OK) g1_msm_add(p->space->msm_h, points, p->a + begin, end - begin, false);
    }
    g1_msm_finish(out, p->space->msm_h); /* in any case: it begins anew then */
    return status;
}

static struct section_terms terms_of(const struct backend_circuit *c, enum srs_section section)
{
    const struct circuit *circuit = c->circuit;
    struct section_terms t = { .section = section, .chunk = SECTION_CHUNK };
    if (section == SRS_A) {
        t.input_count = circuit->inputs;
        t.dense = &circuit->dense[MATRIX_A];
    }
    if (section == SRS_B_G1 || section == SRS_B_G2) {
        t.inputs = c->layout.b_inputs;
        t.input_count = c->layout.b_input_count;
        t.dense = &circuit->dense[MATRIX_B];
    }
    return t;
}

static cuzk_status sum_section(g1_t *out, uint64_t *spent, const struct proving *p, enum srs_section section,
                               uint64_t *clock, cuzk_error *err)
{
    struct section_terms terms = terms_of(p->c, section);
    cuzk_status status = g1_section_sum(out, &terms, p->file, p->w, p->space->shared, p->space->msm_g1, p->pool, err);
    *spent = lap(clock);
    return status;
}

static cuzk_status sum_sections(struct proof_sums *out, const struct proving *p, struct prove_timings *t,
                                uint64_t *clock, cuzk_error *err)
{
    cuzk_status status = sum_section(&out->l, &t->l, p, SRS_L, clock, err);
    if (status == CUZK_OK) status = sum_section(&out->a, &t->a, p, SRS_A, clock, err);
    if (status == CUZK_OK) status = sum_section(&out->b_g1, &t->b_g1, p, SRS_B_G1, clock, err);
    if (status != CUZK_OK) return status;
    struct section_terms terms = terms_of(p->c, SRS_B_G2);
    status =
        g2_section_sum(&out->b_g2, &terms, p->file, p->w, p->space->shared, p->space->msm_g2, p->pool, err);
    t->b_g2 = lap(clock);
    return status;
}

cuzk_status cpu_prove(struct proof_sums *out, struct prove_timings *timings, const struct backend_circuit *c,
                      const struct backend_srs *s, const struct witness *w, void *state, cuzk_error *err)
{
    struct cpu_circuit *prepared = c->loaded;
    struct proving p = { .c = c, .file = s->file, .w = w, .domain = prepared->domain };
    p.pool = ((struct cpu *)state)->pool;
    p.m = (size_t)1 << c->circuit->log2_domain;
    *timings = (struct prove_timings){ 0 };
    uint64_t clock = clock_now();
    cuzk_status status = shelf_take(&p.space, &prepared->shelf, c, p.pool, err);
    timings->memory += lap(&clock);
    if (status != CUZK_OK) return status;
    p.a = p.space->a;
    p.b = p.space->shared;
    p.scratch = p.b + p.m;
    status = make_quotient(&p, timings, &clock, err);
    if (status == CUZK_OK) status = sum_h(&out->h, &p, err);
    timings->h = lap(&clock);
    if (status == CUZK_OK) status = sum_sections(out, &p, timings, &clock, err);
    shelf_put(&prepared->shelf, p.space);
    timings->memory += lap(&clock);
    return status;
}

uint64_t cpu_prove_bytes(const struct backend_circuit *c, void *state)
{
    struct workspace_shape shape = workspace_shape(c->circuit, ((struct cpu *)state)->pool);
    return workspace_bytes(&shape);
}

void *cpu_spare_take(const struct backend_circuit *c, void *state)
{
    (void)state;
    return shelf_clear(&((struct cpu_circuit *)c->loaded)->shelf);
}

void cpu_spare_free(void *spare, void *state)
{
    (void)state;
    workspaces_free(spare);
}
