#include "cli/bench/bench_claims.h"

#include <stdlib.h>

/* The powers of a fixed number. */
static fr_t next_number(fr_t *state)
{
    fr_t factor;
    fr_from_u64(&factor, 0x9e3779b97f4a7c15u);
    fr_mul(state, state, &factor);
    return *state;
}

static void g1_multiple(g1_affine_t *out, const fr_t *log)
{
    g1_t t;
    g1_from_affine(&t, &G1_GENERATOR);
    g1_mul_fr_var(&t, &t, log);
    g1_to_affine_var(out, &t);
}

static void g2_multiple(g2_affine_t *out, const fr_t *log)
{
    g2_t t;
    g2_from_affine(&t, &G2_GENERATOR);
    g2_mul_fr_var(&t, &t, log);
    g2_to_affine_var(out, &t);
}

/* Logarithms of a key. */
struct secrets {
    fr_t alpha, beta, gamma, delta, ic[CLAIM_INPUTS + 1];
};

static void make_key(struct verifying_key *vk, struct secrets *k, fr_t *state)
{
    k->alpha = next_number(state);
    k->beta = next_number(state);
    k->gamma = next_number(state);
    k->delta = next_number(state);
    g1_multiple(&vk->alpha_g1, &k->alpha);
    g1_multiple(&vk->beta_g1, &k->beta);
    g1_multiple(&vk->delta_g1, &k->delta);
    g2_multiple(&vk->beta_g2, &k->beta);
    g2_multiple(&vk->gamma_g2, &k->gamma);
    g2_multiple(&vk->delta_g2, &k->delta);
    for (size_t i = 0; i < vk->ic_count; i++) {
        k->ic[i] = next_number(state);
        g1_multiple(&vk->ic[i], &k->ic[i]);
    }
}

static void make_claim(struct claim *out, const struct secrets *k, fr_t *state)
{
    fr_t a = next_number(state), b = next_number(state), c, sum = k->ic[0], t;
    for (size_t i = 0; i < CLAIM_INPUTS; i++) {
        out->inputs[i] = next_number(state);
        fr_mul(&t, &out->inputs[i], &k->ic[i + 1]);
        fr_add(&sum, &sum, &t);
    }
    fr_mul(&c, &a, &b);
    fr_mul(&t, &k->alpha, &k->beta);
    fr_sub(&c, &c, &t);
    fr_mul(&t, &sum, &k->gamma);
    fr_sub(&c, &c, &t);
    fr_inv_var(&t, &k->delta);
    fr_mul(&c, &c, &t);
    g1_multiple(&out->proof.a, &a);
    g2_multiple(&out->proof.b, &b);
    g1_multiple(&out->proof.c, &c);
}

cuzk_status claims_make(struct verifying_key *vk, struct claim *out, size_t count, cuzk_error *err)
{
    struct secrets secrets;
    fr_t state = FR_ONE;
    *vk = (struct verifying_key){ .ic_count = CLAIM_INPUTS + 1 };
    vk->ic = malloc(vk->ic_count * sizeof *vk->ic);
    if (!vk->ic) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a verifying key");
    make_key(vk, &secrets, &state);
    for (size_t i = 0; i < count; i++) make_claim(&out[i], &secrets, &state);
    return CUZK_OK;
}
