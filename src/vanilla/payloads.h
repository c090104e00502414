/* The list of vanilla proofs of a PoSt or an update: raw parts as they are, and JSON arrays of base64 strings
 * (how clients store updates) taken apart. */
#ifndef CUZK_VANILLA_PAYLOADS_H
#define CUZK_VANILLA_PAYLOADS_H

#include "base/arena.h"
#include "base/bytes.h"

/* A part that begins with '[' and is printable text (its first 64 bytes) is such an array; bincode never
 * looks so. *out and what was decoded live in the arena; raw parts still point to the caller's bytes. */
cuzk_status payloads_expand(struct bytes **out, size_t *out_count, struct arena *arena, const struct bytes *parts,
                            size_t count, cuzk_error *err);

#endif
