#include "math/bucket_sort.h"
#include "math/random.h"
#include "test.h"

#include <stdlib.h>

/* Puts the scalars together again from the buckets that their points are in. */
static void recombine(fr_t *out, const struct bucket_sort *s, size_t n)
{
    fr_t two, square, place = FR_ONE, window;
    fr_from_u64(&two, 2);
    fr_from_u64(&square, 0xd201000000010000);
    fr_sqr(&square, &square);
    fr_neg(&square, &square); /* what the second half counts */
    fr_pow_u64_var(&window, &two, s->bits);
    for (size_t i = 0; i < n; i++) out[i] = FR_ZERO;
    for (size_t bucket = 0, at = 0; bucket < s->windows * s->buckets; bucket++) {
        if (bucket > 0 && bucket % s->buckets == 0) fr_mul(&place, &place, &window);
        for (; at < bucket_end(s, bucket); at++) {
            uint32_t entry = s->entries[at];
            fr_t digit;
            fr_from_u64(&digit, bucket % s->buckets + 1);
            fr_mul(&digit, &digit, &place);
            if (bucket_entry_second(entry)) fr_mul(&digit, &digit, &square);
            if (bucket_entry_negative(entry)) fr_neg(&digit, &digit);
            assert_true(bucket_entry_point(entry) < n);
            fr_add(&out[bucket_entry_point(entry)], &out[bucket_entry_point(entry)], &digit);
        }
    }
}

static void check_sort(unsigned bits, size_t n, unsigned threads)
{
    struct random random = { bits + n };
    struct bucket_sort sort;
    struct pool *pool;
    fr_t *scalars = malloc((n + 1) * sizeof *scalars), *out = malloc((n + 1) * sizeof *out);
    assert_int_equal(pool_create(&pool, threads, NULL), CUZK_OK);
    assert_true(bucket_sort_init(&sort, bits, n + 3, threads));
    for (size_t i = 0; i < n; i++) {
        scalars[i] = fr_random(&random);
        if (i % 7 == 3) fr_from_i64(&scalars[i], (int64_t)(i / 7) - 2);
    }
    for (int canonical = 0; canonical < 2; canonical++) {
        if (canonical) {
            for (size_t i = 0; i < n; i++) fr_to_limbs(scalars[i].l, &scalars[i]);
        }
        bucket_sort_run(&sort, scalars, n, canonical, pool);
        recombine(out, &sort, n);
        for (size_t i = 0; i < n; i++) {
            if (canonical) fr_to_limbs(out[i].l, &out[i]);
            assert_true(fr_equal(&out[i], &scalars[i]));
        }
    }
    assert_int_equal(sort.first[sort.windows], bucket_end(&sort, sort.windows * sort.buckets - 1));
    bucket_sort_free(&sort);
    pool_destroy(pool);
    free(scalars);
    free(out);
}

static void bucket_sort__keeps_every_digit(void **state)
{
    (void)state;
    for (unsigned bits = BUCKET_MIN_BITS; bits <= BUCKET_MAX_BITS; bits++) {
        check_sort(bits, 0, 1);
        check_sort(bits, 1, 3);
        check_sort(bits, 50, 1);
        if (bits < 12) check_sort(bits, 1001, 2 + bits);
    }
    check_sort(16, 50, 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = { test(bucket_sort__keeps_every_digit) };
    return run_tests(tests);
}
