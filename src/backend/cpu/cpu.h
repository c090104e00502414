/* The CPU backend: the specification of every other one. */
#ifndef CUZK_BACKEND_CPU_CPU_H
#define CUZK_BACKEND_CPU_CPU_H

#include "backend/backend.h"

/* `pool` (NULL: one thread) is kept and must outlive the backend. */
cuzk_status cpu_backend_open(struct backend *out, struct pool *pool, cuzk_error *err);

#endif
