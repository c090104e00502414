/* Where an opening leads: the root of the tree that it claims to be in (spec §1.1.5). Thread-safe. */
#ifndef CUZK_VANILLA_PATH_H
#define CUZK_VANILLA_PATH_H

#include "circuit/inputs.h"
#include "math/fr.h"

/* Through all levels of a Poseidon tree. */
void path_root_poseidon(fr_t *out, const struct tree_shape *shape, const struct tree_path *path, const fr_t *leaf);

/* Up the first `levels` levels of a binary SHA-256 tree; `siblings` has as many nodes. */
void path_root_sha256(struct node *out, const struct node *siblings, uint64_t index, unsigned levels,
                      const struct node *leaf);

/* comm_r = H(comm_c, comm_r_last). */
void comm_r_make(struct node *out, const struct node *comm_c, const struct node *comm_r_last);

#endif
