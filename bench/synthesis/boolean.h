/* One object per bit (bellperson: gadgets/boolean.rs): a constant, a variable, or the negation of one. Rows and their
 * order are the specification's (spec §1.1.1), as in src/gadget/boolean.c. */
#ifndef CUZK_BENCH_SYNTHESIS_BOOLEAN_H
#define CUZK_BENCH_SYNTHESIS_BOOLEAN_H

#include "synthesis/system.h"

enum boolean_kind { BOOLEAN_CONSTANT, BOOLEAN_IS, BOOLEAN_NOT };

struct boolean {
    enum boolean_kind kind;
    bool held; /* the constant's value, or the variable's */
    struct variable variable;
};

struct boolean boolean_constant(bool value);
struct boolean boolean_alloc(struct constraint_system *cs, bool value); /* (1 − a) · a = 0 */
struct boolean boolean_not(struct boolean b);
bool boolean_value(struct boolean b);

struct boolean boolean_xor(struct constraint_system *cs, struct boolean a, struct boolean b);
struct boolean boolean_and(struct constraint_system *cs, struct boolean a, struct boolean b);
struct boolean boolean_ch(struct constraint_system *cs, struct boolean a, struct boolean b, struct boolean c);
struct boolean boolean_maj(struct constraint_system *cs, struct boolean a, struct boolean b, struct boolean c);

/* lc + coeff · b. Here the styles part: `lc + &b.lc(one, coeff)`, a combination on the heap for each bit, or
 * `b.add_to_lc(lc, one, coeff)`, without one. */
void boolean_add_to(struct constraint_system *cs, struct combination *lc, struct boolean b, const fr_t *coeff);

#endif
