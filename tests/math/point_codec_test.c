#include "base/bytes.h"
#include "math/point_codec.h"
#include "math/random.h"
#include "test.h"

/* Published encodings of the generators (draft-irtf-cfrg-pairing-friendly-curves, §4.2.1). */
static const char G1_X[] = "17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb";
static const char G1_Y[] = "08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1";
static const char G2_X1[] = "13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e";
static const char G2_X0[] = "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8";
static const char G2_Y1[] = "0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff05f79be";
static const char G2_Y0[] = "0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608b82801";

/* p as a coordinate: the first value that is not below p. */
static const char P[] = "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab";

static void put(uint8_t out[48], const char *hex) { assert_true(hex_decode(out, 48, hex, 96)); }

static void codec__published_generators(void **state)
{
    (void)state;
    uint8_t expected[G2_BYTES], bytes[G2_BYTES];
    g1_affine_t p;
    g2_affine_t q;
    put(expected, G1_X);
    put(expected + 48, G1_Y);
    g1_encode(bytes, &G1_GENERATOR);
    assert_memory_equal(bytes, expected, G1_BYTES);
    assert_int_equal(g1_decode(&p, bytes, POINT_CHECK_SUBGROUP, POINT_INFINITY_REFUSED, NULL), CUZK_OK);
    assert_true(g1_affine_equal(&p, &G1_GENERATOR));
    expected[0] |= 0x80; /* the smaller y */
    g1_encode_compressed(bytes, &G1_GENERATOR);
    assert_memory_equal(bytes, expected, G1_COMPRESSED_BYTES);

    put(expected, G2_X1);
    put(expected + 48, G2_X0);
    put(expected + 96, G2_Y1);
    put(expected + 144, G2_Y0);
    g2_encode(bytes, &G2_GENERATOR);
    assert_memory_equal(bytes, expected, G2_BYTES);
    assert_int_equal(g2_decode(&q, bytes, POINT_CHECK_SUBGROUP, POINT_INFINITY_REFUSED, NULL), CUZK_OK);
    assert_true(g2_affine_equal(&q, &G2_GENERATOR));
    expected[0] |= 0x80;
    g2_encode_compressed(bytes, &G2_GENERATOR);
    assert_memory_equal(bytes, expected, G2_COMPRESSED_BYTES);
}

static void check_g1(const g1_affine_t *p)
{
    uint8_t bytes[G1_BYTES], again[G1_BYTES];
    g1_affine_t q = G1_GENERATOR;
    g1_encode(bytes, p);
    assert_int_equal(g1_decode(&q, bytes, POINT_CHECK_SUBGROUP, POINT_INFINITY_ALLOWED, NULL), CUZK_OK);
    assert_true(g1_affine_equal(&q, p));
    g1_encode(again, &q);
    assert_memory_equal(bytes, again, sizeof again);
    q = G1_GENERATOR;
    g1_encode_compressed(bytes, p);
    assert_int_equal(g1_decode_compressed(&q, bytes, POINT_CHECK_SUBGROUP, POINT_INFINITY_ALLOWED, NULL), CUZK_OK);
    assert_true(g1_affine_equal(&q, p));
    g1_encode_compressed(again, &q);
    assert_memory_equal(bytes, again, G1_COMPRESSED_BYTES);
}

static void check_g2(const g2_affine_t *p)
{
    uint8_t bytes[G2_BYTES], again[G2_BYTES];
    g2_affine_t q = G2_GENERATOR;
    g2_encode(bytes, p);
    assert_int_equal(g2_decode(&q, bytes, POINT_CHECK_SUBGROUP, POINT_INFINITY_ALLOWED, NULL), CUZK_OK);
    assert_true(g2_affine_equal(&q, p));
    g2_encode(again, &q);
    assert_memory_equal(bytes, again, sizeof again);
    q = G2_GENERATOR;
    g2_encode_compressed(bytes, p);
    assert_int_equal(g2_decode_compressed(&q, bytes, POINT_CHECK_SUBGROUP, POINT_INFINITY_ALLOWED, NULL), CUZK_OK);
    assert_true(g2_affine_equal(&q, p));
    g2_encode_compressed(again, &q);
    assert_memory_equal(bytes, again, G2_COMPRESSED_BYTES);
}

static void codec__round_trips(void **state)
{
    (void)state;
    struct random random = { 51 };
    check_g1(&G1_AFFINE_INFINITY);
    check_g2(&G2_AFFINE_INFINITY);
    for (int i = 0; i < 12; i++) {
        fr_t k = fr_random(&random);
        g1_t p;
        g2_t q;
        g1_affine_t a;
        g2_affine_t b;
        g1_from_affine(&p, &G1_GENERATOR);
        g1_mul_fr_var(&p, &p, &k);
        g1_to_affine_var(&a, &p);
        check_g1(&a);
        g1_affine_neg(&a, &a);
        check_g1(&a);
        g2_from_affine(&q, &G2_GENERATOR);
        g2_mul_fr_var(&q, &q, &k);
        g2_to_affine_var(&b, &q);
        check_g2(&b);
        g2_affine_neg(&b, &b);
        check_g2(&b);
    }
}

static void codec__infinity_has_one_encoding(void **state)
{
    (void)state;
    uint8_t bytes[G2_BYTES], expected[G2_BYTES] = { 0x40 };
    g1_encode(bytes, &G1_AFFINE_INFINITY);
    assert_memory_equal(bytes, expected, G1_BYTES);
    g2_encode(bytes, &G2_AFFINE_INFINITY);
    assert_memory_equal(bytes, expected, G2_BYTES);
    expected[0] = 0xc0;
    g1_encode_compressed(bytes, &G1_AFFINE_INFINITY);
    assert_memory_equal(bytes, expected, G1_COMPRESSED_BYTES);
    g2_encode_compressed(bytes, &G2_AFFINE_INFINITY);
    assert_memory_equal(bytes, expected, G2_COMPRESSED_BYTES);
}

/* Which of the four decoders: bytes come in, the detail goes out. */
enum form { G1_PLAIN, G1_SHORT, G2_PLAIN, G2_SHORT };

static void refuses(enum form form, const uint8_t *bytes, enum point_check check, const char *detail)
{
    cuzk_error err = { "" };
    cuzk_status status = CUZK_OK;
    enum point_infinity infinity = strcmp(detail, "point at infinity") ? POINT_INFINITY_ALLOWED
                                                                       : POINT_INFINITY_REFUSED;
    g1_affine_t p = G1_GENERATOR;
    g2_affine_t q = G2_GENERATOR;
    switch (form) {
    case G1_PLAIN: status = g1_decode(&p, bytes, check, infinity, &err); break;
    case G1_SHORT: status = g1_decode_compressed(&p, bytes, check, infinity, &err); break;
    case G2_PLAIN: status = g2_decode(&q, bytes, check, infinity, &err); break;
    case G2_SHORT: status = g2_decode_compressed(&q, bytes, check, infinity, &err); break;
    }
    assert_int_equal(status, CUZK_ERR_DATA);
    assert_string_equal(err.detail, detail);
    assert_true(form < G2_PLAIN ? g1_affine_is_infinity(&p) : g2_affine_is_infinity(&q));
}

static void codec__refuses_wrong_flags(void **state)
{
    (void)state;
    uint8_t bytes[G2_BYTES];
    const size_t sizes[] = { G1_BYTES, G1_COMPRESSED_BYTES, G2_BYTES, G2_COMPRESSED_BYTES };
    for (int form = G1_PLAIN; form <= G2_SHORT; form++) {
        bool compressed = form == G1_SHORT || form == G2_SHORT;
        uint8_t flag = compressed ? 0x80 : 0;
        switch (form) {
        case G1_PLAIN: g1_encode(bytes, &G1_GENERATOR); break;
        case G1_SHORT: g1_encode_compressed(bytes, &G1_GENERATOR); break;
        case G2_PLAIN: g2_encode(bytes, &G2_GENERATOR); break;
        case G2_SHORT: g2_encode_compressed(bytes, &G2_GENERATOR); break;
        }
        bytes[0] ^= 0x80;
        refuses((enum form)form, bytes, POINT_CHECK_ENCODING,
                compressed ? "the point is not compressed" : "the point is compressed");
        bytes[0] ^= 0x80 | 0x40;
        refuses((enum form)form, bytes, POINT_CHECK_ENCODING, "bits are set beside the infinity flag");
        bytes[0] ^= 0x40 | 0x20;
        if (!compressed) {
            refuses((enum form)form, bytes, POINT_CHECK_ENCODING,
                    "the sign flag is set in an uncompressed point");
        }
        memset(bytes, 0, sizeof bytes);
        bytes[0] = flag | 0x40;
        refuses((enum form)form, bytes, POINT_CHECK_ENCODING, "point at infinity");
        bytes[0] = flag | 0x60;
        refuses((enum form)form, bytes, POINT_CHECK_ENCODING, "bits are set beside the infinity flag");
        bytes[0] = flag | 0x40;
        bytes[sizes[form] - 1] = 1;
        refuses((enum form)form, bytes, POINT_CHECK_ENCODING, "bits are set beside the infinity flag");
    }
    memset(bytes, 0, sizeof bytes); /* the inner form of infinity is no encoding of anything */
    refuses(G1_PLAIN, bytes, POINT_CHECK_ENCODING, "not on the curve");
    refuses(G2_PLAIN, bytes, POINT_CHECK_ENCODING, "not on the curve");
}

static void codec__refuses_coordinates_that_are_not_reduced(void **state)
{
    (void)state;
    uint8_t bytes[G2_BYTES], p[48];
    put(p, P);
    const char *g1_names[] = { "x is not below p", "y is not below p" };
    const char *g2_names[] = { "x.c1 is not below p", "x.c0 is not below p", "y.c1 is not below p",
                               "y.c0 is not below p" };
    for (int i = 0; i < 2; i++) {
        g1_encode(bytes, &G1_GENERATOR);
        memcpy(bytes + 48 * i, p, 48);
        refuses(G1_PLAIN, bytes, POINT_CHECK_ENCODING, g1_names[i]);
        memset(bytes + 48 * i, 0xff, 48);
        bytes[0] &= 0x1f;
        refuses(G1_PLAIN, bytes, POINT_CHECK_ENCODING, g1_names[i]);
    }
    for (int i = 0; i < 4; i++) {
        g2_encode(bytes, &G2_GENERATOR);
        memcpy(bytes + 48 * i, p, 48);
        refuses(G2_PLAIN, bytes, POINT_CHECK_ENCODING, g2_names[i]);
    }
    memcpy(bytes, p, 48);
    bytes[0] |= 0x80;
    refuses(G1_SHORT, bytes, POINT_CHECK_ENCODING, "x is not below p");
    refuses(G2_SHORT, bytes, POINT_CHECK_ENCODING, "x.c1 is not below p");
    g2_encode_compressed(bytes, &G2_GENERATOR);
    memcpy(bytes + 48, p, 48);
    refuses(G2_SHORT, bytes, POINT_CHECK_ENCODING, "x.c0 is not below p");
    /* p − 1 is a coordinate, only not of a point of the curve */
    p[47]--;
    g1_affine_t q;
    g1_encode(bytes, &G1_GENERATOR);
    memcpy(bytes, p, 48);
    assert_int_equal(g1_decode(&q, bytes, POINT_CHECK_ENCODING, POINT_INFINITY_REFUSED, NULL), CUZK_OK);
    refuses(G1_PLAIN, bytes, POINT_CHECK_CURVE, "not on the curve");
}

static void codec__refuses_points_off_the_curve_and_outside_the_subgroup(void **state)
{
    (void)state;
    struct random random = { 52 };
    uint8_t bytes[G2_BYTES];
    int off = 0;
    for (int i = 0; i < 16; i++) {
        g1_affine_t p = { fp_random(&random), fp_random(&random) }, a;
        g2_affine_t q = { fp2_random(&random), fp2_random(&random) }, b;
        g1_encode(bytes, &p);
        assert_int_equal(g1_decode(&a, bytes, POINT_CHECK_ENCODING, POINT_INFINITY_REFUSED, NULL), CUZK_OK);
        refuses(G1_PLAIN, bytes, POINT_CHECK_CURVE, "not on the curve");
        refuses(G1_PLAIN, bytes, POINT_CHECK_SUBGROUP, "not on the curve");
        g1_encode_compressed(bytes, &p);
        if (g1_y_from_x_var(&p.y, &p.x)) {
            assert_int_equal(g1_decode_compressed(&a, bytes, POINT_CHECK_CURVE, POINT_INFINITY_REFUSED, NULL),
                             CUZK_OK);
            refuses(G1_SHORT, bytes, POINT_CHECK_SUBGROUP, "not in the subgroup");
            g1_encode(bytes, &p);
            assert_int_equal(g1_decode(&a, bytes, POINT_CHECK_CURVE, POINT_INFINITY_REFUSED, NULL), CUZK_OK);
            refuses(G1_PLAIN, bytes, POINT_CHECK_SUBGROUP, "not in the subgroup");
        } else {
            refuses(G1_SHORT, bytes, POINT_CHECK_ENCODING, "not on the curve");
            off++;
        }
        g2_encode(bytes, &q);
        assert_int_equal(g2_decode(&b, bytes, POINT_CHECK_ENCODING, POINT_INFINITY_REFUSED, NULL), CUZK_OK);
        refuses(G2_PLAIN, bytes, POINT_CHECK_CURVE, "not on the curve");
        g2_encode_compressed(bytes, &q);
        if (g2_y_from_x_var(&q.y, &q.x)) {
            assert_int_equal(g2_decode_compressed(&b, bytes, POINT_CHECK_CURVE, POINT_INFINITY_REFUSED, NULL),
                             CUZK_OK);
            refuses(G2_SHORT, bytes, POINT_CHECK_SUBGROUP, "not in the subgroup");
            g2_encode(bytes, &q);
            refuses(G2_PLAIN, bytes, POINT_CHECK_SUBGROUP, "not in the subgroup");
        } else {
            refuses(G2_SHORT, bytes, POINT_CHECK_ENCODING, "not on the curve");
            off++;
        }
    }
    assert_in_range(off, 4, 28); /* both branches were taken */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(codec__published_generators),
        test(codec__round_trips),
        test(codec__infinity_has_one_encoding),
        test(codec__refuses_wrong_flags),
        test(codec__refuses_coordinates_that_are_not_reduced),
        test(codec__refuses_points_off_the_curve_and_outside_the_subgroup),
    };
    return run_tests(tests);
}
