/* The device's multiples of the generators, bytes of the parameter file included, against src/math, on the host. */
#include "device_multiples.h"

#include "math/point_codec.h"
#include "math/random.h"
#include "test.h"

enum { COUNT = 70 };

/* 5 divides 255, so that the last window has a whole digit and a carry; 8 is what large tables are made from. */
static const uint32_t BITS[] = { 5, 8, 9 };

static void fill_scalars(fr_t *k)
{
    struct random random = { 11 };
    fr_t minus_one;
    fr_neg(&minus_one, &FR_ONE);
    for (int i = 0; i < COUNT; i++) {
        k[i] = fr_random(&random);
        if (i % 7 == 1) k[i] = FR_ZERO; /* neighbours of an inversion's group, and whole groups below */
        if (i % 7 == 2) k[i] = minus_one;
        if (i % 7 == 3) fr_from_i64(&k[i], i % 17 - 8);
    }
}

#define MULTIPLES_TEST(g, G)                                                                                         \
    static void check_##g(const fr_t *k, size_t n, uint32_t bits)                                                    \
    {                                                                                                                \
        static _Alignas(16) uint8_t actual[COUNT * G##_BYTES];                                                       \
        device_multiples_##g(actual, &G##_GENERATOR, k, n, bits);                                                    \
        for (size_t i = 0; i < n; i++) {                                                                             \
            uint8_t expected[G##_BYTES];                                                                             \
            g##_affine_t affine;                                                                                     \
            g##_t p;                                                                                                 \
            g##_from_affine(&p, &G##_GENERATOR);                                                                     \
            g##_mul_fr_var(&p, &p, &k[i]);                                                                           \
            g##_to_affine_var(&affine, &p);                                                                          \
            g##_encode(expected, &affine);                                                                           \
            if (memcmp(expected, actual + i * G##_BYTES, G##_BYTES) != 0) {                                          \
                fail_msg("multiple %zu of %zu, windows of %u bits", i, n, bits);                                     \
            }                                                                                                        \
        }                                                                                                            \
    }                                                                                                                \
    static void g##_multiples__match_math(void **state)                                                              \
    {                                                                                                                \
        (void)state;                                                                                                 \
        fr_t k[COUNT], zeros[COUNT] = { FR_ZERO };                                                                   \
        fill_scalars(k);                                                                                             \
        for (size_t b = 0; b < sizeof BITS / sizeof *BITS; b++) {                                                    \
            check_##g(k, COUNT, BITS[b]);                                                                            \
            check_##g(k, 1, BITS[b]);                                                                                \
            check_##g(zeros, 33, BITS[b]);                                                                           \
        }                                                                                                            \
    }

MULTIPLES_TEST(g1, G1)
MULTIPLES_TEST(g2, G2)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(g1_multiples__match_math),
        cmocka_unit_test(g2_multiples__match_math),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
