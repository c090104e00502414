#include "synthesis/uint32.h"

#include <stdlib.h>
#include <string.h>

static struct uint32 new_word(struct constraint_system *cs)
{
    return (struct uint32){ heap_resize(&cs->heap, NULL, WORD_BITS * sizeof(struct boolean)) };
}

struct uint32 uint32_of(struct constraint_system *cs, const struct boolean bits[WORD_BITS])
{
    struct uint32 w = new_word(cs);
    if (w.bits) memcpy(w.bits, bits, WORD_BITS * sizeof *bits);
    return w;
}

struct uint32 uint32_constant(struct constraint_system *cs, uint32_t value)
{
    struct uint32 w = new_word(cs);
    for (unsigned j = 0; j < WORD_BITS && w.bits; j++) w.bits[j] = boolean_constant(value >> j & 1);
    return w;
}

struct uint32 uint32_clone(struct constraint_system *cs, const struct uint32 *a)
{
    return a->bits ? uint32_of(cs, a->bits) : (struct uint32){ NULL };
}

void uint32_free(struct uint32 *a)
{
    free(a->bits);
    a->bits = NULL;
}

struct uint32 uint32_rotr(struct constraint_system *cs, const struct uint32 *a, unsigned k)
{
    struct uint32 w = new_word(cs);
    if (!w.bits || !a->bits) return w;
    for (unsigned j = 0; j < WORD_BITS; j++) w.bits[j] = a->bits[(j + k) % WORD_BITS];
    return w;
}

struct uint32 uint32_shr(struct constraint_system *cs, const struct uint32 *a, unsigned k)
{
    struct uint32 w = new_word(cs);
    if (!w.bits || !a->bits) return w;
    for (unsigned j = 0; j < WORD_BITS; j++) {
        w.bits[j] = j + k < WORD_BITS ? a->bits[j + k] : boolean_constant(false);
    }
    return w;
}

struct uint32 uint32_xor(struct constraint_system *cs, const struct uint32 *a, const struct uint32 *b)
{
    struct uint32 w = new_word(cs);
    if (!w.bits || !a->bits || !b->bits) return w;
    for (unsigned j = 0; j < WORD_BITS; j++) w.bits[j] = boolean_xor(cs, a->bits[j], b->bits[j]);
    return w;
}

typedef struct boolean three_bits(struct constraint_system *cs, struct boolean a, struct boolean b, struct boolean c);

static struct uint32 of_three(struct constraint_system *cs, three_bits *operation, const struct uint32 *a,
                              const struct uint32 *b, const struct uint32 *c)
{
    struct uint32 w = new_word(cs);
    if (!w.bits || !a->bits || !b->bits || !c->bits) return w;
    for (unsigned j = 0; j < WORD_BITS; j++) w.bits[j] = operation(cs, a->bits[j], b->bits[j], c->bits[j]);
    return w;
}

struct uint32 uint32_ch(struct constraint_system *cs, const struct uint32 *a, const struct uint32 *b,
                        const struct uint32 *c)
{
    return of_three(cs, boolean_ch, a, b, c);
}

struct uint32 uint32_maj(struct constraint_system *cs, const struct uint32 *a, const struct uint32 *b,
                         const struct uint32 *c)
{
    return of_three(cs, boolean_maj, a, b, c);
}

static void flush(struct multi_equality *m)
{
    struct combination one = { 0 };
    cs_add(m->cs, &one, VARIABLE_ONE);
    cs_enforce(m->cs, &m->left, &one, &m->right);
    m->used = 0;
}

void multi_equality_end(struct multi_equality *m)
{
    if (m->used > 0) flush(m);
}

/* side + factor · lc. With temporaries as it was first written, `self.lhs = self.lhs.clone() + …`. */
static void accumulate(struct multi_equality *m, struct combination *side, const struct combination *lc,
                       const fr_t *factor)
{
    if (m->cs->temporaries) {
        struct combination copy;
        combination_clone(&copy, &m->cs->heap, side);
        combination_free(side);
        *side = copy;
    }
    combination_add_all(side, &m->cs->heap, lc, factor);
}

static void enforce_equal(struct multi_equality *m, unsigned bits, const struct combination *left,
                          const struct combination *right)
{
    if (MULTI_EQUALITY_BITS <= m->used + bits) flush(m);
    fr_t factor = FR_ONE;
    for (unsigned i = 0; i < m->used; i++) fr_double(&factor, &factor);
    accumulate(m, &m->left, left, &factor);
    accumulate(m, &m->right, right, &factor);
    m->used += bits;
}

/* One operand's bits with rising powers of two: its value; *constant stays true if all of them are constants. */
static uint32_t add_operand(struct constraint_system *cs, struct combination *lc, const struct uint32 *a,
                            bool *constant)
{
    fr_t coeff = FR_ONE;
    uint32_t value = 0;
    for (unsigned j = 0; j < WORD_BITS; j++) {
        boolean_add_to(cs, lc, a->bits[j], &coeff);
        value |= (uint32_t)boolean_value(a->bits[j]) << j;
        *constant &= a->bits[j].kind == BOOLEAN_CONSTANT;
        fr_double(&coeff, &coeff);
    }
    return value;
}

/* The sum's bits as new variables, carries included; how many. The word keeps the low ones. */
static unsigned alloc_sum(struct constraint_system *cs, struct uint32 *out, struct combination *lc, uint64_t value,
                          uint64_t largest)
{
    fr_t coeff = FR_ONE;
    unsigned bits = 0;
    for (; largest != 0; largest >>= 1, bits++) {
        struct boolean b = boolean_alloc(cs, value >> bits & 1);
        combination_add(lc, &cs->heap, b.variable, &coeff);
        fr_double(&coeff, &coeff);
        if (bits < WORD_BITS && out->bits) out->bits[bits] = b;
    }
    return bits;
}

struct uint32 uint32_sum(struct multi_equality *m, const struct uint32 *operands, size_t count)
{
    struct constraint_system *cs = m->cs;
    struct combination left = { 0 }, right = { 0 };
    struct uint32 out = { NULL };
    uint64_t value = 0;
    bool constant = true;
    for (size_t i = 0; i < count && operands[i].bits; i++) value += add_operand(cs, &left, &operands[i], &constant);
    if (cs->heap.failed) goto done;
    if (constant) {
        out = uint32_constant(cs, (uint32_t)value);
    } else {
        out = new_word(cs);
        unsigned bits = alloc_sum(cs, &out, &right, value, count * UINT64_C(0xffffffff));
        enforce_equal(m, bits, &left, &right);
    }
done:
    combination_free(&left);
    combination_free(&right);
    return out;
}
