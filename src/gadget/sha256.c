#include "gadget/sha256.h"

#include "gadget/multi_eq.h"
#include "hash/sha256.h"

/* A word that is not added up yet: its operands wait for more (spec: deferred sums for a and e). */
struct deferred {
    struct word operand[MAX_SUM];
    size_t count; /* 1: a concrete word */
};

static struct word settle(struct multi_eq *m, const struct deferred *d, const struct word *extra)
{
    struct word operands[MAX_SUM];
    size_t count = 0;
    for (size_t i = 0; i < d->count; i++) operands[count++] = d->operand[i];
    if (extra) operands[count++] = *extra;
    return count == 1 ? operands[0] : word_sum(m, operands, count);
}

/* (rotr a ⊕ rotr b) ⊕ rotr c */
static struct word big_sigma(struct recorder *r, const struct word *x, unsigned a, unsigned b, unsigned c)
{
    struct word ra = word_rotr(r, x, a), rb = word_rotr(r, x, b), rc = word_rotr(r, x, c);
    struct word ab = word_xor(r, &ra, &rb);
    return word_xor(r, &ab, &rc);
}

/* (rotr a ⊕ rotr b) ⊕ shr c */
static struct word small_sigma(struct recorder *r, const struct word *x, unsigned a, unsigned b, unsigned c)
{
    struct word ra = word_rotr(r, x, a), rb = word_rotr(r, x, b), sc = word_shr(r, x, c);
    struct word ab = word_xor(r, &ra, &rb);
    return word_xor(r, &ab, &sc);
}

static void expand_schedule(struct multi_eq *m, struct word w[64], const struct word block[16])
{
    for (int i = 0; i < 16; i++) w[i] = block[i];
    for (int i = 16; i < 64; i++) {
        struct word s0 = small_sigma(m->r, &w[i - 15], 7, 18, 3);
        struct word s1 = small_sigma(m->r, &w[i - 2], 17, 19, 10);
        struct word operands[4] = { w[i - 16], s0, w[i - 7], s1 };
        w[i] = word_sum(m, operands, 4);
    }
}

struct rounds {
    struct deferred a, e;
    struct word b, c, d, f, g, h;
};

static void one_round(struct multi_eq *m, struct rounds *s, const struct word *w, uint32_t k)
{
    struct recorder *r = m->r;
    struct word e = settle(m, &s->e, NULL);
    struct word s1 = big_sigma(r, &e, 6, 11, 25);
    struct word ch = word_ch(r, &e, &s->f, &s->g);
    struct word constant = word_constant(r, k, 32);
    struct word a = settle(m, &s->a, NULL);
    struct word s0 = big_sigma(r, &a, 2, 13, 22);
    struct word maj = word_maj(r, &a, &s->b, &s->c);
    struct deferred new_e = { { s->h, s1, ch, constant, *w, s->d }, 6 };
    struct deferred new_a = { { s->h, s1, ch, constant, *w, s0, maj }, 7 };
    s->h = s->g;
    s->g = s->f;
    s->f = e;
    s->e = new_e;
    s->d = s->c;
    s->c = s->b;
    s->b = a;
    s->a = new_a;
}

static struct word plus(struct multi_eq *m, const struct word *a, const struct word *b)
{
    struct word operands[2] = { *a, *b };
    return word_sum(m, operands, 2);
}

void sha256_block(struct recorder *r, struct word state[8], const struct word block[16])
{
    struct multi_eq m;
    struct word w[64];
    multi_eq_begin(&m, r);
    expand_schedule(&m, w, block);
    struct rounds s = { .a = { { state[0] }, 1 }, .e = { { state[4] }, 1 }, .b = state[1], .c = state[2],
                        .d = state[3], .f = state[5], .g = state[6], .h = state[7] };
    for (int i = 0; i < 64; i++) one_round(&m, &s, &w[i], SHA256_K[i]);
    state[0] = settle(&m, &s.a, &state[0]);
    state[1] = plus(&m, &state[1], &s.b);
    state[2] = plus(&m, &state[2], &s.c);
    state[3] = plus(&m, &state[3], &s.d);
    state[4] = settle(&m, &s.e, &state[4]);
    state[5] = plus(&m, &state[5], &s.f);
    state[6] = plus(&m, &state[6], &s.g);
    state[7] = plus(&m, &state[7], &s.h);
    multi_eq_end(&m);
}

void sha256_initial_state(struct recorder *r, struct word state[8])
{
    for (int i = 0; i < 8; i++) state[i] = word_constant(r, SHA256_INIT[i], 32);
}

void sha256_message(struct recorder *r, struct word digest[8], const struct word *message, size_t count)
{
    size_t blocks = (count + 3 + 15) / 16; /* one word of padding and two of length at least */
    sha256_initial_state(r, digest);
    for (size_t b = 0; b < blocks; b++) {
        struct word block[16];
        for (size_t i = 0; i < 16; i++) {
            size_t at = 16 * b + i;
            if (at < count) block[i] = message[at];
            else if (at == count) block[i] = word_constant(r, 0x80000000u, 32);
            else if (at == 16 * blocks - 1) block[i] = word_constant(r, 32 * count, 32);
            else block[i] = word_constant(r, 0, 32);
        }
        sha256_block(r, digest, block);
    }
}
