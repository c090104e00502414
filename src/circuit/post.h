/* FallbackPoSt: window and winning proofs of spacetime (spec §1.3). */
#ifndef CUZK_CIRCUIT_POST_H
#define CUZK_CIRCUIT_POST_H

#include "circuit/assign.h"
#include "r1cs/builder.h"

void post_describe(struct builder *b, const struct sector_shape *shape, size_t slots, size_t challenges);
void post_assign(struct slots *s, const struct sector_shape *shape, const struct post_input *in);

#endif
