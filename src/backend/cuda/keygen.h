/* Key generation on the device. The algebra up to the scalars is groth16/keygen.h's; here the scalars become points
 * (fixed_base.h), and points become a parameter file or resident parameters.
 *
 * The Lagrange values come from one transform on the device, columns from the threads of the pool: columns of the
 * next sections are computed while points of the present ones are. Host memory: the Lagrange values and two sets of
 * columns, 32·(domain + 2·variables) bytes: 12.6 GB for a 32 GiB PoRep. Device memory beside the points: tables of up
 * to 2.3 GB (G1) or 4.5 GB (G2), but at most a quarter of what is left, and two vectors of the domain, if there is
 * room for them; if not, the transform is the host's. */
#ifndef CUZK_CUDA_KEYGEN_H
#define CUZK_CUDA_KEYGEN_H

#include "backend/cuda/state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the time went, in nanoseconds. What has to do with points overlaps with columns. */
struct keygen_timings {
    uint64_t lagrange;
    uint64_t columns[3];      /* by enum keygen_columns */
    uint64_t columns_awaited; /* of those, what points had to wait for */
    uint64_t key, tables;
    uint64_t section[SRS_SECTIONS]; /* from the first scalar to the last point that was queued */
    uint64_t gather;                /* scalars into pinned memory */
    uint64_t device;                /* waiting for the device */
    uint64_t write;                 /* in params_writer_put */
};

/* Where the points go: one of the two. */
struct keygen_target {
    struct params_writer *writer;
    struct cuda_srs *srs; /* zeroed; to be released also after a failure */
    struct verifying_key *vk; /* with srs */
};

cuzk_status cuda_generate(const struct keygen_target *target, struct keygen_timings *timings,
                          const struct backend_circuit *circuit, const struct toxic *toxic, const struct progress *p,
                          struct cuda_state *s, cuzk_error *err);

/* The backend's entries. */
cuzk_status cuda_keygen(struct params_writer *out, const struct backend_circuit *c, const struct toxic *toxic,
                        const struct progress *p, void *state, cuzk_error *err);
cuzk_status cuda_srs_generate(struct backend_srs *out, struct verifying_key *vk, const struct backend_circuit *c,
                              const struct toxic *toxic, const struct progress *p, void *state, cuzk_error *err);

/* For tests: scalars[i] times the generator, encoded, with windows of so many bits. */
cuzk_status cuda_multiples(uint8_t *encoded, enum sums_group g, uint32_t bits, const fr_t *scalars, size_t n,
                           struct cuda_state *s, cuzk_error *err);

#ifdef __cplusplus
}
#endif
#endif
