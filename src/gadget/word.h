/* Words: up to 64 bits that are recorded bit by bit and computed as one machine word.
 *
 * Every operation walks its bits in ascending order, lets gadget/boolean.h fold and allocate, and appends one
 * instruction with the masks of what was allocated (r1cs/program.h). SHA-256 words have 32 bits.
 */
#ifndef CUZK_GADGET_WORD_H
#define CUZK_GADGET_WORD_H

#include "gadget/boolean.h"

struct word word_constant(struct recorder *r, uint64_t value, unsigned width);
struct word word_slot(struct recorder *r, unsigned width); /* boolean-constrained bits from an integer slot */

/* Free of columns and rows. */
struct word word_rotr(struct recorder *r, const struct word *a, unsigned k);  /* 32 bits */
struct word word_shr(struct recorder *r, const struct word *a, unsigned k);   /* fills with constant false */
struct word word_bswap(struct recorder *r, const struct word *a);             /* 32 bits */
struct word word_slice(struct recorder *r, const struct word *a, unsigned from, unsigned width);

struct word word_xor(struct recorder *r, const struct word *a, const struct word *b);
struct word word_and(struct recorder *r, const struct word *a, const struct word *b);
struct word word_ch(struct recorder *r, const struct word *a, const struct word *b, const struct word *c);
struct word word_maj(struct recorder *r, const struct word *a, const struct word *b, const struct word *c);

/* Of two single variables (insert-8): never folds. Widths 1. */
struct word word_nor_variables(struct recorder *r, const struct word *a, const struct word *b);
struct word word_and_variables(struct recorder *r, const struct word *a, const struct word *b);

#endif
