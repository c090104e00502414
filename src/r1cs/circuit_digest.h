/* Digests by which two implementations of a circuit, or two witnesses, are compared, and a mismatch is bisected.
 *
 * Canonical serialisation of a row: for A, then B, then C: u32 LE number of terms, then per term, inputs before
 * aux and ascending, one byte 0 (input) or 1 (aux), u32 LE index, 32-byte LE canonical coefficient. Rows (circuit
 * rows first, then the input rows) are grouped into chunks of `chunk`; each chunk has its own SHA-256; the digest
 * is the SHA-256 of the concatenated chunk digests. Values of a witness are serialised as 32-byte LE canonical and
 * grouped in the same way.
 */
#ifndef CUZK_R1CS_CIRCUIT_DIGEST_H
#define CUZK_R1CS_CIRCUIT_DIGEST_H

#include "r1cs/witness.h"

struct chunk_digests {
    uint32_t chunk;
    size_t count;
    uint8_t (*chunks)[32]; /* owned */
    uint8_t digest[32];
};

void chunk_digests_free(struct chunk_digests *d);

/* Rows [0, circuit->rows), or only the constraints. `chunk` ≥ 1. */
cuzk_status circuit_rows_digest(struct chunk_digests *out, const struct circuit *c, uint32_t chunk, bool input_rows,
                                struct pool *pool, cuzk_error *err);

/* SHA-256 of a density bitmap: bits by aux variable, LSB first, in u64 LE words. */
void circuit_density_digest(uint8_t out[32], const struct circuit *c, enum matrix_name m);

/* The structure fingerprint of spec §8.2 (BLAKE2s-256). Serial: a few seconds per 10 million rows. */
cuzk_status circuit_fingerprint(uint8_t out[32], const struct circuit *c, cuzk_error *err);

/* Evaluations of matrix m over all rows. */
cuzk_status witness_rows_digest(struct chunk_digests *out, const struct witness *w, enum matrix_name m,
                                uint32_t chunk, struct pool *pool, cuzk_error *err);

struct aux_digest {
    struct chunk_digests chunks;
    uint8_t sha256[32]; /* of all values without chunks */
    uint64_t zeros, ones, others;
};

cuzk_status witness_aux_digest(struct aux_digest *out, const struct witness *w, uint32_t chunk, struct pool *pool,
                               cuzk_error *err);

/* SHA-256 of all public inputs, ONE included, 32-byte LE. */
void witness_inputs_digest(uint8_t out[32], const struct witness *w);

#endif
