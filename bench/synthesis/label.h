/* One computation in three styles: the labels of a PoRep partition's challenges (spec §1.2 step 4), as numbers → bits
 * → SHA-256 → number. They are most of a PoRep: 2.1 of the 2.7 million variables of a 2 KiB partition (`cuzk circuit
 * stats`). What a label is made of is read from the partition's real inputs.
 *
 *   objects          bellperson's way as it began: an object per bit, words as lists of them on the heap, each bit's
 *                    linear combination a temporary of its own, combinations made for each row and thrown away
 *   no temporaries   the same with bits added to combinations directly (its add_to_lc)
 *   program          this project's: templates and fill programs, bits as bits
 *
 * The first two yield what the incumbent's synthesis yields: all values and, for each row, a, b and c.
 */
#ifndef CUZK_BENCH_SYNTHESIS_LABEL_H
#define CUZK_BENCH_SYNTHESIS_LABEL_H

#include "circuit/inputs.h"
#include "r1cs/witness.h"
#include "synthesis/system.h"

/* The two object styles; cs->temporaries says which. CUZK_ERR_RESOURCE without memory. */
cuzk_status labels_synthesise(struct constraint_system *cs, const struct sector_shape *shape,
                              const struct porep_input *in, cuzk_error *err);

/* The same rows and variables as a compiled circuit, and their fill programs. *allocated: bytes that filling took
 * from the heap. */
cuzk_status labels_compile(struct circuit **out, const struct sector_shape *shape, cuzk_error *err);
cuzk_status labels_fill(struct witness *w, uint64_t *allocated, const struct sector_shape *shape,
                        const struct porep_input *in, cuzk_error *err);

/* Every value, and a, b, c of every row, of one against the other. CUZK_ERR_INTERNAL names the first difference. */
cuzk_status labels_compare(const struct constraint_system *cs, const struct witness *w, cuzk_error *err);

#endif
