#include "backend/cuda/context.h"

#include <stdio.h>
#include <string.h>

enum { ALIGNMENT = 256 };

/* Memory that is left to the driver, to other programs and to kernels' stacks. */
#define MARGIN ((size_t)512 << 20)

cuzk_status context_failed(struct context *c, cudaError_t code, const char *call, cuzk_error *err)
{
    struct device *d = c->device;
    bool refused = code == cudaErrorMemoryAllocation;
    cudaError_t sticky = cudaGetLastError(); /* clears what can be cleared */
    if (refused && (sticky == cudaSuccess || sticky == code)) {
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "cuda device %d: no memory: %.80s", c->ordinal, call);
    }
    pthread_mutex_lock(&d->lock);
    if (!d->broken) {
        d->broken = true;
        snprintf(d->failure, sizeof d->failure, "%s in %.80s", cudaGetErrorName(code), call);
    }
    pthread_mutex_unlock(&d->lock);
    return context_health(c, err);
}

cuzk_status context_health(const struct context *c, cuzk_error *err)
{
    struct device *d = c->device;
    cuzk_status status = CUZK_OK;
    pthread_mutex_lock(&d->lock);
    if (d->broken) {
        status = cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "cuda device %d is out of order: %s", d->ordinal, d->failure);
    }
    pthread_mutex_unlock(&d->lock);
    return status;
}

static cuzk_status read_device(struct device *d, struct context *c, size_t limit, cuzk_error *err)
{
    struct cudaDeviceProp properties;
    size_t unused, total;
    TRY(cudaSetDevice(d->ordinal));
    TRY(cudaGetDeviceProperties(&properties, d->ordinal));
    d->multiprocessors = properties.multiProcessorCount;
    snprintf(d->name, sizeof d->name, "%.80s", properties.name);
    TRY(cudaMemGetInfo(&unused, &total));
    size_t possible = unused > MARGIN ? unused - MARGIN : 0;
    d->memory_limit = limit && limit < possible ? limit : possible;
    return CUZK_OK;
}

cuzk_status context_device_open(struct device *d, int ordinal, size_t limit, cuzk_error *err)
{
    *d = (struct device){ .ordinal = ordinal };
    struct context none = { .device = d, .ordinal = ordinal };
    int devices = 0;
    cudaError_t code = cudaGetDeviceCount(&devices);
    if (code != cudaSuccess) {
        return cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "no cuda device: %s", cudaGetErrorString(code));
    }
    if (ordinal < 0 || ordinal >= devices) {
        return cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "no cuda device %d: there are %d", ordinal, devices);
    }
    pthread_mutex_init(&d->lock, NULL);
    d->open = true;
    cuzk_status status = read_device(d, &none, limit, err);
    if (status != CUZK_OK) context_device_close(d);
    return status;
}

/* The only way out of a sticky error. If the device cannot be made current, another one's context must not go. */
static void destroy_context(int ordinal)
{
    int current = ordinal;
    (void)cudaSetDevice(ordinal);
    if (cudaGetDevice(&current) != cudaSuccess || current == ordinal) (void)cudaDeviceReset();
    (void)cudaGetLastError();
}

void context_device_close(struct device *d)
{
    if (!d->open) return;
    if (d->broken) destroy_context(d->ordinal);
    pthread_mutex_destroy(&d->lock);
    *d = (struct device){ 0 };
}

static cuzk_status open_lane(struct context *c, cuzk_error *err)
{
    TRY(cudaSetDevice(c->ordinal));
    TRY(cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking));
    TRY(cudaStreamCreateWithFlags(&c->copies, cudaStreamNonBlocking));
    TRY(cudaHostAlloc(&c->pinned, PINNED_BYTES, cudaHostAllocPortable));
    return CUZK_OK;
}

cuzk_status context_open(struct context *c, struct device *d, cuzk_error *err)
{
    *c = (struct context){ .device = d, .ordinal = d->ordinal, .multiprocessors = d->multiprocessors };
    cuzk_status status = open_lane(c, err);
    if (status != CUZK_OK) context_close(c);
    return status;
}

void context_close(struct context *c)
{
    if (!c->device) return;
    (void)cudaSetDevice(c->ordinal);
    for (int i = 0; i < 2; i++) {
        if (c->staged[i]) cudaEventDestroy(c->staged[i]);
        if (c->arrived[i]) cudaEventDestroy(c->arrived[i]);
        if (c->staging[i]) cudaFreeHost(c->staging[i]);
    }
    if (c->pinned) cudaFreeHost(c->pinned);
    context_drop_arena(c);
    if (c->copies) cudaStreamDestroy(c->copies);
    if (c->stream) cudaStreamDestroy(c->stream);
    (void)cudaGetLastError();
    *c = (struct context){ 0 };
}

cuzk_status context_staging(struct context *c, cuzk_error *err)
{
    for (int i = 0; i < 2; i++) {
        if (!c->staging[i]) TRY(cudaHostAlloc(&c->staging[i], STAGING_BYTES, cudaHostAllocPortable));
        if (!c->staged[i]) TRY(cudaEventCreateWithFlags(&c->staged[i], cudaEventDisableTiming));
        if (!c->arrived[i]) TRY(cudaEventCreateWithFlags(&c->arrived[i], cudaEventDisableTiming));
    }
    return CUZK_OK;
}

static void take_memory(struct device *d, size_t bytes, bool back)
{
    pthread_mutex_lock(&d->lock);
    d->memory_taken = back ? d->memory_taken - bytes : d->memory_taken + bytes;
    pthread_mutex_unlock(&d->lock);
}

size_t context_memory_left(const struct context *c)
{
    struct device *d = c->device;
    pthread_mutex_lock(&d->lock);
    size_t left = d->memory_limit - d->memory_taken;
    pthread_mutex_unlock(&d->lock);
    return left;
}

cuzk_status context_allocate(void **out, struct context *c, size_t bytes, const char *what, cuzk_error *err)
{
    struct device *d = c->device;
    size_t left;
    *out = NULL;
    pthread_mutex_lock(&d->lock);
    left = d->memory_limit - d->memory_taken;
    if (bytes <= left) d->memory_taken += bytes;
    pthread_mutex_unlock(&d->lock);
    if (bytes > left) {
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "cuda device %d: %s needs %zu bytes, %zu of %zu are left",
                         c->ordinal, what, bytes, left, d->memory_limit);
    }
    cudaError_t code = cudaMalloc(out, bytes ? bytes : ALIGNMENT);
    if (code == cudaSuccess) return CUZK_OK;
    *out = NULL;
    take_memory(d, bytes, true);
    return context_failed(c, code, "cudaMalloc", err);
}

void context_free(struct context *c, void *memory, size_t bytes)
{
    if (!memory) return;
    if (cudaFree(memory) != cudaSuccess) (void)cudaGetLastError(); /* out of order: it goes with the context */
    take_memory(c->device, bytes, true);
}

void context_drop_arena(struct context *c)
{
    context_free(c, c->arena.base, c->arena.size);
    c->arena = (struct arena_region){ 0 };
}

cuzk_status context_reserve(struct context *c, size_t bytes, cuzk_error *err)
{
    void *memory;
    if (bytes <= c->arena.size) return CUZK_OK;
    size_t before = c->arena.size;
    context_drop_arena(c);
    cuzk_status status = context_allocate(&memory, c, bytes, "the workspace", err);
    if (status == CUZK_OK) {
        c->arena = (struct arena_region){ .base = memory, .size = bytes };
    } else if (before != 0 && context_allocate(&memory, c, before, "the workspace", NULL) == CUZK_OK) {
        c->arena = (struct arena_region){ .base = memory, .size = before };
    }
    return status;
}

void *context_take(struct context *c, size_t bytes)
{
    struct arena_region *a = &c->arena;
    size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (rounded < bytes || rounded > a->size - a->used) return NULL;
    void *memory = a->base + a->used;
    a->used += rounded;
    if (a->used > a->peak) a->peak = a->used;
    return memory;
}

cuzk_status context_exhausted(const struct context *c, const char *what, cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_RESOURCE, "cuda device %d: the workspace of %zu bytes has no room for %s",
                     c->ordinal, c->arena.size, what);
}

cuzk_status context_wait(struct context *c, cuzk_error *err)
{
    TRY(cudaStreamSynchronize(c->stream));
    return CUZK_OK;
}
