#include "gadget/word.h"

/* The masks of one instruction: which positions allocated a variable, and which of these hold the complement. */
struct allocation {
    uint64_t mask, negated;
};

static void note(struct allocation *a, unsigned position, uint32_t allocated, struct bit result)
{
    if (allocated == 0) return;
    a->mask |= UINT64_C(1) << position;
    if (bit_negated(result)) a->negated |= UINT64_C(1) << position;
}

static struct word fresh_word(struct recorder *r, unsigned width)
{
    return (struct word){ .reg = rec_word_register(r), .width = (uint8_t)width };
}

struct word word_constant(struct recorder *r, uint64_t value, unsigned width)
{
    struct word w = fresh_word(r, width);
    for (unsigned j = 0; j < width; j++) w.bit[j] = value >> j & 1 ? BIT_TRUE : BIT_FALSE;
    rec_emit(r, (struct instruction){ .op = OP_WORD_CONST, .dst = w.reg, .imm = value });
    return w;
}

struct word word_slot(struct recorder *r, unsigned width)
{
    struct word w = fresh_word(r, width);
    for (unsigned j = 0; j < width; j++) w.bit[j] = bool_alloc(r);
    rec_count_slot_int(r);
    rec_emit(r, (struct instruction){ .op = OP_WORD_SLOT, .k = (uint8_t)width, .dst = w.reg,
                                      .emit = width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX });
    return w;
}

struct word word_rotr(struct recorder *r, const struct word *a, unsigned k)
{
    struct word w = fresh_word(r, 32);
    for (unsigned j = 0; j < 32; j++) w.bit[j] = a->bit[(j + k) % 32];
    rec_emit(r, (struct instruction){ .op = OP_WORD_ROTR, .k = (uint8_t)k, .dst = w.reg, .a = a->reg });
    return w;
}

struct word word_slice(struct recorder *r, const struct word *a, unsigned from, unsigned width)
{
    struct word w = fresh_word(r, width);
    for (unsigned j = 0; j < width; j++) w.bit[j] = from + j < a->width ? a->bit[from + j] : BIT_FALSE;
    rec_emit(r, (struct instruction){ .op = OP_WORD_SLICE, .k = (uint8_t)from, .dst = w.reg, .a = a->reg,
                                      .imm = width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX });
    return w;
}

struct word word_shr(struct recorder *r, const struct word *a, unsigned k) { return word_slice(r, a, k, a->width); }

struct word word_bswap(struct recorder *r, const struct word *a)
{
    struct word w = fresh_word(r, 32);
    for (unsigned j = 0; j < 32; j++) w.bit[j] = a->bit[(24 - j / 8 * 8) + j % 8];
    rec_emit(r, (struct instruction){ .op = OP_WORD_BSWAP, .dst = w.reg, .a = a->reg });
    return w;
}

typedef struct bit bit_operation(struct recorder *r, struct bit a, struct bit b);

static struct word word_binary(struct recorder *r, enum opcode op, bit_operation *operation, const struct word *a,
                               const struct word *b)
{
    struct word w = fresh_word(r, a->width);
    struct allocation all = { 0 };
    for (unsigned j = 0; j < a->width; j++) {
        uint32_t before = rec_locals(r);
        w.bit[j] = operation(r, a->bit[j], b->bit[j]);
        note(&all, j, rec_locals(r) - before, w.bit[j]);
    }
    struct instruction i = { .op = (uint8_t)op, .dst = w.reg, .a = a->reg, .b = b->reg, .emit = all.mask };
    if (op == OP_WORD_NOR) i.imm = a->width < 64 ? (UINT64_C(1) << a->width) - 1 : UINT64_MAX;
    else i.negated = all.negated;
    rec_emit(r, i);
    return w;
}

struct word word_xor(struct recorder *r, const struct word *a, const struct word *b)
{
    return word_binary(r, OP_WORD_XOR, bool_xor, a, b);
}

struct word word_and(struct recorder *r, const struct word *a, const struct word *b)
{
    return word_binary(r, OP_WORD_AND, bool_and, a, b);
}

struct word word_and_variables(struct recorder *r, const struct word *a, const struct word *b)
{
    return word_binary(r, OP_WORD_AND, bool_and_variables, a, b);
}

struct word word_nor_variables(struct recorder *r, const struct word *a, const struct word *b)
{
    return word_binary(r, OP_WORD_NOR, bool_nor_variables, a, b);
}

struct word word_ch(struct recorder *r, const struct word *a, const struct word *b, const struct word *c)
{
    struct word w = fresh_word(r, a->width);
    struct allocation all = { 0 };
    for (unsigned j = 0; j < a->width; j++) {
        uint32_t before = rec_locals(r);
        w.bit[j] = bool_ch(r, a->bit[j], b->bit[j], c->bit[j]);
        note(&all, j, rec_locals(r) - before, w.bit[j]);
    }
    rec_emit(r, (struct instruction){ .op = OP_WORD_CH, .dst = w.reg, .a = a->reg, .b = b->reg, .c = c->reg,
                                      .emit = all.mask, .negated = all.negated });
    return w;
}

struct word word_maj(struct recorder *r, const struct word *a, const struct word *b, const struct word *c)
{
    struct word w = fresh_word(r, a->width); /* at most 32: two variables per bit */
    struct allocation all = { 0 };
    for (unsigned j = 0; j < a->width; j++) {
        uint32_t before = rec_locals(r);
        w.bit[j] = bool_maj(r, a->bit[j], b->bit[j], c->bit[j]);
        uint32_t allocated = rec_locals(r) - before;
        note(&all, 2 * j, allocated, w.bit[j]);
        if (allocated == 2) all.mask |= UINT64_C(1) << (2 * j + 1); /* b ∧ c */
    }
    rec_emit(r, (struct instruction){ .op = OP_WORD_MAJ, .dst = w.reg, .a = a->reg, .b = b->reg, .c = c->reg,
                                      .emit = all.mask, .negated = all.negated });
    return w;
}
