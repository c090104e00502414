/* include/cuzk/prove.h over the CPU backend. */
#include "cuzk/prove.h"

#include "backend/cpu/cpu.h"
#include "groth16/verifier.h"
#include "r1cs/evaluate.h"

#include <stdlib.h>

static cuzk_status generate(const struct circuit *c, const char *seed, const char *dir, const char *stem,
                            const struct backend *backend, cuzk_error *err)
{
    struct backend_circuit loaded = { 0 };
    struct params_writer w;
    struct toxic toxic;
    cuzk_status status = toxic_from_insecure_seed(&toxic, seed, err);
    if (status == CUZK_OK) status = backend_circuit_load(&loaded, backend, c, err);
    if (status != CUZK_OK) return status;
    status = params_writer_open(&w, dir, stem, &loaded.layout.counts, err);
    if (status == CUZK_OK) {
        status = backend_keygen(&w, &loaded, &toxic, NULL, err);
        if (status == CUZK_OK) status = params_writer_commit(&w, err);
        else params_writer_abandon(&w);
    }
    backend_circuit_drop(&loaded);
    return status;
}

cuzk_status cuzk_generate_insecure(const cuzk_circuit *circuit, const char *seed, const char *dir, const char *stem,
                                   unsigned threads, cuzk_error *err)
{
    struct pool *pool = NULL;
    struct backend backend = { 0 };
    cuzk_status status = pool_create(&pool, threads, err);
    if (status == CUZK_OK) status = cpu_backend_open(&backend, pool, err);
    if (status == CUZK_OK) status = generate((const struct circuit *)circuit, seed, dir, stem, &backend, err);
    backend_close(&backend);
    pool_destroy(pool);
    return status;
}

struct cuzk_prover {
    const struct circuit *circuit;
    struct pool *pool;
    struct backend backend;
    struct params_file params;
    struct backend_circuit loaded;
    struct backend_srs srs;
    struct verifier verifier;
    struct witness witness;
};

/* The verifier owns a key of its own. */
static cuzk_status open_verifier(cuzk_prover *p, cuzk_error *err)
{
    struct verifying_key vk;
    struct reader r = reader_over(p->params.map.data, p->params.map.size);
    cuzk_status status = vk_read(&vk, &r, p->pool, err);
    if (status == CUZK_OK) verifier_create(&p->verifier, &vk);
    return status;
}

cuzk_status cuzk_prover_open(cuzk_prover **out, const cuzk_circuit *circuit, const char *params_path,
                             unsigned threads, cuzk_error *err)
{
    cuzk_prover *p = *out = calloc(1, sizeof *p);
    if (!p) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a prover");
    p->circuit = (const struct circuit *)circuit;
    cuzk_status status = pool_create(&p->pool, threads, err);
    if (status == CUZK_OK) status = cpu_backend_open(&p->backend, p->pool, err);
    if (status == CUZK_OK) status = backend_circuit_load(&p->loaded, &p->backend, p->circuit, err);
    if (status == CUZK_OK) {
        status = params_open(&p->params, params_path, &p->loaded.layout.counts, p->pool, err);
    }
    if (status == CUZK_OK) status = backend_srs_load(&p->srs, &p->backend, &p->params, NULL, err);
    if (status == CUZK_OK) status = open_verifier(p, err);
    if (status == CUZK_OK) status = witness_create(&p->witness, p->circuit, err);
    if (status != CUZK_OK) {
        cuzk_prover_close(p);
        *out = NULL;
    }
    return status;
}

void cuzk_prover_close(cuzk_prover *p)
{
    if (!p) return;
    witness_destroy(&p->witness);
    verifier_release(&p->verifier);
    backend_srs_drop(&p->srs);
    backend_circuit_drop(&p->loaded);
    params_close(&p->params);
    backend_close(&p->backend);
    pool_destroy(p->pool);
    free(p);
}

static cuzk_status assemble(uint8_t out[CUZK_PROOF_BYTES], cuzk_prover *p, const char *insecure_tag, cuzk_error *err)
{
    struct proof_sums sums;
    struct proof_randomness random;
    struct proof proof;
    cuzk_status status = insecure_tag ? proof_randomness_from_tag(&random, insecure_tag, 0, err)
                                      : proof_randomness_draw(&random, err);
    if (status == CUZK_OK) status = backend_prove(&sums, NULL, &p->loaded, &p->srs, &p->witness, err);
    if (status != CUZK_OK) return status;
    proof_assemble(&proof, &sums, &p->params.vk, &random);
    proof_encode(out, &proof);
    return verifier_check(&p->verifier, &proof, p->witness.inputs + 1, p->circuit->inputs - 1, p->pool, err);
}

cuzk_status cuzk_prover_prove(uint8_t proof[CUZK_PROOF_BYTES], uint8_t (*publics)[32], cuzk_prover *p,
                              const uint8_t (*inputs)[32], size_t input_count, size_t groups,
                              const char *insecure_tag, cuzk_error *err)
{
    struct assignment a = { .nodes = inputs, .node_count = input_count, .groups = groups };
    cuzk_status status = witness_fill(&p->witness, &a, p->pool, err);
    if (status == CUZK_OK) status = witness_check(&p->witness, p->pool, err);
    if (status == CUZK_OK) status = assemble(proof, p, insecure_tag, err);
    for (uint32_t i = 1; status == CUZK_OK && publics && i < p->circuit->inputs; i++) {
        fr_to_bytes(publics[i - 1], &p->witness.inputs[i]);
    }
    return status;
}

cuzk_status cuzk_prover_verify(const cuzk_prover *p, const uint8_t proof[CUZK_PROOF_BYTES],
                               const uint8_t (*publics)[32], size_t public_count, cuzk_error *err)
{
    struct proof decoded;
    cuzk_status status = proof_decode(&decoded, proof, err);
    if (status != CUZK_OK) return status;
    fr_t *inputs = calloc(public_count + 1, sizeof *inputs);
    if (!inputs) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu public inputs", public_count);
    for (size_t i = 0; i < public_count && status == CUZK_OK; i++) {
        if (!fr_from_bytes(&inputs[i], publics[i])) {
            status = cuzk_fail(err, CUZK_ERR_DATA, "public input %zu is not canonical", i);
        }
    }
    if (status == CUZK_OK) status = verifier_check(&p->verifier, &decoded, inputs, public_count, p->pool, err);
    free(inputs);
    return status;
}
