/* Poseidon as Filecoin's legacy circuit has it (spec §7 "Circuit"), with its useless last S-boxes. The rows are
 * recorded here; the values are one instruction, poseidon_trace (hash/poseidon.h), whose order of values is the
 * order of allocations here. */
#ifndef CUZK_GADGET_POSEIDON_H
#define CUZK_GADGET_POSEIDON_H

#include "gadget/number.h"

enum poseidon_tag { POSEIDON_MERKLE, POSEIDON_RANDOM }; /* 2^arity − 1; 2^40 */

struct num poseidon(struct recorder *r, const struct num *inputs, unsigned arity, enum poseidon_tag tag);

#endif
