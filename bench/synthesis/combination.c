#include "synthesis/combination.h"

#include <stdlib.h>
#include <string.h>

static size_t lower_bound(const struct index_list *l, uint64_t index)
{
    size_t low = 0, high = l->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (l->at[middle].index < index) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Where `index` stands or belongs. The neighbourhood of the last insertion is tried before a binary search. */
static size_t place_of(const struct index_list *l, uint64_t index)
{
    if (l->count == 0) return 0;
    uint64_t last = l->at[l->last].index;
    if (last == index) return l->last;
    if (last + 1 == index) return l->last + 1;
    return lower_bound(l, index);
}

static void list_add(struct index_list *l, struct heap *h, uint64_t index, const fr_t *coeff)
{
    size_t place = place_of(l, index);
    if (place < l->count && l->at[place].index == index) {
        fr_add(&l->at[place].coeff, &l->at[place].coeff, coeff);
    } else {
        if (!heap_reserve(h, (void **)&l->at, l->count, &l->capacity, sizeof *l->at)) return;
        memmove(l->at + place + 1, l->at + place, (l->count - place) * sizeof *l->at);
        l->at[place] = (struct indexed){ index, *coeff };
        l->count++;
    }
    l->last = place;
}

void combination_add(struct combination *lc, struct heap *h, struct variable v, const fr_t *coeff)
{
    list_add(v.is_input ? &lc->inputs : &lc->aux, h, v.index, coeff);
}

static void list_add_all(struct index_list *l, struct heap *h, const struct index_list *other, const fr_t *factor)
{
    for (size_t i = 0; i < other->count; i++) {
        fr_t scaled = other->at[i].coeff;
        if (factor) fr_mul(&scaled, &scaled, factor);
        list_add(l, h, other->at[i].index, &scaled);
    }
}

void combination_add_all(struct combination *lc, struct heap *h, const struct combination *other, const fr_t *factor)
{
    list_add_all(&lc->inputs, h, &other->inputs, factor);
    list_add_all(&lc->aux, h, &other->aux, factor);
}

static void list_clone(struct index_list *out, struct heap *h, const struct index_list *from)
{
    *out = (struct index_list){ 0 };
    if (from->count == 0) return;
    out->at = heap_resize(h, NULL, from->count * sizeof *out->at);
    if (!out->at) return;
    memcpy(out->at, from->at, from->count * sizeof *out->at);
    out->count = out->capacity = from->count;
    out->last = from->last;
}

void combination_clone(struct combination *out, struct heap *h, const struct combination *from)
{
    list_clone(&out->inputs, h, &from->inputs);
    list_clone(&out->aux, h, &from->aux);
}

void combination_free(struct combination *lc)
{
    free(lc->inputs.at);
    free(lc->aux.at);
    *lc = (struct combination){ 0 };
}
