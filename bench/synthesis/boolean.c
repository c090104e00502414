#include "synthesis/boolean.h"

struct boolean boolean_constant(bool value) { return (struct boolean){ .kind = BOOLEAN_CONSTANT, .held = value }; }

static struct boolean boolean_of(struct variable v, bool value)
{
    return (struct boolean){ .kind = BOOLEAN_IS, .held = value, .variable = v };
}

static struct variable alloc_bit(struct constraint_system *cs, bool value)
{
    return cs_alloc(cs, value ? &FR_ONE : &FR_ZERO);
}

struct boolean boolean_alloc(struct constraint_system *cs, bool value)
{
    struct variable v = alloc_bit(cs, value);
    struct combination a = { 0 }, b = { 0 }, c = { 0 };
    cs_add(cs, &a, VARIABLE_ONE);
    cs_subtract(cs, &a, v);
    cs_add(cs, &b, v);
    cs_enforce(cs, &a, &b, &c);
    return boolean_of(v, value);
}

struct boolean boolean_not(struct boolean b)
{
    if (b.kind == BOOLEAN_CONSTANT) b.held = !b.held;
    else b.kind = b.kind == BOOLEAN_IS ? BOOLEAN_NOT : BOOLEAN_IS;
    return b;
}

bool boolean_value(struct boolean b) { return b.held ^ (b.kind == BOOLEAN_NOT); }

static void add_directly(struct constraint_system *cs, struct combination *lc, struct boolean b, const fr_t *coeff)
{
    if (b.kind == BOOLEAN_IS) {
        combination_add(lc, &cs->heap, b.variable, coeff);
    } else if (b.kind == BOOLEAN_NOT) {
        fr_t minus;
        fr_neg(&minus, coeff);
        combination_add(lc, &cs->heap, VARIABLE_ONE, coeff);
        combination_add(lc, &cs->heap, b.variable, &minus);
    } else if (b.held) {
        combination_add(lc, &cs->heap, VARIABLE_ONE, coeff);
    }
}

void boolean_add_to(struct constraint_system *cs, struct combination *lc, struct boolean b, const fr_t *coeff)
{
    if (!cs->temporaries) {
        add_directly(cs, lc, b, coeff);
        return;
    }
    struct combination temporary = { 0 };
    add_directly(cs, &temporary, b, coeff);
    combination_add_all(lc, &cs->heap, &temporary, NULL);
    combination_free(&temporary);
}

/* 2a · b = a + b − c */
static struct boolean xor_variables(struct constraint_system *cs, struct boolean x, struct boolean y)
{
    bool value = x.held ^ y.held;
    struct variable v = alloc_bit(cs, value);
    struct combination a = { 0 }, b = { 0 }, c = { 0 };
    cs_add(cs, &a, x.variable);
    cs_add(cs, &a, x.variable);
    cs_add(cs, &b, y.variable);
    cs_add(cs, &c, x.variable);
    cs_add(cs, &c, y.variable);
    cs_subtract(cs, &c, v);
    cs_enforce(cs, &a, &b, &c);
    return boolean_of(v, value);
}

static bool is_constant(struct boolean b, bool value) { return b.kind == BOOLEAN_CONSTANT && b.held == value; }

struct boolean boolean_xor(struct constraint_system *cs, struct boolean a, struct boolean b)
{
    if (is_constant(a, false)) return b;
    if (is_constant(b, false)) return a;
    if (is_constant(a, true)) return boolean_not(b);
    if (is_constant(b, true)) return boolean_not(a);
    if (a.kind == b.kind) return xor_variables(cs, a, b);
    bool swap = a.kind == BOOLEAN_NOT; /* the plain one comes first */
    return boolean_not(xor_variables(cs, swap ? b : a, swap ? a : b));
}

/* lc(x) · lc(y) = c: and, and-not and nor are all of this form. */
static struct boolean product(struct constraint_system *cs, struct boolean x, struct boolean y)
{
    bool value = boolean_value(x) && boolean_value(y);
    struct variable v = alloc_bit(cs, value);
    struct combination a = { 0 }, b = { 0 }, c = { 0 };
    boolean_add_to(cs, &a, x, &FR_ONE);
    boolean_add_to(cs, &b, y, &FR_ONE);
    cs_add(cs, &c, v);
    cs_enforce(cs, &a, &b, &c);
    return boolean_of(v, value);
}

struct boolean boolean_and(struct constraint_system *cs, struct boolean a, struct boolean b)
{
    if (is_constant(a, false) || is_constant(b, false)) return boolean_constant(false);
    if (is_constant(a, true)) return b;
    if (is_constant(b, true)) return a;
    if (a.kind == BOOLEAN_NOT && b.kind == BOOLEAN_IS) return product(cs, b, a);
    return product(cs, a, b);
}

static bool all_constant(struct boolean a, struct boolean b, struct boolean c)
{
    return a.kind == BOOLEAN_CONSTANT && b.kind == BOOLEAN_CONSTANT && c.kind == BOOLEAN_CONSTANT;
}

/* (y − z) · x = ch − z */
static struct boolean ch_variables(struct constraint_system *cs, struct boolean x, struct boolean y, struct boolean z)
{
    bool value = boolean_value(x) ? boolean_value(y) : boolean_value(z);
    struct variable v = alloc_bit(cs, value);
    struct combination a = { 0 }, b = { 0 }, c = { 0 };
    boolean_add_to(cs, &a, y, &FR_ONE);
    boolean_add_to(cs, &a, z, &cs->minus_one);
    boolean_add_to(cs, &b, x, &FR_ONE);
    cs_add(cs, &c, v);
    boolean_add_to(cs, &c, z, &cs->minus_one);
    cs_enforce(cs, &a, &b, &c);
    return boolean_of(v, value);
}

struct boolean boolean_ch(struct constraint_system *cs, struct boolean a, struct boolean b, struct boolean c)
{
    if (all_constant(a, b, c)) return boolean_constant(a.held ? b.held : c.held);
    if (is_constant(a, false)) return c;
    if (is_constant(b, false)) return boolean_and(cs, boolean_not(a), c);
    if (is_constant(c, false)) return boolean_and(cs, a, b);
    if (is_constant(c, true)) return boolean_not(boolean_and(cs, a, boolean_not(b)));
    if (is_constant(b, true)) return boolean_not(boolean_and(cs, boolean_not(a), boolean_not(c)));
    return ch_variables(cs, a, b, c);
}

static bool majority(bool a, bool b, bool c) { return (a && b) || (a && c) || (b && c); }

/* (2yz − y − z) · x = yz − maj; maj is allocated before the product yz. */
static struct boolean maj_variables(struct constraint_system *cs, struct boolean x, struct boolean y,
                                    struct boolean z)
{
    bool value = majority(boolean_value(x), boolean_value(y), boolean_value(z));
    struct variable v = alloc_bit(cs, value);
    struct boolean yz = boolean_and(cs, y, z);
    struct combination a = { 0 }, b = { 0 }, c = { 0 };
    boolean_add_to(cs, &a, yz, &FR_ONE);
    boolean_add_to(cs, &a, yz, &FR_ONE);
    boolean_add_to(cs, &a, y, &cs->minus_one);
    boolean_add_to(cs, &a, z, &cs->minus_one);
    boolean_add_to(cs, &b, x, &FR_ONE);
    boolean_add_to(cs, &c, yz, &FR_ONE);
    cs_subtract(cs, &c, v);
    cs_enforce(cs, &a, &b, &c);
    return boolean_of(v, value);
}

struct boolean boolean_maj(struct constraint_system *cs, struct boolean a, struct boolean b, struct boolean c)
{
    if (all_constant(a, b, c)) return boolean_constant(majority(a.held, b.held, c.held));
    if (is_constant(a, false)) return boolean_and(cs, b, c);
    if (is_constant(b, false)) return boolean_and(cs, a, c);
    if (is_constant(c, false)) return boolean_and(cs, a, b);
    if (is_constant(c, true)) return boolean_not(boolean_and(cs, boolean_not(a), boolean_not(b)));
    if (is_constant(b, true)) return boolean_not(boolean_and(cs, boolean_not(a), boolean_not(c)));
    if (is_constant(a, true)) return boolean_not(boolean_and(cs, boolean_not(b), boolean_not(c)));
    return maj_variables(cs, a, b, c);
}
