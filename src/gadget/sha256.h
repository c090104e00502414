/* SHA-256 (spec §1.1.4). Message words are big-endian as the standard reads them: word bit 0 is the least
 * significant. */
#ifndef CUZK_GADGET_SHA256_H
#define CUZK_GADGET_SHA256_H

#include "gadget/word.h"

void sha256_initial_state(struct recorder *r, struct word state[8]);

/* One compression: state becomes state + rounds(state, block). */
void sha256_block(struct recorder *r, struct word state[8], const struct word block[16]);

/* The digest of `count` message words (32·count bits), padded as the standard does. */
void sha256_message(struct recorder *r, struct word digest[8], const struct word *message, size_t count);

#endif
