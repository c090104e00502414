/* What computes proofs and parameters: one interface for the CPU and for devices.
 *
 * A backend is a small struct of functions (backend_ops). Everybody else calls the backend_…
 * functions below, which check what can be checked once for all and apply the defaults; nobody
 * calls the entries directly. The CPU backend (cpu/cpu.h) is the specification: for the same input
 * every other one returns the same group elements and field elements.
 *
 *   open (each backend has its own function)
 *   backend_circuit_load, backend_srs_load       once for each circuit and parameter file
 *   backend_prove                                for each partition
 *   …_drop, backend_close                        in the opposite order
 *
 * Thread safety: everything may be called from several threads, except that nothing may be dropped
 * or closed while it is in use. A device may serve concurrent calls one after another.
 */
#ifndef CUZK_BACKEND_BACKEND_H
#define CUZK_BACKEND_BACKEND_H

#include "groth16/params_file.h"
#include "groth16/params_writer.h"
#include "groth16/proof.h"
#include "groth16/srs_layout.h"
#include "groth16/toxic.h"
#include "r1cs/witness.h"

struct backend_description {
    char device[96];
    unsigned threads; /* of the CPU that take part */
    uint64_t memory;  /* bytes that the device has for our use; 0: the host's */
};

/* What one proof spent its time on, in nanoseconds. */
struct prove_timings {
    uint64_t evaluate; /* A·w, B·w, and their products again */
    uint64_t quotient; /* the six transforms */
    uint64_t h, l, a, b_g1, b_g2;
    uint64_t memory; /* getting it and giving it back */
};

/* Called now and then, from any thread but never from two at once; `done` only grows. NULL as a
 * pointer to the struct or as `report` means that nobody wants to know. */
struct progress {
    void (*report)(void *context, uint64_t done, uint64_t total);
    void *context;
};

struct backend;

/* A circuit, and a parameter file, as a backend holds them. */
struct backend_circuit {
    const struct backend *backend;
    const struct circuit *circuit;
    struct srs_layout layout;
    void *loaded;
};

struct backend_srs {
    const struct backend *backend;
    const struct params_file *file;
    void *loaded;
};

enum ntt_kind { NTT_FORWARD, NTT_INVERSE, NTT_COSET_FORWARD, NTT_COSET_INVERSE };

/* Entries may be NULL where a default is given. */
struct backend_ops {
    const char *name; /* "cpu", "cuda" */
    void (*close)(void *state);
    void (*describe)(struct backend_description *out, void *state); /* default: nothing but zeros */

    /* CUZK_ERR_UNAVAILABLE if the device can do no more work until it is closed. Default: healthy.
     */
    cuzk_status (*health)(void *state, cuzk_error *err);

    /* Default: nothing is prepared, `loaded` is NULL. */
    cuzk_status (*circuit_load)(struct backend_circuit *c, void *state, cuzk_error *err);
    void (*circuit_drop)(struct backend_circuit *c, void *state);
    cuzk_status (*srs_load)(struct backend_srs *s, void *state, const struct progress *p, cuzk_error *err);
    void (*srs_drop)(struct backend_srs *s, void *state);

    /* Bytes of host memory that one proof takes beyond circuit, witness and parameters. Default: 0.
     */
    uint64_t (*prove_bytes)(const struct backend_circuit *c, void *state);

    cuzk_status (*prove)(struct proof_sums *out, struct prove_timings *timings, const struct backend_circuit *c,
                         const struct backend_srs *s, const struct witness *w, void *state, cuzk_error *err);

    /* Several witnesses of one circuit at once, for devices that stream the parameters. Default:
     * one after the other. */
    cuzk_status (*prove_batch)(struct proof_sums *out, struct prove_timings *timings, const struct backend_circuit *c,
                               const struct backend_srs *s, const struct witness *const *w, size_t count, void *state,
                               cuzk_error *err);

    /* Default: CUZK_ERR_UNAVAILABLE, also for the primitives that follow. */
    cuzk_status (*keygen)(struct params_writer *out, const struct backend_circuit *c, const struct toxic *toxic,
                          const struct progress *p, void *state, cuzk_error *err);

    cuzk_status (*ntt)(fr_t *x, unsigned log2_size, enum ntt_kind kind, void *state, cuzk_error *err);
    cuzk_status (*quotient)(fr_t *a, const fr_t *b, unsigned log2_size, void *state, cuzk_error *err);
    cuzk_status (*msm_g1)(g1_t *out, const g1_affine_t *points, const fr_t *scalars, size_t n, void *state,
                          cuzk_error *err);
    cuzk_status (*msm_g2)(g2_t *out, const g2_affine_t *points, const fr_t *scalars, size_t n, void *state,
                          cuzk_error *err);
    cuzk_status (*sum_selected_g1)(g1_t *out, const g1_affine_t *points, size_t n, const uint64_t *selected,
                                   void *state, cuzk_error *err);
    cuzk_status (*sum_selected_g2)(g2_t *out, const g2_affine_t *points, size_t n, const uint64_t *selected,
                                   void *state, cuzk_error *err);
    cuzk_status (*evaluate)(fr_t *out, const struct backend_circuit *c, const struct witness *w, enum matrix_name m,
                            void *state, cuzk_error *err);
};

struct backend {
    const struct backend_ops *ops;
    void *state;
};

void backend_close(struct backend *b); /* harmless on a zeroed struct and when repeated */
void backend_describe(struct backend_description *out, const struct backend *b);
cuzk_status backend_health(const struct backend *b, cuzk_error *err);

/* The circuit must outlive *out. Dropping is harmless on a zeroed struct and when repeated. */
cuzk_status backend_circuit_load(struct backend_circuit *out, const struct backend *b, const struct circuit *circuit,
                                 cuzk_error *err);
void backend_circuit_drop(struct backend_circuit *c);

/* The open parameter file must outlive *out. */
cuzk_status backend_srs_load(struct backend_srs *out, const struct backend *b, const struct params_file *file,
                             const struct progress *p, cuzk_error *err);
void backend_srs_drop(struct backend_srs *s);

uint64_t backend_prove_bytes(const struct backend_circuit *c);

/* The five sums of a partition. `timings` may be NULL. CUZK_ERR_USAGE if witness, circuit and
 * parameters do not belong together (other counts, another backend); CUZK_ERR_DATA if a point of
 * the file is malformed, naming section and index. A witness that does not satisfy the circuit
 * gives sums whose proof does not verify. */
cuzk_status backend_prove(struct proof_sums *out, struct prove_timings *timings, const struct backend_circuit *c,
                          const struct backend_srs *s, const struct witness *w, cuzk_error *err);

/* `out` and, unless NULL, `timings` have `count` places. */
cuzk_status backend_prove_batch(struct proof_sums *out, struct prove_timings *timings,
                                const struct backend_circuit *c, const struct backend_srs *s,
                                const struct witness *const *w, size_t count, cuzk_error *err);

/* Writes every point of the parameters to the open writer, which the caller commits or abandons.
 * Progress counts points. */
cuzk_status backend_keygen(struct params_writer *out, const struct backend_circuit *c, const struct toxic *toxic,
                           const struct progress *p, cuzk_error *err);

/* The primitives, for tests and benchmarks.
 * backend_ntt       in place, natural order on both sides, coset shift 7
 * backend_quotient  a: values of A on the domain, natural order → coefficients of (A·B − C)/(x^m −
 * 1) where C takes the products of the values; b is not changed backend_sum_…     Σ of the points i
 * with bit i % 64 of selected[i / 64] set backend_evaluate  all circuit->rows rows of one matrix */
cuzk_status backend_ntt(fr_t *x, unsigned log2_size, enum ntt_kind kind, const struct backend *b, cuzk_error *err);
cuzk_status backend_quotient(fr_t *a, const fr_t *b_values, unsigned log2_size, const struct backend *b,
                             cuzk_error *err);
cuzk_status backend_msm_g1(g1_t *out, const g1_affine_t *points, const fr_t *scalars, size_t n,
                           const struct backend *b, cuzk_error *err);
cuzk_status backend_msm_g2(g2_t *out, const g2_affine_t *points, const fr_t *scalars, size_t n,
                           const struct backend *b, cuzk_error *err);
cuzk_status backend_sum_selected_g1(g1_t *out, const g1_affine_t *points, size_t n, const uint64_t *selected,
                                    const struct backend *b, cuzk_error *err);
cuzk_status backend_sum_selected_g2(g2_t *out, const g2_affine_t *points, size_t n, const uint64_t *selected,
                                    const struct backend *b, cuzk_error *err);
cuzk_status backend_evaluate(fr_t *out, const struct backend_circuit *c, const struct witness *w, enum matrix_name m,
                             cuzk_error *err);

#endif
