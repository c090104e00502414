#define _GNU_SOURCE
#include "backend/prover.h"

#include "base/clock.h"
#include "vanilla/public_inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cuzk_status params_path(char **out, const struct circuit_entry *entry, const char *dir, const char *extension,
                        cuzk_error *err)
{
    char stem[CATALOGUE_STEM_BYTES];
    catalogue_stem(stem, entry);
    if (asprintf(out, "%s/%s.%s", dir, stem, extension) < 0) {
        *out = NULL;
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a path");
    }
    return CUZK_OK;
}

struct srs_counts catalogue_counts(const struct circuit_entry *e)
{
    return srs_counts_of(catalogue_rows(e), e->inputs, e->aux, e->a_aux, catalogue_b_points(e));
}

/* The verifier keeps a key of its own, since the parameter file's belongs to the file. */
static cuzk_status open_verifier(struct prover *p, cuzk_error *err)
{
    struct verifying_key vk = p->params.vk;
    vk.ic = malloc(vk.ic_count * sizeof *vk.ic);
    if (!vk.ic) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the verifying key");
    memcpy(vk.ic, p->params.vk.ic, vk.ic_count * sizeof *vk.ic);
    verifier_create(&p->verifier, &vk);
    return CUZK_OK;
}

cuzk_status prover_open(struct prover *out, const struct circuit_entry *entry, const char *dir,
                        const struct backend *backend, struct pool *pool, cuzk_error *err)
{
    *out = (struct prover){ .entry = entry, .pool = pool };
    char *path = NULL;
    struct srs_counts expected = catalogue_counts(entry);
    cuzk_status status = params_path(&path, entry, dir, "params", err);
    if (status == CUZK_OK) status = params_open(&out->params, path, &expected, pool, err);
    if (status == CUZK_OK) status = circuit_compile(&out->circuit, entry->kind, catalogue_shape(entry), err);
    if (status == CUZK_OK) status = backend_circuit_load(&out->on_device, backend, out->circuit, err);
    if (status == CUZK_OK) status = backend_srs_load(&out->srs, backend, &out->params, NULL, err);
    if (status == CUZK_OK) status = open_verifier(out, err);
    if (status == CUZK_OK) status = witness_shelf_create(&out->witnesses, backend, out->circuit, err);
    free(path);
    if (status != CUZK_OK) prover_close(out);
    return status;
}

cuzk_status prover_open_generated(struct prover *out, const struct circuit_entry *entry, const struct toxic *toxic,
                                  const struct backend *backend, struct pool *pool, const struct progress *progress,
                                  cuzk_error *err)
{
    *out = (struct prover){ .entry = entry, .pool = pool };
    cuzk_status status = circuit_compile(&out->circuit, entry->kind, catalogue_shape(entry), err);
    if (status == CUZK_OK) status = backend_circuit_load(&out->on_device, backend, out->circuit, err);
    if (status == CUZK_OK) {
        status = backend_srs_generate(&out->srs, &out->params, &out->on_device, toxic, progress, err);
    }
    if (status == CUZK_OK) status = open_verifier(out, err);
    if (status == CUZK_OK) status = witness_shelf_create(&out->witnesses, backend, out->circuit, err);
    if (status != CUZK_OK) prover_close(out);
    return status;
}

void prover_close(struct prover *p)
{
    witness_shelf_destroy(p->witnesses);
    p->witnesses = NULL;
    verifier_release(&p->verifier);
    backend_srs_drop(&p->srs);
    backend_circuit_drop(&p->on_device);
    circuit_free(p->circuit);
    params_close(&p->params);
    p->circuit = NULL;
}

static void add_timings(struct prove_timings *sum, const struct prove_timings *t)
{
    sum->evaluate += t->evaluate;
    sum->quotient += t->quotient;
    sum->h += t->h;
    sum->l += t->l;
    sum->a += t->a;
    sum->b_g1 += t->b_g1;
    sum->b_g2 += t->b_g2;
    sum->memory += t->memory;
}

void partition_timings_add(struct partition_timings *sum, const struct partition_timings *t)
{
    sum->witness += t->witness;
    sum->assemble += t->assemble;
    add_timings(&sum->backend, &t->backend);
}

cuzk_status prover_batch(struct proof *out, const struct prover *p, struct witness *w,
                         const struct partition_input *in, const struct proof_randomness *random, size_t count,
                         struct partition_timings *timings, cuzk_error *err)
{
    struct proof_sums sums[BACKEND_MAX_BATCH];
    struct prove_timings spent[BACKEND_MAX_BATCH];
    const struct witness *each[BACKEND_MAX_BATCH];
    cuzk_status status = CUZK_OK;
    if (count > BACKEND_MAX_BATCH) return cuzk_fail(err, CUZK_ERR_USAGE, "more than %d at once", BACKEND_MAX_BATCH);
    uint64_t start = clock_now();
    for (size_t i = 0; i < count && status == CUZK_OK; i++) {
        each[i] = &w[i];
        status = circuit_fill(&w[i], &in[i], p->pool, err);
    }
    timings->witness += clock_now() - start;
    if (status == CUZK_OK) {
        status = backend_prove_batch(sums, spent, &p->on_device, &p->srs, each, count, err);
    }
    if (status != CUZK_OK) return status;
    start = clock_now();
    for (size_t i = 0; i < count; i++) {
        add_timings(&timings->backend, &spent[i]);
        proof_assemble(&out[i], &sums[i], &p->params.vk, &random[i]);
    }
    timings->assemble += clock_now() - start;
    return CUZK_OK;
}

cuzk_status prover_partition(struct proof *out, const struct prover *p, struct witness *w,
                             const struct partition_input *in, const struct proof_randomness *random,
                             struct partition_timings *timings, cuzk_error *err)
{
    return prover_batch(out, p, w, in, random, 1, timings, err);
}

cuzk_status public_values_create(struct public_values *out, const struct statement *statement, size_t first,
                                 size_t count, cuzk_error *err)
{
    size_t each = public_inputs_count(statement->kind, statement->shape);
    *out = (struct public_values){ .count = count, .each = each };
    out->values = calloc(count * each, sizeof *out->values);
    out->inputs = calloc(count, sizeof *out->inputs);
    if (!out->values || !out->inputs) {
        public_values_release(out);
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the public inputs of %zu proofs", count);
    }
    for (size_t i = 0; i < count; i++) {
        out->inputs[i] = out->values + i * each;
        public_inputs(out->values + i * each, statement, first + i);
    }
    return CUZK_OK;
}

void public_values_release(struct public_values *p)
{
    free(p->values);
    free(p->inputs);
    *p = (struct public_values){ 0 };
}

cuzk_status proofs_verify(const struct verifier *v, const struct public_values *claims, const struct proof *proofs,
                          struct pool *pool, cuzk_error *err)
{
    return verifier_check_all(v, proofs, claims->inputs, claims->each, claims->count, pool, err);
}
