/* The proving steps, as the engine sees them: a small struct of functions. The engine knows jobs, queues, memory
 * and time; what a partition is made of stands behind this seam. pipeline.h is the real one, tests bring their own.
 *
 * The life of a job:  plan → parse → (load, attach: by the SRS store) → for each partition witness_create or a used
 * one, fill, prove → verify → forget.
 *
 * Thread safety: every entry may be called from several threads at once; calls for one object never overlap with
 * its release. A circuit is named by its number in the catalogue.
 */
#ifndef CUZK_ENGINE_STEPS_H
#define CUZK_ENGINE_STEPS_H

#include "backend/backend.h"
#include "circuit/catalogue.h"
#include "vanilla/request.h"

/* What a request will be, from its fixed fields alone: cheap, without looking into the payload. */
struct steps_plan {
    size_t circuit;       /* catalogue_at */
    size_t partitions;    /* proofs that the result has; at least 1 */
    uint64_t input_bytes; /* host memory of the typed inputs, about */
};

/* Bytes that a circuit takes: upper bounds before it is loaded, exact afterwards. */
struct circuit_needs {
    uint64_t srs;     /* host memory of the parameters: mapped or converted */
    uint64_t circuit; /* the compiled circuit */
    uint64_t device;  /* memory of each device */
    uint64_t witness; /* one packed witness */
    uint64_t prove;   /* host memory of one proof at work, beside the witness: an upper bound, always the same */
};

struct device_state {
    const char *backend; /* static: "cpu", "cuda" */
    char name[64];
    uint32_t ordinal;
    unsigned lanes;                     /* partitions at once if the configuration does not say */
    uint64_t memory_total, memory_free; /* free: as of now */
    bool healthy;
    char trouble[128];
};

/* What the inner stages of one proof took, nanoseconds. */
struct step_timings {
    struct prove_timings backend;
    uint64_t epilogue; /* from the sums to the proof's bytes */
};

struct steps {
    void *context;
    size_t devices;                               /* at least 1 */
    bool (*known)(void *context, size_t circuit); /* can circuits of this kind be proved at all? */

    cuzk_status (*plan)(void *context, struct steps_plan *out, const struct request *request, cuzk_error *err);

    /* From the catalogue alone. */
    void (*needs)(void *context, struct circuit_needs *out, size_t circuit);

    /* Reads and checks the payload. *inputs does not refer to the request. CUZK_ERR_DATA: the job fails. */
    cuzk_status (*parse)(void *context, void **inputs, const struct request *request, cuzk_error *err);
    void (*forget)(void *context, void *inputs);

    /* Opens and checks the parameter file and compiles the circuit: *srs. `actual` comes in as an estimate and goes
     * out exact. *test: the file is not in the published table but was accepted. */
    cuzk_status (*load)(void *context, void **srs, struct circuit_needs *actual, bool *test, size_t circuit,
                        const struct progress *progress, cuzk_error *err);
    void (*unload)(void *context, void *srs);

    /* Brings the parameters onto a device, and off it again. */
    cuzk_status (*attach)(void *context, void *srs, size_t device, const struct progress *progress, cuzk_error *err);
    void (*detach)(void *context, void *srs, size_t device);

    /* Proofs leave their memory (needs.prove each) with the parameters, for the next proof. spare_take takes what lies
     * idle there away without freeing it, or is NULL; spare_free frees it. Taking is quick and may be done under locks.
     */
    void *(*spare_take)(void *context, void *srs);
    void (*spare_free)(void *context, void *spare);

    /* A witness can be filled any number of times, with partitions of any job of its circuit. */
    cuzk_status (*witness_create)(void *context, void **witness, void *srs, cuzk_error *err);
    void (*witness_free)(void *context, void *witness);
    cuzk_status (*fill)(void *context, void *witness, const void *inputs, size_t partition, cuzk_error *err);

    /* The 192 bytes of one partition. CUZK_ERR_UNAVAILABLE: the device, not the partition, is at fault. */
    cuzk_status (*prove)(void *context, uint8_t proof[PROOF_BYTES], struct step_timings *timings, void *srs,
                         const void *witness, size_t device, cuzk_error *err);

    /* Checks `count` proofs of partitions partitions[i] against what `inputs` claim. CUZK_REFUSED: *bad is the
     * first that does not hold (an index into partitions). */
    cuzk_status (*verify)(void *context, size_t *bad, void *srs, const void *inputs,
                          const uint8_t (*proofs)[PROOF_BYTES], const uint32_t *partitions, size_t count,
                          cuzk_error *err);

    /* May call the device: never from under a lock. */
    void (*device)(void *context, struct device_state *out, size_t device);

    /* Are a circuit's files there with the right size? CUZK_OK, or why it cannot be proved. Only stat(2). */
    cuzk_status (*present)(void *context, size_t circuit, cuzk_error *err);

    void (*close)(void *context);
};

#endif
