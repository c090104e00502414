/* Schoolbook integers for the tests: slow, obvious, and sharing nothing with the code under test. A struct big
 * holds 26 digits of 32 bits, least significant first: enough for products of 384-bit numbers and their sums. */
#ifndef CUZK_TESTS_MATH_BIG_H
#define CUZK_TESTS_MATH_BIG_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define BIG_DIGITS 26

struct big {
    uint32_t digit[BIG_DIGITS];
};

static inline struct big big_from_u64(uint64_t v)
{
    return (struct big){ { (uint32_t)v, (uint32_t)(v >> 32) } };
}

static inline struct big big_from_limbs(const uint64_t *limbs, int n)
{
    struct big out = { { 0 } };
    for (int i = 0; i < 2 * n; i++) out.digit[i] = (uint32_t)(limbs[i / 2] >> 32 * (i % 2));
    return out;
}

static inline void big_to_limbs(uint64_t *limbs, int n, struct big a)
{
    for (int i = 0; i < n; i++) limbs[i] = (uint64_t)a.digit[2 * i + 1] << 32 | a.digit[2 * i];
}

static inline int big_compare(struct big a, struct big b)
{
    for (int i = BIG_DIGITS; i-- > 0;) {
        if (a.digit[i] != b.digit[i]) return a.digit[i] < b.digit[i] ? -1 : 1;
    }
    return 0;
}

static inline struct big big_add(struct big a, struct big b)
{
    uint64_t carry = 0;
    for (int i = 0; i < BIG_DIGITS; i++) {
        carry += (uint64_t)a.digit[i] + b.digit[i];
        a.digit[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return a;
}

static inline struct big big_sub(struct big a, struct big b)
{
    int64_t borrow = 0;
    for (int i = 0; i < BIG_DIGITS; i++) {
        borrow += (int64_t)a.digit[i] - b.digit[i];
        a.digit[i] = (uint32_t)borrow;
        borrow = borrow < 0 ? -1 : 0;
    }
    return a;
}

static inline struct big big_mul(struct big a, struct big b)
{
    struct big out = { { 0 } };
    for (int i = 0; i < BIG_DIGITS; i++) {
        uint64_t carry = 0;
        for (int j = 0; a.digit[i] && i + j < BIG_DIGITS; j++) {
            carry += (uint64_t)a.digit[i] * b.digit[j] + out.digit[i + j];
            out.digit[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    return out;
}

static inline struct big big_shift_left(struct big a, int bits)
{
    struct big out = { { 0 } };
    for (int i = 0; i < 32 * BIG_DIGITS - bits; i++) {
        if (a.digit[i / 32] >> (i % 32) & 1) out.digit[(i + bits) / 32] |= UINT32_C(1) << ((i + bits) % 32);
    }
    return out;
}

/* a mod m, bit by bit. */
static inline struct big big_mod(struct big a, struct big m)
{
    struct big out = { { 0 } };
    int bits = 32 * BIG_DIGITS;
    while (bits > 0 && a.digit[bits / 32 - 1] == 0) bits -= 32;
    for (int i = bits; i-- > 0;) {
        out = big_add(out, out);
        out.digit[0] |= a.digit[i / 32] >> (i % 32) & 1;
        if (big_compare(out, m) >= 0) out = big_sub(out, m);
    }
    return out;
}

#endif
