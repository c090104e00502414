#include "math/glv.h"

#include "math/fr.h"

const fp_t GLV_BETA_G1 = { { 0x30f1361b798a64e8, 0xf3b8ddab7ece5a2a, 0x16a8ca3ac61577f7, 0xc26a2ff874fd029b,
                             0x3636b76660701c6e, 0x051ba4ab241b6160 } };
const fp_t GLV_BETA_G2 = { { 0xcd03c9e48671f071, 0x5dab22461fcda5d2, 0x587042afd3851b95, 0x8eb60ebe01bacb9e,
                             0x03f97d6e83d050d2, 0x18f0206554638741 } };

/* u^2, and 2^255/u^2 rounded to the nearest integer */
static const uint64_t SQUARE[2] = { 0x0000000100000000, 0xac45a4010001a402 };
static const uint64_t RECIPROCAL[2] = { 0xb1fb72917b67f717, 0xbe35f678f00fd56e };

/* Replaces k by r − k if that is smaller: then all ones, else 0. Branches would be mispredicted every other time. */
static uint64_t take_smaller(uint64_t k[4])
{
    uint64_t t[4], borrow = 0, difference = 0;
    UNROLL
    for (int i = 0; i < 4; i++) t[i] = limb_sbb(FR_MODULUS[i], k[i], &borrow);
    UNROLL
    for (int i = 0; i < 4; i++) (void)limb_sbb(t[i], k[i], &difference);
    UNROLL
    for (int i = 0; i < 4; i++) k[i] = limb_select(0 - difference, t[i], k[i]);
    return 0 - difference;
}

/* k/u^2 to the nearest integer, or a little off: by 0.503 at most, for k < r/2. */
static limb_wide divide_rounded(const uint64_t k[4])
{
    uint64_t t[6] = { 0 };
    UNROLL
    for (int i = 0; i < 2; i++) {
        uint64_t carry = 0;
        UNROLL
        for (int j = 0; j < 4; j++) t[i + j] = limb_mac(t[i + j], RECIPROCAL[i], k[j], &carry);
        t[i + 4] = carry;
    }
    limb_wide high = (limb_wide)t[5] << 64 | t[4];
    return (high << 1 | t[3] >> 63) + (t[3] >> 62 & 1);
}

void glv_split(limb_wide_signed *first, limb_wide_signed *second, const uint64_t k[4])
{
    uint64_t s[4] = { k[0], k[1], k[2], k[3] };
    const limb_wide_signed negated = (int64_t)take_smaller(s); /* −1 or 0 */
    limb_wide quotient = divide_rounded(s), square = (limb_wide)SQUARE[1] << 64 | SQUARE[0];
    /* The remainder is below 2^127 in absolute value, so its low 128 bits say all. */
    limb_wide remainder = ((limb_wide)s[1] << 64 | s[0]) - quotient * square;
    *first = (limb_wide_signed)(remainder ^ (limb_wide)negated) - negated;
    *second = (limb_wide_signed)((0 - quotient) ^ (limb_wide)negated) - negated;
}
