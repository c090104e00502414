/* One CUDA device as the rest of this folder sees it: what is known of it and what its memory is taken by (struct
 * device), and the lanes in which it works (struct context): a stream, an arena of device memory, pinned memory.
 * Partitions in different lanes overlap. C and C++.
 *
 * All work of a lane is queued on its stream by one thread at a time; the arena is handed out and taken back in
 * stack order while it is queued, which is safe because the stream keeps the order. Memory is allocated from the
 * driver when a device, a circuit or parameters are loaded and when a lane's arena grows to the size that a circuit
 * needs, never while proving with a circuit that has been proved in the lane before.
 *
 * Errors: every call of the runtime goes through TRY. The first error of a kind that the device does not recover
 * from (anything but a refused allocation) is remembered: from then on every function of every lane answers
 * CUZK_ERR_UNAVAILABLE until the device is closed, which destroys its context.
 */
#ifndef CUZK_CUDA_CONTEXT_H
#define CUZK_CUDA_CONTEXT_H

#ifdef __cplusplus
extern "C" {
#endif

#include "base/status.h"

#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena_region {
    char *base;
    size_t size, used, peak;
};

struct device {
    bool open;
    int ordinal, multiprocessors;
    char name[96];
    size_t memory_limit;  /* bytes of device memory that may be taken in all */
    pthread_mutex_t lock; /* of what follows */
    size_t memory_taken;
    bool broken;
    char failure[160];
};

struct context {
    struct device *device;
    int ordinal, multiprocessors; /* the device's */
    cudaStream_t stream;
    cudaStream_t copies; /* for what arrives while `stream` computes */
    struct arena_region arena;
    void *pinned;     /* small results on their way to the host */
    void *staging[2]; /* pinned, STAGING_BYTES each, once context_staging has been called */
    cudaEvent_t staged[2];
    cudaEvent_t arrived[2]; /* chunks of streamed parameters, with the staging memory */
};

enum { PINNED_BYTES = 1 << 20, STAGING_BYTES = 1 << 26 };

/* limit 0: what is free less a margin. CUZK_ERR_UNAVAILABLE without driver or device. */
cuzk_status context_device_open(struct device *out, int ordinal, size_t limit, cuzk_error *err);
void context_device_close(struct device *d); /* after its contexts; harmless on a zeroed struct */

cuzk_status context_open(struct context *out, struct device *d, cuzk_error *err);
void context_close(struct context *c); /* harmless on a zeroed struct */

/* Pinned memory for transfers, kept until the lane is closed. */
cuzk_status context_staging(struct context *c, cuzk_error *err);

/* Remembers and reports a failed call. */
cuzk_status context_failed(struct context *c, cudaError_t code, const char *call, cuzk_error *err);

/* CUZK_OK, or CUZK_ERR_UNAVAILABLE with the first failure. */
cuzk_status context_health(const struct context *c, cuzk_error *err);

/* Long-lived device memory, charged to the limit. CUZK_ERR_RESOURCE if there is not enough. */
cuzk_status context_allocate(void **out, struct context *c, size_t bytes, const char *what, cuzk_error *err);
void context_free(struct context *c, void *memory, size_t bytes);
size_t context_memory_left(const struct context *c);

/* Makes the arena at least this large; without memory it stays as it was. Only while nothing is taken from it. */
cuzk_status context_reserve(struct context *c, size_t bytes, cuzk_error *err);
void context_drop_arena(struct context *c); /* the same */

/* Takes from the arena. NULL if it is too small (context_exhausted makes the error). */
void *context_take(struct context *c, size_t bytes);
cuzk_status context_exhausted(const struct context *c, const char *what, cuzk_error *err);
static inline size_t context_mark(const struct context *c) { return c->arena.used; }
static inline void context_release(struct context *c, size_t mark) { c->arena.used = mark; }

cuzk_status context_wait(struct context *c, cuzk_error *err);

/* Calls a runtime function; on failure leaves the calling function. `c` and `err` must be in scope. */
#define TRY(call)                                                                                                    \
    do {                                                                                                             \
        cudaError_t code_ = (call);                                                                                  \
        if (code_ != cudaSuccess) return context_failed(c, code_, #call, err);                                       \
    } while (0)

/* The same for functions that return a cuzk_status. */
#define TRY_STATUS(call)                                                                                             \
    do {                                                                                                             \
        cuzk_status status_ = (call);                                                                                \
        if (status_ != CUZK_OK) return status_;                                                                      \
    } while (0)

/* After a launch. */
#define TRY_LAUNCH() TRY(cudaGetLastError())

/* Takes `count` elements from the arena into `pointer`; on failure leaves the calling function. */
#define TRY_TAKE(pointer, count, what)                                                                               \
    do {                                                                                                             \
        (pointer) = (__typeof__(pointer))context_take(c, (size_t)(count) * sizeof *(pointer));                       \
        if (!(pointer)) return context_exhausted(c, what, err);                                                      \
    } while (0)

#ifdef __cplusplus
}
#endif
#endif
