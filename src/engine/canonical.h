/* The canonical bytes of a request: cuzk.v1.SubmitProofRequest in deterministic proto3 (fields ascending, defaults
 * left out), without request_id and priority. They are what a job's identity is the SHA-256 of, and what the
 * journal keeps as a payload.
 *
 * The pieces of an encoded request are views: big byte fields are never copied.
 */
#ifndef CUZK_ENGINE_CANONICAL_H
#define CUZK_ENGINE_CANONICAL_H

#include "hash/digest.h"
#include "vanilla/request.h"

/* The canonical bytes in order, as pieces: small ones in the arena, big ones in the request's memory. The fields
 * of struct request that are not on the wire (one_partition, …) do not count. CUZK_ERR_RESOURCE without memory. */
cuzk_status canonical_pieces(struct bytes **out, size_t *count, struct arena *arena, const struct request *request,
                             cuzk_error *err);

/* SHA-256 over the pieces. */
cuzk_status canonical_hash(uint8_t out[DIGEST_BYTES], const struct bytes *pieces, size_t count, cuzk_error *err);

/* Reads a SubmitProofRequest from proto3 bytes, canonical or not (request_id and priority included, unknown
 * fields skipped, a later scalar replaces an earlier one). *out points into `wire` and the arena.
 * CUZK_ERR_DATA names the field and its place. proof_kind is not checked here. */
cuzk_status request_wire(struct request *out, struct arena *arena, struct bytes wire, cuzk_error *err);

#endif
