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
    unsigned lanes;   /* partitions that may be proved at once with profit; 0: one */
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

enum { BACKEND_MAX_BATCH = 16 };

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

enum primitive { PRIMITIVE_NTT, PRIMITIVE_MSM_G1, PRIMITIVE_MSM_G2 };

/* Entries may be NULL where a default is given. */
struct backend_ops {
    const char *name; /* "cpu", "cuda" */
    void (*close)(void *state);
    void (*describe)(struct backend_description *out, void *state); /* default: nothing but zeros */

    /* CUZK_ERR_UNAVAILABLE if the device can do no more work until everything that was loaded onto it has been
     * dropped: the next question after that tries to bring it back. Default: healthy. */
    cuzk_status (*health)(void *state, cuzk_error *err);

    /* Default: nothing is prepared, `loaded` is NULL. */
    cuzk_status (*circuit_load)(struct backend_circuit *c, void *state, cuzk_error *err);
    void (*circuit_drop)(struct backend_circuit *c, void *state);
    cuzk_status (*srs_load)(struct backend_srs *s, void *state, const struct progress *p, cuzk_error *err);
    void (*srs_drop)(struct backend_srs *s, void *state);

    /* Bytes of host memory that one proof takes beyond circuit, witness and parameters. Default: 0.
     */
    uint64_t (*prove_bytes)(const struct backend_circuit *c, void *state);

    /* A proof may leave this memory with the circuit, for the next proof to find. spare_take takes what lies idle away
     * without freeing it (NULL: nothing; may be called under locks), spare_free frees it. Default: nothing is left. */
    void *(*spare_take)(const struct backend_circuit *c, void *state);
    void (*spare_free)(void *spare, void *state);

    /* Does the device compute this circuit's values from the slots of a deferred witness (r1cs/witness.h)? Asked
     * before and after the circuit is loaded. Default: it does not. */
    bool (*fills)(const struct circuit *circuit, void *state);

    cuzk_status (*prove)(struct proof_sums *out, struct prove_timings *timings, const struct backend_circuit *c,
                         const struct backend_srs *s, const struct witness *w, void *state, cuzk_error *err);

    /* Several witnesses of one circuit at once, for devices that stream the parameters, and how many are worth
     * collecting for it, at most BACKEND_MAX_BATCH. Default: one after the other, and one. */
    size_t (*batch)(const struct backend_circuit *c, const struct backend_srs *s, void *state);
    cuzk_status (*prove_batch)(struct proof_sums *out, struct prove_timings *timings, const struct backend_circuit *c,
                               const struct backend_srs *s, const struct witness *const *w, size_t count, void *state,
                               cuzk_error *err);

    /* Default: CUZK_ERR_UNAVAILABLE, also for the primitives that follow. */
    cuzk_status (*keygen)(struct params_writer *out, const struct backend_circuit *c, const struct toxic *toxic,
                          const struct progress *p, void *state, cuzk_error *err);

    /* Parameters straight into the device's form. Fills out->loaded and *vk. Default: CUZK_ERR_UNAVAILABLE. */
    cuzk_status (*srs_generate)(struct backend_srs *out, struct verifying_key *vk, const struct backend_circuit *c,
                                const struct toxic *toxic, const struct progress *p, void *state, cuzk_error *err);

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
    cuzk_status (*measure)(double *seconds, double *fraction, enum primitive what, unsigned log2_size, unsigned repeat,
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

/* The memory of proofs that is idle with a circuit, and its end. NULL may be freed. */
void *backend_spare_take(const struct backend_circuit *c);
void backend_spare_free(const struct backend *b, void *spare);

/* A witness to fill and prove with this backend, deferred if its device computes the values, and the bytes of host
 * memory that it takes. Release with witness_destroy. */
cuzk_status backend_witness_create(struct witness *out, const struct backend *b, const struct circuit *circuit,
                                   cuzk_error *err);
uint64_t backend_witness_bytes(const struct backend *b, const struct circuit *circuit);

/* The five sums of a partition. `timings` may be NULL. CUZK_ERR_USAGE if witness, circuit and
 * parameters do not belong together (other counts, another backend, a deferred witness that the
 * backend does not fill); CUZK_ERR_DATA if a point of
 * the file is malformed, naming section and index. A witness that does not satisfy the circuit
 * gives sums whose proof does not verify. */
cuzk_status backend_prove(struct proof_sums *out, struct prove_timings *timings, const struct backend_circuit *c,
                          const struct backend_srs *s, const struct witness *w, cuzk_error *err);

size_t backend_batch(const struct backend_circuit *c, const struct backend_srs *s);

/* `out` and, unless NULL, `timings` have `count` places. */
cuzk_status backend_prove_batch(struct proof_sums *out, struct prove_timings *timings,
                                const struct backend_circuit *c, const struct backend_srs *s,
                                const struct witness *const *w, size_t count, cuzk_error *err);

/* Writes every point of the parameters to the open writer, which the caller commits or abandons.
 * Progress counts points. */
cuzk_status backend_keygen(struct params_writer *out, const struct backend_circuit *c, const struct toxic *toxic,
                           const struct progress *p, cuzk_error *err);

/* The same parameters into the device's memory alone, for benchmarks: *out as backend_srs_load would leave it, and
 * *file, which must outlive it, with counts and verifying key but nothing mapped. Release both, also after a
 * failure, with backend_srs_drop and params_close. CUZK_ERR_UNAVAILABLE if the backend cannot. */
cuzk_status backend_srs_generate(struct backend_srs *out, struct params_file *file, const struct backend_circuit *c,
                                 const struct toxic *toxic, const struct progress *p, cuzk_error *err);

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

/* For devices with memory of their own: the times of `repeat` runs of a primitive on random data that lies there, as
 * it does in proofs, and which fraction of the products that the device can do in that time the method needs.
 * `seconds` and `fraction` have `repeat` places. CUZK_ERR_UNAVAILABLE on the CPU, where the primitives themselves are
 * timed. */
cuzk_status backend_measure(double *seconds, double *fraction, enum primitive what, unsigned log2_size,
                            unsigned repeat, const struct backend *b, cuzk_error *err);

#endif
