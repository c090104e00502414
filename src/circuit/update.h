/* EmptySectorUpdate: SnapDeals (spec §1.4). */
#ifndef CUZK_CIRCUIT_UPDATE_H
#define CUZK_CIRCUIT_UPDATE_H

#include "circuit/assign.h"
#include "r1cs/builder.h"

void update_describe(struct builder *b, const struct sector_shape *shape);
void update_assign(struct slots *s, const struct sector_shape *shape, const struct update_input *in);

#endif
