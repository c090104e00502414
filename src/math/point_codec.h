/* Points as bytes: the Zcash encodings of BLS12-381 (spec §4.1), which every Filecoin file and proof uses.
 *
 * Coordinates are 48 bytes big-endian; an element of Fp2 is c1 ‖ c0. Uncompressed points are x ‖ y, compressed
 * ones x alone. The top three bits of the first byte are flags:
 *   0x80  compressed
 *   0x40  infinity; all other bits but 0x80 are then zero
 *   0x20  y is the larger of the two roots (compressed only)
 *
 * A decoder answers CUZK_ERR_DATA, with *out at infinity and a detail that says what is wrong ("x is not below
 * p", "not on the curve", …), but not which point: callers add that with cuzk_within. Thread-safe.
 */
#ifndef CUZK_MATH_POINT_CODEC_H
#define CUZK_MATH_POINT_CODEC_H

#include "base/status.h"
#include "math/g1.h"
#include "math/g2.h"

#define G1_BYTES 96
#define G1_COMPRESSED_BYTES 48
#define G2_BYTES 192
#define G2_COMPRESSED_BYTES 96

/* How far a decoder goes; each level includes those before it. */
enum point_check {
    POINT_CHECK_ENCODING, /* flags, and coordinates below p; (0, 0) is refused at every level */
    POINT_CHECK_CURVE,    /* the curve equation; a compressed point always satisfies it */
    POINT_CHECK_SUBGROUP  /* the subgroup of order r */
};

enum point_infinity { POINT_INFINITY_REFUSED, POINT_INFINITY_ALLOWED };

void g1_encode(uint8_t out[G1_BYTES], const g1_affine_t *p);
void g1_encode_compressed(uint8_t out[G1_COMPRESSED_BYTES], const g1_affine_t *p);
void g2_encode(uint8_t out[G2_BYTES], const g2_affine_t *p);
void g2_encode_compressed(uint8_t out[G2_COMPRESSED_BYTES], const g2_affine_t *p);

cuzk_status g1_decode(g1_affine_t *out, const uint8_t in[G1_BYTES], enum point_check check,
                      enum point_infinity infinity, cuzk_error *err);
cuzk_status g1_decode_compressed(g1_affine_t *out, const uint8_t in[G1_COMPRESSED_BYTES],
                                 enum point_check check, enum point_infinity infinity, cuzk_error *err);
cuzk_status g2_decode(g2_affine_t *out, const uint8_t in[G2_BYTES], enum point_check check,
                      enum point_infinity infinity, cuzk_error *err);
cuzk_status g2_decode_compressed(g2_affine_t *out, const uint8_t in[G2_COMPRESSED_BYTES],
                                 enum point_check check, enum point_infinity infinity, cuzk_error *err);

#endif
