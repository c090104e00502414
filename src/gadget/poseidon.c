#include "gadget/poseidon.h"

#include "hash/poseidon.h"

enum { MAX_WIDTH = 12 };

/* The state while it is recorded: linear combinations. */
struct permutation {
    struct recorder *r;
    const struct poseidon_params *p;
    struct lc x[MAX_WIDTH];
    const fr_t *post; /* the next constant of the compressed list */
};

/* A variable equal to the combination: lc · ONE = v. Clears the combination. */
static uint32_t allocate(struct recorder *r, struct lc *lc)
{
    uint32_t v = rec_alloc_wide(r);
    struct row *row = rec_row(r);
    lc_add_scaled(&row->a, lc, &FR_ONE);
    lc_add_ref(&row->b, REF_ONE);
    lc_add_ref(&row->c, v);
    rec_enforce_row(r, row);
    lc_clear(lc);
    return v;
}

/* x = (v + pre)^5 + post as a new variable; pre and post may be NULL. */
static void sbox(struct permutation *s, struct lc *x, uint32_t v, const fr_t *pre, const fr_t *post)
{
    struct recorder *r = s->r;
    uint32_t square = rec_alloc_wide(r);
    struct row *row = rec_row(r);
    lc_add_ref(&row->a, v);
    lc_add_ref(&row->b, v);
    if (pre) lc_add(&row->a, REF_ONE, pre);
    if (pre) lc_add(&row->b, REF_ONE, pre);
    lc_add_ref(&row->c, square);
    rec_enforce_row(r, row);

    uint32_t fourth = rec_alloc_wide(r);
    row = rec_row(r);
    lc_add_ref(&row->a, square);
    lc_add_ref(&row->b, square);
    lc_add_ref(&row->c, fourth);
    rec_enforce_row(r, row);

    uint32_t fifth = rec_alloc_wide(r);
    row = rec_row(r);
    lc_add_ref(&row->a, v);
    if (pre) lc_add(&row->a, REF_ONE, pre);
    lc_add_ref(&row->b, fourth);
    lc_add_ref(&row->c, fifth);
    if (post) {
        fr_t minus;
        fr_neg(&minus, post);
        lc_add(&row->c, REF_ONE, &minus);
    }
    rec_enforce_row(r, row);
    lc_clear(x);
    lc_add_ref(x, fifth);
}

/* Replaces the state by matrix · state, matrix given by rows: new[j] = Σ_i m[j·t + i] x[i]. */
static void mix_full(struct permutation *s, const fr_t *rows)
{
    unsigned t = s->p->t;
    struct lc mixed[MAX_WIDTH];
    for (unsigned j = 0; j < t; j++) {
        mixed[j] = lc_empty();
        for (unsigned i = 0; i < t; i++) lc_add_scaled(&mixed[j], &s->x[i], &rows[j * t + i]);
        lc_normalise(&mixed[j]);
    }
    for (unsigned j = 0; j < t; j++) {
        lc_free(&s->x[j]);
        s->x[j] = mixed[j];
    }
}

static void mix_sparse(struct permutation *s, unsigned k)
{
    const fr_t *w_hat = poseidon_w_hat(s->p, k), *v_rest = poseidon_v_rest(s->p, k);
    struct lc first = lc_empty();
    for (unsigned i = 0; i < s->p->t; i++) lc_add_scaled(&first, &s->x[i], &w_hat[i]);
    lc_normalise(&first);
    for (unsigned j = 1; j < s->p->t; j++) {
        lc_add_scaled(&s->x[j], &s->x[0], &v_rest[j - 1]);
        lc_normalise(&s->x[j]);
    }
    lc_free(&s->x[0]);
    s->x[0] = first;
}

static void first_round(struct permutation *s, const struct num *inputs, const fr_t *tag)
{
    const fr_t *pre = s->p->constants;
    unsigned t = s->p->t;
    s->post = pre + t;
    fr_t x, x2, x4; /* the tag's S-box is a constant */
    fr_add(&x, tag, &pre[0]);
    fr_sqr(&x2, &x);
    fr_sqr(&x4, &x2);
    fr_mul(&x, &x, &x4);
    fr_add(&x, &x, s->post++);
    lc_add(&s->x[0], REF_ONE, &x);
    for (unsigned i = 1; i < t; i++) sbox(s, &s->x[i], inputs[i - 1].ref, &pre[i], s->post++);
}

static void permute(struct permutation *s)
{
    unsigned t = s->p->t, partial = s->p->partial_rounds, rounds = POSEIDON_FULL_ROUNDS + partial;
    mix_full(s, s->p->mds); /* after round 0 */
    for (unsigned round = 1; round < rounds; round++) {
        bool full = round < 4 || round >= 4 + partial, last = round == rounds - 1;
        for (unsigned i = 0; i < (full ? t : 1); i++) {
            uint32_t v = allocate(s->r, &s->x[i]);
            sbox(s, &s->x[i], v, NULL, last ? NULL : s->post++);
        }
        if (round == 3) mix_full(s, s->p->pre_sparse_columns);
        else if (!full) mix_sparse(s, round - 4);
        else mix_full(s, s->p->mds);
    }
}

/* The instruction that computes all that was allocated, and the result's register. */
static uint16_t instruct(struct recorder *r, const struct num *inputs, unsigned arity, const fr_t *tag)
{
    struct instruction i = { .op = OP_NUM_POSEIDON, .k = (uint8_t)arity, .dst = rec_num_register(r),
                             .a = rec_constant(r, tag), .emit = 1 };
    for (unsigned k = 0; k < arity; k++) {
        uint32_t at = rec_list(r, inputs[k].reg);
        if (k == 0) i.list = at;
    }
    rec_emit(r, i);
    return i.dst;
}

struct num poseidon(struct recorder *r, const struct num *inputs, unsigned arity, enum poseidon_tag kind)
{
    struct num result = { REF_ONE, 0 };
    struct permutation s = { .r = r, .p = poseidon_params(arity) };
    if (!s.p || s.p->t > MAX_WIDTH) {
        recorder_fail(r, "a Poseidon arity without constants");
        return result;
    }
    fr_t tag;
    if (kind == POSEIDON_RANDOM) poseidon_tag_random(&tag);
    else poseidon_tag_merkle(&tag, arity);
    for (unsigned i = 0; i < s.p->t; i++) s.x[i] = lc_empty();
    first_round(&s, inputs, &tag);
    permute(&s);
    result.ref = allocate(r, &s.x[1]);
    result.reg = instruct(r, inputs, arity, &tag);
    for (unsigned i = 0; i < s.p->t; i++) lc_free(&s.x[i]);
    return result;
}
