/* Sums of 32-bit words whose equalities are packed, several to a row (spec §1.1.4 addmany, MultiEq). */
#ifndef CUZK_GADGET_MULTI_EQ_H
#define CUZK_GADGET_MULTI_EQ_H

#include "gadget/word.h"

enum { MULTI_EQ_BITS = 254, MAX_SUM = 8 };

/* One per SHA-256 compression: both sides of the row that is being collected. */
struct multi_eq {
    struct recorder *r;
    unsigned used; /* bits */
    struct lc left, right;
    fr_t power[MULTI_EQ_BITS + 1]; /* 2^k */
};

void multi_eq_begin(struct multi_eq *m, struct recorder *r);
void multi_eq_end(struct multi_eq *m); /* flushes what is left and releases memory */

/* The low 32 bits of the sum of `count` words, 2 ≤ count ≤ MAX_SUM. */
struct word word_sum(struct multi_eq *m, const struct word *operands, size_t count);

#endif
