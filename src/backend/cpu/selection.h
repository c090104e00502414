/* Walking over the private variables of a packed witness 64 at a time, with their bits put in their
 * places. */
#ifndef CUZK_BACKEND_CPU_SELECTION_H
#define CUZK_BACKEND_CPU_SELECTION_H

#include "r1cs/witness.h"

/* What concerns the variables 64·word … 64·word + 63. */
struct selection {
    uint64_t present;  /* which have a point in the section */
    uint64_t wide;     /* which of these are wide */
    uint64_t ones;     /* which of these are bits with value 1 */
    uint64_t all_wide; /* which are wide, with a point or not */
    uint32_t point;    /* the place of the first present one, counted from the first private variable's */
    uint32_t value;    /* the place of the first wide one in witness->wides */
};

static inline uint32_t selection_words(const struct circuit *c) { return (uint32_t)(((uint64_t)c->aux + 63) / 64); }

/* Bits of `bits`, lowest first, go to the places that `mask` has set. */
static inline uint64_t spread_bits(uint64_t bits, uint64_t mask)
{
    if (mask == ~UINT64_C(0)) return bits;
    uint64_t out = 0;
    for (; mask; mask &= mask - 1, bits >>= 1) out |= (mask & -mask) & -(bits & 1);
    return out;
}

static inline struct selection selection_at(const struct witness *w, const struct ranked_bitmap *dense, uint32_t word)
{
    const struct circuit *c = w->circuit;
    uint64_t first = (uint64_t)word * 64, left = c->aux - first;
    uint64_t inside = left >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << left) - 1;
    struct selection s = { .all_wide = c->wide.words[word], .value = c->wide.before[word] };
    s.present = dense ? dense->words[word] : inside;
    s.point = dense ? dense->before[word] : (uint32_t)first;
    s.wide = s.present & s.all_wide;

    uint64_t place = first - s.value; /* of the first bit variable */
    const uint64_t *bits = &w->bits[place >> 6];
    unsigned shift = place & 63;
    uint64_t stream = bits[0] >> shift;
    if (shift > 0 && place + 64 - shift < c->bits) stream |= bits[1] << (64 - shift);
    s.ones = spread_bits(stream, inside & ~s.all_wide) & s.present;
    return s;
}

/* The place of variable 64·word + i among the section's points, without those of public inputs. */
static inline uint32_t selection_point(const struct selection *s, unsigned i)
{
    return s->point + (uint32_t)__builtin_popcountll(s->present & ((UINT64_C(1) << i) - 1));
}

static inline uint32_t selection_value(const struct selection *s, unsigned i)
{
    return s->value + (uint32_t)__builtin_popcountll(s->all_wide & ((UINT64_C(1) << i) - 1));
}

#endif
