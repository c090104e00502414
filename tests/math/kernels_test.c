#include "math/cpu.h"
#include "math/kernels.h"
#include "math/random.h"
#include "test.h"

#include <stdlib.h>

/* Every version of an operation against the portable one, byte for byte. */

#define SAMPLES 64

/* Montgomery forms at the edges (0, 1, p−1, p−2, all low limbs set or clear) and random ones. */
static void fp_samples(fp_t out[SAMPLES])
{
    struct random random = { 81 };
    memset(out, 0, 8 * sizeof out[0]);
    out[1].l[0] = 1;
    memcpy(out[2].l, FP_MODULUS, sizeof out[2].l);
    out[2].l[0] -= 1;
    memcpy(out[3].l, FP_MODULUS, sizeof out[3].l);
    out[3].l[0] -= 2;
    memset(out[4].l, 0xff, 5 * sizeof out[4].l[0]);
    out[4].l[5] = FP_MODULUS[5] - 1;
    out[5].l[5] = FP_MODULUS[5];
    out[6] = FP_ONE;
    out[7].l[3] = UINT64_MAX;
    for (int i = 8; i < SAMPLES; i++) out[i] = fp_random(&random);
}

static void fr_samples(fr_t out[SAMPLES])
{
    struct random random = { 82 };
    memset(out, 0, 8 * sizeof out[0]);
    out[1].l[0] = 1;
    memcpy(out[2].l, FR_MODULUS, sizeof out[2].l);
    out[2].l[0] -= 1;
    memcpy(out[3].l, FR_MODULUS, sizeof out[3].l);
    out[3].l[0] -= 2;
    memset(out[4].l, 0xff, 3 * sizeof out[4].l[0]);
    out[4].l[3] = FR_MODULUS[3] - 1;
    out[5].l[3] = FR_MODULUS[3];
    out[6] = FR_ONE;
    out[7].l[2] = UINT64_MAX;
    for (int i = 8; i < SAMPLES; i++) out[i] = fr_random(&random);
}

static void fp_kernels__match_portable(void **state)
{
    (void)state;
    fp_t s[SAMPLES], x, y;
    fp_samples(s);
    for (int i = 0; i < SAMPLES; i++) {
        fp_sqr_portable(&x, &s[i]);
        y = s[i];
        fp_sqr(&y, &y);
        assert_memory_equal(&x, &y, sizeof x);
        for (int j = 0; j < SAMPLES; j++) {
            fp_mul_portable(&x, &s[i], &s[j]);
            fp_mul(&y, &s[i], &s[j]);
            assert_memory_equal(&x, &y, sizeof x);
            fp_add_portable(&x, &s[i], &s[j]);
            fp_add(&y, &s[i], &s[j]);
            assert_memory_equal(&x, &y, sizeof x);
            fp_sub_portable(&x, &s[i], &s[j]);
            fp_sub(&y, &s[i], &s[j]);
            assert_memory_equal(&x, &y, sizeof x);
        }
    }
}

static void fp2_kernels__match_portable(void **state)
{
    (void)state;
    fp_t s[SAMPLES];
    struct random random = { 83 };
    fp_samples(s);
    for (int i = 0; i < 6000; i++) {
        /* All combinations of edges, then random ones. */
        fp2_t a = { s[i % 8], s[i / 8 % 8] }, b = { s[i / 64 % 8], s[i / 512 % 8] }, x, y;
        if (i >= 4096) {
            a = (fp2_t){ s[random_u64(&random) % SAMPLES], s[random_u64(&random) % SAMPLES] };
            b = (fp2_t){ s[random_u64(&random) % SAMPLES], s[random_u64(&random) % SAMPLES] };
        }
        fp2_mul_portable(&x, &a, &b);
        y = a;
        fp2_mul(&y, &y, &b);
        assert_memory_equal(&x, &y, sizeof x);
        y = b;
        fp2_mul(&y, &a, &y);
        assert_memory_equal(&x, &y, sizeof x);
        fp2_sqr_portable(&x, &a);
        y = a;
        fp2_sqr(&y, &y);
        assert_memory_equal(&x, &y, sizeof x);
        fp2_add_portable(&x, &a, &b);
        fp2_add(&y, &a, &b);
        assert_memory_equal(&x, &y, sizeof x);
        fp2_sub_portable(&x, &a, &b);
        y = b;
        fp2_sub(&y, &a, &y);
        assert_memory_equal(&x, &y, sizeof x);
    }
}

static void fr_kernels__match_portable(void **state)
{
    (void)state;
    fr_t s[SAMPLES], x, y;
    fr_samples(s);
    for (int i = 0; i < SAMPLES; i++) {
        fr_sqr_portable(&x, &s[i]);
        y = s[i];
        fr_sqr(&y, &y);
        assert_memory_equal(&x, &y, sizeof x);
        for (int j = 0; j < SAMPLES; j++) {
            fr_mul_portable(&x, &s[i], &s[j]);
            fr_mul(&y, &s[i], &s[j]);
            assert_memory_equal(&x, &y, sizeof x);
            fr_add_portable(&x, &s[i], &s[j]);
            fr_add(&y, &s[i], &s[j]);
            assert_memory_equal(&x, &y, sizeof x);
            fr_sub_portable(&x, &s[i], &s[j]);
            fr_sub(&y, &s[i], &s[j]);
            assert_memory_equal(&x, &y, sizeof x);
        }
    }
}

static void fr_dot_unreduced__matches_portable(void **state)
{
    (void)state;
    fr_t s[SAMPLES], largest[16];
    uint64_t x[5], y[5];
    fr_samples(s);
    for (int i = 0; i < 16; i++) largest[i] = s[2];
    for (size_t n = 1; n <= 16; n++) {
        for (size_t at = 0; at + 2 * n <= SAMPLES; at++) {
            fr_dot_unreduced_portable(x, s + at, s + at + n, n);
            fr_dot_unreduced(y, s + at, s + at + n, n);
            assert_memory_equal(x, y, sizeof x);
        }
        fr_dot_unreduced_portable(x, largest, largest, n);
        fr_dot_unreduced(y, largest, largest, n);
        assert_memory_equal(x, y, sizeof x);
    }
}

static void cpu_level__environment_lowers_it(void **state)
{
    (void)state;
    const char *wanted = getenv("CUZK_CPU");
    if (wanted && strcmp(wanted, "portable") == 0) assert_int_equal(cpu_level(), CPU_PORTABLE);
    if (wanted && strcmp(wanted, "adx") == 0) assert_true(cpu_level() <= CPU_ADX);
    assert_string_equal(cpu_level_name(CPU_PORTABLE), "portable");
    assert_string_equal(cpu_level_name(CPU_AARCH64), "aarch64");
    assert_string_equal(cpu_level_name(CPU_ADX), "adx");
    assert_string_equal(cpu_level_name(CPU_IFMA), "ifma");
    print_message("level: %s\n", cpu_level_name(cpu_level()));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(fp_kernels__match_portable),
        test(fp2_kernels__match_portable),
        test(fr_kernels__match_portable),
        test(fr_dot_unreduced__matches_portable),
        test(cpu_level__environment_lowers_it),
    };
    return run_tests(tests);
}
