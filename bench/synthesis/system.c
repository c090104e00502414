#include "synthesis/system.h"

#include <stdlib.h>

static void scalars_push(struct scalars *s, struct heap *h, const fr_t *value)
{
    if (heap_reserve(h, (void **)&s->at, s->count, &s->capacity, sizeof *s->at)) s->at[s->count++] = *value;
}

/* Room for variable `index` in a density, not occurring yet. */
static void density_extend(struct density *d, struct heap *h, size_t index)
{
    if (index / 64 < d->count) return;
    if (heap_reserve(h, (void **)&d->words, d->count, &d->capacity, sizeof *d->words)) d->words[d->count++] = 0;
}

static void density_note(struct density *d, uint64_t index)
{
    uint64_t bit = UINT64_C(1) << (index & 63);
    if (index / 64 >= d->count || (d->words[index / 64] & bit)) return;
    d->words[index / 64] |= bit;
    d->total++;
}

void cs_begin(struct constraint_system *cs, bool temporaries)
{
    *cs = (struct constraint_system){ .temporaries = temporaries };
    fr_neg(&cs->minus_one, &FR_ONE);
    cs_alloc_input(cs, &FR_ONE);
}

void cs_release(struct constraint_system *cs)
{
    struct scalars *lists[] = { &cs->inputs, &cs->aux, &cs->a, &cs->b, &cs->c };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) free(lists[i]->at);
    free(cs->a_aux.words);
    free(cs->b_aux.words);
    free(cs->b_inputs.words);
    *cs = (struct constraint_system){ 0 };
}

struct variable cs_alloc(struct constraint_system *cs, const fr_t *value)
{
    uint32_t index = (uint32_t)cs->aux.count;
    scalars_push(&cs->aux, &cs->heap, value);
    density_extend(&cs->a_aux, &cs->heap, index);
    density_extend(&cs->b_aux, &cs->heap, index);
    return (struct variable){ false, index };
}

struct variable cs_alloc_input(struct constraint_system *cs, const fr_t *value)
{
    uint32_t index = (uint32_t)cs->inputs.count;
    scalars_push(&cs->inputs, &cs->heap, value);
    density_extend(&cs->b_inputs, &cs->heap, index);
    return (struct variable){ true, index };
}

static void list_evaluate(fr_t *sum, const struct index_list *l, const struct scalars *values, struct density *d)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct indexed *t = &l->at[i];
        fr_t product = values->at[t->index];
        if (!fr_is_one(&t->coeff)) fr_mul(&product, &product, &t->coeff);
        fr_add(sum, sum, &product);
        if (d) density_note(d, t->index);
    }
}

static void row_evaluate(struct constraint_system *cs, struct scalars *out, const struct combination *lc,
                         struct density *inputs, struct density *aux)
{
    fr_t sum = FR_ZERO;
    if (cs->heap.failed) return; /* an index may point to a value that was left out */
    list_evaluate(&sum, &lc->inputs, &cs->inputs, inputs);
    list_evaluate(&sum, &lc->aux, &cs->aux, aux);
    scalars_push(out, &cs->heap, &sum);
}

void cs_enforce(struct constraint_system *cs, struct combination *a, struct combination *b, struct combination *c)
{
    row_evaluate(cs, &cs->a, a, NULL, &cs->a_aux);
    row_evaluate(cs, &cs->b, b, &cs->b_inputs, &cs->b_aux);
    row_evaluate(cs, &cs->c, c, NULL, NULL);
    combination_free(a);
    combination_free(b);
    combination_free(c);
}

void cs_add(struct constraint_system *cs, struct combination *lc, struct variable v)
{
    combination_add(lc, &cs->heap, v, &FR_ONE);
}

void cs_subtract(struct constraint_system *cs, struct combination *lc, struct variable v)
{
    combination_add(lc, &cs->heap, v, &cs->minus_one);
}
