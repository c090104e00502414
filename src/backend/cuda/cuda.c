#include "backend/cuda/cuda.h"

#include "backend/cuda/keygen.h"
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

/* ---- lanes; the lock is held ---- */

static void drop_idle_arenas(struct cuda_state *s, const struct context *but)
{
    for (int i = 0; i < CUDA_LANES; i++) {
        if (!s->busy[i] && &s->lane[i] != but) context_drop_arena(&s->lane[i]);
    }
}

static unsigned busy_lanes(const struct cuda_state *s)
{
    unsigned busy = 0;
    for (int i = 0; i < CUDA_LANES; i++) busy += s->busy[i];
    return busy;
}

/* A free lane with such an arena; *free_lane is one without, or NULL. */
static struct context *fitting_lane(struct context **free_lane, struct cuda_state *s, size_t bytes)
{
    *free_lane = NULL;
    for (int i = CUDA_LANES; i-- > 0;) {
        if (s->busy[i]) continue;
        if (s->lane[i].arena.size >= bytes) return &s->lane[i];
        *free_lane = &s->lane[i];
    }
    return NULL;
}

static cuzk_status lane_health(const struct cuda_state *s, cuzk_error *err)
{
    if (s->lane[0].device) return context_health(&s->lane[0], err);
    return cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "cuda device %d could not be opened again", s->ordinal);
}

static cuzk_status take_lane(struct context **out, struct cuda_state *s, size_t bytes, cuzk_error *err)
{
    for (;;) {
        struct context *other;
        cuzk_status status = lane_health(s, err);
        if (status == CUZK_OK && (*out = fitting_lane(&other, s, bytes))) return CUZK_OK;
        if (status == CUZK_OK && other) {
            (void)cudaSetDevice(s->device.ordinal); /* an error shows at once */
            status = context_reserve(other, bytes, err);
            if (status == CUZK_ERR_RESOURCE) {
                drop_idle_arenas(s, other);
                status = context_reserve(other, bytes, err);
            }
            if (status == CUZK_OK) {
                *out = other;
                return CUZK_OK;
            }
            if (status == CUZK_ERR_RESOURCE && busy_lanes(s) > 0) status = CUZK_OK; /* when they are done */
        }
        if (status != CUZK_OK) return status;
        pthread_cond_wait(&s->left, &s->lock);
    }
}

cuzk_status cuda_enter(struct context **lane, struct cuda_state *s, size_t arena_bytes, cuzk_error *err)
{
    *lane = NULL;
    pthread_mutex_lock(&s->lock);
    cuzk_status status = take_lane(lane, s, arena_bytes, err);
    if (status == CUZK_OK) s->busy[*lane - s->lane] = true;
    pthread_mutex_unlock(&s->lock);
    if (status != CUZK_OK) return status;
    cudaError_t code = cudaSetDevice(s->device.ordinal);
    if (code != cudaSuccess) {
        status = context_failed(*lane, code, "cudaSetDevice", err);
        cuda_leave(s, *lane);
    }
    (void)cudaGetLastError(); /* of this thread's calls on a device that has been made anew since */
    return status;
}

/* Whatever went wrong on the way, the arena is empty afterwards: once the stream is idle. */
void cuda_leave(struct cuda_state *s, struct context *lane)
{
    if (lane->arena.used != 0) {
        (void)cudaStreamSynchronize(lane->copies);
        (void)cudaStreamSynchronize(lane->stream);
        context_release(lane, 0);
    }
    pthread_mutex_lock(&s->lock);
    s->busy[lane - s->lane] = false;
    pthread_cond_broadcast(&s->left);
    pthread_mutex_unlock(&s->lock);
}

cuzk_status cuda_allocate(void **out, struct cuda_state *s, struct context *lane, size_t bytes, const char *what,
                          cuzk_error *err)
{
    pthread_mutex_lock(&s->lock);
    cuzk_status status = context_allocate(out, lane, bytes, what, err);
    while (status == CUZK_ERR_RESOURCE) {
        bool wait = busy_lanes(s) > s->waiting + 1; /* a lane is at work that does not itself wait for memory */
        drop_idle_arenas(s, lane);
        status = context_allocate(out, lane, bytes, what, err);
        if (status != CUZK_ERR_RESOURCE || !wait) break;
        s->waiting++;
        pthread_cond_wait(&s->left, &s->lock);
        s->waiting--;
    }
    pthread_mutex_unlock(&s->lock);
    return status;
}

size_t cuda_room(struct cuda_state *s)
{
    pthread_mutex_lock(&s->lock);
    size_t left = context_memory_left(&s->lane[0]);
    for (int i = 0; i < CUDA_LANES; i++) left += s->lane[i].arena.size;
    pthread_mutex_unlock(&s->lock);
    return left;
}

void cuda_count_load(struct cuda_state *s, int change)
{
    pthread_mutex_lock(&s->lock);
    s->loads += (unsigned)change;
    pthread_mutex_unlock(&s->lock);
}

/* ---- opening and closing ---- */

static cuzk_status open_parts(struct cuda_state *s, int ordinal, size_t limit, cuzk_error *err)
{
    TRY_STATUS(context_device_open(&s->device, ordinal, limit, err));
    for (int i = 0; i < CUDA_LANES; i++) TRY_STATUS(context_open(&s->lane[i], &s->device, err));
    return ntt_tables_create(&s->tables, &s->lane[0], err);
}

static void close_parts(struct cuda_state *s)
{
    (void)cudaSetDevice(s->ordinal);
    if (s->lane[0].device) ntt_tables_release(&s->tables, &s->lane[0]);
    for (int i = 0; i < CUDA_LANES; i++) context_close(&s->lane[i]);
    context_device_close(&s->device);
    (void)cudaGetLastError();
}

static void cuda_close(void *state)
{
    struct cuda_state *s = state;
    close_parts(s);
    pthread_cond_destroy(&s->left);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

static void cuda_describe(struct backend_description *out, void *state)
{
    const struct cuda_state *s = state;
    snprintf(out->device, sizeof out->device, "%s", s->device.name);
    out->threads = 1;
    out->lanes = CUDA_LANES;
    out->memory = s->device.memory_limit;
}

/* A fault on one device takes the contexts of all devices of the process along, of idle ones too, where no call has
 * failed yet: asks the driver. */
static cuzk_status probe(struct cuda_state *s, cuzk_error *err)
{
    struct context *c = &s->lane[0];
    cudaError_t code = cudaSetDevice(s->ordinal);
    if (code == cudaSuccess) code = cudaStreamQuery(c->stream);
    if (code == cudaSuccess || code == cudaErrorNotReady) {
        (void)cudaGetLastError();
        return CUZK_OK;
    }
    return context_failed(c, code, "cudaStreamQuery", err);
}

/* A device that is out of order comes back once nothing is left on it: its context is destroyed and made again. Each
 * device's for itself; while contexts of others are still broken this may fail, and is tried at the next question. */
static cuzk_status cuda_health(void *state, cuzk_error *err)
{
    struct cuda_state *s = state;
    pthread_mutex_lock(&s->lock);
    cuzk_status status = lane_health(s, err);
    if (status == CUZK_OK) status = probe(s, err);
    if (status != CUZK_OK && s->loads == 0 && busy_lanes(s) == 0) {
        close_parts(s);
        status = open_parts(s, s->ordinal, s->limit, err);
        if (status != CUZK_OK) close_parts(s);
    }
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
    .fills = cuda_fills,
    .prove = cuda_prove,
    .batch = cuda_batch,
    .prove_batch = cuda_prove_batch,
    .keygen = cuda_keygen,
    .srs_generate = cuda_srs_generate,
    .ntt = cuda_ntt,
    .quotient = cuda_quotient,
    .msm_g1 = cuda_msm_g1,
    .msm_g2 = cuda_msm_g2,
    .sum_selected_g1 = cuda_sum_selected_g1,
    .sum_selected_g2 = cuda_sum_selected_g2,
    .evaluate = cuda_evaluate,
    .measure = cuda_measure,
};

cuzk_status cuda_backend_open(struct backend *out, int ordinal, uint64_t memory_limit, struct pool *pool,
                              cuzk_error *err)
{
    *out = (struct backend){ 0 };
    struct cuda_state *s = calloc(1, sizeof *s);
    if (!s) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->left, NULL);
    s->pool = pool;
    s->ordinal = ordinal;
    s->limit = memory_limit;
    cuzk_status status = open_parts(s, ordinal, memory_limit, err);
    if (status != CUZK_OK) {
        cuda_close(s);
        return status;
    }
    *out = (struct backend){ &CUDA_OPS, s };
    return CUZK_OK;
}
