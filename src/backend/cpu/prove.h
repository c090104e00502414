/* One partition on the CPU: from witness and parameters to five sums.
 *
 * Memory, with m the domain size: two vectors of 32·m bytes while the quotient is made; then one of
 * them, the workspace of the multi-scalar multiplication and H_CHUNK decoded points; then, without
 * either vector, section_sum_bytes. The file's pages come and go with the system's page cache.
 */
#ifndef CUZK_BACKEND_CPU_PROVE_H
#define CUZK_BACKEND_CPU_PROVE_H

#include "backend/backend.h"
#include "math/ntt.h"

struct cpu {
    struct pool *pool;
};

/* What the CPU keeps ready for a circuit. */
struct cpu_circuit {
    struct ntt_domain *domain;
};

cuzk_status cpu_prove(struct proof_sums *out, struct prove_timings *timings, const struct backend_circuit *c,
                      const struct backend_srs *s, const struct witness *w, void *state, cuzk_error *err);

uint64_t cpu_prove_bytes(const struct backend_circuit *c, void *state);

cuzk_status cpu_keygen(struct params_writer *out, const struct backend_circuit *c, const struct toxic *toxic,
                       const struct progress *p, void *state, cuzk_error *err);

#endif
