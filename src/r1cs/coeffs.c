#include "r1cs/coeffs.h"

#include <stdlib.h>
#include <string.h>

static int64_t small_value(const fr_t *value)
{
    uint64_t limbs[4];
    fr_to_limbs(limbs, value);
    if (!(limbs[1] | limbs[2] | limbs[3]) && limbs[0] < (UINT64_C(1) << 31)) return (int64_t)limbs[0];
    fr_t negated;
    fr_neg(&negated, value);
    fr_to_limbs(limbs, &negated);
    if (!(limbs[1] | limbs[2] | limbs[3]) && limbs[0] < (UINT64_C(1) << 31)) return -(int64_t)limbs[0];
    return 0;
}

static size_t hash_value(const fr_t *v)
{
    uint64_t h = v->l[0] ^ v->l[1] * 0x9e3779b97f4a7c15u ^ v->l[2] * 0xc2b2ae3d27d4eb4fu ^ v->l[3];
    h *= 0xff51afd7ed558ccdu;
    return (size_t)(h ^ h >> 32);
}

static bool grow(struct coeff_table *t)
{
    size_t slot_count = t->slot_count ? t->slot_count * 2 : 1024;
    uint32_t *slots = malloc(slot_count * sizeof *slots);
    struct coeff *entries = realloc(t->entries, slot_count / 2 * sizeof *entries);
    if (entries) t->entries = entries;
    if (!slots || !entries) {
        free(slots);
        return false;
    }
    memset(slots, 0xff, slot_count * sizeof *slots);
    for (size_t i = 0; i < t->count; i++) {
        size_t s = hash_value(&t->entries[i].value) & (slot_count - 1);
        while (slots[s] != UINT32_MAX) s = (s + 1) & (slot_count - 1);
        slots[s] = (uint32_t)i;
    }
    free(t->slots);
    t->slots = slots;
    t->slot_count = slot_count;
    t->capacity = slot_count / 2;
    return true;
}

bool coeff_table_place(uint32_t *out, struct coeff_table *t, const fr_t *value)
{
    if (t->count == t->capacity && !grow(t)) return false;
    size_t s = hash_value(value) & (t->slot_count - 1);
    for (; t->slots[s] != UINT32_MAX; s = (s + 1) & (t->slot_count - 1)) {
        if (fr_equal(&t->entries[t->slots[s]].value, value)) {
            *out = t->slots[s];
            return true;
        }
    }
    t->slots[s] = *out = (uint32_t)t->count;
    t->entries[t->count++] = (struct coeff){ *value, small_value(value) };
    return true;
}

cuzk_status coeff_table_create(struct coeff_table *out, cuzk_error *err)
{
    *out = (struct coeff_table){ 0 };
    fr_t minus_one;
    fr_neg(&minus_one, &FR_ONE);
    uint32_t one_place, minus_place;
    if (!coeff_table_place(&one_place, out, &FR_ONE) || !coeff_table_place(&minus_place, out, &minus_one)) {
        coeff_table_free(out);
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the coefficient table");
    }
    return CUZK_OK;
}

void coeff_table_free(struct coeff_table *t)
{
    free(t->entries);
    free(t->slots);
    *t = (struct coeff_table){ 0 };
}
