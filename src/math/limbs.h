/* Word arithmetic on 64-bit limbs: the building blocks of the portable field code, all with a carry or borrow
 * that the caller threads through. */
#ifndef CUZK_MATH_LIMBS_H
#define CUZK_MATH_LIMBS_H

#include <stdint.h>

/* Stands in front of a loop over limbs: gcc unrolls such loops at -O2 only when told to. */
#define UNROLL _Pragma("GCC unroll 12")

__extension__ typedef unsigned __int128 limb_wide;
__extension__ typedef __int128 limb_wide_signed;

/* acc + a·b + *carry; the high word becomes the new carry. Cannot overflow 128 bits. */
static inline uint64_t limb_mac(uint64_t acc, uint64_t a, uint64_t b, uint64_t *carry)
{
    limb_wide t = (limb_wide)a * b + acc + *carry;
    *carry = (uint64_t)(t >> 64);
    return (uint64_t)t;
}

/* a + b + *carry; carries are whole words, so that sums of several terms may be chained. */
static inline uint64_t limb_adc(uint64_t a, uint64_t b, uint64_t *carry)
{
    limb_wide t = (limb_wide)a + b + *carry;
    *carry = (uint64_t)(t >> 64);
    return (uint64_t)t;
}

/* a − b − *borrow, *borrow in {0, 1}. */
static inline uint64_t limb_sbb(uint64_t a, uint64_t b, uint64_t *borrow)
{
    limb_wide t = (limb_wide)a - b - *borrow;
    *borrow = (uint64_t)(t >> 64) & 1;
    return (uint64_t)t;
}

/* mask is 0 or all ones: a or b. */
static inline uint64_t limb_select(uint64_t mask, uint64_t if_set, uint64_t if_clear)
{
    return if_clear ^ (mask & (if_set ^ if_clear));
}

#endif
