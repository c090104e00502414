/* SealCommitPhase1Output as bincode (spec §5.1, §5.3): the partitions, comm_r, comm_d, replica_id, seed,
 * ticket; neither the registered proof nor the sector size stands in it. */
#ifndef CUZK_VANILLA_C1_BINCODE_H
#define CUZK_VANILLA_C1_BINCODE_H

#include "vanilla/c1.h"

/* Reads a document of this shape; no byte may be left over. *out points into the arena. */
cuzk_status c1_bincode(struct c1 *out, const struct sector_shape *shape, struct arena *arena, struct bytes data,
                       cuzk_error *err);

/* The shape that the first opening's number of levels points to, NULL if none does. */
const struct sector_shape *c1_bincode_shape(struct bytes data);

#endif
