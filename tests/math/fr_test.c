#include "math/big.h"
#include "math/random.h"
#include "test.h"

#define FIELD(name) fr_##name
#define FIELD_LIMBS 4
#define FIELD_MODULUS FR_MODULUS
#define FIELD_ONE FR_ONE
#define FIELD_ZERO FR_ZERO
#include "math/field_cases.h"

static void fr_dot__matches_sum_of_products(void **state)
{
    (void)state;
    FIELD(t) s[SAMPLES];
    samples(s);
    for (size_t n = 0; n <= 16; n++) {
        for (size_t at = 0; at + 2 * n <= SAMPLES; at += 9) {
            fr_t expected = FR_ZERO, product, x;
            for (size_t i = 0; i < n; i++) {
                fr_mul(&product, &s[at + i], &s[at + n + i]);
                fr_add(&expected, &expected, &product);
            }
            fr_dot(&x, &s[at], &s[at + n], n);
            assert_true(fr_equal(&x, &expected));
        }
    }
    /* The largest possible sum: Montgomery forms r − 1. */
    fr_t a[16], expected, x;
    for (int i = 0; i < 16; i++) {
        memcpy(a[i].l, FR_MODULUS, sizeof a[i].l);
        a[i].l[0]--;
    }
    for (size_t n = 1; n <= 16; n++) {
        fr_t product;
        fr_mul(&product, &a[0], &a[0]);
        fr_from_u64(&expected, n);
        fr_mul(&expected, &expected, &product);
        fr_dot(&x, a, a, n);
        assert_true(fr_equal(&x, &expected));
    }
    fr_t in_place[2] = { s[30], s[31] };
    fr_dot(&x, in_place, &s[40], 2);
    fr_dot(&in_place[0], in_place, &s[40], 2);
    assert_true(fr_equal(&x, &in_place[0]));
}

static void fr_from_bytes_reduced__takes_any_256_bits(void **state)
{
    (void)state;
    uint8_t bytes[32];
    uint64_t limbs[4];
    struct random random = { 4 };
    fr_t x;
    for (int k = 0; k < 60; k++) {
        for (int i = 0; i < 4; i++) limbs[i] = k == 0 ? UINT64_MAX : random_limb(&random);
        if (k == 1) memcpy(limbs, FR_MODULUS, sizeof limbs);
        for (int i = 0; i < 32; i++) bytes[i] = (uint8_t)(limbs[i / 8] >> 8 * (i % 8));
        fr_from_bytes_reduced(&x, bytes);
        check(big_mod(big_from_limbs(limbs, 4), modulus()), &x);
    }
}

static void fr_from_i64__negative_numbers_wrap(void **state)
{
    (void)state;
    const int64_t values[] = { 0, 1, -1, 7, -7, INT64_MAX, INT64_MIN };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        fr_t x, magnitude;
        fr_from_i64(&x, values[i]);
        fr_from_u64(&magnitude, values[i] < 0 ? 0 - (uint64_t)values[i] : (uint64_t)values[i]);
        if (values[i] < 0) {
            fr_add(&x, &x, &magnitude);
            assert_true(fr_is_zero(&x));
        } else {
            assert_true(fr_equal(&x, &magnitude));
        }
    }
}

static void fr_to_bytes__is_little_endian(void **state)
{
    (void)state;
    fr_t x;
    uint8_t bytes[32];
    fr_from_u64(&x, 0x0102);
    fr_to_bytes(bytes, &x);
    assert_int_equal(bytes[0], 2);
    assert_int_equal(bytes[1], 1);
    for (int i = 2; i < 32; i++) assert_int_equal(bytes[i], 0);
}

/* 7 generates the multiplicative group; its power (r−1)/2^32 is the published root of unity (spec §6). */
static void fr_pow__published_root_of_unity(void **state)
{
    (void)state;
    const uint64_t e[4] = { 0xfffe5bfeffffffff, 0x09a1d80553bda402, 0x299d7d483339d808, 0x73eda753 };
    const uint64_t root[4] = { 0x3829971f439f0d2b, 0xb63683508c2280b9, 0xd09b681922c813b4, 0x16a2a19edfe81f20 };
    fr_t x, expected;
    fr_from_u64(&x, 7);
    fr_pow_var(&x, &x, e, 4);
    assert_true(fr_from_limbs(&expected, root));
    assert_true(fr_equal(&x, &expected));
    fr_pow_u64_var(&x, &x, (uint64_t)1 << 31);
    fr_add(&x, &x, &FR_ONE); /* of order exactly 2^32 */
    assert_true(fr_is_zero(&x));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FIELD_TESTS,
        test(fr_dot__matches_sum_of_products),
        test(fr_from_bytes_reduced__takes_any_256_bits),
        test(fr_from_i64__negative_numbers_wrap),
        test(fr_to_bytes__is_little_endian),
        test(fr_pow__published_root_of_unity),
    };
    return run_tests(tests);
}
