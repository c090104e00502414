/* create_label (spec §1.2 step 4): sha256(replica_id ‖ layer ‖ node ‖ zeros to 64 bytes ‖ 37 parents) as a number, one
 * SHA-256 block after another. */
#ifndef CUZK_CIRCUIT_LABEL_BLOCK_H
#define CUZK_CIRCUIT_LABEL_BLOCK_H

#include "circuit/blocks.h"

/* `replica_id` and `parents` in the order of SHA-256 message words (sha256_word_order); the parents are repeated in
 * turn up to LABEL_PARENTS. `node` has bit 0 least significant. */
num_ref block_label(struct builder *b, const struct bit replica_id[NUM_BITS], uint32_t layer,
                    const struct bit node[64], struct bit (*parents)[NUM_BITS], unsigned parent_count);

#endif
