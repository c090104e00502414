#include "backend/cuda/cuda.h"

#include "backend/cuda/state.h"

#include <stdio.h>
#include <stdlib.h>

int cuda_device_count(void)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        (void)cudaGetLastError();
        return 0;
    }
    return count;
}

cuzk_status cuda_enter(struct cuda_state *s, cuzk_error *err)
{
    struct context *c = &s->context;
    pthread_mutex_lock(&s->lock);
    cuzk_status status = context_health(c, err);
    if (status == CUZK_OK) {
        cudaError_t code = cudaSetDevice(c->ordinal);
        if (code != cudaSuccess) status = context_failed(c, code, "cudaSetDevice", err);
    }
    if (status != CUZK_OK) pthread_mutex_unlock(&s->lock);
    return status;
}

/* Whatever went wrong on the way, the arena is empty afterwards: once the stream is idle. */
void cuda_leave(struct cuda_state *s)
{
    if (s->context.arena.used != 0) {
        (void)cudaStreamSynchronize(s->context.stream);
        context_release(&s->context, 0);
    }
    pthread_mutex_unlock(&s->lock);
}

static void cuda_close(void *state)
{
    struct cuda_state *s = state;
    (void)cudaSetDevice(s->context.ordinal);
    ntt_tables_release(&s->tables, &s->context);
    context_close(&s->context);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

static void cuda_describe(struct backend_description *out, void *state)
{
    const struct cuda_state *s = state;
    snprintf(out->device, sizeof out->device, "%s", s->context.name);
    out->threads = 1;
    out->memory = s->context.memory_limit;
}

static cuzk_status cuda_health(void *state, cuzk_error *err)
{
    struct cuda_state *s = state;
    pthread_mutex_lock(&s->lock);
    cuzk_status status = context_health(&s->context, err);
    pthread_mutex_unlock(&s->lock);
    return status;
}

static const struct backend_ops CUDA_OPS = {
    .name = "cuda",
    .close = cuda_close,
    .describe = cuda_describe,
    .health = cuda_health,
    .circuit_load = cuda_circuit_load,
    .circuit_drop = cuda_circuit_drop,
    .srs_load = cuda_srs_load,
    .srs_drop = cuda_srs_drop,
    .prove = cuda_prove,
    .ntt = cuda_ntt,
    .quotient = cuda_quotient,
    .msm_g1 = cuda_msm_g1,
    .msm_g2 = cuda_msm_g2,
    .sum_selected_g1 = cuda_sum_selected_g1,
    .sum_selected_g2 = cuda_sum_selected_g2,
    .evaluate = cuda_evaluate,
};

cuzk_status cuda_backend_open(struct backend *out, int ordinal, uint64_t memory_limit, struct pool *pool,
                              cuzk_error *err)
{
    *out = (struct backend){ 0 };
    struct cuda_state *s = calloc(1, sizeof *s);
    if (!s) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    cuzk_status status = context_open(&s->context, ordinal, memory_limit, err);
    if (status != CUZK_OK) {
        free(s);
        return status;
    }
    pthread_mutex_init(&s->lock, NULL);
    s->pool = pool;
    status = ntt_tables_create(&s->tables, &s->context, err);
    if (status != CUZK_OK) {
        cuda_close(s);
        return status;
    }
    *out = (struct backend){ &CUDA_OPS, s };
    return CUZK_OK;
}
