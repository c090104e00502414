/* Running sums in one group, against POINT(add_mixed): included twice by lane_sums_test.c. Nothing is tested where
 * there are no lanes. */
#include "math/points.h"

enum { POINT(SUMS) = 48, POINT(TERMS) = 64 };

struct POINT(running) {
    POINT(affine_t) terms[POINT(TERMS)];
    struct POINT(lane_sums) sums[POINT(SUMS) / 8];
    struct POINT(terms) now[POINT(SUMS) / 8];
    POINT(t) expected[POINT(SUMS)];
};

/* Term `which` for sum i. */
static void POINT(choose_term)(struct POINT(running) *r, size_t i, size_t which, bool negative)
{
    struct POINT(terms) *block = &r->now[i / 8];
    block->x[i % 8] = &r->terms[which].x;
    block->y[i % 8] = &r->terms[which].y;
    block->negative = (uint8_t)((block->negative & ~(1 << i % 8)) | negative << i % 8);
    POINT(affine_t) term = r->terms[which];
    if (negative) POINT(affine_neg)(&term, &term);
    POINT(add_mixed)(&r->expected[i], &r->expected[i], &term);
}

static void POINT(check_sums)(const struct POINT(running) *r, size_t n)
{
    POINT(affine_t) sums[POINT(SUMS) + 1], *out[POINT(SUMS)], expected;
    memset(sums, 7, sizeof sums);
    for (size_t i = 0; i < POINT(SUMS); i++) out[i] = &sums[i];
    POINT(lane_sums_get)(out, r->sums, n);
    for (size_t i = 0; i < n; i++) {
        POINT(to_affine_var)(&expected, &r->expected[i]);
        assert_memory_equal(&expected, &sums[i], sizeof expected);
    }
    for (size_t i = 0; i < sizeof *sums; i++) assert_int_equal(((const uint8_t *)&sums[n])[i], 7);
}

static void POINT(prepare_sums)(struct POINT(running) *r, struct random *random)
{
    fr_t logs[POINT(TERMS)];
    memset(r, 0, sizeof *r);
    POINT(progression)(r->terms, logs, POINT(TERMS), random);
    for (size_t i = 0; i < POINT(SUMS); i++) {
        r->expected[i] = XYZZ_INFINITY;
        POINT(choose_term)(r, i, 0, false);
        r->expected[i] = XYZZ_INFINITY;
    }
}

/* Different numbers of sums, fewer and fewer in each step, as a sorted set of runs has them. */
static void POINT(lane_sums__of_many_terms)(void **state)
{
    (void)state;
    if (!lane_sums_pay()) skip();
    struct random random = { 34 };
    static struct POINT(running) r;
    for (size_t n = 1; n <= POINT(SUMS); n++) {
        POINT(prepare_sums)(&r, &random);
        for (size_t i = 0; i < n; i++) POINT(choose_term)(&r, i, (7 * i + n) % POINT(TERMS), (i + n) % 3 == 0);
        POINT(lane_sums_start)(r.sums, r.now, n);
        POINT(check_sums)(&r, n);
        for (size_t step = 0, left = n; left > 0; step++, left = left * 3 / 4) {
            for (size_t i = 0; i < left; i++) {
                size_t which = (5 * i + 11 * step + n) % POINT(TERMS);
                POINT(choose_term)(&r, i, which, random_u64(&random) & 1);
            }
            POINT(lane_sums_add)(r.sums, r.now, left, r.now, step % 2 ? left : 0);
            POINT(check_sums)(&r, n);
        }
    }
}

/* Infinity, equal and opposite points in any order, with either sign. */
static void POINT(lane_sums__are_complete)(void **state)
{
    (void)state;
    if (!lane_sums_pay()) skip();
    struct random random = { 35 };
    static struct POINT(running) r;
    for (int round = 0; round < 20; round++) {
        POINT(prepare_sums)(&r, &random);
        r.terms[0] = AFFINE_INFINITY;
        POINT(affine_neg)(&r.terms[2], &r.terms[1]);
        size_t n = 1 + random_u64(&random) % POINT(SUMS), few = 2 + (size_t)round % 4;
        for (int step = -1; step < 12; step++) {
            for (size_t i = 0; i < n; i++) {
                uint64_t choice = random_u64(&random);
                POINT(choose_term)(&r, i, choice % few, choice >> 32 & 1);
            }
            if (step < 0) {
                POINT(lane_sums_start)(r.sums, r.now, n);
            } else {
                POINT(lane_sums_add)(r.sums, r.now, n, NULL, 0);
            }
            POINT(check_sums)(&r, n);
        }
    }
}
