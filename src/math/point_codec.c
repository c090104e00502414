#include "math/point_codec.h"

#include <string.h>

#define FLAG_COMPRESSED 0x80
#define FLAG_INFINITY 0x40
#define FLAG_LARGER 0x20
#define FLAGS (FLAG_COMPRESSED | FLAG_INFINITY | FLAG_LARGER)

static void encode_infinity(uint8_t *out, size_t size, uint8_t compressed)
{
    memset(out, 0, size);
    out[0] = compressed | FLAG_INFINITY;
}

static void fp2_encode(uint8_t out[96], const fp2_t *a)
{
    fp_to_bytes(out, &a->c1);
    fp_to_bytes(out + 48, &a->c0);
}

void g1_encode(uint8_t out[G1_BYTES], const g1_affine_t *p)
{
    if (g1_affine_is_infinity(p)) {
        encode_infinity(out, G1_BYTES, 0);
        return;
    }
    fp_to_bytes(out, &p->x);
    fp_to_bytes(out + 48, &p->y);
}

void g1_encode_compressed(uint8_t out[G1_COMPRESSED_BYTES], const g1_affine_t *p)
{
    if (g1_affine_is_infinity(p)) {
        encode_infinity(out, G1_COMPRESSED_BYTES, FLAG_COMPRESSED);
        return;
    }
    fp_to_bytes(out, &p->x);
    out[0] |= FLAG_COMPRESSED | (fp_is_larger(&p->y) ? FLAG_LARGER : 0);
}

void g2_encode(uint8_t out[G2_BYTES], const g2_affine_t *p)
{
    if (g2_affine_is_infinity(p)) {
        encode_infinity(out, G2_BYTES, 0);
        return;
    }
    fp2_encode(out, &p->x);
    fp2_encode(out + 96, &p->y);
}

void g2_encode_compressed(uint8_t out[G2_COMPRESSED_BYTES], const g2_affine_t *p)
{
    if (g2_affine_is_infinity(p)) {
        encode_infinity(out, G2_COMPRESSED_BYTES, FLAG_COMPRESSED);
        return;
    }
    fp2_encode(out, &p->x);
    out[0] |= FLAG_COMPRESSED | (fp2_is_larger(&p->y) ? FLAG_LARGER : 0);
}

static cuzk_status refuse(cuzk_error *err, const char *why) { return cuzk_fail(err, CUZK_ERR_DATA, "%s", why); }

/* Answers for the flags and for infinity as a whole; *at_infinity tells whether anything is left to read. */
static cuzk_status decode_flags(bool *at_infinity, const uint8_t *in, size_t size, uint8_t compressed,
                                enum point_infinity infinity, cuzk_error *err)
{
    *at_infinity = in[0] & FLAG_INFINITY;
    if ((in[0] & FLAG_COMPRESSED) != compressed) {
        return refuse(err, compressed ? "the point is not compressed" : "the point is compressed");
    }
    if (*at_infinity) {
        uint8_t rest = in[0] & (0xff ^ FLAG_COMPRESSED ^ FLAG_INFINITY);
        for (size_t i = 1; i < size; i++) rest |= in[i];
        if (rest) return refuse(err, "bits are set beside the infinity flag");
        if (infinity == POINT_INFINITY_REFUSED) return refuse(err, "point at infinity");
    } else if (!compressed && in[0] & FLAG_LARGER) {
        return refuse(err, "the sign flag is set in an uncompressed point");
    }
    return CUZK_OK;
}

/* The first coordinate of an encoding carries the flags. */
static bool decode_flagged(fp_t *out, const uint8_t in[48])
{
    uint8_t bytes[48];
    memcpy(bytes, in, sizeof bytes);
    bytes[0] &= 0xff ^ FLAGS;
    return fp_from_bytes(out, bytes);
}

static cuzk_status check_g1(const g1_affine_t *p, bool on_curve, enum point_check check, cuzk_error *err)
{
    /* (0, 0) stands for infinity inside this program only. */
    if (g1_affine_is_infinity(p)) return refuse(err, "not on the curve");
    if (check >= POINT_CHECK_CURVE && !on_curve && !g1_on_curve(p)) return refuse(err, "not on the curve");
    if (check >= POINT_CHECK_SUBGROUP && !g1_in_subgroup_var(p)) return refuse(err, "not in the subgroup");
    return CUZK_OK;
}

static cuzk_status check_g2(const g2_affine_t *p, bool on_curve, enum point_check check, cuzk_error *err)
{
    if (g2_affine_is_infinity(p)) return refuse(err, "not on the curve");
    if (check >= POINT_CHECK_CURVE && !on_curve && !g2_on_curve(p)) return refuse(err, "not on the curve");
    if (check >= POINT_CHECK_SUBGROUP && !g2_in_subgroup_var(p)) return refuse(err, "not in the subgroup");
    return CUZK_OK;
}

cuzk_status g1_decode(g1_affine_t *out, const uint8_t in[G1_BYTES], enum point_check check,
                      enum point_infinity infinity, cuzk_error *err)
{
    bool at_infinity;
    g1_affine_t p;
    *out = G1_AFFINE_INFINITY;
    cuzk_status status = decode_flags(&at_infinity, in, G1_BYTES, 0, infinity, err);
    if (status != CUZK_OK || at_infinity) return status;
    if (!decode_flagged(&p.x, in)) return refuse(err, "x is not below p");
    if (!fp_from_bytes(&p.y, in + 48)) return refuse(err, "y is not below p");
    status = check_g1(&p, false, check, err);
    if (status == CUZK_OK) *out = p;
    return status;
}

cuzk_status g1_decode_compressed(g1_affine_t *out, const uint8_t in[G1_COMPRESSED_BYTES],
                                 enum point_check check, enum point_infinity infinity, cuzk_error *err)
{
    bool at_infinity;
    g1_affine_t p;
    *out = G1_AFFINE_INFINITY;
    cuzk_status status = decode_flags(&at_infinity, in, G1_COMPRESSED_BYTES, FLAG_COMPRESSED, infinity, err);
    if (status != CUZK_OK || at_infinity) return status;
    if (!decode_flagged(&p.x, in)) return refuse(err, "x is not below p");
    if (!g1_y_from_x_var(&p.y, &p.x)) return refuse(err, "not on the curve");
    if (fp_is_larger(&p.y) != ((in[0] & FLAG_LARGER) != 0)) fp_neg(&p.y, &p.y);
    status = check_g1(&p, true, check, err);
    if (status == CUZK_OK) *out = p;
    return status;
}

cuzk_status g2_decode(g2_affine_t *out, const uint8_t in[G2_BYTES], enum point_check check,
                      enum point_infinity infinity, cuzk_error *err)
{
    bool at_infinity;
    g2_affine_t p;
    *out = G2_AFFINE_INFINITY;
    cuzk_status status = decode_flags(&at_infinity, in, G2_BYTES, 0, infinity, err);
    if (status != CUZK_OK || at_infinity) return status;
    if (!decode_flagged(&p.x.c1, in)) return refuse(err, "x.c1 is not below p");
    if (!fp_from_bytes(&p.x.c0, in + 48)) return refuse(err, "x.c0 is not below p");
    if (!fp_from_bytes(&p.y.c1, in + 96)) return refuse(err, "y.c1 is not below p");
    if (!fp_from_bytes(&p.y.c0, in + 144)) return refuse(err, "y.c0 is not below p");
    status = check_g2(&p, false, check, err);
    if (status == CUZK_OK) *out = p;
    return status;
}

cuzk_status g2_decode_compressed(g2_affine_t *out, const uint8_t in[G2_COMPRESSED_BYTES],
                                 enum point_check check, enum point_infinity infinity, cuzk_error *err)
{
    bool at_infinity;
    g2_affine_t p;
    *out = G2_AFFINE_INFINITY;
    cuzk_status status = decode_flags(&at_infinity, in, G2_COMPRESSED_BYTES, FLAG_COMPRESSED, infinity, err);
    if (status != CUZK_OK || at_infinity) return status;
    if (!decode_flagged(&p.x.c1, in)) return refuse(err, "x.c1 is not below p");
    if (!fp_from_bytes(&p.x.c0, in + 48)) return refuse(err, "x.c0 is not below p");
    if (!g2_y_from_x_var(&p.y, &p.x)) return refuse(err, "not on the curve");
    if (fp2_is_larger(&p.y) != ((in[0] & FLAG_LARGER) != 0)) fp2_neg(&p.y, &p.y);
    status = check_g2(&p, true, check, err);
    if (status == CUZK_OK) *out = p;
    return status;
}
