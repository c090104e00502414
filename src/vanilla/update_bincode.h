/* PartitionProof of an EmptySectorUpdate in bincode (spec §5.3): one partition of a sector update. */
#ifndef CUZK_VANILLA_UPDATE_BINCODE_H
#define CUZK_VANILLA_UPDATE_BINCODE_H

#include "base/arena.h"
#include "base/bytes.h"
#include "circuit/inputs.h"

/* Reads one partition; no byte may be left over. Filled is what the bytes tell: comm_c, the roots (comm_d_new
 * is the root of the openings of the new data), apex leaves, partition path and challenges, and the partition
 * that the leaves' indices belong to; comm_r_old and comm_r_new stay zero. All openings of one tree have the
 * same root, the three of one challenge the same index, all challenges the same partition and partition path.
 * What *out points to lives in the arena. Hashes are not computed here. */
cuzk_status update_bincode(struct update_input *out, struct arena *arena, const struct sector_shape *shape,
                           struct bytes payload, cuzk_error *err);

#endif
