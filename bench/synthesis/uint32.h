/* Words of 32 bits as lists of bit objects on the heap (bellperson: gadgets/uint32.rs, multieq.rs). Every operation
 * makes a new word; whoever has one releases it. Bit 0 is the least significant. */
#ifndef CUZK_BENCH_SYNTHESIS_UINT32_H
#define CUZK_BENCH_SYNTHESIS_UINT32_H

#include "synthesis/boolean.h"

enum { WORD_BITS = 32, MULTI_EQUALITY_BITS = 254, SUM_MAX = 8 };

struct uint32 {
    struct boolean *bits; /* NULL without memory: operations then give NULL as well */
};

struct uint32 uint32_of(struct constraint_system *cs, const struct boolean bits[WORD_BITS]);
struct uint32 uint32_constant(struct constraint_system *cs, uint32_t value);
struct uint32 uint32_clone(struct constraint_system *cs, const struct uint32 *a);
void uint32_free(struct uint32 *a);

struct uint32 uint32_rotr(struct constraint_system *cs, const struct uint32 *a, unsigned k);
struct uint32 uint32_shr(struct constraint_system *cs, const struct uint32 *a, unsigned k);
struct uint32 uint32_xor(struct constraint_system *cs, const struct uint32 *a, const struct uint32 *b);
struct uint32 uint32_ch(struct constraint_system *cs, const struct uint32 *a, const struct uint32 *b,
                        const struct uint32 *c);
struct uint32 uint32_maj(struct constraint_system *cs, const struct uint32 *a, const struct uint32 *b,
                         const struct uint32 *c);

/* Equalities of sums, several to a row. */
struct multi_equality {
    struct constraint_system *cs;
    unsigned used; /* bits */
    struct combination left, right;
};

void multi_equality_end(struct multi_equality *m); /* the row that is being collected */

/* The sum of 2 … SUM_MAX words modulo 2^32. */
struct uint32 uint32_sum(struct multi_equality *m, const struct uint32 *operands, size_t count);

#endif
