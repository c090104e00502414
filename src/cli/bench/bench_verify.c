/* cuzk bench verify: pairings, one proof with 40 public inputs, and ten proofs together. */
#include "cli/bench/bench.h"
#include "cli/bench/bench_claims.h"

#include <stdlib.h>

enum { TOGETHER = 10 };

struct verification {
    struct verifier verifier;
    struct claim claims[TOGETHER];
    struct proof proofs[TOGETHER];
    const fr_t *inputs[TOGETHER];
    struct pool *pool;
    bool refused;
};

static void one_pairing(void *context)
{
    struct verification *v = context;
    gt_t value;
    pairing_var(&value, &v->proofs[0].a, &v->proofs[0].b);
}

static void one_proof(void *context)
{
    struct verification *v = context;
    v->refused |= verifier_check(&v->verifier, v->proofs, v->inputs[0], CLAIM_INPUTS, v->pool, NULL) != CUZK_OK;
}

static void ten_proofs(void *context)
{
    struct verification *v = context;
    v->refused |= verifier_check_all(&v->verifier, v->proofs, v->inputs, CLAIM_INPUTS, TOGETHER, v->pool, NULL) !=
                  CUZK_OK;
}

static cuzk_status measure(const struct bench_options *o, struct verification *v, unsigned threads, cuzk_error *err)
{
    cuzk_status status = pool_create(&v->pool, threads, err);
    if (status != CUZK_OK) return status;
    if (threads == 1) bench_run(o, "pairing", "cpu", 1, threads, 0, one_pairing, v);
    bench_run(o, "verify one proof", "cpu", 1, threads, 0, one_proof, v);
    bench_run(o, "verify ten together", "cpu", TOGETHER, threads, TOGETHER, ten_proofs, v);
    pool_destroy(v->pool);
    return v->refused ? cuzk_fail(err, CUZK_ERR_INTERNAL, "a proof that holds was refused") : CUZK_OK;
}

cuzk_status bench_verify(const struct bench_options *o, cuzk_error *err)
{
    unsigned all = o->device.threads ? o->device.threads : pool_cpus();
    struct verifying_key vk = { 0 };
    struct verification *v = calloc(1, sizeof *v);
    if (!v) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for ten proofs");
    cuzk_status status = claims_make(&vk, v->claims, TOGETHER, err);
    if (status != CUZK_OK) goto out;
    verifier_create(&v->verifier, &vk);
    for (int i = 0; i < TOGETHER; i++) {
        v->proofs[i] = v->claims[i].proof;
        v->inputs[i] = v->claims[i].inputs;
    }
    status = measure(o, v, 1, err);
    if (status == CUZK_OK && all > 1) status = measure(o, v, all, err);
out:
    verifier_release(&v->verifier);
    free(v);
    return status;
}
