/* How much device memory a call takes, and so whether it streams its parameters and how many partitions it takes at
 * once. */
#ifndef CUZK_CUDA_PLAN_H
#define CUZK_CUDA_PLAN_H

#include "backend/cuda/state.h"

struct cuda_plan {
    size_t chunk_bytes; /* of parameters; 0: all are resident and a section is one chunk */
    size_t batch;       /* partitions at once; 1 unless parameters are streamed */
    size_t arena_bytes;
};

/* Arena bytes of one proof with resident parameters; SIZE_MAX if the device's memory cannot hold it. */
size_t plan_resident_bytes(const struct device_circuit *d, const struct context *c);

/* A plan for streaming to `count` partitions with at most `room` bytes. CUZK_ERR_RESOURCE, with both numbers, if even
 * one does not fit. */
cuzk_status plan_streamed(struct cuda_plan *out, const struct device_circuit *d, size_t count, size_t room,
                          const struct context *c, cuzk_error *err);

/* What a call for `count` partitions does, of which it takes plan->batch at once, at most BACKEND_MAX_BATCH. */
cuzk_status cuda_plan_make(struct cuda_plan *out, const struct cuda_circuit *circuit, const struct cuda_srs *srs,
                           size_t count, struct cuda_state *s, cuzk_error *err);

#endif
