#include "gadget/multi_eq.h"

void multi_eq_begin(struct multi_eq *m, struct recorder *r)
{
    m->r = r;
    m->used = 0;
    m->left = lc_empty();
    m->right = lc_empty();
    m->power[0] = FR_ONE;
    for (unsigned k = 1; k <= MULTI_EQ_BITS; k++) fr_double(&m->power[k], &m->power[k - 1]);
}

static void flush(struct multi_eq *m)
{
    struct lc one = lc_empty();
    lc_add_ref(&one, REF_ONE);
    rec_enforce(m->r, &m->left, &one, &m->right);
    lc_free(&one);
    m->used = 0;
}

void multi_eq_end(struct multi_eq *m)
{
    if (m->used > 0) flush(m);
    lc_free(&m->left);
    lc_free(&m->right);
}

static bool all_constant(const struct word *operands, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (unsigned j = 0; j < 32; j++) {
            if (!bit_is_constant(operands[i].bit[j])) return false;
        }
    }
    return true;
}

static uint32_t constant_sum(const struct word *operands, size_t count)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        for (unsigned j = 0; j < 32; j++) sum += (uint32_t)bit_is(operands[i].bit[j], BIT_TRUE) << j;
    }
    return sum;
}

/* The bit length of count · (2^32 − 1). */
static unsigned sum_bits(size_t count)
{
    unsigned bits = 0;
    for (uint64_t max = count * UINT64_C(0xffffffff); max != 0; max >>= 1) bits++;
    return bits;
}

static void instruct(struct multi_eq *m, uint16_t dst, const struct word *operands, size_t count, unsigned bits)
{
    struct instruction i = { .op = OP_WORD_SUM, .k = (uint8_t)count, .dst = dst,
                             .emit = (UINT64_C(1) << bits) - 1 };
    for (size_t k = 0; k < count; k++) {
        uint32_t at = rec_list(m->r, operands[k].reg);
        if (k == 0) i.list = at;
    }
    rec_emit(m->r, i);
}

struct word word_sum(struct multi_eq *m, const struct word *operands, size_t count)
{
    if (all_constant(operands, count)) return word_constant(m->r, constant_sum(operands, count), 32);
    unsigned bits = sum_bits(count);
    struct word w = { .reg = rec_word_register(m->r), .width = 32 };
    struct bit result[64];
    for (unsigned j = 0; j < bits; j++) result[j] = bool_alloc(m->r);
    instruct(m, w.reg, operands, count, bits);
    if (MULTI_EQ_BITS <= m->used + bits) flush(m);
    for (size_t i = 0; i < count; i++) {
        for (unsigned j = 0; j < 32; j++) lc_add_bit(&m->left, operands[i].bit[j], &m->power[m->used + j]);
    }
    for (unsigned j = 0; j < bits; j++) lc_add_bit(&m->right, result[j], &m->power[m->used + j]);
    m->used += bits;
    for (unsigned j = 0; j < 32; j++) w.bit[j] = result[j];
    return w;
}
