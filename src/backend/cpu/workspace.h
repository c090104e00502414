/* What one proof on the CPU works in, kept from proof to proof, so that a proof allocates and frees nothing.
 *
 * One mapping: the vector `a` of m elements (m: the domain's size), and behind it `shared`, which the stages use one
 * after the other:
 *   quotient   the vector b, and ROW_CHUNK values
 *   h          decoded points
 *   sums       a section's points and values, and each thread's batches
 * and the workspaces of the multi-scalar multiplications (math/msm.h).
 *
 * A shelf holds a circuit's idle ones; there are as many as proofs were ever at work at once. Thread-safe.
 */
#ifndef CUZK_BACKEND_CPU_WORKSPACE_H
#define CUZK_BACKEND_CPU_WORKSPACE_H

#include "backend/backend.h"
#include "base/pool.h"
#include "math/msm.h"

#include <pthread.h>

enum {
    H_CHUNK = 1 << 19,  /* points of h that are decoded at once */
    ROW_CHUNK = 1 << 17 /* rows of B that are evaluated at once while c = a∘b is made */
};

struct workspace {
    struct workspace *next;
    void *memory;
    size_t size;
    fr_t *a;
    void *shared;
    struct g1_msm *msm_h, *msm_g1; /* the same where the sums are about as long */
    struct g2_msm *msm_g2;
};

struct shelf {
    pthread_mutex_t lock;
    struct workspace *idle;
};

void shelf_create(struct shelf *s);
void shelf_destroy(struct shelf *s); /* and everything on it */

/* An idle one, or a new one for the circuit; CUZK_ERR_RESOURCE without memory. */
cuzk_status shelf_take(struct workspace **out, struct shelf *s, const struct backend_circuit *c, struct pool *pool,
                       cuzk_error *err);
void shelf_put(struct shelf *s, struct workspace *w);

/* Takes all that is idle (or NULL), and frees it. Taking frees nothing and may be done under locks. */
struct workspace *shelf_clear(struct shelf *s);
void workspaces_free(struct workspace *list);

/* What decides on the size of one. */
struct workspace_shape {
    uint64_t domain, inputs, wides; /* wides: private variables */
    unsigned threads;
};

struct workspace_shape workspace_shape(const struct circuit *c, const struct pool *pool);

/* Bytes of one: exact but for the multi-scalar multiplications, which msm.h bounds. */
uint64_t workspace_bytes(const struct workspace_shape *shape);

/* At least that for any circuit with so many wide variables or fewer. */
uint64_t workspace_bound(const struct workspace_shape *shape);

#endif
