#include "groth16/keygen.h"

#include "math/fixed_base.h"
#include "math/ntt.h"
#include "r1cs/coeffs.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Columns are shared between instances (imports), so additions to them go through one of many
 * locks, each for runs of neighbouring variables. */
enum { LOCKS = 256, RUN_LOG = 10, PIECE = 1 << 14 };

static size_t longest_template(const struct circuit *c)
{
    size_t longest = 1;
    for (size_t i = 0; i < c->template_count; i++) {
        size_t n = (size_t)template_refs(c->templates[i]) + c->templates[i]->publics;
        if (n > longest) longest = n;
    }
    return longest;
}

cuzk_status keygen_lagrange(struct keygen *k, cuzk_error *err)
{
    struct ntt_domain *domain;
    cuzk_status status = ntt_domain_create(&domain, k->circuit->log2_domain, k->pool, err);
    if (status != CUZK_OK) return status;
    ntt_lagrange(k->lagrange, &k->toxic.tau, domain, k->pool);
    ntt_domain_destroy(domain);
    return CUZK_OK;
}

cuzk_status keygen_begin(struct keygen *out, const struct circuit *circuit, const struct toxic *toxic,
                         struct pool *pool, cuzk_error *err)
{
    *out = (struct keygen){ .circuit = circuit, .pool = pool, .toxic = *toxic };
    out->domain = (size_t)1 << circuit->log2_domain;
    out->longest = longest_template(circuit);
    fr_inv_var(&out->inverse_gamma, &toxic->gamma);
    fr_inv_var(&out->inverse_delta, &toxic->delta);
    fr_pow_u64_var(&out->vanishing, &toxic->tau, out->domain);
    fr_sub(&out->vanishing, &out->vanishing, &FR_ONE);
    if (fr_is_zero(&out->vanishing) || fr_is_zero(&out->inverse_gamma) || fr_is_zero(&out->inverse_delta)) {
        return cuzk_fail(err, CUZK_ERR_USAGE, "unusable setup: gamma or delta is zero, or tau lies in the domain");
    }
    out->lagrange = malloc(out->domain * sizeof *out->lagrange);
    out->scratch = malloc(pool_threads(pool) * out->longest * sizeof *out->scratch);
    if (out->lagrange && out->scratch) return CUZK_OK;
    keygen_release(out);
    return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a domain of 2^%u elements", circuit->log2_domain);
}

cuzk_status keygen_create(struct keygen *out, const struct circuit *circuit, const struct toxic *toxic,
                          struct pool *pool, cuzk_error *err)
{
    cuzk_status status = keygen_begin(out, circuit, toxic, pool, err);
    if (status != CUZK_OK) return status;
    status = keygen_lagrange(out, err);
    if (status != CUZK_OK) keygen_release(out);
    return status;
}

void keygen_release(struct keygen *k)
{
    free(k->lagrange);
    free(k->scratch);
    *k = (struct keygen){ 0 };
}

struct powers {
    const struct keygen *k;
    fr_t *out;
    size_t first;
};

static void powers_piece(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    const struct powers *p = context;
    fr_t x;
    fr_pow_u64_var(&x, &p->k->toxic.tau, p->first + begin);
    fr_mul(&x, &x, &p->k->vanishing);
    fr_mul(&x, &x, &p->k->inverse_delta);
    for (size_t i = begin; i < end; i++) {
        p->out[i] = x;
        fr_mul(&x, &x, &p->k->toxic.tau);
    }
}

void keygen_h(fr_t *out, const struct keygen *k, size_t begin, size_t end)
{
    struct powers p = { .k = k, .out = out, .first = begin };
    pool_for(k->pool, end - begin, PIECE, powers_piece, &p);
}

/* One pass over all rows. Each matrix m takes part with weight[m]; absent ones are skipped. */
struct columns {
    const struct keygen *k;
    fr_t weight[MATRICES];
    bool present[MATRICES];
    fr_t *inputs, *aux;
    pthread_mutex_t lock[LOCKS];
};

static void add_term(fr_t *sum, const struct circuit *c, uint32_t coeff, const fr_t *value)
{
    if (coeff == COEFF_ONE) {
        fr_add(sum, sum, value);
    } else if (coeff == COEFF_MINUS_ONE) {
        fr_sub(sum, sum, value);
    } else {
        fr_t product;
        fr_mul(&product, &c->coeffs[coeff].value, value);
        fr_add(sum, sum, &product);
    }
}

/* sums[ref], then sums[refs + k] for public input k: the instance's share of its columns. */
static void sum_instance(fr_t *sums, const struct columns *s, const struct instance *i, const struct template *t)
{
    const struct circuit *c = s->k->circuit;
    uint32_t refs = template_refs(t);
    memset(sums, 0, ((size_t)refs + t->publics) * sizeof *sums);
    for (int m = 0; m < MATRICES; m++) {
        if (!s->present[m]) continue;
        const struct matrix *matrix = &t->matrix[m];
        for (uint32_t row = 0; row < t->rows; row++) {
            fr_t value;
            fr_mul(&value, &s->weight[m], &s->k->lagrange[i->row_base + row]);
            for (uint32_t j = matrix->start[row]; j < matrix->start[row + 1]; j++) {
                uint32_t ref = matrix->terms[j].ref;
                size_t place = ref & REF_PUBLIC ? refs + (ref & ~REF_PUBLIC) : ref;
                add_term(&sums[place], c, matrix->terms[j].coeff, &value);
            }
        }
    }
}

static void add_to_inputs(struct columns *s, uint32_t first, const fr_t *sums, uint32_t count)
{
    pthread_mutex_lock(&s->lock[0]);
    for (uint32_t i = 0; i < count; i++) fr_add(&s->inputs[first + i], &s->inputs[first + i], &sums[i]);
    pthread_mutex_unlock(&s->lock[0]);
}

/* Private variable variables[i], or first + i without a list, gets sums[i]. Locks 1 … LOCKS − 1
 * take turns over runs of 2^RUN_LOG variables; the list is mostly ascending, so that few locks are
 * taken. */
static void add_to_aux(struct columns *s, const uint32_t *variables, uint32_t first, const fr_t *sums, uint32_t count)
{
    pthread_mutex_t *held = NULL;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = variables ? variables[i] : first + i;
        pthread_mutex_t *lock = &s->lock[1 + (v >> RUN_LOG) % (LOCKS - 1)];
        if (lock != held) {
            if (held) pthread_mutex_unlock(held);
            pthread_mutex_lock(lock);
            held = lock;
        }
        fr_add(&s->aux[v], &s->aux[v], &sums[i]);
    }
    if (held) pthread_mutex_unlock(held);
}

static void sum_instances(void *context, size_t begin, size_t end, unsigned worker)
{
    struct columns *s = context;
    const struct circuit *c = s->k->circuit;
    fr_t *sums = s->k->scratch + worker * s->k->longest;
    for (size_t n = begin; n < end; n++) {
        const struct instance *i = &c->instances[n];
        const struct template *t = c->templates[i->template];
        sum_instance(sums, s, i, t);
        add_to_inputs(s, 0, sums, 1);
        add_to_inputs(s, i->public_base, sums + template_refs(t), t->publics);
        add_to_aux(s, c->imports + i->import_base, 0, sums + 1, t->imports);
        add_to_aux(s, NULL, i->aux_base, sums + 1 + t->imports, t->locals);
    }
}

static void clear_piece(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    struct columns *s = context;
    memset(s->aux + begin, 0, (end - begin) * sizeof *s->aux);
}

static void scale_piece(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    struct columns *s = context;
    for (size_t v = begin; v < end; v++) fr_mul(&s->aux[v], &s->aux[v], &s->k->inverse_delta);
}

static cuzk_status scale_l(struct columns *s, cuzk_error *err)
{
    const struct circuit *c = s->k->circuit;
    for (uint32_t i = 0; i < c->inputs; i++) {
        fr_mul(&s->inputs[i], &s->inputs[i], &s->k->inverse_gamma);
    }
    for (uint32_t v = 0; v < c->aux; v++) {
        if (fr_is_zero(&s->aux[v])) {
            return cuzk_fail(err, CUZK_ERR_DATA, "private variable %u occurs in no row", v);
        }
    }
    pool_for(s->k->pool, c->aux, PIECE, scale_piece, s);
    return CUZK_OK;
}

cuzk_status keygen_columns(fr_t *inputs, fr_t *aux, const struct keygen *k, enum keygen_columns which,
                           cuzk_error *err)
{
    const struct circuit *c = k->circuit;
    struct columns s = { .k = k, .inputs = inputs, .aux = aux };
    s.present[MATRIX_A] = which != KEYGEN_B;
    s.present[MATRIX_B] = which != KEYGEN_A;
    s.present[MATRIX_C] = which == KEYGEN_L;
    s.weight[MATRIX_A] = which == KEYGEN_L ? k->toxic.beta : FR_ONE;
    s.weight[MATRIX_B] = which == KEYGEN_L ? k->toxic.alpha : FR_ONE;
    s.weight[MATRIX_C] = FR_ONE;
    for (int i = 0; i < LOCKS; i++) pthread_mutex_init(&s.lock[i], NULL);

    pool_for(k->pool, c->aux, PIECE, clear_piece, &s);
    for (uint32_t i = 0; i < c->inputs; i++) {
        /* The appended row of input i is  input_i · 0 = 0. */
        inputs[i] = FR_ZERO;
        if (s.present[MATRIX_A]) {
            fr_mul(&inputs[i], &s.weight[MATRIX_A], &k->lagrange[c->constraints + i]);
        }
    }
    pool_for(k->pool, c->instance_count, 1, sum_instances, &s);

    for (int i = 0; i < LOCKS; i++) pthread_mutex_destroy(&s.lock[i]);
    return which == KEYGEN_L ? scale_l(&s, err) : CUZK_OK;
}

cuzk_status keygen_key(struct verifying_key *out, const struct keygen *k, const fr_t *inputs, cuzk_error *err)
{
    const struct toxic *t = &k->toxic;
    struct g1_fixed_base *g1 = NULL;
    struct g2_fixed_base *g2 = NULL;
    *out = (struct verifying_key){ .ic_count = k->circuit->inputs };
    out->ic = malloc(out->ic_count * sizeof *out->ic);
    cuzk_status status = CUZK_OK;
    if (!out->ic) status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the verifying key");
    if (status == CUZK_OK) status = g1_fixed_base_create(&g1, &G1_GENERATOR, out->ic_count + 3, k->pool, err);
    if (status == CUZK_OK) status = g2_fixed_base_create(&g2, &G2_GENERATOR, 3, k->pool, err);
    if (status == CUZK_OK) {
        g1_fixed_base_mul(&out->alpha_g1, g1, &t->alpha, 1);
        g1_fixed_base_mul(&out->beta_g1, g1, &t->beta, 1);
        g1_fixed_base_mul(&out->delta_g1, g1, &t->delta, 1);
        g2_fixed_base_mul(&out->beta_g2, g2, &t->beta, 1);
        g2_fixed_base_mul(&out->gamma_g2, g2, &t->gamma, 1);
        g2_fixed_base_mul(&out->delta_g2, g2, &t->delta, 1);
        g1_fixed_base_mul(out->ic, g1, inputs, out->ic_count);
    }
    g1_fixed_base_destroy(g1);
    g2_fixed_base_destroy(g2);
    if (status != CUZK_OK) vk_release(out);
    return status;
}
