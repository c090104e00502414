/* The Feistel permutation is a permutation; its values are pinned by the label vectors
 * (tests/vanilla). */
#include "hash/feistel.h"

#include "test.h"

#include <string.h>

static const uint64_t keys[FEISTEL_ROUNDS] = { 1, 2, UINT64_C(0xdeadbeefcafe) };

static void feistel__visits_every_element_once(void **state)
{
    (void)state;
    for (uint64_t count = 1; count <= 70; count++) {
        struct feistel f;
        uint8_t seen[70] = { 0 };
        feistel_init(&f, count, keys);
        for (uint64_t i = 0; i < count; i++) {
            uint64_t p = feistel_permute(&f, i);
            assert_true(p < count);
            assert_int_equal(seen[p]++, 0);
        }
    }
}

static void feistel_init__takes_the_smallest_power_of_four(void **state)
{
    (void)state;
    static const struct {
        uint64_t count;
        unsigned half_bits;
    } cases[] = {
        { 1, 1 },
        { 4, 1 },
        { 5, 2 },
        { 16, 2 },
        { 17, 3 },
        { 512, 5 },
        { UINT64_C(1) << 33, 17 },
        { UINT64_C(1) << 34, 17 },
        { (UINT64_C(1) << 34) + 1, 18 },
        { UINT64_C(1) << 62, 31 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct feistel f;
        feistel_init(&f, cases[i].count, keys);
        assert_int_equal(f.half_bits, cases[i].half_bits);
        assert_true(feistel_permute(&f, cases[i].count - 1) < cases[i].count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(feistel__visits_every_element_once),
        test(feistel_init__takes_the_smallest_power_of_four),
    };
    return run_tests(tests);
}
