/* FallbackPoStSectorProof in bincode (spec §5.3): one sector of a window or winning PoSt. */
#ifndef CUZK_VANILLA_POST_BINCODE_H
#define CUZK_VANILLA_POST_BINCODE_H

#include "base/arena.h"
#include "base/bytes.h"
#include "circuit/inputs.h"

struct post_sector {
    uint64_t number;
    struct post_slot slot;
};

/* Reads one sector with exactly `challenges` openings of shape->tree_r, all with comm_r_last for their root;
 * no byte may be left over. What *out points to lives in the arena. Hashes are not computed here. */
cuzk_status post_bincode(struct post_sector *out, struct arena *arena, const struct sector_shape *shape,
                         size_t challenges, struct bytes payload, cuzk_error *err);

#endif
