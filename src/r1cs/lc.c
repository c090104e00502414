#include "r1cs/lc.h"

#include <stdlib.h>

void lc_free(struct lc *lc)
{
    free(lc->terms);
    *lc = lc_empty();
}

void lc_clear(struct lc *lc)
{
    lc->count = 0;
    lc->sorted = true;
}

static bool lc_reserve(struct lc *lc, size_t count)
{
    if (count <= lc->capacity) return true;
    size_t capacity = lc->capacity ? lc->capacity * 2 : 8;
    if (capacity < count) capacity = count;
    struct lc_term *terms = realloc(lc->terms, capacity * sizeof *terms);
    if (!terms) {
        lc->failed = true;
        return false;
    }
    lc->terms = terms;
    lc->capacity = capacity;
    return true;
}

void lc_add(struct lc *lc, uint32_t ref, const fr_t *coeff)
{
    if (!lc_reserve(lc, lc->count + 1)) return;
    if (lc->count > 0 && ref <= lc->terms[lc->count - 1].ref) lc->sorted = false;
    lc->terms[lc->count++] = (struct lc_term){ ref, *coeff };
}

void lc_add_ref(struct lc *lc, uint32_t ref) { lc_add(lc, ref, &FR_ONE); }

void lc_sub_ref(struct lc *lc, uint32_t ref)
{
    fr_t minus_one;
    fr_neg(&minus_one, &FR_ONE);
    lc_add(lc, ref, &minus_one);
}

void lc_add_bit(struct lc *lc, struct bit b, const fr_t *coeff)
{
    if (bit_is(b, BIT_FALSE)) return;
    if (bit_is(b, BIT_TRUE)) {
        lc_add(lc, REF_ONE, coeff);
    } else if (!bit_negated(b)) {
        lc_add(lc, bit_ref(b), coeff);
    } else {
        fr_t minus;
        fr_neg(&minus, coeff);
        lc_add(lc, REF_ONE, coeff);
        lc_add(lc, bit_ref(b), &minus);
    }
}

static int compare_terms(const void *a, const void *b)
{
    uint32_t x = ((const struct lc_term *)a)->ref, y = ((const struct lc_term *)b)->ref;
    return x < y ? -1 : x > y;
}

void lc_normalise(struct lc *lc)
{
    if (!lc->sorted) qsort(lc->terms, lc->count, sizeof *lc->terms, compare_terms);
    size_t kept = 0;
    for (size_t i = 0; i < lc->count; i++) {
        if (kept > 0 && lc->terms[kept - 1].ref == lc->terms[i].ref) {
            fr_add(&lc->terms[kept - 1].coeff, &lc->terms[kept - 1].coeff, &lc->terms[i].coeff);
        } else {
            if (kept > 0 && fr_is_zero(&lc->terms[kept - 1].coeff)) kept--;
            lc->terms[kept++] = lc->terms[i];
        }
    }
    if (kept > 0 && fr_is_zero(&lc->terms[kept - 1].coeff)) kept--;
    lc->count = kept;
    lc->sorted = true;
}

void lc_add_scaled(struct lc *lc, const struct lc *other, const fr_t *factor)
{
    if (other->failed) lc->failed = true;
    for (size_t i = 0; i < other->count; i++) {
        fr_t scaled;
        fr_mul(&scaled, &other->terms[i].coeff, factor);
        lc_add(lc, other->terms[i].ref, &scaled);
    }
}
