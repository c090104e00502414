/* One pairing, the verification of one proof with 40 public inputs, and of ten together. blst has no Groth16
 * verifier: this is the fastest that its interface allows, with everything that depends on the key alone computed
 * beforehand (windows of multiples of ic, lines of gamma and delta, e(alpha, beta)), as bellperson does it. */
#include "compare/contest.h"

#include "cli/bench/bench_claims.h"

#include <blst.h>

#include <stdlib.h>
#include <string.h>

enum { BATCH = 10, WINDOW = 8, FACTOR_BITS = 128, SCALAR_BITS = 255 };

struct peer_key {
    blst_fp6 minus_gamma[68], minus_delta[68];
    blst_fp12 alpha_beta;
    blst_p2_affine minus_beta;
    blst_p1_affine *ic; /* the table */
    limb_t *scratch;
};

struct verifications {
    struct verifier v;
    struct peer_key peer;
    struct claim claims[BATCH];
    struct proof proofs[BATCH];
    const fr_t *inputs[BATCH];
    struct pool *pool;
    unsigned threads;
    /* blst's batch: factors, scalars of ic, products z·A, and a part of the loop for each thread */
    byte factors[BATCH][16], scalars[CLAIM_INPUTS + 1][32];
    blst_p1_affine a[BATCH];
    blst_fp12 parts[BATCH];
    bool ours, theirs;
    gt_t one;
    blst_fp12 one_theirs;
};

/* ---- One pairing: the values differ by the final exponentiation's convention, so its bilinearity is checked ---- */

static void pairing_ours(void *context)
{
    struct verifications *v = context;
    pairing_var(&v->one, &v->proofs[0].a, &v->proofs[0].b);
}

static void pairing_theirs(void *context)
{
    struct verifications *v = context;
    blst_miller_loop(&v->one_theirs, (const blst_p2_affine *)&v->proofs[0].b, (const blst_p1_affine *)&v->proofs[0].a);
    blst_final_exp(&v->one_theirs, &v->one_theirs);
}

/* Both are that power of the Miller loop's value which has order r: ours the cube of theirs, up to a sign of the
 * exponent. */
static bool pairings_agree(const void *context)
{
    const struct verifications *v = context;
    blst_fp12 ours, power, inverse;
    memcpy(&ours, &v->one, sizeof ours);
    blst_fp12_sqr(&power, &v->one_theirs);
    blst_fp12_mul(&power, &power, &v->one_theirs);
    inverse = power;
    blst_fp12_conjugate(&inverse);
    return blst_fp12_is_equal(&ours, &power) || blst_fp12_is_equal(&ours, &v->one_theirs) ||
           blst_fp12_is_equal(&ours, &inverse);
}

/* ---- One proof ---- */

static void sum_inputs(blst_p1_affine *out, const struct verifications *v)
{
    const byte *const scalars[2] = { v->scalars[0], NULL };
    blst_p1 sum;
    blst_p1s_mult_wbits(&sum, v->peer.ic, WINDOW, CLAIM_INPUTS + 1, scalars, SCALAR_BITS, v->peer.scratch);
    blst_p1_to_affine(out, &sum);
}

static void verify_ours(void *context)
{
    struct verifications *v = context;
    v->ours = verifier_check(&v->v, &v->proofs[0], v->inputs[0], CLAIM_INPUTS, v->pool, NULL) == CUZK_OK;
}

static void verify_theirs(void *context)
{
    struct verifications *v = context;
    blst_p1_affine inputs;
    blst_fp12 product, part;
    memset(v->scalars[0], 0, sizeof v->scalars[0]);
    v->scalars[0][0] = 1;
    for (int i = 0; i < CLAIM_INPUTS; i++) fr_to_bytes(v->scalars[i + 1], &v->inputs[0][i]);
    sum_inputs(&inputs, v);
    blst_miller_loop(&product, (const blst_p2_affine *)&v->proofs[0].b, (const blst_p1_affine *)&v->proofs[0].a);
    blst_miller_loop_lines(&part, v->peer.minus_gamma, &inputs);
    blst_fp12_mul(&product, &product, &part);
    blst_miller_loop_lines(&part, v->peer.minus_delta, (const blst_p1_affine *)&v->proofs[0].c);
    blst_fp12_mul(&product, &product, &part);
    blst_final_exp(&product, &product);
    v->theirs = blst_fp12_is_equal(&product, &v->peer.alpha_beta);
}

/* ---- Ten proofs with random 128-bit factors ---- */

static void batch_ours(void *context)
{
    struct verifications *v = context;
    v->ours = verifier_check_all(&v->v, v->proofs, v->inputs, CLAIM_INPUTS, BATCH, v->pool, NULL) == CUZK_OK;
}

/* Thread i takes every threads-th proof through one loop. */
static void loop_parts(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    struct verifications *v = context;
    for (size_t part = begin; part < end; part++) {
        const blst_p2_affine *q[BATCH];
        const blst_p1_affine *p[BATCH];
        size_t n = 0;
        for (size_t i = part; i < BATCH; i += v->threads) {
            blst_p1 t;
            blst_p1_from_affine(&t, (const blst_p1_affine *)&v->proofs[i].a);
            blst_p1_mult(&t, &t, v->factors[i], FACTOR_BITS);
            blst_p1_to_affine(&v->a[i], &t);
            p[n] = &v->a[i];
            q[n++] = (const blst_p2_affine *)&v->proofs[i].b;
        }
        blst_miller_loop_n(&v->parts[part], q, p, n);
    }
}

static void random_factors(fr_t sums[CLAIM_INPUTS + 1], struct verifications *v)
{
    memset(sums, 0, (CLAIM_INPUTS + 1) * sizeof *sums);
    if (random_bytes(v->factors, sizeof v->factors, NULL) != CUZK_OK) abort();
    for (int i = 0; i < BATCH; i++) {
        uint64_t limbs[4] = { 0 };
        fr_t z, t;
        memcpy(limbs, v->factors[i], sizeof v->factors[i]);
        (void)fr_from_limbs(&z, limbs);
        fr_add(&sums[0], &sums[0], &z);
        for (int k = 0; k < CLAIM_INPUTS; k++) {
            fr_mul(&t, &z, &v->inputs[i][k]);
            fr_add(&sums[k + 1], &sums[k + 1], &t);
        }
    }
}

static void batch_theirs(void *context)
{
    struct verifications *v = context;
    fr_t sums[CLAIM_INPUTS + 1];
    random_factors(sums, v);
    for (int i = 0; i <= CLAIM_INPUTS; i++) fr_to_bytes(v->scalars[i], &sums[i]);
    pool_for(v->pool, v->threads, 1, loop_parts, v);
    const blst_p1_affine *c[BATCH];
    const byte *factors[BATCH];
    for (int i = 0; i < BATCH; i++) {
        c[i] = (const blst_p1_affine *)&v->proofs[i].c;
        factors[i] = v->factors[i];
    }
    blst_p1_affine inputs, c_sum, alpha;
    blst_p1 t;
    sum_inputs(&inputs, v);
    blst_p1s_mult_pippenger(&t, c, BATCH, factors, FACTOR_BITS, v->peer.scratch);
    blst_p1_to_affine(&c_sum, &t);
    blst_p1_from_affine(&t, (const blst_p1_affine *)&v->v.vk.alpha_g1);
    blst_p1_mult(&t, &t, v->scalars[0], SCALAR_BITS);
    blst_p1_to_affine(&alpha, &t);
    blst_fp12 product, part;
    blst_miller_loop(&product, &v->peer.minus_beta, &alpha);
    for (unsigned i = 0; i < v->threads; i++) blst_fp12_mul(&product, &product, &v->parts[i]);
    blst_miller_loop_lines(&part, v->peer.minus_gamma, &inputs);
    blst_fp12_mul(&product, &product, &part);
    blst_miller_loop_lines(&part, v->peer.minus_delta, &c_sum);
    blst_fp12_mul(&product, &product, &part);
    blst_final_exp(&product, &product);
    v->theirs = blst_fp12_is_one(&product);
}

static bool both_hold(const void *context)
{
    const struct verifications *v = context;
    return v->ours && v->theirs;
}

/* ---- */

static void prepare_peer(struct peer_key *k, const struct verifying_key *vk)
{
    g2_affine_t minus;
    const blst_p1_affine *const ic[2] = { (const blst_p1_affine *)vk->ic, NULL };
    size_t scratch = blst_p1s_mult_wbits_scratch_sizeof(CLAIM_INPUTS + 1);
    size_t other = blst_p1s_mult_pippenger_scratch_sizeof(BATCH);
    k->ic = take_memory(blst_p1s_mult_wbits_precompute_sizeof(WINDOW, CLAIM_INPUTS + 1));
    k->scratch = take_memory(scratch > other ? scratch : other);
    blst_p1s_mult_wbits_precompute(k->ic, WINDOW, ic, CLAIM_INPUTS + 1);
    g2_affine_neg(&minus, &vk->gamma_g2);
    blst_precompute_lines(k->minus_gamma, (const blst_p2_affine *)&minus);
    g2_affine_neg(&minus, &vk->delta_g2);
    blst_precompute_lines(k->minus_delta, (const blst_p2_affine *)&minus);
    g2_affine_neg(&minus, &vk->beta_g2);
    memcpy(&k->minus_beta, &minus, sizeof k->minus_beta);
    blst_miller_loop(&k->alpha_beta, (const blst_p2_affine *)&vk->beta_g2, (const blst_p1_affine *)&vk->alpha_g1);
    blst_final_exp(&k->alpha_beta, &k->alpha_beta);
}

void compare_pairings(struct settings *s)
{
    struct verifications *v = take_memory(sizeof *v);
    struct verifying_key vk;
    if (claims_make(&vk, v->claims, BATCH, NULL) != CUZK_OK) abort();
    prepare_peer(&v->peer, &vk);
    verifier_create(&v->v, &vk);
    for (int i = 0; i < BATCH; i++) {
        v->proofs[i] = v->claims[i].proof;
        v->inputs[i] = v->claims[i].inputs;
    }
    for (unsigned threads = 1; threads <= s->threads; threads = threads == 1 ? s->threads : threads + 1) {
        v->pool = start_pool(threads);
        v->threads = threads < BATCH ? threads : BATCH;
        struct contest contests[] = {
            { "pairing", 1, 1, pairing_ours, pairing_theirs, pairings_agree, v },
            { "verify", 1, threads, verify_ours, verify_theirs, both_hold, v },
            { "verify together", BATCH, threads, batch_ours, batch_theirs, both_hold, v },
        };
        for (size_t i = threads == 1 ? 0 : 1; i < 3; i++) contest_run(s, &contests[i]);
        pool_destroy(v->pool);
        if (threads == s->threads) break;
    }
    verifier_release(&v->v);
    free(v->peer.ic);
    free(v->peer.scratch);
    free(v);
}
