/* The laws of a prime field, once for Fr and once for Fp: the including test defines FIELD(name), FIELD_LIMBS,
 * FIELD_MODULUS, FIELD_ONE, FIELD_ZERO. Every operation is compared with schoolbook integers (big.h). */

static struct big modulus(void) { return big_from_limbs(FIELD_MODULUS, FIELD_LIMBS); }

static struct big value(const FIELD(t) *a)
{
    uint64_t limbs[FIELD_LIMBS];
    FIELD(to_limbs)(limbs, a);
    return big_from_limbs(limbs, FIELD_LIMBS);
}

static void check(struct big expected, const FIELD(t) *actual)
{
    struct big v = value(actual);
    assert_memory_equal(&expected, &v, sizeof v);
    assert_true(big_compare(big_from_limbs(actual->l, FIELD_LIMBS), modulus()) < 0);
}

#define SAMPLES 160

/* 0, 1, 2, p−1, p−2, (p±1)/2, powers of two and their neighbours, and random values. */
static void samples(FIELD(t) out[SAMPLES])
{
    struct random random = { 1 };
    size_t n = 0;
    struct big half = big_from_limbs(FIELD_MODULUS, FIELD_LIMBS), list[8];
    for (int i = 0; i < BIG_DIGITS; i++) {
        uint32_t above = i + 1 < BIG_DIGITS ? half.digit[i + 1] : 0;
        half.digit[i] = half.digit[i] >> 1 | above << 31;
    }
    list[0] = big_from_u64(0);
    list[1] = big_from_u64(1);
    list[2] = big_from_u64(2);
    list[3] = big_sub(modulus(), list[1]);
    list[4] = big_sub(modulus(), list[2]);
    list[5] = half;
    list[6] = big_add(half, list[1]);
    list[7] = big_from_u64(UINT64_MAX);
    for (int i = 0; i < 8; i++) {
        uint64_t limbs[FIELD_LIMBS];
        big_to_limbs(limbs, FIELD_LIMBS, list[i]);
        assert_true(FIELD(from_limbs)(&out[n], limbs));
        n++;
        memcpy(out[n++].l, limbs, sizeof limbs); /* the same as a Montgomery form */
    }
    for (int bit = 31; bit < 64 * FIELD_LIMBS - 8; bit += 32) {
        struct big power = big_shift_left(big_from_u64(1), bit);
        for (int k = 0; k < 2; k++) {
            uint64_t limbs[FIELD_LIMBS];
            big_to_limbs(limbs, FIELD_LIMBS, k ? big_sub(power, big_from_u64(1)) : power);
            assert_true(FIELD(from_limbs)(&out[n++], limbs));
        }
    }
    while (n < SAMPLES) out[n++] = FIELD(random)(&random);
}

static void field__add_sub_neg_match_integers(void **state)
{
    (void)state;
    FIELD(t) s[SAMPLES], x;
    samples(s);
    for (int i = 0; i < SAMPLES; i++) {
        struct big a = value(&s[i]);
        FIELD(neg)(&x, &s[i]);
        check(big_mod(big_sub(modulus(), a), modulus()), &x);
        FIELD(double)(&x, &s[i]);
        check(big_mod(big_add(a, a), modulus()), &x);
        for (int j = i % 7; j < SAMPLES; j += 7) {
            struct big b = value(&s[j]);
            FIELD(add)(&x, &s[i], &s[j]);
            check(big_mod(big_add(a, b), modulus()), &x);
            FIELD(sub)(&x, &s[i], &s[j]);
            check(big_mod(big_sub(big_add(a, modulus()), b), modulus()), &x);
        }
    }
}

static void field__mul_sqr_match_integers(void **state)
{
    (void)state;
    FIELD(t) s[SAMPLES], x;
    samples(s);
    for (int i = 0; i < SAMPLES; i++) {
        struct big a = value(&s[i]);
        FIELD(sqr)(&x, &s[i]);
        check(big_mod(big_mul(a, a), modulus()), &x);
        for (int j = i % 7; j < SAMPLES; j += 7) {
            FIELD(mul)(&x, &s[i], &s[j]);
            check(big_mod(big_mul(a, value(&s[j])), modulus()), &x);
        }
    }
}

static void field__output_may_be_any_input(void **state)
{
    (void)state;
    struct random random = { 2 };
    for (int i = 0; i < 20; i++) {
        FIELD(t) a = FIELD(random)(&random), b = FIELD(random)(&random), x, y;
        void (*const binary[])(FIELD(t) *, const FIELD(t) *, const FIELD(t) *) = { FIELD(add), FIELD(sub),
                                                                                   FIELD(mul) };
        for (int k = 0; k < 3; k++) {
            binary[k](&x, &a, &b);
            y = a;
            binary[k](&y, &y, &b);
            assert_true(FIELD(equal)(&x, &y));
            y = b;
            binary[k](&y, &a, &y);
            assert_true(FIELD(equal)(&x, &y));
            binary[k](&x, &a, &a);
            y = a;
            binary[k](&y, &y, &y);
            assert_true(FIELD(equal)(&x, &y));
        }
    }
}

static void field__conversions_round_trip_and_refuse_the_modulus(void **state)
{
    (void)state;
    FIELD(t) s[SAMPLES], x;
    uint64_t limbs[FIELD_LIMBS];
    uint8_t bytes[8 * FIELD_LIMBS];
    samples(s);
    for (int i = 0; i < SAMPLES; i++) {
        FIELD(to_limbs)(limbs, &s[i]);
        assert_true(FIELD(from_limbs)(&x, limbs));
        assert_true(FIELD(equal)(&x, &s[i]));
        FIELD(to_bytes)(bytes, &s[i]);
        assert_true(FIELD(from_bytes)(&x, bytes));
        assert_true(FIELD(equal)(&x, &s[i]));
    }
    /* p − 1 is the last that is accepted. */
    memcpy(limbs, FIELD_MODULUS, sizeof limbs);
    assert_false(FIELD(from_limbs)(&x, limbs));
    assert_true(FIELD(is_zero)(&x));
    limbs[0]--;
    assert_true(FIELD(from_limbs)(&x, limbs));
    FIELD(add)(&x, &x, &FIELD_ONE);
    assert_true(FIELD(is_zero)(&x));
    memset(limbs, 0xff, sizeof limbs);
    x = FIELD_ONE;
    assert_false(FIELD(from_limbs)(&x, limbs));
    assert_true(FIELD(is_zero)(&x));
    memset(bytes, 0xff, sizeof bytes);
    assert_false(FIELD(from_bytes)(&x, bytes));

    FIELD(from_u64)(&x, UINT64_MAX);
    check(big_from_u64(UINT64_MAX), &x);
    FIELD(from_u64)(&x, 1);
    assert_true(FIELD(is_one)(&x));
    assert_false(FIELD(is_one)(&FIELD_ZERO));
    assert_true(FIELD(is_zero)(&FIELD_ZERO));
    assert_false(FIELD(is_zero)(&FIELD_ONE));
}

static void field__inverse_times_value_is_one(void **state)
{
    (void)state;
    FIELD(t) s[SAMPLES], x, y;
    samples(s);
    for (int i = 0; i < SAMPLES; i++) {
        FIELD(inv_var)(&x, &s[i]);
        FIELD(mul)(&y, &x, &s[i]);
        if (FIELD(is_zero)(&s[i])) {
            assert_true(FIELD(is_zero)(&x));
        } else {
            assert_true(FIELD(is_one)(&y));
            check(value(&x), &x);
        }
        y = s[i];
        FIELD(inv_var)(&y, &y);
        assert_true(FIELD(equal)(&x, &y));
    }
}

static void field__batch_inverse_keeps_zeros(void **state)
{
    (void)state;
    FIELD(t) s[SAMPLES], a[SAMPLES], scratch[SAMPLES], x;
    samples(s);
    for (size_t n = 0; n <= 20; n++) {
        memcpy(a, s, n * sizeof a[0]);
        FIELD(batch_inv_var)(a, n, scratch);
        for (size_t i = 0; i < n; i++) {
            FIELD(inv_var)(&x, &s[i]);
            assert_true(FIELD(equal)(&x, &a[i]));
        }
    }
    memset(a, 0, sizeof a);
    FIELD(batch_inv_var)(a, 5, scratch);
    for (int i = 0; i < 5; i++) assert_true(FIELD(is_zero)(&a[i]));
}

static void field__powers_match_products(void **state)
{
    (void)state;
    struct random random = { 3 };
    FIELD(t) a = FIELD(random)(&random), expected = FIELD_ONE, x;
    for (uint64_t e = 0; e < 70; e++) {
        FIELD(pow_var)(&x, &a, &e, 1);
        assert_true(FIELD(equal)(&x, &expected));
        FIELD(mul)(&expected, &expected, &a);
    }
    FIELD(pow_var)(&x, &a, NULL, 0);
    assert_true(FIELD(is_one)(&x));
    /* Fermat */
    uint64_t e[FIELD_LIMBS];
    memcpy(e, FIELD_MODULUS, sizeof e);
    x = a;
    FIELD(pow_var)(&x, &x, e, FIELD_LIMBS);
    assert_true(FIELD(equal)(&x, &a));
}

#define FIELD_TESTS                                                                                            \
    test(field__add_sub_neg_match_integers), test(field__mul_sqr_match_integers),                              \
        test(field__output_may_be_any_input), test(field__conversions_round_trip_and_refuse_the_modulus),      \
        test(field__inverse_times_value_is_one), test(field__batch_inverse_keeps_zeros),                       \
        test(field__powers_match_products)
