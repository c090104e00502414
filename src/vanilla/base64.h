/* Base64 (RFC 4648 §4, padded), strictly: no white space, no other alphabet, no stray bits. */
#ifndef CUZK_VANILLA_BASE64_H
#define CUZK_VANILLA_BASE64_H

#include "base/arena.h"
#include "vanilla/json.h"

/* Room for what `n` characters decode to. */
static inline size_t base64_room(size_t n) { return n / 4 * 3 + 3; }

/* Decodes to `out`, which has base64_room(size) bytes and does not overlap the text. */
cuzk_status base64_decode(uint8_t *out, size_t *out_size, const uint8_t *text, size_t size, cuzk_error *err);

/* The same for a string of a JSON text; *out lies in the arena. */
cuzk_status base64_text(struct bytes *out, struct arena *arena, const struct json_text *text, cuzk_error *err);

/* Brings the other forms that proto3 JSON allows (URL alphabet, missing padding) to the strict one. `out` has
 * room for size + 2 characters and may be `text`; returns the new length. All else stays as it is. */
size_t base64_normalise(uint8_t *out, const uint8_t *text, size_t size);

#endif
