/* Fp and Fp2 eight elements at a time (ifma.h): what batches of point additions need, private to them.
 *
 * An fp_lanes_t holds residues modulo p below 2p unless a function says otherwise, eight limbs of 52 bits,
 * in the Montgomery form of fp_t, x·2^384. The multiplication divides by 2^416, so one factor comes shifted by
 * 32 bits, and the product is in the same form.
 */
#ifndef CUZK_MATH_FP_LANES_H
#define CUZK_MATH_FP_LANES_H

#include "math/fp2.h"
#include "math/ifma.h"

enum { FP_LIMBS52 = 8 };

typedef struct fp_lanes {
    lanes_t l[FP_LIMBS52];
} fp_lanes_t;

typedef struct fp2_lanes {
    fp_lanes_t c0, c1;
} fp2_lanes_t;

/* A second factor: shifted, and with −c1 for the second components' product. */
typedef fp_lanes_t fp_lanes_factor_t;

typedef struct fp2_lanes_factor {
    fp_lanes_t c0, c1, minus_c1;
} fp2_lanes_factor_t;

/* p and 2p */
static const uint64_t FP_LANES_P[FP_LIMBS52] = { 0xeffffffffaaab, 0xfeb153ffffb9f, 0x6b0f6241eabff, 0x12bf6730d2a0f,
                                                 0x764774b84f385, 0x1ba7b6434bacd, 0x1ea397fe69a4b, 0x000000001a011 };
static const uint64_t FP_LANES_2P[FP_LIMBS52] = { 0 };
#endif
