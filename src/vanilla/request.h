/* What a client asks to be proved: the typed form of cuzk.v1.SubmitProofRequest (docs: cuzk-grpc.md).
 *
 * Views only: whoever fills a request (the daemon from protobuf, the command line from options,
 * request_json from a file) owns the bytes and keeps them until the job is parsed. A field that the sender
 * left out is zero or empty, as in proto3; lengths and values are checked by vanilla_parse (job.h), not here.
 */
#ifndef CUZK_VANILLA_REQUEST_H
#define CUZK_VANILLA_REQUEST_H

#include "base/arena.h"
#include "base/bytes.h"
#include "circuit/shape.h"

struct request {
    enum proof_kind kind;

    /* A number within the kind (registered.h). For a PoRep zero also means "as the payload says", since
     * proto3 cannot tell zero from absent. */
    uint64_t registered_proof;
    uint64_t sector_size; /* 0: as the registered proof says */

    uint64_t miner_id;        /* 0: unknown; PoRep's replica_id is then not compared with the sector */
    uint64_t sector_number;   /* PoRep */
    bool has_sector_number;   /* on the wire: not zero */
    struct bytes randomness;  /* PoSt */
    uint32_t partition_index; /* window: where API V1_0 counts challenges from */
    struct bytes comm_r_old, comm_r_new, comm_d_new; /* update */

    struct bytes vanilla_proof;         /* PoRep: C1 output as JSON, wrapper or bincode */
    const struct bytes *vanilla_proofs; /* PoSt: a sector each; update: a partition each */
    size_t vanilla_proof_count;

    /* Not on the wire: prove one partition only. The payload may then hold fewer partitions than the whole
     * proof has; a single part of an update is taken for this one. */
    bool one_partition;
    uint32_t partition;

    /* For the daemon and its clients. */
    struct bytes request_id; /* UTF-8 without NUL at the end */
    uint32_t priority;
};

/* Reads the proto3 JSON form: lowerCamelCase or snake_case names, enums by name or number, integers as
 * numbers or strings, bytes in base64 (any of the forms that proto3 allows), null for a default; unknown
 * members are ignored, repeated ones refused. *out points into the arena and into the text. */
cuzk_status request_json(struct request *out, struct arena *arena, struct bytes text, cuzk_error *err);

#endif
