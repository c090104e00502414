/* The hash of a Merkle node's children (spec §1.1.5): SHA-256 of two (TreeD), Poseidon of 2, 4 or 8. */
#ifndef CUZK_GADGET_NODE_HASH_H
#define CUZK_GADGET_NODE_HASH_H

#include "gadget/number.h"

enum node_hasher { HASH_SHA256, HASH_POSEIDON };

struct num node_hash(struct recorder *r, enum node_hasher hasher, const struct num *children, unsigned arity);

/* The number that Filecoin makes of a SHA-256 digest: its bytes little-endian, the first 254 bits. */
struct num digest_number(struct recorder *r, const struct word digest[8]);

#endif
