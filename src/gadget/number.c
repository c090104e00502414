#include "gadget/number.h"

static struct num fresh_num(struct recorder *r)
{
    return (struct num){ rec_alloc_wide(r), rec_num_register(r) };
}

struct num num_slot(struct recorder *r)
{
    struct num n = fresh_num(r);
    rec_count_slot_node(r);
    rec_emit(r, (struct instruction){ .op = OP_NUM_SLOT, .dst = n.reg, .emit = 1 });
    return n;
}

void num_public(struct recorder *r, struct num a)
{
    uint32_t input = rec_alloc_public(r, a.reg);
    struct row *row = rec_row(r);
    lc_add_ref(&row->a, input);
    lc_add_ref(&row->b, REF_ONE);
    lc_add_ref(&row->c, a.ref);
    rec_enforce_row(r, row);
}

struct num num_mul(struct recorder *r, struct num a, struct num b)
{
    struct num c = fresh_num(r);
    rec_emit(r, (struct instruction){ .op = OP_NUM_MUL, .dst = c.reg, .a = a.reg, .b = b.reg, .emit = 1 });
    struct row *row = rec_row(r);
    lc_add_ref(&row->a, a.ref);
    lc_add_ref(&row->b, b.ref);
    lc_add_ref(&row->c, c.ref);
    rec_enforce_row(r, row);
    return c;
}

struct num num_one(struct recorder *r)
{
    struct num one = { REF_ONE, rec_num_register(r) };
    rec_emit(r, (struct instruction){ .op = OP_NUM_CONST, .dst = one.reg, .a = rec_constant(r, &FR_ONE) });
    return one;
}

struct num num_combine(struct recorder *r, const struct num *a, const fr_t *k, size_t count)
{
    struct num s = fresh_num(r);
    struct instruction i = { .op = OP_NUM_LC, .k = (uint8_t)count, .dst = s.reg, .emit = 1 };
    struct row *row = rec_row(r);
    for (size_t j = 0; j < count; j++) {
        uint32_t at = rec_list(r, a[j].reg);
        rec_list(r, rec_constant(r, &k[j]));
        if (j == 0) i.list = at;
        lc_add(&row->a, a[j].ref, &k[j]);
    }
    rec_emit(r, i);
    lc_add_ref(&row->b, REF_ONE);
    lc_add_ref(&row->c, s.ref);
    rec_enforce_row(r, row);
    return s;
}

struct num num_add(struct recorder *r, struct num a, struct num b)
{
    return num_combine(r, (struct num[]){ a, b }, (fr_t[]){ FR_ONE, FR_ONE }, 2);
}

void num_equal(struct recorder *r, struct num a, struct num b)
{
    struct row *row = rec_row(r);
    lc_add_ref(&row->a, a.ref);
    lc_add_ref(&row->b, REF_ONE);
    lc_add_ref(&row->c, b.ref);
    rec_enforce_row(r, row);
}

void num_bits(struct recorder *r, struct word out[NUM_WORDS], struct num a, enum unpack_row form)
{
    uint16_t first = rec_word_registers(r, NUM_WORDS);
    for (unsigned w = 0; w < NUM_WORDS; w++) {
        out[w] = (struct word){ .reg = (uint16_t)(first + w), .width = 32 };
        for (unsigned j = 0; j < 32; j++) out[w].bit[j] = w == 7 && j == 31 ? BIT_FALSE : bool_alloc(r);
    }
    rec_emit(r, (struct instruction){ .op = OP_NUM_BITS, .dst = first, .a = a.reg, .emit = 1 });
    struct row *row = rec_row(r);
    struct lc *sum = form == UNPACK_IN_A ? &row->a : &row->c;
    fr_t power = FR_ONE;
    for (unsigned k = 0; k < 255; k++) {
        lc_add_bit(sum, out[k / 32].bit[k % 32], &power);
        fr_double(&power, &power);
    }
    if (form == UNPACK_IN_A) {
        lc_add_ref(&row->b, REF_ONE);
        lc_add_ref(&row->c, a.ref);
    } else {
        lc_sub_ref(sum, a.ref);
    }
    rec_enforce_row(r, row);
}

/* Records the sum in row->a and appends the instruction that computes it into register dst. */
static void pack_into(struct recorder *r, struct row *row, uint16_t dst, uint64_t emit, const struct word *words,
                      size_t count)
{
    struct instruction i = { .op = OP_NUM_PACK, .k = (uint8_t)count, .dst = dst, .emit = emit };
    fr_t power = FR_ONE;
    unsigned bits = 0;
    for (size_t w = 0; w < count; w++) {
        uint32_t at = rec_list(r, words[w].reg);
        rec_list(r, words[w].width);
        if (w == 0) i.list = at;
        for (unsigned j = 0; j < words[w].width; j++) {
            lc_add_bit(&row->a, words[w].bit[j], &power);
            fr_double(&power, &power);
        }
        bits += words[w].width;
    }
    if (bits > MAX_PACK_BITS) recorder_fail(r, "more than 254 bits packed into one number");
    rec_emit(r, i);
}

struct num num_pack(struct recorder *r, const struct word *words, size_t count)
{
    struct num n = fresh_num(r);
    struct row *row = rec_row(r);
    pack_into(r, row, n.reg, 1, words, count);
    lc_add_ref(&row->b, REF_ONE);
    lc_add_ref(&row->c, n.ref);
    rec_enforce_row(r, row);
    return n;
}

void num_pack_public(struct recorder *r, const struct word *words, size_t count)
{
    uint16_t reg = rec_num_register(r);
    struct row *row = rec_row(r);
    pack_into(r, row, reg, 0, words, count);
    uint32_t input = rec_alloc_public(r, reg);
    lc_add_ref(&row->b, REF_ONE);
    lc_add_ref(&row->c, input);
    rec_enforce_row(r, row);
}

struct num num_pick(struct recorder *r, const struct word *cond, struct num a, struct num b)
{
    struct num c = fresh_num(r);
    rec_emit(r, (struct instruction){ .op = OP_NUM_PICK, .dst = c.reg, .a = cond->reg, .b = a.reg, .c = b.reg,
                                      .emit = 1 });
    struct row *row = rec_row(r);
    lc_add_ref(&row->a, b.ref);
    lc_sub_ref(&row->a, a.ref);
    lc_add_bit(&row->b, cond->bit[0], &FR_ONE);
    lc_add_ref(&row->c, b.ref);
    lc_sub_ref(&row->c, c.ref);
    rec_enforce_row(r, row);
    return c;
}

struct num num_gate(struct recorder *r, const struct word *cond, struct num a)
{
    struct num z = fresh_num(r);
    uint16_t zero = rec_num_register(r);
    rec_emit(r, (struct instruction){ .op = OP_NUM_CONST, .dst = zero, .a = rec_constant(r, &FR_ZERO) });
    rec_emit(r, (struct instruction){ .op = OP_NUM_PICK, .dst = z.reg, .a = cond->reg, .b = a.reg, .c = zero,
                                      .emit = 1 });
    struct row *row = rec_row(r);
    lc_add_ref(&row->a, a.ref);
    lc_add_bit(&row->b, cond->bit[0], &FR_ONE);
    lc_add_ref(&row->c, z.ref);
    rec_enforce_row(r, row);
    return z;
}

struct num num_select(struct recorder *r, const struct word *index, const struct num *from)
{
    struct num state[256];
    size_t count = (size_t)1 << index->width;
    if (count > 256) {
        recorder_fail(r, "a selection from more than 256 numbers");
        return from[0];
    }
    for (size_t j = 0; j < count; j++) state[j] = from[j];
    for (unsigned b = index->width; b-- > 0;) {
        struct word bit = word_slice(r, index, b, 1);
        count /= 2;
        for (size_t j = 0; j < count; j++) state[j] = num_pick(r, &bit, state[count + j], state[j]);
    }
    return state[0];
}
