#include "gadget/boolean.h"

struct bit bool_alloc(struct recorder *r)
{
    uint32_t a = rec_alloc_bit(r);
    struct row *row = rec_row(r);
    lc_add_ref(&row->a, REF_ONE);
    lc_sub_ref(&row->a, a);
    lc_add_ref(&row->b, a);
    rec_enforce_row(r, row);
    return bit_of_ref(a);
}

/* 2a · b = a + b − c */
static struct bit xor_variables(struct recorder *r, uint32_t a, uint32_t b)
{
    uint32_t c = rec_alloc_bit(r);
    struct row *row = rec_row(r);
    lc_add_ref(&row->a, a);
    lc_add_ref(&row->a, a);
    lc_add_ref(&row->b, b);
    lc_add_ref(&row->c, a);
    lc_add_ref(&row->c, b);
    lc_sub_ref(&row->c, c);
    rec_enforce_row(r, row);
    return bit_of_ref(c);
}

struct bit bool_xor(struct recorder *r, struct bit a, struct bit b)
{
    if (bit_is(a, BIT_FALSE)) return b;
    if (bit_is(b, BIT_FALSE)) return a;
    if (bit_is(a, BIT_TRUE)) return bit_not(b);
    if (bit_is(b, BIT_TRUE)) return bit_not(a);
    if (bit_negated(a) == bit_negated(b)) return xor_variables(r, bit_ref(a), bit_ref(b));
    if (bit_negated(a)) return bit_not(xor_variables(r, bit_ref(b), bit_ref(a)));
    return bit_not(xor_variables(r, bit_ref(a), bit_ref(b)));
}

/* A product of two literals: lc(a) · lc(b) = c, which is and, and_not or nor of the variables. */
static struct bit product(struct recorder *r, struct bit a, struct bit b)
{
    uint32_t c = rec_alloc_bit(r);
    struct row *row = rec_row(r);
    lc_add_bit(&row->a, a, &FR_ONE);
    lc_add_bit(&row->b, b, &FR_ONE);
    lc_add_ref(&row->c, c);
    rec_enforce_row(r, row);
    return bit_of_ref(c);
}

struct bit bool_and_variables(struct recorder *r, struct bit a, struct bit b) { return product(r, a, b); }

struct bit bool_nor_variables(struct recorder *r, struct bit a, struct bit b)
{
    return product(r, bit_not(a), bit_not(b));
}

struct bit bool_and(struct recorder *r, struct bit a, struct bit b)
{
    if (bit_is(a, BIT_FALSE) || bit_is(b, BIT_FALSE)) return BIT_FALSE;
    if (bit_is(a, BIT_TRUE)) return b;
    if (bit_is(b, BIT_TRUE)) return a;
    if (bit_negated(a) && !bit_negated(b)) return product(r, b, a); /* the plain operand comes first */
    return product(r, a, b);
}

static bool constant_value(struct bit b) { return bit_is(b, BIT_TRUE); }

static struct bit constant_bit(bool value) { return value ? BIT_TRUE : BIT_FALSE; }

struct bit bool_ch(struct recorder *r, struct bit a, struct bit b, struct bit c)
{
    if (bit_is_constant(a) && bit_is_constant(b) && bit_is_constant(c)) {
        return constant_bit(constant_value(a) ? constant_value(b) : constant_value(c));
    }
    if (bit_is(a, BIT_FALSE)) return c;
    if (bit_is(b, BIT_FALSE)) return bool_and(r, bit_not(a), c);
    if (bit_is(c, BIT_FALSE)) return bool_and(r, a, b);
    if (bit_is(c, BIT_TRUE)) return bit_not(bool_and(r, a, bit_not(b)));
    if (bit_is(b, BIT_TRUE)) return bit_not(bool_and(r, bit_not(a), bit_not(c)));
    uint32_t ch = rec_alloc_bit(r); /* (b − c) · a = ch − c */
    fr_t minus_one;
    fr_neg(&minus_one, &FR_ONE);
    struct row *row = rec_row(r);
    lc_add_bit(&row->a, b, &FR_ONE);
    lc_add_bit(&row->a, c, &minus_one);
    lc_add_bit(&row->b, a, &FR_ONE);
    lc_add_ref(&row->c, ch);
    lc_add_bit(&row->c, c, &minus_one);
    rec_enforce_row(r, row);
    return bit_of_ref(ch);
}

static bool constant_majority(bool a, bool b, bool c) { return (a && b) || (a && c) || (b && c); }

struct bit bool_maj(struct recorder *r, struct bit a, struct bit b, struct bit c)
{
    if (bit_is_constant(a) && bit_is_constant(b) && bit_is_constant(c)) {
        return constant_bit(constant_majority(constant_value(a), constant_value(b), constant_value(c)));
    }
    if (bit_is(a, BIT_FALSE)) return bool_and(r, b, c);
    if (bit_is(b, BIT_FALSE)) return bool_and(r, a, c);
    if (bit_is(c, BIT_FALSE)) return bool_and(r, a, b);
    if (bit_is(c, BIT_TRUE)) return bit_not(bool_and(r, bit_not(a), bit_not(b)));
    if (bit_is(b, BIT_TRUE)) return bit_not(bool_and(r, bit_not(a), bit_not(c)));
    if (bit_is(a, BIT_TRUE)) return bit_not(bool_and(r, bit_not(b), bit_not(c)));
    uint32_t maj = rec_alloc_bit(r); /* (2·bc − b − c) · a = bc − maj */
    struct bit bc = bool_and(r, b, c);
    fr_t minus_one, two;
    fr_neg(&minus_one, &FR_ONE);
    fr_double(&two, &FR_ONE);
    struct row *row = rec_row(r);
    lc_add_bit(&row->a, bc, &two);
    lc_add_bit(&row->a, b, &minus_one);
    lc_add_bit(&row->a, c, &minus_one);
    lc_add_bit(&row->b, a, &FR_ONE);
    lc_add_bit(&row->c, bc, &FR_ONE);
    lc_sub_ref(&row->c, maj);
    rec_enforce_row(r, row);
    return bit_of_ref(maj);
}
