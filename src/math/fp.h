/* Fp: the base field of BLS12-381, integers modulo
 *
 *   p = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab
 *
 * (381 bits). An fp_t holds x·2^384 mod p (Montgomery form), fully reduced, as six 64-bit limbs, least
 * significant first. All functions accept the output as any of the inputs. None allocates or fails.
 * Thread-safe. Canonical bytes are 48 bytes big-endian, the form of point encodings (spec §4.1).
 */
#ifndef CUZK_MATH_FP_H
#define CUZK_MATH_FP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fp {
    uint64_t l[6];
} fp_t;

extern const fp_t FP_ZERO;
extern const fp_t FP_ONE;
extern const uint64_t FP_MODULUS[6];

bool fp_is_zero(const fp_t *a);
bool fp_is_one(const fp_t *a);
bool fp_equal(const fp_t *a, const fp_t *b);

void fp_add(fp_t *out, const fp_t *a, const fp_t *b);
void fp_sub(fp_t *out, const fp_t *a, const fp_t *b);
void fp_neg(fp_t *out, const fp_t *a);
void fp_double(fp_t *out, const fp_t *a);
void fp_mul(fp_t *out, const fp_t *a, const fp_t *b);
void fp_sqr(fp_t *out, const fp_t *a);

/* out = a^exponent; `exponent` is `limbs` 64-bit limbs, least significant first. */
void fp_pow_var(fp_t *out, const fp_t *a, const uint64_t *exponent, size_t limbs);

/* 1/a; the inverse of zero is zero. */
void fp_inv_var(fp_t *out, const fp_t *a);

/* In-place inversion of n elements with one field inversion (Montgomery's trick); zeros stay zero.
 * `scratch` holds n elements. */
void fp_batch_inv_var(fp_t *a, size_t n, fp_t *scratch);

/* A square root, a^((p+1)/4) as p = 3 mod 4. False if a is not a square; *out is then unspecified. */
bool fp_sqrt_var(fp_t *out, const fp_t *a);

/* Whether the canonical value is above (p−1)/2: the "sign" of compressed points. */
bool fp_is_larger(const fp_t *a);

void fp_from_u64(fp_t *out, uint64_t v);

/* Canonical integer, six limbs, least significant first. */
void fp_to_limbs(uint64_t out[6], const fp_t *a);
/* False, and *out = 0, if the integer is not below p. */
bool fp_from_limbs(fp_t *out, const uint64_t in[6]);

void fp_to_bytes(uint8_t out[48], const fp_t *a);    /* big-endian */
bool fp_from_bytes(fp_t *out, const uint8_t in[48]); /* false, and *out = 0, if not canonical */

#endif
