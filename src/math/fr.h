/* Fr: the scalar field of BLS12-381, integers modulo
 *
 *   r = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001   (255 bits)
 *
 * An fr_t holds x·2^256 mod r (Montgomery form), fully reduced, as four 64-bit limbs, least significant first.
 * All functions accept the output as any of the inputs. None allocates or fails. Thread-safe.
 * Canonical bytes are 32 bytes little-endian, the form of every Filecoin file and hash (spec §0).
 */
#ifndef CUZK_MATH_FR_H
#define CUZK_MATH_FR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fr {
    uint64_t l[4];
} fr_t;

extern const fr_t FR_ZERO;
extern const fr_t FR_ONE;
extern const uint64_t FR_MODULUS[4];

bool fr_is_zero(const fr_t *a);
bool fr_is_one(const fr_t *a);
bool fr_equal(const fr_t *a, const fr_t *b);

void fr_add(fr_t *out, const fr_t *a, const fr_t *b);
void fr_sub(fr_t *out, const fr_t *a, const fr_t *b);
void fr_neg(fr_t *out, const fr_t *a);
void fr_double(fr_t *out, const fr_t *a);
void fr_mul(fr_t *out, const fr_t *a, const fr_t *b);
void fr_sqr(fr_t *out, const fr_t *a);

/* out = Σ a[i]·b[i], n ≤ 16, with one Montgomery reduction for the whole sum. n = 0 gives zero. */
void fr_dot(fr_t *out, const fr_t *a, const fr_t *b, size_t n);

/* out = a^exponent; `exponent` is `limbs` 64-bit limbs, least significant first. */
void fr_pow_var(fr_t *out, const fr_t *a, const uint64_t *exponent, size_t limbs);
void fr_pow_u64_var(fr_t *out, const fr_t *a, uint64_t exponent);

/* 1/a; the inverse of zero is zero. */
void fr_inv_var(fr_t *out, const fr_t *a);

/* In-place inversion of n elements with one field inversion (Montgomery's trick); zeros stay zero.
 * `scratch` holds n elements. */
void fr_batch_inv_var(fr_t *a, size_t n, fr_t *scratch);

void fr_from_u64(fr_t *out, uint64_t v);
void fr_from_i64(fr_t *out, int64_t v); /* negative numbers become r − |v| */

/* Canonical integer, four limbs, least significant first. */
void fr_to_limbs(uint64_t out[4], const fr_t *a);
/* False, and *out = 0, if the integer is not below r. */
bool fr_from_limbs(fr_t *out, const uint64_t in[4]);

void fr_to_bytes(uint8_t out[32], const fr_t *a);
bool fr_from_bytes(fr_t *out, const uint8_t in[32]); /* false, and *out = 0, if not canonical */

/* The 256-bit integer reduced modulo r (at most two subtractions: 2^256 < 3r). */
void fr_from_bytes_reduced(fr_t *out, const uint8_t in[32]);

#endif
