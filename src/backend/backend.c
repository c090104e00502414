#include "backend/backend.h"

#include <inttypes.h>
#include <string.h>

static cuzk_status unavailable(const struct backend *b, const char *what, cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "backend %s has no %s", b->ops->name, what);
}

void backend_close(struct backend *b)
{
    if (b->ops && b->ops->close) b->ops->close(b->state);
    *b = (struct backend){ 0 };
}

void backend_describe(struct backend_description *out, const struct backend *b)
{
    *out = (struct backend_description){ 0 };
    if (b->ops->describe) b->ops->describe(out, b->state);
}

cuzk_status backend_health(const struct backend *b, cuzk_error *err)
{
    return b->ops->health ? b->ops->health(b->state, err) : CUZK_OK;
}

cuzk_status backend_circuit_load(struct backend_circuit *out, const struct backend *b, const struct circuit *circuit,
                                 cuzk_error *err)
{
    *out = (struct backend_circuit){ .circuit = circuit };
    cuzk_status status = srs_layout_create(&out->layout, circuit, err);
    if (status != CUZK_OK) return status;
    if (b->ops->circuit_load) status = b->ops->circuit_load(out, b->state, err);
    if (status == CUZK_OK)
        out->backend = b;
    else
        srs_layout_release(&out->layout);
    return status;
}

void backend_circuit_drop(struct backend_circuit *c)
{
    if (c->backend && c->backend->ops->circuit_drop) {
        c->backend->ops->circuit_drop(c, c->backend->state);
    }
    srs_layout_release(&c->layout);
    *c = (struct backend_circuit){ 0 };
}

cuzk_status backend_srs_load(struct backend_srs *out, const struct backend *b, const struct params_file *file,
                             const struct progress *p, cuzk_error *err)
{
    *out = (struct backend_srs){ .file = file };
    cuzk_status status = CUZK_OK;
    if (b->ops->srs_load) status = b->ops->srs_load(out, b->state, p, err);
    if (status == CUZK_OK) out->backend = b;
    return status;
}

void backend_srs_drop(struct backend_srs *s)
{
    if (s->backend && s->backend->ops->srs_drop) s->backend->ops->srs_drop(s, s->backend->state);
    *s = (struct backend_srs){ 0 };
}

uint64_t backend_prove_bytes(const struct backend_circuit *c)
{
    const struct backend *b = c->backend;
    return b->ops->prove_bytes ? b->ops->prove_bytes(c, b->state) : 0;
}

void *backend_spare_take(const struct backend_circuit *c)
{
    const struct backend *b = c->backend;
    return b && b->ops->spare_take ? b->ops->spare_take(c, b->state) : NULL;
}

void backend_spare_free(const struct backend *b, void *spare)
{
    if (spare) b->ops->spare_free(spare, b->state);
}

static bool fills(const struct backend *b, const struct circuit *circuit)
{
    return b->ops->fills && b->ops->fills(circuit, b->state);
}

cuzk_status backend_witness_create(struct witness *out, const struct backend *b, const struct circuit *circuit,
                                   cuzk_error *err)
{
    return fills(b, circuit) ? witness_create_deferred(out, circuit, err) : witness_create(out, circuit, err);
}

uint64_t backend_witness_bytes(const struct backend *b, const struct circuit *circuit)
{
    return fills(b, circuit) ? witness_deferred_bytes(circuit) : witness_bytes(circuit);
}

/* A backend with the entry says itself what it cannot fill. */
static cuzk_status check_witness(const struct witness *w, const struct backend_circuit *c, cuzk_error *err)
{
    if (w->circuit != c->circuit) return cuzk_fail(err, CUZK_ERR_USAGE, "the witness is of another circuit");
    if (!witness_is_deferred(w) || c->backend->ops->fills) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_USAGE, "backend %s does not fill witnesses", c->backend->ops->name);
}

static cuzk_status check_counts(const struct backend_circuit *c, const struct params_file *file, cuzk_error *err)
{
    const struct srs_counts *have = &file->counts, *want = &c->layout.counts;
    if (have->inputs != want->inputs) {
        return cuzk_fail(err, CUZK_ERR_USAGE, "%s is for %" PRIu64 " public inputs, the circuit has %" PRIu64,
                         file->path, have->inputs, want->inputs);
    }
    for (int s = 0; s < SRS_SECTIONS; s++) {
        if (have->section[s] == want->section[s]) continue;
        return cuzk_fail(err, CUZK_ERR_USAGE, "%s has %" PRIu64 " points in section %s, the circuit needs %" PRIu64,
                         file->path, have->section[s], srs_section_name((enum srs_section)s), want->section[s]);
    }
    return CUZK_OK;
}

size_t backend_batch(const struct backend_circuit *c, const struct backend_srs *s)
{
    const struct backend *b = c->backend;
    size_t batch = b->ops->batch ? b->ops->batch(c, s, b->state) : 1;
    return batch < 1 ? 1 : batch > BACKEND_MAX_BATCH ? BACKEND_MAX_BATCH : batch;
}

cuzk_status backend_prove_batch(struct proof_sums *out, struct prove_timings *timings,
                                const struct backend_circuit *c, const struct backend_srs *s,
                                const struct witness *const *w, size_t count, cuzk_error *err)
{
    const struct backend *b = c->backend;
    if (s->backend != b) {
        return cuzk_fail(err, CUZK_ERR_USAGE, "circuit and parameters are loaded in two backends");
    }
    for (size_t i = 0; i < count; i++) {
        cuzk_status status = check_witness(w[i], c, err);
        if (status != CUZK_OK) return cuzk_within(err, status, "witness %zu", i);
    }
    cuzk_status status = check_counts(c, s->file, err);
    if (status != CUZK_OK) return status;
    if (!b->ops->prove && !b->ops->prove_batch) return unavailable(b, "prover", err);
    if (b->ops->prove_batch) {
        return b->ops->prove_batch(out, timings, c, s, w, count, b->state, err);
    }
    for (size_t i = 0; i < count && status == CUZK_OK; i++) {
        struct prove_timings ignored;
        status = b->ops->prove(&out[i], timings ? &timings[i] : &ignored, c, s, w[i], b->state, err);
    }
    return status;
}

cuzk_status backend_prove(struct proof_sums *out, struct prove_timings *timings, const struct backend_circuit *c,
                          const struct backend_srs *s, const struct witness *w, cuzk_error *err)
{
    return backend_prove_batch(out, timings, c, s, &w, 1, err);
}

cuzk_status backend_keygen(struct params_writer *out, const struct backend_circuit *c, const struct toxic *toxic,
                           const struct progress *p, cuzk_error *err)
{
    const struct backend *b = c->backend;
    if (!b->ops->keygen) return unavailable(b, "key generation", err);
    if (memcmp(&out->counts, &c->layout.counts, sizeof out->counts) != 0) {
        return cuzk_fail(err, CUZK_ERR_USAGE, "the writer was opened for another circuit's counts");
    }
    return b->ops->keygen(out, c, toxic, p, b->state, err);
}

cuzk_status backend_srs_generate(struct backend_srs *out, struct params_file *file, const struct backend_circuit *c,
                                 const struct toxic *toxic, const struct progress *p, cuzk_error *err)
{
    const struct backend *b = c->backend;
    *out = (struct backend_srs){ .file = file };
    *file = (struct params_file){ .counts = c->layout.counts };
    if (!b->ops->srs_generate) return unavailable(b, "key generation into its memory", err);
    file->path = strdup("parameters in device memory");
    if (!file->path) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    cuzk_status status = b->ops->srs_generate(out, &file->vk, c, toxic, p, b->state, err);
    if (status == CUZK_OK) out->backend = b;
    return status;
}

cuzk_status backend_ntt(fr_t *x, unsigned log2_size, enum ntt_kind kind, const struct backend *b, cuzk_error *err)
{
    if (!b->ops->ntt) return unavailable(b, "transforms", err);
    return b->ops->ntt(x, log2_size, kind, b->state, err);
}

cuzk_status backend_quotient(fr_t *a, const fr_t *b_values, unsigned log2_size, const struct backend *b,
                             cuzk_error *err)
{
    if (!b->ops->quotient) return unavailable(b, "quotient", err);
    return b->ops->quotient(a, b_values, log2_size, b->state, err);
}

cuzk_status backend_msm_g1(g1_t *out, const g1_affine_t *points, const fr_t *scalars, size_t n,
                           const struct backend *b, cuzk_error *err)
{
    if (!b->ops->msm_g1) return unavailable(b, "multi-scalar multiplication", err);
    return b->ops->msm_g1(out, points, scalars, n, b->state, err);
}

cuzk_status backend_msm_g2(g2_t *out, const g2_affine_t *points, const fr_t *scalars, size_t n,
                           const struct backend *b, cuzk_error *err)
{
    if (!b->ops->msm_g2) return unavailable(b, "multi-scalar multiplication in G2", err);
    return b->ops->msm_g2(out, points, scalars, n, b->state, err);
}

cuzk_status backend_sum_selected_g1(g1_t *out, const g1_affine_t *points, size_t n, const uint64_t *selected,
                                    const struct backend *b, cuzk_error *err)
{
    if (!b->ops->sum_selected_g1) return unavailable(b, "sums of points", err);
    return b->ops->sum_selected_g1(out, points, n, selected, b->state, err);
}

cuzk_status backend_sum_selected_g2(g2_t *out, const g2_affine_t *points, size_t n, const uint64_t *selected,
                                    const struct backend *b, cuzk_error *err)
{
    if (!b->ops->sum_selected_g2) return unavailable(b, "sums of points in G2", err);
    return b->ops->sum_selected_g2(out, points, n, selected, b->state, err);
}

cuzk_status backend_evaluate(fr_t *out, const struct backend_circuit *c, const struct witness *w, enum matrix_name m,
                             cuzk_error *err)
{
    const struct backend *b = c->backend;
    if (!b->ops->evaluate) return unavailable(b, "evaluation of rows", err);
    cuzk_status status = check_witness(w, c, err);
    if (status != CUZK_OK) return status;
    return b->ops->evaluate(out, c, w, m, b->state, err);
}

cuzk_status backend_measure(double *seconds, double *fraction, enum primitive what, unsigned log2_size,
                            unsigned repeat, const struct backend *b, cuzk_error *err)
{
    if (!b->ops->measure) return unavailable(b, "measurements", err);
    return b->ops->measure(seconds, fraction, what, log2_size, repeat, b->state, err);
}
