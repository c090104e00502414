/* One partition on the CPU: from witness and parameters to five sums.
 *
 * A proof takes and frees no memory of its own: everything is in a workspace (workspace.h), which stays with the
 * circuit until that is dropped or the owner takes it away. The file's pages come and go with the system's page cache.
 */
#ifndef CUZK_BACKEND_CPU_PROVE_H
#define CUZK_BACKEND_CPU_PROVE_H

#include "backend/backend.h"
#include "backend/cpu/workspace.h"
#include "math/ntt.h"

struct cpu {
    struct pool *pool;
};

/* What the CPU keeps ready for a circuit. */
struct cpu_circuit {
    struct ntt_domain *domain;
    struct shelf shelf;
};

cuzk_status cpu_prove(struct proof_sums *out, struct prove_timings *timings, const struct backend_circuit *c,
                      const struct backend_srs *s, const struct witness *w, void *state, cuzk_error *err);

uint64_t cpu_prove_bytes(const struct backend_circuit *c, void *state);

void *cpu_spare_take(const struct backend_circuit *c, void *state);
void cpu_spare_free(void *spare, void *state);

cuzk_status cpu_keygen(struct params_writer *out, const struct backend_circuit *c, const struct toxic *toxic,
                       const struct progress *p, void *state, cuzk_error *err);

#endif
