#include "groth16/keygen.h"
#include "backend/cpu/prove.h"
#include "math/fixed_base.h"

#include <stdlib.h>

enum {
    CHUNK = 1 << 16, /* points that are computed, encoded and written at once */
    ENCODE_PIECE = 1 << 10
};

struct generation {
    struct params_writer *out;
    const struct backend_circuit *c;
    const struct progress *progress;
    struct pool *pool;
    struct keygen keygen;
    struct g1_fixed_base *g1;
    struct g2_fixed_base *g2;
    uint64_t done, total; /* points */

    fr_t *inputs, *aux; /* one column set at a time */

    /* One chunk: scalars that wait, and what becomes of them. */
    fr_t *scalars;
    size_t count;
    void *points;
    uint8_t *bytes;
    enum srs_section section;
};

static void encode_piece(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    struct generation *g = context;
    for (size_t i = begin; i < end; i++) {
        if (g->section == SRS_B_G2) {
            g2_encode(g->bytes + i * G2_BYTES, (const g2_affine_t *)g->points + i);
        } else {
            g1_encode(g->bytes + i * G1_BYTES, (const g1_affine_t *)g->points + i);
        }
    }
}

static cuzk_status flush(struct generation *g, cuzk_error *err)
{
    if (g->section == SRS_B_G2) {
        g2_fixed_base_mul(g->points, g->g2, g->scalars, g->count);
    } else {
        g1_fixed_base_mul(g->points, g->g1, g->scalars, g->count);
    }
    pool_for(g->pool, g->count, ENCODE_PIECE, encode_piece, g);
    cuzk_status status = params_writer_put(g->out, g->section, g->bytes, g->count, err);
    g->done += g->count;
    g->count = 0;
    if (g->progress && g->progress->report) {
        g->progress->report(g->progress->context, g->done, g->total);
    }
    return status;
}

static cuzk_status put(struct generation *g, const fr_t *scalar, cuzk_error *err)
{
    g->scalars[g->count++] = *scalar;
    return g->count == CHUNK ? flush(g, err) : CUZK_OK;
}

static cuzk_status generate_h(struct generation *g, cuzk_error *err)
{
    size_t n = g->keygen.domain - 1;
    cuzk_status status = CUZK_OK;
    g->section = SRS_H;
    for (size_t begin = 0; begin < n && status == CUZK_OK; begin += CHUNK) {
        g->count = n - begin < CHUNK ? n - begin : CHUNK;
        keygen_h(g->scalars, &g->keygen, begin, begin + g->count);
        status = flush(g, err);
    }
    return status;
}

/* The columns of private variables, all or those in `dense`; then what is left of a chunk. */
static cuzk_status generate_aux(struct generation *g, const struct ranked_bitmap *dense, cuzk_error *err)
{
    cuzk_status status = CUZK_OK;
    for (uint32_t v = 0; v < g->c->circuit->aux && status == CUZK_OK; v++) {
        if (!dense || bitmap_has(dense, v)) status = put(g, &g->aux[v], err);
    }
    return status == CUZK_OK ? flush(g, err) : status;
}

static cuzk_status generate_a(struct generation *g, cuzk_error *err)
{
    cuzk_status status = keygen_columns(g->inputs, g->aux, &g->keygen, KEYGEN_A, err);
    g->section = SRS_A;
    for (uint32_t i = 0; i < g->c->circuit->inputs && status == CUZK_OK; i++) {
        status = put(g, &g->inputs[i], err);
    }
    return status == CUZK_OK ? generate_aux(g, &g->c->circuit->dense[MATRIX_A], err) : status;
}

static cuzk_status generate_b(struct generation *g, enum srs_section section, cuzk_error *err)
{
    const struct srs_layout *layout = &g->c->layout;
    cuzk_status status = CUZK_OK;
    g->section = section;
    for (size_t i = 0; i < layout->b_input_count && status == CUZK_OK; i++) {
        status = put(g, &g->inputs[layout->b_inputs[i]], err);
    }
    return status == CUZK_OK ? generate_aux(g, &g->c->circuit->dense[MATRIX_B], err) : status;
}

/* The verifying key; ic takes the columns of l, which are still in place. */
static cuzk_status generate_key(struct generation *g, cuzk_error *err)
{
    const struct toxic *t = &g->keygen.toxic;
    struct verifying_key vk = { .ic_count = g->c->circuit->inputs };
    vk.ic = malloc(vk.ic_count * sizeof *vk.ic);
    if (!vk.ic) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the verifying key");
    g1_fixed_base_mul(&vk.alpha_g1, g->g1, &t->alpha, 1);
    g1_fixed_base_mul(&vk.beta_g1, g->g1, &t->beta, 1);
    g2_fixed_base_mul(&vk.beta_g2, g->g2, &t->beta, 1);
    g2_fixed_base_mul(&vk.gamma_g2, g->g2, &t->gamma, 1);
    g1_fixed_base_mul(&vk.delta_g1, g->g1, &t->delta, 1);
    g2_fixed_base_mul(&vk.delta_g2, g->g2, &t->delta, 1);
    g1_fixed_base_mul(vk.ic, g->g1, g->inputs, vk.ic_count);
    cuzk_status status = params_writer_key(g->out, &vk, err);
    vk_release(&vk);
    return status;
}

static cuzk_status generate(struct generation *g, cuzk_error *err)
{
    cuzk_status status = keygen_columns(g->inputs, g->aux, &g->keygen, KEYGEN_L, err);
    if (status == CUZK_OK) status = generate_key(g, err);
    if (status == CUZK_OK) status = generate_h(g, err);
    g->section = SRS_L;
    if (status == CUZK_OK) status = generate_aux(g, NULL, err);
    if (status == CUZK_OK) status = generate_a(g, err);
    if (status == CUZK_OK) status = keygen_columns(g->inputs, g->aux, &g->keygen, KEYGEN_B, err);
    if (status == CUZK_OK) status = generate_b(g, SRS_B_G1, err);
    if (status == CUZK_OK) status = generate_b(g, SRS_B_G2, err);
    return status;
}

cuzk_status cpu_keygen(struct params_writer *out, const struct backend_circuit *c, const struct toxic *toxic,
                       const struct progress *p, void *state, cuzk_error *err)
{
    const struct cpu *cpu = state;
    struct generation g = { .out = out, .c = c, .progress = p, .pool = cpu->pool };
    const struct srs_counts *counts = &c->layout.counts;
    for (int s = 0; s < SRS_SECTIONS; s++) g.total += counts->section[s];
    cuzk_status status = keygen_create(&g.keygen, c->circuit, toxic, g.pool, err);
    if (status != CUZK_OK) return status;
    g.inputs = malloc(c->circuit->inputs * sizeof *g.inputs);
    g.aux = malloc((c->circuit->aux + (size_t)1) * sizeof *g.aux);
    g.scalars = malloc(CHUNK * sizeof *g.scalars);
    g.points = malloc(CHUNK * sizeof(g2_affine_t));
    g.bytes = malloc((size_t)CHUNK * G2_BYTES);
    if (!g.inputs || !g.aux || !g.scalars || !g.points || !g.bytes) {
        status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory to generate parameters");
    }
    size_t g1_count = (size_t)(g.total - counts->section[SRS_B_G2]);
    if (status == CUZK_OK) {
        status = g1_fixed_base_create(&g.g1, &G1_GENERATOR, g1_count, g.pool, err);
    }
    if (status == CUZK_OK) {
        status = g2_fixed_base_create(&g.g2, &G2_GENERATOR, (size_t)counts->section[SRS_B_G2], g.pool, err);
    }
    if (status == CUZK_OK) status = generate(&g, err);
    g1_fixed_base_destroy(g.g1);
    g2_fixed_base_destroy(g.g2);
    free(g.inputs);
    free(g.aux);
    free(g.scalars);
    free(g.points);
    free(g.bytes);
    keygen_release(&g.keygen);
    return status;
}
