/* Placing an element among its siblings by the bits of its position (spec §1.1.3). */
#ifndef CUZK_GADGET_INSERT_H
#define CUZK_GADGET_INSERT_H

#include "gadget/number.h"

/* out[0 … arity) = the siblings (arity − 1 of them, in order) with `element` at position `index`; arity 2, 4 or 8,
 * index of 1, 2 or 3 bits. */
void insert(struct recorder *r, struct num *out, struct num element, const struct word *index,
            const struct num *siblings, unsigned arity);

#endif
