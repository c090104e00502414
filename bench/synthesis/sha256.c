#include "synthesis/sha256.h"

#include "hash/sha256.h"

enum { ROUNDS = 64 };

void objects_sha256_initial(struct constraint_system *cs, struct uint32 state[8])
{
    for (unsigned i = 0; i < 8; i++) state[i] = uint32_constant(cs, SHA256_INIT[i]);
}

/* (x ⊕ y) ⊕ z; releases the three. */
static struct uint32 xor_three(struct constraint_system *cs, struct uint32 x, struct uint32 y, struct uint32 z)
{
    struct uint32 xy = uint32_xor(cs, &x, &y);
    struct uint32 out = uint32_xor(cs, &xy, &z);
    uint32_free(&x);
    uint32_free(&y);
    uint32_free(&z);
    uint32_free(&xy);
    return out;
}

static struct uint32 big_sigma(struct constraint_system *cs, const struct uint32 *x, unsigned a, unsigned b,
                               unsigned c)
{
    return xor_three(cs, uint32_rotr(cs, x, a), uint32_rotr(cs, x, b), uint32_rotr(cs, x, c));
}

static struct uint32 small_sigma(struct constraint_system *cs, const struct uint32 *x, unsigned a, unsigned b,
                                 unsigned c)
{
    return xor_three(cs, uint32_rotr(cs, x, a), uint32_rotr(cs, x, b), uint32_shr(cs, x, c));
}

static void expand_schedule(struct multi_equality *m, struct uint32 w[ROUNDS], const struct uint32 block[16])
{
    struct constraint_system *cs = m->cs;
    for (int i = 0; i < 16; i++) w[i] = uint32_clone(cs, &block[i]);
    for (int i = 16; i < ROUNDS; i++) {
        struct uint32 s0 = small_sigma(cs, &w[i - 15], 7, 18, 3);
        struct uint32 s1 = small_sigma(cs, &w[i - 2], 17, 19, 10);
        struct uint32 operands[4] = { w[i - 16], s0, w[i - 7], s1 };
        w[i] = uint32_sum(m, operands, 4);
        uint32_free(&s0);
        uint32_free(&s1);
    }
}

/* A sum that is not taken yet: a and e of the next round wait for what the last one still adds to them. */
struct pending {
    struct uint32 operand[SUM_MAX];
    size_t count; /* 1: a word already */
};

static struct uint32 settle(struct multi_equality *m, struct pending *p, const struct uint32 *extra)
{
    if (extra) p->operand[p->count++] = uint32_clone(m->cs, extra);
    struct uint32 out = p->count == 1 ? p->operand[0] : uint32_sum(m, p->operand, p->count);
    for (size_t i = 0; i < p->count && p->count > 1; i++) uint32_free(&p->operand[i]);
    p->count = 0;
    return out;
}

struct rounds {
    struct pending a, e;
    struct uint32 b, c, d, f, g, h;
};

static void one_round(struct multi_equality *m, struct rounds *s, const struct uint32 *w, uint32_t k)
{
    struct constraint_system *cs = m->cs;
    struct uint32 e = settle(m, &s->e, NULL);
    struct uint32 s1 = big_sigma(cs, &e, 6, 11, 25);
    struct uint32 ch = uint32_ch(cs, &e, &s->f, &s->g);
    struct uint32 constant = uint32_constant(cs, k);
    struct uint32 a = settle(m, &s->a, NULL);
    struct uint32 s0 = big_sigma(cs, &a, 2, 13, 22);
    struct uint32 maj = uint32_maj(cs, &a, &s->b, &s->c);
    s->e = (struct pending){ { uint32_clone(cs, &s->h), uint32_clone(cs, &s1), uint32_clone(cs, &ch),
                               uint32_clone(cs, &constant), uint32_clone(cs, w), s->d }, 6 };
    s->a = (struct pending){ { s->h, s1, ch, constant, uint32_clone(cs, w), s0, maj }, 7 };
    s->h = s->g;
    s->g = s->f;
    s->f = e;
    s->d = s->c;
    s->c = s->b;
    s->b = a;
}

/* state + x; releases both. */
static void add_to_state(struct multi_equality *m, struct uint32 *state, struct uint32 *x)
{
    struct uint32 operands[2] = { *state, *x };
    *state = uint32_sum(m, operands, 2);
    uint32_free(&operands[0]);
    uint32_free(&operands[1]);
}

static void settle_into(struct multi_equality *m, struct uint32 *state, struct pending *p)
{
    struct uint32 sum = settle(m, p, state);
    uint32_free(state);
    *state = sum;
}

void objects_sha256_block(struct constraint_system *cs, struct uint32 state[8], const struct uint32 block[16])
{
    struct multi_equality m = { .cs = cs };
    struct uint32 w[ROUNDS];
    expand_schedule(&m, w, block);
    struct rounds s = { .a = { { uint32_clone(cs, &state[0]) }, 1 }, .e = { { uint32_clone(cs, &state[4]) }, 1 },
                        .b = uint32_clone(cs, &state[1]), .c = uint32_clone(cs, &state[2]),
                        .d = uint32_clone(cs, &state[3]), .f = uint32_clone(cs, &state[5]),
                        .g = uint32_clone(cs, &state[6]), .h = uint32_clone(cs, &state[7]) };
    for (int i = 0; i < ROUNDS; i++) {
        one_round(&m, &s, &w[i], SHA256_K[i]);
    }
    settle_into(&m, &state[0], &s.a);
    add_to_state(&m, &state[1], &s.b);
    add_to_state(&m, &state[2], &s.c);
    add_to_state(&m, &state[3], &s.d);
    settle_into(&m, &state[4], &s.e);
    add_to_state(&m, &state[5], &s.f);
    add_to_state(&m, &state[6], &s.g);
    add_to_state(&m, &state[7], &s.h);
    multi_equality_end(&m);
    combination_free(&m.left);
    combination_free(&m.right);
    for (int i = 0; i < ROUNDS; i++) uint32_free(&w[i]);
}
