#include "groth16/verifier.h"

#include "math/msm.h"

#include <stdlib.h>

/* Limbs of the random factors of a batch. */
enum { FACTOR_LIMBS = 2 };

static void prepare_negative(struct g2_prepared *out, const g2_affine_t *q)
{
    g2_affine_t negative;
    g2_affine_neg(&negative, q);
    g2_prepare_var(out, &negative);
}

void verifier_create(struct verifier *out, struct verifying_key *vk)
{
    out->vk = *vk;
    *vk = (struct verifying_key){ 0 };
    prepare_negative(&out->minus_beta, &out->vk.beta_g2);
    prepare_negative(&out->minus_gamma, &out->vk.gamma_g2);
    prepare_negative(&out->minus_delta, &out->vk.delta_g2);
}

void verifier_release(struct verifier *v) { vk_release(&v->vk); }

/* The equation multiplied out over `count` proofs, proof i taken z[i] times:
 *   Π e(z_i·A_i, B_i) · e(Σ z_i·alpha, −beta) · e(Σ z_i·ic(x_i), −gamma) · e(Σ z_i·C_i, −delta)
 * = 1. */
struct equation {
    const struct verifier *v;
    const struct proof *proofs;
    const fr_t *const *inputs;
    size_t count;
    const uint64_t (*z)[FACTOR_LIMBS];
    g1_t *sums;      /* count + 3: the G1 sides, in the order of the product */
    g1_affine_t *g1; /* the same */
    fp_t *scratch;   /* the same number */
    struct g2_prepared *b;
    const struct g2_prepared **g2;
    fr_t *scalars; /* of ic: Σ z_i, then Σ z_i·x_i */
};

static cuzk_status equation_create(struct equation *e, cuzk_error *err)
{
    size_t pairs = e->count + 3;
    e->sums = malloc(pairs * sizeof *e->sums);
    e->g1 = malloc(pairs * sizeof *e->g1);
    e->scratch = malloc(pairs * sizeof *e->scratch);
    e->b = malloc(e->count * sizeof *e->b);
    e->g2 = malloc(pairs * sizeof *e->g2);
    e->scalars = calloc(e->v->vk.ic_count, sizeof *e->scalars);
    if (e->sums && e->g1 && e->scratch && e->b && e->g2 && e->scalars) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory to verify %zu proofs", e->count);
}

static void equation_release(struct equation *e)
{
    free(e->sums);
    free(e->g1);
    free(e->scratch);
    free(e->b);
    free(e->g2);
    free(e->scalars);
}

static void factor_to_fr(fr_t *out, const uint64_t z[FACTOR_LIMBS])
{
    const uint64_t limbs[4] = { z[0], z[1] };
    (void)fr_from_limbs(out, limbs);
}

static void prepare_proofs(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    struct equation *e = context;
    for (size_t i = begin; i < end; i++) {
        g1_from_affine(&e->sums[i], &e->proofs[i].a);
        g1_mul_var(&e->sums[i], &e->sums[i], e->z[i], FACTOR_LIMBS);
        g2_prepare_var(&e->b[i], &e->proofs[i].b);
        e->g2[i] = &e->b[i];
    }
}

/* Σ z_i·ic(x_i) as one multi-scalar multiplication over ic. */
static cuzk_status sum_inputs(g1_t *out, struct equation *e, struct pool *pool, cuzk_error *err)
{
    const struct verifying_key *vk = &e->v->vk;
    for (size_t i = 0; i < e->count; i++) {
        fr_t z, product;
        factor_to_fr(&z, e->z[i]);
        fr_add(&e->scalars[0], &e->scalars[0], &z);
        for (size_t k = 1; k < vk->ic_count; k++) {
            fr_mul(&product, &z, &e->inputs[i][k - 1]);
            fr_add(&e->scalars[k], &e->scalars[k], &product);
        }
    }
    return g1_msm(out, vk->ic, e->scalars, vk->ic_count, pool, err);
}

/* CUZK_OK if it holds, CUZK_REFUSED (without detail) if not. */
static cuzk_status equation_check(struct equation *e, struct pool *pool, cuzk_error *err)
{
    const struct verifying_key *vk = &e->v->vk;
    g1_t *alpha = &e->sums[e->count], *inputs = alpha + 1, *c = alpha + 2, t;
    pool_for(pool, e->count, 1, prepare_proofs, e);
    cuzk_status status = sum_inputs(inputs, e, pool, err);
    if (status != CUZK_OK) return status;
    g1_from_affine(alpha, &vk->alpha_g1);
    g1_mul_fr_var(alpha, alpha, &e->scalars[0]);
    *c = G1_INFINITY;
    for (size_t i = 0; i < e->count; i++) {
        g1_from_affine(&t, &e->proofs[i].c);
        g1_mul_var(&t, &t, e->z[i], FACTOR_LIMBS);
        g1_add(c, c, &t);
    }
    e->g2[e->count] = &e->v->minus_beta;
    e->g2[e->count + 1] = &e->v->minus_gamma;
    e->g2[e->count + 2] = &e->v->minus_delta;
    g1_batch_to_affine_var(e->g1, e->sums, e->count + 3, e->scratch);
    return pairing_product_is_one_var(e->g1, e->g2, e->count + 3) ? CUZK_OK : CUZK_REFUSED;
}

static cuzk_status check_count(const struct verifier *v, size_t input_count, cuzk_error *err)
{
    if (input_count + 1 == v->vk.ic_count) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_DATA, "%zu public inputs, the verifying key is for %zu", input_count,
                     v->vk.ic_count - 1);
}

cuzk_status verifier_check(const struct verifier *v, const struct proof *proof, const fr_t *inputs,
                           size_t input_count, struct pool *pool, cuzk_error *err)
{
    static const uint64_t one[1][FACTOR_LIMBS] = { { 1, 0 } };
    cuzk_status status = check_count(v, input_count, err);
    if (status != CUZK_OK) return status;
    struct equation e = { .v = v, .proofs = proof, .inputs = &inputs, .count = 1, .z = one };
    status = equation_create(&e, err);
    if (status == CUZK_OK) status = equation_check(&e, pool, err);
    equation_release(&e);
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
    uint64_t(*z)[FACTOR_LIMBS] = calloc(count, sizeof *z);
    if (!z) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory to verify %zu proofs", count);
    struct equation e = { .v = v, .proofs = proofs, .inputs = inputs, .count = count, .z = z };
    status = random_bytes(z, count * sizeof *z, err);
    if (status == CUZK_OK) status = equation_create(&e, err);
    if (status == CUZK_OK) status = equation_check(&e, pool, err);
    equation_release(&e);
    free(z);
    if (status != CUZK_REFUSED) return status;
    return find_refused(v, proofs, inputs, input_count, count, pool, err);
}
