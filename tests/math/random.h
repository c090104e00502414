/* Reproducible pseudo-random values for the tests (SplitMix64), and the edge values that break field code. */
#ifndef CUZK_TESTS_MATH_RANDOM_H
#define CUZK_TESTS_MATH_RANDOM_H

#include "math/fp2.h"
#include "math/fr.h"

#include <string.h>

struct random {
    uint64_t state;
};

static inline uint64_t random_u64(struct random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* A uniform limb, or one of those where carries go wrong. */
static inline uint64_t random_limb(struct random *random)
{
    static const uint64_t special[] = { 0, 1, UINT64_MAX, UINT64_MAX - 1, (uint64_t)1 << 63, (uint64_t)1 << 32 };
    uint64_t pick = random_u64(random) % 32;
    return pick < 6 ? special[pick] : random_u64(random);
}

/* Montgomery forms are as good as canonical ones here: both are any integers below the modulus. */
static inline fr_t fr_random(struct random *random)
{
    fr_t out;
    do {
        for (int i = 0; i < 4; i++) out.l[i] = random_limb(random);
        out.l[3] &= UINT64_MAX >> 1;
    } while (!fr_from_limbs(&(fr_t){ { 0 } }, out.l));
    return out;
}

static inline fp_t fp_random(struct random *random)
{
    fp_t out;
    do {
        for (int i = 0; i < 6; i++) out.l[i] = random_limb(random);
        out.l[5] &= UINT64_MAX >> 3;
    } while (!fp_from_limbs(&(fp_t){ { 0 } }, out.l));
    return out;
}

static inline fp2_t fp2_random(struct random *random)
{
    fp2_t out;
    out.c0 = fp_random(random);
    out.c1 = fp_random(random);
    return out;
}

#endif
