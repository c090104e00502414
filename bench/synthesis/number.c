#include "synthesis/number.h"

struct number number_alloc(struct constraint_system *cs, const fr_t *value)
{
    return (struct number){ cs_alloc(cs, value), *value };
}

void number_bits(struct constraint_system *cs, struct boolean bits[NUMBER_BITS], const struct number *a)
{
    uint64_t limbs[4];
    fr_to_limbs(limbs, &a->value);
    for (unsigned k = 0; k < NUMBER_BITS - 1; k++) bits[k] = boolean_alloc(cs, limbs[k / 64] >> (k % 64) & 1);
    bits[NUMBER_BITS - 1] = boolean_constant(false);
    struct combination zero = { 0 }, none = { 0 }, sum = { 0 };
    fr_t power = FR_ONE;
    for (unsigned k = 0; k < NUMBER_BITS - 1; k++) {
        combination_add(&sum, &cs->heap, bits[k].variable, &power);
        fr_double(&power, &power);
    }
    cs_subtract(cs, &sum, a->variable);
    cs_enforce(cs, &zero, &none, &sum);
}

struct number number_pack(struct constraint_system *cs, const struct boolean *bits, unsigned count, bool public)
{
    struct combination a = { 0 }, b = { 0 }, c = { 0 };
    fr_t power = FR_ONE, value = FR_ZERO;
    for (unsigned k = 0; k < count; k++) {
        boolean_add_to(cs, &a, bits[k], &power);
        if (boolean_value(bits[k])) fr_add(&value, &value, &power);
        fr_double(&power, &power);
    }
    struct number out = { public ? cs_alloc_input(cs, &value) : cs_alloc(cs, &value), value };
    cs_add(cs, &b, VARIABLE_ONE);
    cs_add(cs, &c, out.variable);
    cs_enforce(cs, &a, &b, &c);
    return out;
}
