/* What an open CUDA backend is, a loaded parameter file, and the steps that backend.c puts together. */
#ifndef CUZK_CUDA_STATE_H
#define CUZK_CUDA_STATE_H

#include "backend/backend.h"
#include "backend/cuda/circuit.h"
#include "backend/cuda/context.h"
#include "backend/cuda/fill.h"
#include "backend/cuda/ntt.h"
#include "backend/cuda/points.h"
#include "backend/cuda/sums.h"

#include <pthread.h>

enum { CUDA_LANES = 2 }; /* partitions that overlap on a device with memory for it */

struct cuda_state {
    int ordinal;
    size_t limit; /* as asked for */
    struct device device;
    struct ntt_tables tables;
    struct pool *pool;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t left;  /* a lane has become free */
    struct context lane[CUDA_LANES];
    bool busy[CUDA_LANES];
    unsigned waiting; /* busy lanes that wait for memory; they do not wait for each other */
    size_t arena_wanted;    /* by the most demanding circuit that has been loaded, with resident parameters */
    size_t streamed_wanted; /* the same with streamed ones */
    unsigned loads;         /* circuits and parameters that have not been dropped */
};

struct cuda_circuit {
    struct device_circuit device;
    struct cuda_fill *fill; /* NULL: values come from the host */
    size_t arena_bytes; /* one proof's, with resident parameters; SIZE_MAX: they must be streamed */
};

/* The sections of a parameter file in file order: in device memory, decoded, or NULL if they are streamed from the
 * file's mapping (stream.h). */
struct cuda_srs {
    void *points[SRS_SECTIONS];
    size_t bytes[SRS_SECTIONS];
    const struct params_file *file;
};

static inline bool srs_streamed(const struct cuda_srs *srs, enum srs_section s)
{
    return srs->points[s] == NULL && srs->bytes[s] != 0;
}

static inline enum sums_group section_group(enum srs_section s) { return s == SRS_B_G2 ? SUMS_G2 : SUMS_G1; }

/* Every entry begins with it: waits for a free lane whose arena has, or can be given, this many bytes, and makes the
 * device current for the calling thread. */
cuzk_status cuda_enter(struct context **lane, struct cuda_state *s, size_t arena_bytes, cuzk_error *err);
void cuda_leave(struct cuda_state *s, struct context *lane);

/* context_allocate that waits, if it must, for other lanes to end and then takes the memory of their arenas. */
cuzk_status cuda_allocate(void **out, struct cuda_state *s, struct context *lane, size_t bytes, const char *what,
                          cuzk_error *err);

/* Bytes that lanes' arenas have or could have. */
size_t cuda_room(struct cuda_state *s);

void cuda_count_load(struct cuda_state *s, int change);

cuzk_status cuda_srs_load(struct backend_srs *out, void *state, const struct progress *p, cuzk_error *err);
void cuda_srs_drop(struct backend_srs *out, void *state);

cuzk_status cuda_circuit_load(struct backend_circuit *out, void *state, cuzk_error *err);
void cuda_circuit_drop(struct backend_circuit *out, void *state);

cuzk_status cuda_prove_batch(struct proof_sums *out, struct prove_timings *timings, const struct backend_circuit *c,
                             const struct backend_srs *s, const struct witness *const *w, size_t count, void *state,
                             cuzk_error *err);
cuzk_status cuda_prove(struct proof_sums *out, struct prove_timings *timings, const struct backend_circuit *c,
                       const struct backend_srs *s, const struct witness *w, void *state, cuzk_error *err);

size_t cuda_batch(const struct backend_circuit *c, const struct backend_srs *s, void *state);

/* A sum from what sums_msm leaves. */
void cuda_combine_g1(g1_t *out, const g1_t *terms, const struct msm_plan *plan);
void cuda_combine_g2(g2_t *out, const g2_t *terms, const struct msm_plan *plan);

/* Into the arena; a deferred witness's values are computed there. */
cuzk_status cuda_upload_witness(struct device_witness *out, const struct witness *w,
                                const struct cuda_circuit *circuit, struct context *c, cuzk_error *err);

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
cuzk_status cuda_measure(double *seconds, double *fraction, enum primitive what, unsigned log2_size, unsigned repeat,
                         void *state, cuzk_error *err);

#endif
