#include "backend/cpu/cpu.h"

#include "backend/cpu/prove.h"
#include "math/msm.h"
#include "math/point_sum.h"
#include "math/quotient.h"
#include "r1cs/evaluate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void cpu_close(void *state) { free(state); }

/* "model name" of the first processor, as the system tells it. */
static void describe_processor(char *out, size_t size)
{
    snprintf(out, size, "CPU");
    FILE *f = fopen("/proc/cpuinfo", "re");
    char line[256];
    while (f && fgets(line, sizeof line, f)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        snprintf(out, size, "%s", colon + 1 + strspn(colon + 1, " "));
        out[strcspn(out, "\n")] = '\0';
        break;
    }
    if (f) fclose(f);
}

static void cpu_describe(struct backend_description *out, void *state)
{
    const struct cpu *cpu = state;
    describe_processor(out->device, sizeof out->device);
    out->threads = pool_threads(cpu->pool);
}

static cuzk_status cpu_circuit_load(struct backend_circuit *c, void *state, cuzk_error *err)
{
    const struct cpu *cpu = state;
    struct cpu_circuit *prepared = calloc(1, sizeof *prepared);
    if (!prepared) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    cuzk_status status = ntt_domain_create(&prepared->domain, c->circuit->log2_domain, cpu->pool, err);
    if (status != CUZK_OK) {
        free(prepared);
        return status;
    }
    shelf_create(&prepared->shelf);
    c->loaded = prepared;
    return CUZK_OK;
}

static void cpu_circuit_drop(struct backend_circuit *c, void *state)
{
    (void)state;
    struct cpu_circuit *prepared = c->loaded;
    shelf_destroy(&prepared->shelf);
    ntt_domain_destroy(prepared->domain);
    free(prepared);
}

uint64_t cpu_prove_bound(unsigned log2_domain, uint64_t inputs, uint64_t wides, unsigned threads)
{
    struct workspace_shape shape = { UINT64_C(1) << log2_domain, inputs, wides, threads };
    return workspace_bound(&shape);
}

static cuzk_status cpu_ntt(fr_t *x, unsigned log2_size, enum ntt_kind kind, void *state, cuzk_error *err)
{
    const struct cpu *cpu = state;
    struct ntt_domain *domain;
    cuzk_status status = ntt_domain_create(&domain, log2_size, cpu->pool, err);
    if (status != CUZK_OK) return status;
    switch (kind) {
    case NTT_FORWARD: ntt_forward(x, domain, cpu->pool); break;
    case NTT_INVERSE: ntt_inverse(x, domain, cpu->pool); break;
    case NTT_COSET_FORWARD: ntt_coset_forward(x, domain, cpu->pool); break;
    case NTT_COSET_INVERSE: ntt_coset_inverse(x, domain, cpu->pool); break;
    }
    ntt_domain_destroy(domain);
    return CUZK_OK;
}

static cuzk_status cpu_quotient(fr_t *a, const fr_t *b_values, unsigned log2_size, void *state, cuzk_error *err)
{
    const struct cpu *cpu = state;
    struct ntt_domain *domain = NULL;
    if (log2_size > NTT_MAX_LOG - 1) {
        return cuzk_fail(err, CUZK_ERR_USAGE, "domain of 2^%u, at most 2^%d expected", log2_size, NTT_MAX_LOG - 1);
    }
    size_t m = (size_t)1 << log2_size;
    cuzk_status status = ntt_domain_create(&domain, log2_size, cpu->pool, err);
    if (status != CUZK_OK) return status;
    fr_t *b = malloc(m * sizeof *b), *products = malloc(m * sizeof *products);
    if (b && products) {
        memcpy(b, b_values, m * sizeof *b);
        for (size_t i = 0; i < m; i++) fr_mul(&products[i], &a[i], &b[i]);
        ntt_bit_reverse(a, domain, cpu->pool);
        ntt_bit_reverse(b, domain, cpu->pool);
        ntt_bit_reverse(products, domain, cpu->pool);
        quotient_product(a, b, domain, cpu->pool);
        quotient_finish(a, products, domain, cpu->pool);
    } else {
        status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for two vectors of %zu elements", m);
    }
    free(b);
    free(products);
    ntt_domain_destroy(domain);
    return status;
}

static cuzk_status cpu_msm_g1(g1_t *out, const g1_affine_t *points, const fr_t *scalars, size_t n, void *state,
                              cuzk_error *err)
{
    return g1_msm(out, points, scalars, n, ((struct cpu *)state)->pool, err);
}

static cuzk_status cpu_msm_g2(g2_t *out, const g2_affine_t *points, const fr_t *scalars, size_t n, void *state,
                              cuzk_error *err)
{
    return g2_msm(out, points, scalars, n, ((struct cpu *)state)->pool, err);
}

static cuzk_status cpu_sum_selected_g1(g1_t *out, const g1_affine_t *points, size_t n, const uint64_t *selected,
                                       void *state, cuzk_error *err)
{
    return g1_sum_selected(out, points, n, selected, ((struct cpu *)state)->pool, err);
}

static cuzk_status cpu_sum_selected_g2(g2_t *out, const g2_affine_t *points, size_t n, const uint64_t *selected,
                                       void *state, cuzk_error *err)
{
    return g2_sum_selected(out, points, n, selected, ((struct cpu *)state)->pool, err);
}

static cuzk_status cpu_evaluate(fr_t *out, const struct backend_circuit *c, const struct witness *w,
                                enum matrix_name m, void *state, cuzk_error *err)
{
    return evaluate_rows(out, w, m, 0, c->circuit->rows, ((struct cpu *)state)->pool, err);
}

static const struct backend_ops cpu_ops = {
    .name = "cpu",
    .close = cpu_close,
    .describe = cpu_describe,
    .circuit_load = cpu_circuit_load,
    .circuit_drop = cpu_circuit_drop,
    .prove_bytes = cpu_prove_bytes,
    .spare_take = cpu_spare_take,
    .spare_free = cpu_spare_free,
    .prove = cpu_prove,
    .keygen = cpu_keygen,
    .ntt = cpu_ntt,
    .quotient = cpu_quotient,
    .msm_g1 = cpu_msm_g1,
    .msm_g2 = cpu_msm_g2,
    .sum_selected_g1 = cpu_sum_selected_g1,
    .sum_selected_g2 = cpu_sum_selected_g2,
    .evaluate = cpu_evaluate,
};

cuzk_status cpu_backend_open(struct backend *out, struct pool *pool, cuzk_error *err)
{
    *out = (struct backend){ 0 };
    struct cpu *cpu = calloc(1, sizeof *cpu);
    if (!cpu) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    cpu->pool = pool;
    *out = (struct backend){ .ops = &cpu_ops, .state = cpu };
    return CUZK_OK;
}
