/* The device's products in Fp and Fr, against src/math, on the host. */
#include "device_field.h"

#include "math/random.h"
#include "test.h"

#include <string.h>

enum { RANDOM_PRODUCTS = 50000 };

static void fp_value(fp_t *out, const char *name)
{
    memset(out, 0, sizeof *out);
    if (strcmp(name, "1") == 0) out->l[0] = 1;
    if (strcmp(name, "one") == 0) *out = FP_ONE;
    if (strcmp(name, "p - 1") == 0) memcpy(out, FP_MODULUS, sizeof *out), out->l[0]--;
    if (strcmp(name, "p - 2") == 0) memcpy(out, FP_MODULUS, sizeof *out), out->l[0] -= 2;
    if (strcmp(name, "ones") == 0) {
        memset(out, 0xff, sizeof *out);
        out->l[5] = FP_MODULUS[5] - 1;
    }
    if (strcmp(name, "high") == 0) out->l[5] = FP_MODULUS[5];
}

static const char *const VALUES[] = { "0", "1", "one", "p - 1", "p - 2", "ones", "high" };
enum { VALUE_COUNT = sizeof VALUES / sizeof *VALUES };

static void check_fp(const struct device_product *p, const fp_t *a, const fp_t *b)
{
    fp_t expected, actual;
    fp_mul(&expected, a, p->square ? a : b);
    p->multiply((uint32_t *)actual.l, (const uint32_t *)a->l, (const uint32_t *)b->l);
    if (memcmp(&expected, &actual, sizeof expected) != 0) fail_msg("%s", p->name);
}

static void fp_products__match_math(void **state)
{
    (void)state;
    struct random random = { 7 };
    fp_t edge[VALUE_COUNT];
    for (int i = 0; i < VALUE_COUNT; i++) fp_value(&edge[i], VALUES[i]);
    for (size_t k = 0; k < DEVICE_FP_PRODUCT_COUNT; k++) {
        const struct device_product *p = &DEVICE_FP_PRODUCTS[k];
        for (int i = 0; i < VALUE_COUNT; i++)
            for (int j = 0; j < VALUE_COUNT; j++) check_fp(p, &edge[i], &edge[j]);
        for (int i = 0; i < RANDOM_PRODUCTS; i++) {
            fp_t a = fp_random(&random), b = fp_random(&random);
            check_fp(p, &a, &b);
            check_fp(p, &a, &edge[i % VALUE_COUNT]);
        }
    }
}

static void add_prime(fp_t *a)
{
    unsigned __int128 carry = 0;
    for (int i = 0; i < 6; i++) {
        carry += (unsigned __int128)a->l[i] + FP_MODULUS[i];
        a->l[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

static void fp_products__take_unreduced_factors(void **state)
{
    (void)state;
    struct random random = { 8 };
    fp_t edge[VALUE_COUNT];
    for (int i = 0; i < VALUE_COUNT; i++) fp_value(&edge[i], VALUES[i]);
    for (size_t k = 0; k < DEVICE_FP_PRODUCT_COUNT; k++) {
        const struct device_product *p = &DEVICE_FP_PRODUCTS[k];
        for (int i = 0; i < RANDOM_PRODUCTS; i++) {
            fp_t a = i % 8 == 0 ? edge[i / 8 % VALUE_COUNT] : fp_random(&random);
            fp_t b = i % 8 < 2 ? edge[i / 64 % VALUE_COUNT] : fp_random(&random), expected, actual;
            fp_mul(&expected, &a, p->square ? &a : &b);
            add_prime(&a);
            add_prime(&b);
            p->multiply((uint32_t *)actual.l, (const uint32_t *)a.l, (const uint32_t *)b.l);
            if (memcmp(&expected, &actual, sizeof expected) != 0) fail_msg("%s", p->name);
        }
    }
}

static void fr_products__match_math(void **state)
{
    (void)state;
    struct random random = { 9 };
    fr_t edge[4] = { FR_ZERO, FR_ONE, FR_ONE, FR_ZERO };
    edge[2].l[0] = 1, edge[2].l[1] = edge[2].l[2] = edge[2].l[3] = 0;
    fr_neg(&edge[3], &edge[2]);
    for (int i = 0; i < RANDOM_PRODUCTS; i++) {
        fr_t a = i % 8 < 4 ? edge[i % 4] : fr_random(&random), expected, actual;
        fr_t b = i % 32 < 16 ? edge[i % 16 / 4] : fr_random(&random);
        fr_mul(&expected, &a, &b);
        device_fr_mul((uint32_t *)actual.l, (const uint32_t *)a.l, (const uint32_t *)b.l);
        assert_memory_equal(&expected, &actual, sizeof expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(fp_products__match_math),
        test(fp_products__take_unreduced_factors),
        test(fr_products__match_math),
    };
    return run_tests(tests);
}
