#include "math/big.h"
#include "math/fp_wide.h"
#include "math/random.h"
#include "test.h"

#define FIELD(name) fp_##name
#define FIELD_LIMBS 6
#define FIELD_MODULUS FP_MODULUS
#define FIELD_ONE FP_ONE
#define FIELD_ZERO FP_ZERO
#include "math/field_cases.h"

static void fp_sqrt__squares_have_roots_and_others_none(void **state)
{
    (void)state;
    FIELD(t) s[SAMPLES], square, root, negative;
    samples(s);
    for (int i = 0; i < SAMPLES; i++) {
        fp_sqr(&square, &s[i]);
        assert_true(fp_sqrt_var(&root, &square));
        fp_neg(&negative, &root);
        assert_true(fp_equal(&root, &s[i]) || fp_equal(&negative, &s[i]));
        /* −1 is not a square */
        fp_neg(&square, &square);
        assert_int_equal(fp_sqrt_var(&square, &square), fp_is_zero(&s[i]));
    }
}

static void fp_is_larger__splits_at_half(void **state)
{
    (void)state;
    FIELD(t) s[SAMPLES], negative, x;
    samples(s);
    assert_false(fp_is_larger(&FP_ZERO));
    for (int i = 0; i < SAMPLES; i++) {
        struct big twice = big_add(value(&s[i]), value(&s[i]));
        assert_int_equal(fp_is_larger(&s[i]), big_compare(twice, modulus()) > 0);
        fp_neg(&negative, &s[i]);
        if (!fp_is_zero(&s[i])) assert_true(fp_is_larger(&s[i]) != fp_is_larger(&negative));
    }
    fp_neg(&x, &FP_ONE);
    assert_true(fp_is_larger(&x));
}

static void fp_to_bytes__is_big_endian(void **state)
{
    (void)state;
    fp_t x;
    uint8_t bytes[48];
    fp_from_u64(&x, 0x0102);
    fp_to_bytes(bytes, &x);
    for (int i = 0; i < 46; i++) assert_int_equal(bytes[i], 0);
    assert_int_equal(bytes[46], 1);
    assert_int_equal(bytes[47], 2);
}

/* a/2^384 mod p of any a below p·2^384 */
static void check_reduction(const fp_wide_t *a)
{
    fp_t x;
    fp_reduce_wide(&x, a);
    struct big r = big_shift_left(big_from_limbs(x.l, 6), 384);
    struct big t = big_mod(r, modulus()), expected = big_mod(big_from_limbs(a->l, 12), modulus());
    assert_memory_equal(&t, &expected, sizeof t);
    assert_true(big_compare(big_from_limbs(x.l, 6), modulus()) < 0);
}

static void fp_wide__products_sums_and_reduction(void **state)
{
    (void)state;
    FIELD(t) s[SAMPLES];
    struct big limit = big_shift_left(modulus(), 384);
    samples(s);
    for (int i = 0; i < SAMPLES; i++) {
        for (int j = i % 23; j < SAMPLES; j += 23) {
            fp_wide_t product, other, x;
            fp_mul_wide(&product, &s[i], &s[j]);
            struct big a = big_from_limbs(s[i].l, 6), b = big_from_limbs(s[j].l, 6);
            struct big ab = big_mul(a, b), actual = big_from_limbs(product.l, 12);
            assert_memory_equal(&ab, &actual, sizeof ab);
            check_reduction(&product);

            fp_mul_wide(&other, &s[j], &s[(i + 1) % SAMPLES]);
            struct big c = big_from_limbs(other.l, 12);
            fp_wide_sub(&x, &product, &other);
            struct big expected = big_mod(big_sub(big_add(ab, limit), c), limit);
            actual = big_from_limbs(x.l, 12);
            assert_memory_equal(&expected, &actual, sizeof actual);
            check_reduction(&x);
            fp_wide_add(&x, &product, &other);
            expected = big_add(ab, c);
            actual = big_from_limbs(x.l, 12);
            assert_memory_equal(&expected, &actual, sizeof actual);
            fp_wide_sub_unreduced(&x, &x, &other);
            assert_memory_equal(&x, &product, sizeof x);
        }
    }
    fp_wide_t largest;
    big_to_limbs(largest.l, 12, big_sub(limit, big_from_u64(1)));
    check_reduction(&largest);
    fp_t full, one;
    memset(&full, 0xff, sizeof full);
    fp_mul_wide(&largest, &full, &full); /* (2^384 − 1)^2: any factors of six limbs */
    struct big f = big_from_limbs(full.l, 6), square = big_mul(f, f);
    struct big actual = big_from_limbs(largest.l, 12);
    assert_memory_equal(&square, &actual, sizeof actual);
    memset(&one, 0, sizeof one);
    one.l[0] = 1;
    fp_add_unreduced(&full, &s[3], &one);
    struct big expected = big_add(big_from_limbs(s[3].l, 6), big_from_u64(1));
    actual = big_from_limbs(full.l, 6);
    assert_memory_equal(&expected, &actual, sizeof actual);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FIELD_TESTS,
        test(fp_sqrt__squares_have_roots_and_others_none),
        test(fp_is_larger__splits_at_half),
        test(fp_to_bytes__is_big_endian),
        test(fp_wide__products_sums_and_reduction),
    };
    return run_tests(tests);
}
