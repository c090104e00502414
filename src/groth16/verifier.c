#include "groth16/verifier.h"

#include "math/msm.h"

#include <stdlib.h>

enum {
    KEY_WINDOW = 8,     /* of the multiples of ic and alpha: 128 of each */
    KEY_FEW = 256,      /* points of ic for which they are worth their memory */
    PROOF_WINDOW = 4,   /* of those of a batch's points */
    FACTOR_LENGTH = 64, /* of the halves of a batch's random factors */
};

static void prepare_negative(struct g2_prepared *out, const g2_affine_t *q)
{
    g2_affine_t negative;
    g2_affine_neg(&negative, q);
    g2_prepare_var(out, &negative);
}

/* Stays empty without memory: sums are then made without it. */
static void prepare_multiples(struct verifier *v)
{
    if (v->vk.ic_count > KEY_FEW) return;
    g1_affine_t points[KEY_FEW + 1];
    for (size_t i = 0; i < v->vk.ic_count; i++) points[i] = v->vk.ic[i];
    points[v->vk.ic_count] = v->vk.alpha_g1;
    (void)g1_multiples_create(&v->multiples, points, v->vk.ic_count + 1, KEY_WINDOW, NULL);
}

void verifier_create(struct verifier *out, struct verifying_key *vk)
{
    *out = (struct verifier){ .vk = *vk };
    *vk = (struct verifying_key){ 0 };
    prepare_negative(&out->minus_beta, &out->vk.beta_g2);
    prepare_negative(&out->minus_gamma, &out->vk.gamma_g2);
    prepare_negative(&out->minus_delta, &out->vk.delta_g2);
    pairing_var(&out->alpha_beta, &out->vk.alpha_g1, &out->vk.beta_g2);
    prepare_multiples(out);
}

/* ---- Memory ---- */

/* What a check works in, and the workspace for sums over a long ic. */
struct verifier_memory {
    struct g1_msm *msm;
    struct pool *pool; /* msm's */
    unsigned threads;
    size_t size;
    _Alignas(64) uint8_t bytes[];
};

static void memory_free(struct verifier_memory *m)
{
    if (!m) return;
    g1_msm_destroy(m->msm);
    free(m);
}

static struct verifier_memory *swap_idle(const struct verifier *v, struct verifier_memory *m)
{
    return __atomic_exchange_n(&((struct verifier *)(uintptr_t)v)->idle, m, __ATOMIC_ACQ_REL);
}

/* What the last check has left, or new memory. */
static struct verifier_memory *memory_take(const struct verifier *v, size_t size)
{
    struct verifier_memory *m = swap_idle(v, NULL);
    if (m && m->size >= size) return m;
    memory_free(m);
    m = aligned_alloc(64, sizeof *m + (size + 63) / 64 * 64);
    if (m) *m = (struct verifier_memory){ .size = size };
    return m;
}

static void memory_give_back(const struct verifier *v, struct verifier_memory *m) { memory_free(swap_idle(v, m)); }

/* The sum over ic with a workspace for this pool: the one that is there may have been made for another. */
static cuzk_status memory_sum(g1_t *out, struct verifier_memory *m, const struct verifying_key *vk,
                              const fr_t *scalars, struct pool *pool, cuzk_error *err)
{
    if (m->msm && (m->pool != pool || m->threads != pool_threads(pool))) {
        g1_msm_destroy(m->msm);
        m->msm = NULL;
    }
    m->pool = pool;
    m->threads = pool_threads(pool);
    if (!m->msm) {
        cuzk_status status = g1_msm_create(&m->msm, vk->ic_count, pool, err);
        if (status != CUZK_OK) return status;
    }
    g1_msm_add(m->msm, vk->ic, scalars, vk->ic_count, false);
    g1_msm_finish(out, m->msm);
    return CUZK_OK;
}

void verifier_release(struct verifier *v)
{
    vk_release(&v->vk);
    g1_multiples_release(&v->multiples);
    memory_free(swap_idle(v, NULL));
}

/* ---- The equation ---- */

/* Multiplied out over `count` proofs, proof i taken z_i times:
 *   Π e(z_i·A_i, B_i) · e(Σ z_i·ic(x_i), −gamma) · e(Σ z_i·C_i, −delta) · e(Σ z_i·alpha, −beta)
 * = 1. For a single proof z = 1, and the last factor is not computed but compared with. */
struct equation {
    const struct verifier *v;
    const struct proof *proofs;
    const fr_t *const *inputs;
    size_t count;
    bool batch;   /* with random z */
    size_t group; /* proofs that a thread takes at once */
    struct verifier_memory *memory;
    /* In the memory: */
    g1_t *sums;      /* the G1 sides, in the order of the product */
    g1_affine_t *g1; /* the same */
    fp_t *scratch;   /* the same number */
    g2_affine_t *b_affine;
    struct g2_prepared *b;
    const struct g2_prepared **g2;
    fr_t *scalars;         /* of ic: Σ z_i, then Σ z_i·x_i */
    struct halves *halves; /* the same */
    g1_affine_t *input_rows;
    struct g1_addition *input_list;
    /* Of a batch: */
    int64_t (*random)[2];
    struct halves *z;
    g1_affine_t *points, *multiples_at, *c_rows; /* A_i, then C_i */
    struct g1_addition *list, *c_list;
    struct g1_multiples multiples;
};

static size_t count_pairs(const struct equation *e) { return e->count + (e->batch ? 3 : 2); }

/* Takes an array from the memory at `base`, of which *used bytes are taken. */
static void *carve(uint8_t *base, size_t *used, size_t count, size_t size)
{
    size_t at = *used;
    *used += (count * size + 63) / 64 * 64;
    return base ? base + at : NULL;
}

/* Lays the arrays out; without a base it only says how many bytes they need. */
static size_t lay_out(struct equation *e, uint8_t *base)
{
    size_t used = 0, n = e->count, pairs = n + 3, ic_count = e->v->vk.ic_count;
    size_t input_rows = e->v->multiples.at ? multiples_rows(KEY_WINDOW, ic_count, HALF_LENGTH) : 0;
    size_t table = (2 * n) << (PROOF_WINDOW - 1), c_rows = multiples_rows(PROOF_WINDOW, n, FACTOR_LENGTH);
    e->sums = carve(base, &used, pairs, sizeof *e->sums);
    e->g1 = carve(base, &used, pairs, sizeof *e->g1);
    e->scratch = carve(base, &used, pairs, sizeof *e->scratch);
    e->b_affine = carve(base, &used, n, sizeof *e->b_affine);
    e->b = carve(base, &used, n, sizeof *e->b);
    e->g2 = carve(base, &used, pairs, sizeof *e->g2);
    e->scalars = carve(base, &used, ic_count, sizeof *e->scalars);
    e->halves = carve(base, &used, ic_count, sizeof *e->halves);
    e->input_rows = carve(base, &used, input_rows, sizeof *e->input_rows);
    e->input_list = carve(base, &used, input_rows / 2, sizeof *e->input_list);
    if (!e->batch) return used;
    e->random = carve(base, &used, n, sizeof *e->random);
    e->z = carve(base, &used, n, sizeof *e->z);
    e->points = carve(base, &used, 2 * n, sizeof *e->points);
    e->multiples_at = carve(base, &used, table, sizeof *e->multiples_at);
    e->list = carve(base, &used, table / 2, sizeof *e->list);
    e->c_rows = carve(base, &used, c_rows, sizeof *e->c_rows);
    e->c_list = carve(base, &used, c_rows / 2, sizeof *e->c_list);
    return used;
}

/* Random factors, and tables to multiply by them. */
static cuzk_status draw_factors(struct equation *e, cuzk_error *err)
{
    cuzk_status status = random_bytes(e->random, e->count * sizeof *e->random, err);
    if (status != CUZK_OK) return status;
    for (size_t i = 0; i < e->count; i++) {
        e->z[i] = (struct halves){ e->random[i][0], e->random[i][1] };
        e->points[i] = e->proofs[i].a;
        e->points[e->count + i] = e->proofs[i].c;
    }
    g1_multiples_fill(&e->multiples, e->points, 2 * e->count, PROOF_WINDOW, e->multiples_at, e->list);
    return CUZK_OK;
}

static void sum_scalars(struct equation *e)
{
    const size_t ic_count = e->v->vk.ic_count;
    for (size_t k = 0; k < ic_count; k++) e->scalars[k] = FR_ZERO;
    for (size_t i = 0; i < e->count; i++) {
        fr_t z = FR_ONE, product;
        if (e->batch) halves_join(&z, &e->z[i]);
        fr_add(&e->scalars[0], &e->scalars[0], &z);
        for (size_t k = 1; k < ic_count; k++) {
            fr_mul(&product, &z, &e->inputs[i][k - 1]);
            fr_add(&e->scalars[k], &e->scalars[k], &product);
        }
    }
}

/* Σ z_i·ic(x_i) and Σ z_i·alpha from the tables of the key. */
static void sum_inputs(struct equation *e)
{
    const struct g1_multiples *t = &e->v->multiples;
    const size_t ic_count = e->v->vk.ic_count;
    g1_t *inputs = &e->sums[e->count], *alpha = inputs + 2;
    for (size_t i = 0; i < ic_count; i++) halves_of(&e->halves[i], &e->scalars[i]);
    g1_multiples_sum_var(inputs, t, 0, e->halves, ic_count, HALF_LENGTH, e->input_rows, e->input_list);
    if (e->batch) g1_multiples_mul_var(alpha, t, ic_count, e->halves, HALF_LENGTH);
}

/* The same without tables: many inputs, which are worth all threads. */
static cuzk_status sum_many_inputs(struct equation *e, struct pool *pool, cuzk_error *err)
{
    const struct verifying_key *vk = &e->v->vk;
    g1_t *inputs = &e->sums[e->count], *alpha = inputs + 2;
    g1_from_affine(alpha, &vk->alpha_g1);
    if (e->batch) g1_mul_fr_var(alpha, alpha, &e->scalars[0]);
    return memory_sum(inputs, e->memory, vk, e->scalars, pool, err);
}

static void sum_c(struct equation *e)
{
    g1_t *c = &e->sums[e->count + 1];
    if (e->batch) {
        g1_multiples_sum_var(c, &e->multiples, e->count, e->z, e->count, FACTOR_LENGTH, e->c_rows, e->c_list);
    } else {
        g1_from_affine(c, &e->proofs[0].c);
    }
}

static void take_proof(struct equation *e, size_t i)
{
    if (e->batch) {
        g1_multiples_mul_var(&e->sums[i], &e->multiples, i, &e->z[i], FACTOR_LENGTH);
    } else {
        g1_from_affine(&e->sums[i], &e->proofs[i].a);
    }
    e->b_affine[i] = e->proofs[i].b;
    e->g2[i] = &e->b[i];
}

static void take_group(struct equation *e, size_t group)
{
    size_t begin = group * e->group, end = begin + e->group < e->count ? begin + e->group : e->count;
    for (size_t i = begin; i < end; i++) take_proof(e, i);
    g2_prepare_many_var(e->b + begin, e->b_affine + begin, end - begin);
}

/* What the product needs, in independent pieces: the inputs, the C_i, and proofs in groups. */
enum { PIECE_INPUTS, PIECE_C, PIECE_PROOFS };

static void make_pieces(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    struct equation *e = context;
    for (size_t i = begin; i < end; i++) {
        if (i >= PIECE_PROOFS) take_group(e, i - PIECE_PROOFS);
        else if (i == PIECE_C) sum_c(e);
        else if (e->v->multiples.at) sum_inputs(e);
    }
}

/* CUZK_OK if it holds, CUZK_REFUSED (without detail) if not. */
static cuzk_status equation_check(struct equation *e, struct pool *pool, cuzk_error *err)
{
    cuzk_status status = e->batch ? draw_factors(e, err) : CUZK_OK;
    if (status != CUZK_OK) return status;
    sum_scalars(e);
    if (!e->v->multiples.at) status = sum_many_inputs(e, pool, err);
    if (status != CUZK_OK) return status;
    e->group = (e->count + pool_threads(pool) - 1) / pool_threads(pool);
    pool_for(pool, PIECE_PROOFS + (e->count + e->group - 1) / e->group, 1, make_pieces, e);
    e->g2[e->count] = &e->v->minus_gamma;
    e->g2[e->count + 1] = &e->v->minus_delta;
    e->g2[e->count + 2] = &e->v->minus_beta;
    g1_batch_to_affine_var(e->g1, e->sums, count_pairs(e), e->scratch);
    fp12_t product;
    pairing_miller_loop_shared_var(&product, e->g1, e->g2, count_pairs(e), pool);
    pairing_final_exponentiation_var(&product, &product);
    bool holds = e->batch ? fp12_is_one(&product) : fp12_equal(&product, &e->v->alpha_beta);
    return holds ? CUZK_OK : CUZK_REFUSED;
}

static cuzk_status equation_solve(struct equation *e, struct pool *pool, cuzk_error *err)
{
    e->memory = memory_take(e->v, lay_out(e, NULL));
    if (!e->memory) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory to verify %zu proofs", e->count);
    (void)lay_out(e, e->memory->bytes);
    cuzk_status status = equation_check(e, pool, err);
    memory_give_back(e->v, e->memory);
    return status;
}

/* ---- */

static cuzk_status check_count(const struct verifier *v, size_t input_count, cuzk_error *err)
{
    if (input_count + 1 == v->vk.ic_count) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_DATA, "%zu public inputs, the verifying key is for %zu", input_count,
                     v->vk.ic_count - 1);
}

cuzk_status verifier_check(const struct verifier *v, const struct proof *proof, const fr_t *inputs,
                           size_t input_count, struct pool *pool, cuzk_error *err)
{
    cuzk_status status = check_count(v, input_count, err);
    if (status != CUZK_OK) return status;
    struct equation e = { .v = v, .proofs = proof, .inputs = &inputs, .count = 1 };
    status = equation_solve(&e, pool, err);
    if (status == CUZK_REFUSED) return cuzk_fail(err, status, "the proof does not hold");
    return status;
}

/* Names the first proof that does not hold on its own. */
static cuzk_status find_refused(const struct verifier *v, const struct proof *proofs, const fr_t *const *inputs,
                                size_t input_count, size_t count, struct pool *pool, cuzk_error *err)
{
    for (size_t i = 0; i < count; i++) {
        cuzk_status status = verifier_check(v, &proofs[i], inputs[i], input_count, pool, err);
        if (status != CUZK_OK) return cuzk_within(err, status, "partition %zu", i);
    }
    return cuzk_fail(err, CUZK_ERR_INTERNAL, "every proof holds, but not their combination");
}

cuzk_status verifier_check_all(const struct verifier *v, const struct proof *proofs, const fr_t *const *inputs,
                               size_t input_count, size_t count, struct pool *pool, cuzk_error *err)
{
    if (count == 0) return cuzk_fail(err, CUZK_ERR_USAGE, "no proof to verify");
    if (count == 1) return verifier_check(v, proofs, inputs[0], input_count, pool, err);
    cuzk_status status = check_count(v, input_count, err);
    if (status != CUZK_OK) return status;
    struct equation e = { .v = v, .proofs = proofs, .inputs = inputs, .count = count, .batch = true };
    status = equation_solve(&e, pool, err);
    if (status != CUZK_REFUSED) return status;
    return find_refused(v, proofs, inputs, input_count, count, pool, err);
}
