/* The algebra of key generation: from a circuit and the toxic waste to the scalar of every point of
 * a parameter file (Groth, "On the size of pairing-based non-interactive arguments", Eurocrypt
 * 2016, §3.2; the arrangement of spec §4.2). Turning scalars into points is the backend's work.
 *
 * With A_v, B_v, C_v the polynomials of variable v's columns and t(X) = X^m − 1:
 *   h[i]        = tau^i · t(tau) / delta
 *   l[v]        = (beta·A_v(tau) + alpha·B_v(tau) + C_v(tau)) / delta      private v
 *   ic[v]       = the same divided by gamma                                public v
 *   a[v], b[v]  = A_v(tau), B_v(tau)                                       where they are not
 * identically 0
 */
#ifndef CUZK_GROTH16_KEYGEN_H
#define CUZK_GROTH16_KEYGEN_H

#include "base/pool.h"
#include "groth16/toxic.h"
#include "groth16/vk.h"
#include "r1cs/circuit.h"

struct keygen {
    const struct circuit *circuit;
    struct pool *pool;
    struct toxic toxic;
    fr_t inverse_gamma, inverse_delta;
    fr_t vanishing; /* t(tau) */
    size_t domain;  /* m */
    fr_t *lagrange; /* L_i(tau), m of them */
    size_t longest; /* most refs and public inputs of a template */
    fr_t *scratch;  /* `longest` elements per thread */
};

/* Needs (domain + threads · longest template) · 32 bytes. The circuit and the pool must outlive it.
 */
cuzk_status keygen_create(struct keygen *out, const struct circuit *circuit, const struct toxic *toxic,
                          struct pool *pool, cuzk_error *err);
void keygen_release(struct keygen *k);

/* The two steps of it, for callers that compute the Lagrange values themselves. */
cuzk_status keygen_begin(struct keygen *out, const struct circuit *circuit, const struct toxic *toxic,
                         struct pool *pool, cuzk_error *err);
cuzk_status keygen_lagrange(struct keygen *k, cuzk_error *err);

/* out[i − begin] = h[i] for begin ≤ i < end ≤ m − 1. */
void keygen_h(fr_t *out, const struct keygen *k, size_t begin, size_t end);

/* What keygen_columns computes: l and ic; a; b. */
enum keygen_columns { KEYGEN_L, KEYGEN_A, KEYGEN_B };

/* The scalars of all columns: circuit->inputs elements to `inputs`, circuit->aux elements to `aux`,
 * by variable, columns that are identically zero included. CUZK_ERR_DATA for KEYGEN_L if a private
 * variable occurs in no row at all. */
cuzk_status keygen_columns(fr_t *inputs, fr_t *aux, const struct keygen *k, enum keygen_columns which,
                           cuzk_error *err);

/* The verifying key; `inputs` are those of KEYGEN_L. Release with vk_release. */
cuzk_status keygen_key(struct verifying_key *out, const struct keygen *k, const fr_t *inputs, cuzk_error *err);

#endif
