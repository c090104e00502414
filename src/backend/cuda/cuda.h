/* The CUDA backend: one device. */
#ifndef CUZK_BACKEND_CUDA_CUDA_H
#define CUZK_BACKEND_CUDA_CUDA_H

#include "backend/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many devices the driver shows; 0 without a driver. */
int cuda_device_count(void);

/* Opens device `ordinal`. At most memory_limit bytes of its memory are taken, 0: what is free less a margin. `pool`
 * (NULL: one thread) copies parameter files; it is kept and must outlive the backend. CUZK_ERR_UNAVAILABLE without
 * such a device. Calls from several threads are served one after another. */
cuzk_status cuda_backend_open(struct backend *out, int ordinal, uint64_t memory_limit, struct pool *pool,
                              cuzk_error *err);

#ifdef __cplusplus
}
#endif
#endif
