/* StackedCircuit: the proof of replication (spec §1.2). */
#ifndef CUZK_CIRCUIT_POREP_H
#define CUZK_CIRCUIT_POREP_H

#include "circuit/assign.h"
#include "r1cs/builder.h"

void porep_describe(struct builder *b, const struct sector_shape *shape);
void porep_assign(struct slots *s, const struct sector_shape *shape, const struct porep_input *in);

#endif
