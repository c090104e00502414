#include "backend/cuda/context.h"

#include <stdio.h>
#include <string.h>

enum { ALIGNMENT = 256 };

/* Memory that is left to the driver, to other programs and to kernels' stacks. */
#define MARGIN ((size_t)512 << 20)

cuzk_status context_failed(struct context *c, cudaError_t code, const char *call, cuzk_error *err)
{
    bool refused = code == cudaErrorMemoryAllocation;
    cudaError_t sticky = cudaGetLastError(); /* clears what can be cleared */
    if (refused && (sticky == cudaSuccess || sticky == code)) {
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "cuda device %d: no memory: %.80s", c->ordinal, call);
    }
    if (!c->broken) {
        c->broken = true;
        snprintf(c->failure, sizeof c->failure, "%s in %.80s", cudaGetErrorName(code), call);
    }
    return context_health(c, err);
}

cuzk_status context_health(const struct context *c, cuzk_error *err)
{
    if (!c->broken) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "cuda device %d is out of order: %s", c->ordinal, c->failure);
}

static cuzk_status open_device(struct context *c, size_t limit, cuzk_error *err)
{
    struct cudaDeviceProp properties;
    size_t unused, total;
    TRY(cudaSetDevice(c->ordinal));
    TRY(cudaGetDeviceProperties(&properties, c->ordinal));
    c->multiprocessors = properties.multiProcessorCount;
    snprintf(c->name, sizeof c->name, "%.80s", properties.name);
    TRY(cudaMemGetInfo(&unused, &total));
    size_t possible = unused > MARGIN ? unused - MARGIN : 0;
    c->memory_limit = limit && limit < possible ? limit : possible;
    TRY(cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking));
    TRY(cudaHostAlloc(&c->pinned, PINNED_BYTES, cudaHostAllocDefault));
    for (int i = 0; i < 2; i++) {
        TRY(cudaHostAlloc(&c->staging[i], STAGING_BYTES, cudaHostAllocDefault));
        TRY(cudaEventCreateWithFlags(&c->staged[i], cudaEventDisableTiming));
    }
    return CUZK_OK;
}

cuzk_status context_open(struct context *c, int ordinal, size_t limit, cuzk_error *err)
{
    *c = (struct context){ .ordinal = ordinal };
    int devices = 0;
    cudaError_t code = cudaGetDeviceCount(&devices);
    if (code != cudaSuccess) {
        return cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "no cuda device: %s", cudaGetErrorString(code));
    }
    if (ordinal < 0 || ordinal >= devices) {
        return cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "no cuda device %d: there are %d", ordinal, devices);
    }
    cuzk_status status = open_device(c, limit, err);
    if (status != CUZK_OK) context_close(c);
    return status;
}

void context_close(struct context *c)
{
    if (!c->stream && !c->pinned && !c->arena.base && !c->broken) return;
    cudaSetDevice(c->ordinal);
    for (int i = 0; i < 2; i++) {
        if (c->staged[i]) cudaEventDestroy(c->staged[i]);
        if (c->staging[i]) cudaFreeHost(c->staging[i]);
    }
    if (c->pinned) cudaFreeHost(c->pinned);
    if (c->arena.base) cudaFree(c->arena.base);
    if (c->stream) cudaStreamDestroy(c->stream);
    if (c->broken) cudaDeviceReset(); /* the only way out of a sticky error */
    (void)cudaGetLastError();
    *c = (struct context){ 0 };
}

cuzk_status context_allocate(void **out, struct context *c, size_t bytes, const char *what, cuzk_error *err)
{
    *out = NULL;
    if (bytes > c->memory_limit - c->memory_taken) {
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "cuda device %d: %s needs %zu bytes, %zu of %zu are left",
                         c->ordinal, what, bytes, c->memory_limit - c->memory_taken, c->memory_limit);
    }
    TRY(cudaMalloc(out, bytes ? bytes : ALIGNMENT));
    c->memory_taken += bytes;
    return CUZK_OK;
}

void context_free(struct context *c, void *memory, size_t bytes)
{
    if (!memory) return;
    cudaFree(memory);
    c->memory_taken -= bytes;
}

cuzk_status context_reserve(struct context *c, size_t bytes, cuzk_error *err)
{
    void *memory;
    if (bytes <= c->arena.size) return CUZK_OK;
    context_free(c, c->arena.base, c->arena.size);
    c->arena = (struct arena_region){ 0 };
    TRY_STATUS(context_allocate(&memory, c, bytes, "the workspace", err));
    c->arena.base = memory;
    c->arena.size = bytes;
    return CUZK_OK;
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
