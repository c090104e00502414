/* What an open CUDA backend is, a loaded parameter file, and the steps that backend.c puts together. */
#ifndef CUZK_CUDA_STATE_H
#define CUZK_CUDA_STATE_H

#include "backend/backend.h"
#include "backend/cuda/circuit.h"
#include "backend/cuda/context.h"
#include "backend/cuda/ntt.h"
#include "backend/cuda/points.h"
#include "backend/cuda/sums.h"

#include <pthread.h>

struct cuda_state {
    struct context context;
    struct ntt_tables tables;
    struct pool *pool;
    pthread_mutex_t lock; /* one caller at a time */
};

struct cuda_circuit {
    struct device_circuit device;
    size_t arena_bytes; /* one proof's */
};

/* The sections of a parameter file, decoded, in file order. */
struct cuda_srs {
    void *points[SRS_SECTIONS];
    size_t bytes[SRS_SECTIONS];
};

static inline enum sums_group section_group(enum srs_section s) { return s == SRS_B_G2 ? SUMS_G2 : SUMS_G1; }

/* The calling thread's current device becomes the state's. Every entry begins with it. */
cuzk_status cuda_enter(struct cuda_state *s, cuzk_error *err);
void cuda_leave(struct cuda_state *s);

cuzk_status cuda_srs_load(struct backend_srs *out, void *state, const struct progress *p, cuzk_error *err);
void cuda_srs_drop(struct backend_srs *out, void *state);

cuzk_status cuda_circuit_load(struct backend_circuit *out, void *state, cuzk_error *err);
void cuda_circuit_drop(struct backend_circuit *out, void *state);

cuzk_status cuda_prove(struct proof_sums *out, struct prove_timings *timings, const struct backend_circuit *c,
                       const struct backend_srs *s, const struct witness *w, void *state, cuzk_error *err);

/* Σ 2^(bits·w)·windows[w]. */
void cuda_combine_g1(g1_t *out, const g1_t *windows, const struct msm_plan *plan);
void cuda_combine_g2(g2_t *out, const g2_t *windows, const struct msm_plan *plan);

cuzk_status cuda_upload_witness(struct device_witness *out, const struct witness *w, struct context *c,
                                cuzk_error *err);

/* The factors of quotient_device_finish for a domain of 2^k: a's and b's. */
void cuda_quotient_factors(fr_t *a, fr_t *b, unsigned k);

cuzk_status cuda_ntt(fr_t *x, unsigned log2_size, enum ntt_kind kind, void *state, cuzk_error *err);
cuzk_status cuda_quotient(fr_t *a, const fr_t *b, unsigned log2_size, void *state, cuzk_error *err);
cuzk_status cuda_msm_g1(g1_t *out, const g1_affine_t *points, const fr_t *scalars, size_t n, void *state,
                        cuzk_error *err);
cuzk_status cuda_msm_g2(g2_t *out, const g2_affine_t *points, const fr_t *scalars, size_t n, void *state,
                        cuzk_error *err);
cuzk_status cuda_sum_selected_g1(g1_t *out, const g1_affine_t *points, size_t n, const uint64_t *selection,
                                 void *state, cuzk_error *err);
cuzk_status cuda_sum_selected_g2(g2_t *out, const g2_affine_t *points, size_t n, const uint64_t *selection,
                                 void *state, cuzk_error *err);
cuzk_status cuda_evaluate(fr_t *out, const struct backend_circuit *c, const struct witness *w, enum matrix_name m,
                          void *state, cuzk_error *err);

#endif
