#include "hash/poseidon.h"

#include "hash/poseidon_constants.h"

#include <pthread.h>
#include <string.h>

/* Arity and partial rounds (128-bit security, spec §7). */
#define FOR_EACH_ARITY(X) X(2, 55) X(4, 56) X(8, 57) X(11, 57) X(16, 59) X(24, 59) X(36, 60)

#define PARAMS_DEFINE(arity, rp)                                                                   \
    static struct poseidon_params params_##arity;                                                  \
    static fr_t params_space_##arity[POSEIDON_SPACE(arity + 1, rp)];                               \
    static pthread_once_t params_once_##arity = PTHREAD_ONCE_INIT;                                 \
    static void params_make_##arity(void)                                                          \
    {                                                                                              \
        poseidon_params_make(&params_##arity, params_space_##arity, arity, rp);                    \
    }
FOR_EACH_ARITY(PARAMS_DEFINE)

#define PARAMS_CASE(arity, rp)                                                                     \
    case arity: pthread_once(&params_once_##arity, params_make_##arity); return &params_##arity;

const struct poseidon_params *poseidon_params(unsigned arity)
{
    switch (arity) {
        FOR_EACH_ARITY(PARAMS_CASE)
    default: return NULL;
    }
}

void poseidon_tag_merkle(fr_t *out, unsigned arity)
{
    fr_from_u64(out, (UINT64_C(1) << arity) - 1);
}

void poseidon_tag_random(fr_t *out) { fr_from_u64(out, UINT64_C(1) << 40); }

size_t poseidon_trace_length(const struct poseidon_params *p)
{
    size_t sboxes = (size_t)POSEIDON_FULL_ROUNDS * p->t + p->partial_rounds;
    return 3 * (sboxes - 1) + (sboxes - p->arity);
}

/* The elements and, behind them, the S-box outputs of a group of partial rounds. */
enum { STATE_ROOM = POSEIDON_MAX_WIDTH + POSEIDON_GROUP };

/* x = x^5 + *post (post may be NULL), leaving x², x⁴ and the result at *trace if that is wanted. */
static inline void sbox(fr_t *x, const fr_t *post, fr_t **trace)
{
    fr_t x2, x4;
    fr_sqr(&x2, x);
    fr_sqr(&x4, &x2);
    fr_mul(x, x, &x4);
    if (post) fr_add(x, x, post);
    if (!trace) return;
    (*trace)[0] = x2;
    (*trace)[1] = x4;
    (*trace)[2] = *x;
    *trace += 3;
}

/* As in rounds ≥ 1, where the circuit allocates the element itself first. */
static inline void sbox_allocated(fr_t *x, const fr_t *post, fr_t **trace)
{
    if (trace) *(*trace)++ = *x;
    sbox(x, post, trace);
}

/* state = rows·state */
static inline void mix(fr_t *state, const fr_t *rows, unsigned t)
{
    fr_t old[POSEIDON_MAX_WIDTH];
    memcpy(old, state, t * sizeof *state);
    for (unsigned i = 0; i < t; i++) poseidon_dot(&state[i], rows + i * t, old, t);
}

/* POSEIDON_GROUP partial rounds. state[t …] has room for their S-box outputs, so that these follow
 * elements 1 … t−1 as the coefficients want it. */
static inline const fr_t *partial_group(fr_t *state, const fr_t *group, const fr_t *post,
                                        fr_t **trace, unsigned t)
{
    fr_t *outputs = state + t;
    for (unsigned i = 0; i < POSEIDON_GROUP; i++) {
        sbox_allocated(&state[0], &post[i], trace);
        outputs[i] = state[0];
        poseidon_dot(&state[0], group, state + 1, t + i);
        group += t + i;
    }
    for (unsigned j = 1; j < t; j++) {
        fr_t change;
        fr_dot(&change, group, outputs, POSEIDON_GROUP);
        fr_add(&state[j], &state[j], &change);
        group += POSEIDON_GROUP;
    }
    return group;
}

/* The linear layer of one partial round. */
static inline void mix_sparse(fr_t *state, const fr_t *w_hat, const fr_t *v_rest, unsigned t)
{
    fr_t x0 = state[0], product;
    poseidon_dot(&state[0], w_hat, state, t);
    for (unsigned j = 1; j < t; j++) {
        fr_mul(&product, &v_rest[j - 1], &x0);
        fr_add(&state[j], &state[j], &product);
    }
}

/* The optimised permutation of state[0 … t−1]; see STATE_ROOM. `trace` points to a cursor that
 * moves on, or is NULL. */
static inline void permute(fr_t *state, const struct poseidon_params *p, fr_t **trace)
{
    enum { HALF = POSEIDON_FULL_ROUNDS / 2 };
    unsigned t = p->t;
    const fr_t *next = p->constants;
    for (unsigned j = 0; j < t; j++) fr_add(&state[j], &state[j], next++);

    sbox(&state[0], next++, NULL); /* the tag is a constant of the circuit */
    for (unsigned j = 1; j < t; j++) sbox(&state[j], next++, trace);
    mix(state, p->mds, t);
    for (unsigned round = 1; round < HALF; round++) {
        for (unsigned j = 0; j < t; j++) sbox_allocated(&state[j], next++, trace);
        mix(state, round == HALF - 1 ? p->pre_sparse_columns : p->mds, t);
    }
    unsigned k = 0;
    const fr_t *group = p->groups;
    for (; k + POSEIDON_GROUP <= p->partial_rounds; k += POSEIDON_GROUP) {
        group = partial_group(state, group, next, trace, t);
        next += POSEIDON_GROUP;
    }
    for (; k < p->partial_rounds; k++) {
        sbox_allocated(&state[0], next++, trace);
        mix_sparse(state, poseidon_w_hat(p, k), poseidon_v_rest(p, k), t);
    }
    for (unsigned round = 0; round < HALF - 1; round++) {
        for (unsigned j = 0; j < t; j++) sbox_allocated(&state[j], next++, trace);
        mix(state, p->mds, t);
    }
    for (unsigned j = 0; j < t; j++) sbox_allocated(&state[j], NULL, trace);
    /* Only element 1 of the last mix is used. */
    poseidon_dot(&state[1], p->mds + t, state, t);
}

static inline void state_load(fr_t *state, const struct poseidon_params *p, const fr_t *tag,
                              const fr_t *inputs)
{
    state[0] = *tag;
    memcpy(state + 1, inputs, p->arity * sizeof *inputs);
}

void poseidon_hash(fr_t *out, const struct poseidon_params *p, const fr_t *tag, const fr_t *inputs)
{
    fr_t state[STATE_ROOM];
    state_load(state, p, tag, inputs);
    permute(state, p, NULL);
    *out = state[1];
}

void poseidon_trace(fr_t *trace, const struct poseidon_params *p, const fr_t *tag,
                    const fr_t *inputs)
{
    fr_t state[STATE_ROOM];
    state_load(state, p, tag, inputs);
    permute(state, p, &trace);
    *trace = state[1];
}

void poseidon_node(fr_t *out, unsigned arity, const fr_t *children)
{
    fr_t tag;
    poseidon_tag_merkle(&tag, arity);
    poseidon_hash(out, poseidon_params(arity), &tag, children);
}

void poseidon_random(fr_t *out, const fr_t *a, const fr_t *b)
{
    fr_t tag, pair[2] = { *a, *b };
    poseidon_tag_random(&tag);
    poseidon_hash(out, poseidon_params(2), &tag, pair);
}
