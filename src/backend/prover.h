/* From typed inputs to proof bytes for one circuit: the compiled circuit, its parameters on a backend, and its
 * verifying key, held together. Used by the command line and by embedders that need no queue; the engine has its own
 * stages over the same parts.
 *
 * Thread safety: an open prover is constant; proving and verifying may run from several threads at once, each with its
 * own witness.
 */
#ifndef CUZK_BACKEND_PROVER_H
#define CUZK_BACKEND_PROVER_H

#include "backend/backend.h"
#include "backend/witness_shelf.h"
#include "circuit/catalogue.h"
#include "circuit/compile.h"
#include "groth16/verifier.h"
#include "vanilla/statement.h"

struct prover {
    const struct circuit_entry *entry;
    struct circuit *circuit;
    struct params_file params;
    struct backend_circuit on_device;
    struct backend_srs srs;
    struct verifier verifier;
    struct pool *pool;
    struct witness_shelf *witnesses; /* for those who want none of their own */
};

/* Opens DIR/STEM.params: size and structure are checked, points are decoded when they are used. The backend and the
 * pool must outlive the prover. */
cuzk_status prover_open(struct prover *out, const struct circuit_entry *entry, const char *dir,
                        const struct backend *backend, struct pool *pool, cuzk_error *err);

/* The same without a file: parameters are generated into the backend's memory (backend_srs_generate). For benchmarks:
 * who knows `toxic` can forge proofs. */
cuzk_status prover_open_generated(struct prover *out, const struct circuit_entry *entry, const struct toxic *toxic,
                                  const struct backend *backend, struct pool *pool, const struct progress *progress,
                                  cuzk_error *err);

void prover_close(struct prover *p); /* harmless on a zeroed struct and when repeated */

struct partition_timings {
    uint64_t witness, assemble; /* nanoseconds, as those of the backend */
    struct prove_timings backend;
};

void partition_timings_add(struct partition_timings *sum, const struct partition_timings *t);

/* `count` partitions in one call of the backend: fills the witnesses w[0 … count) (made for p->circuit on its backend),
 * proves and assembles. `timings` is added to. */
cuzk_status prover_batch(struct proof *out, const struct prover *p, struct witness *w,
                         const struct partition_input *in, const struct proof_randomness *random, size_t count,
                         struct partition_timings *timings, cuzk_error *err);

/* The same for one. */
cuzk_status prover_partition(struct proof *out, const struct prover *p, struct witness *w,
                             const struct partition_input *in, const struct proof_randomness *random,
                             struct partition_timings *timings, cuzk_error *err);

/* The public inputs of `count` partitions from one on, as they follow from the statement alone. Made before proving:
 * between proofs and answer there is then nothing large to allocate and to free. */
struct public_values {
    size_t count, each;
    fr_t *values;        /* of all partitions */
    const fr_t **inputs; /* of each */
};

cuzk_status public_values_create(struct public_values *out, const struct statement *statement, size_t first,
                                 size_t count, cuzk_error *err);
void public_values_release(struct public_values *p); /* harmless on a zeroed struct and when repeated */

/* claims->count proofs against their public inputs: what a verifier on chain does. CUZK_OK, CUZK_REFUSED naming the
 * first that does not hold, or CUZK_ERR_RESOURCE. */
cuzk_status proofs_verify(const struct verifier *v, const struct public_values *claims, const struct proof *proofs,
                          struct pool *pool, cuzk_error *err);

/* DIR/STEM.vk or .params in fresh memory; CUZK_ERR_RESOURCE without memory. */
cuzk_status params_path(char **out, const struct circuit_entry *entry, const char *dir, const char *extension,
                        cuzk_error *err);

struct srs_counts catalogue_counts(const struct circuit_entry *entry);

#endif
