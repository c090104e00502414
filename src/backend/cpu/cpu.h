/* The CPU backend: the specification of every other one. */
#ifndef CUZK_BACKEND_CPU_CPU_H
#define CUZK_BACKEND_CPU_CPU_H

#include "backend/backend.h"

/* `pool` (NULL: one thread) is kept and must outlive the backend. */
cuzk_status cpu_backend_open(struct backend *out, struct pool *pool, cuzk_error *err);

/* Bytes that a proof takes beyond circuit, witness and parameters, before the circuit is there: at least what
 * backend_prove_bytes says afterwards, if `wides` bounds the wide private variables. */
uint64_t cpu_prove_bound(unsigned log2_domain, uint64_t inputs, uint64_t wides, unsigned threads);

#endif
