/* Field elements as variables (bellperson: gadgets/num.rs, multipack.rs; spec §1.1.2). */
#ifndef CUZK_BENCH_SYNTHESIS_NUMBER_H
#define CUZK_BENCH_SYNTHESIS_NUMBER_H

#include "synthesis/boolean.h"

enum { NUMBER_BITS = 256, PACKED_BITS = 254 };

struct number {
    struct variable variable;
    fr_t value;
};

struct number number_alloc(struct constraint_system *cs, const fr_t *value);

/* 255 new bits, least significant first, and constant false: 0 · 0 = Σ 2^k·bit − a. */
void number_bits(struct constraint_system *cs, struct boolean bits[NUMBER_BITS], const struct number *a);

/* Σ 2^k·bit as a new variable: Σ · ONE = it; or, `public`, as a new public input. At most PACKED_BITS bits. */
struct number number_pack(struct constraint_system *cs, const struct boolean *bits, unsigned count, bool public);

#endif
