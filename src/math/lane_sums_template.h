/* Running sums in lanes, part of batch_affine_template.h: the contract is in lane_sums.h, the algorithm that of
 * batch_lanes_template.h with the sum as the first point and the term as the second. Coordinates of sums are close
 * (fp_lanes.h), those of an infinite sum 0 and 0 or p. Lanes behind the last sum are special, too: they keep what
 * they have. */

/* Sum i as a point. */
LANES static void POINT(sum_point)(POINT(affine_t) *out, const struct POINT(lane_sums) *sums, int i)
{
    POINT(affine_t) *point[8] = { NULL };
    point[i] = out;
    LANE(t) x, y;
    LANE(recall)(&x, sums->x, POINT(ROW_WORDS));
    LANE(recall)(&y, sums->y, POINT(ROW_WORDS));
    LANE(reduce)(&x);
    LANE(reduce)(&y);
    LANE(store)((void *const *)point, POINT(OFFSET_X), &x, (lane_set)(1 << i));
    LANE(store)((void *const *)point, POINT(OFFSET_Y), &y, (lane_set)(1 << i));
}

static void POINT(term_point)(POINT(affine_t) *out, const struct POINT(terms) *terms, int i)
{
    *out = (POINT(affine_t)){ *terms->x[i], *terms->y[i] };
    if (terms->negative >> i & 1) POINT(affine_neg)(out, out);
}

/* Classifies the suspicious lanes and gives the special ones their divisors. */
LANES static __attribute__((noinline)) void POINT(mark_special)(LANE(t) *divisor, struct POINT(lane_sums) *sums,
                                                                const struct POINT(terms) *terms, int suspicious,
                                                                int count)
{
    for (int i = 0; i < 8; i++) {
        if (!(suspicious >> i & 1)) continue;
        FIELD(t) value = FIELD_ONE;
        POINT(affine_t) a, b;
        sums->kind[i] = TAKE_A;
        if (i < count) POINT(term_point)(&b, terms, i);
        if (i < count && !POINT(is_infinite)(&b)) {
            POINT(sum_point)(&a, sums, i);
            sums->kind[i] = (uint8_t)POINT(classify)(&value, &a, &b);
            if (sums->kind[i] == ADD) continue;
            if (sums->kind[i] > DOUBLE) value = FIELD_ONE;
        }
        LANE(insert)(divisor, i, &value);
        sums->special |= (uint8_t)(1 << i);
    }
}

/* The numerators of the doublings. */
LANES static __attribute__((noinline)) void POINT(insert_rises)(LANE(t) *rise, const struct POINT(lane_sums) *sums)
{
    for (int i = 0; i < 8; i++) {
        if (!(sums->special >> i & 1) || sums->kind[i] != DOUBLE) continue;
        POINT(affine_t) a;
        FIELD(t) value;
        POINT(sum_point)(&a, sums, i);
        POINT(rise)(&value, &a, &a, DOUBLE);
        LANE(insert)(rise, i, &value);
    }
}

/* What the chord does not give, in the new sums' coordinates. */
LANES static __attribute__((noinline)) void POINT(settle_special)(LANE(t) *x, LANE(t) *y,
                                                                  const struct POINT(lane_sums) *sums,
                                                                  const struct POINT(terms) *terms)
{
    LANE(t) old;
    lane_set keep = 0;
    for (int i = 0; i < 8; i++) {
        if (!(sums->special >> i & 1) || sums->kind[i] == DOUBLE) continue;
        if (sums->kind[i] == TAKE_A) {
            keep |= (lane_set)(1 << i);
            continue;
        }
        POINT(affine_t) sum = AFFINE_INFINITY;
        if (sums->kind[i] == TAKE_B) POINT(term_point)(&sum, terms, i);
        LANE(insert)(x, i, &sum.x);
        LANE(insert)(y, i, &sum.y);
    }
    LANE(recall)(&old, sums->x, POINT(ROW_WORDS));
    LANE(choose)(x, keep, &old);
    LANE(recall)(&old, sums->y, POINT(ROW_WORDS));
    LANE(choose)(y, keep, &old);
}

/* Keeps the block's divisors and the products behind them. */
LANES_INLINE void POINT(collect_block)(LANE(t) *divisor, struct POINT(lane_sums) *sums,
                                       const struct POINT(terms) *terms, int count, const LANE(t) *product)
{
    LANE(t) xa, xb;
    LANE(recall)(&xa, sums->x, POINT(ROW_WORDS));
    LANE(load)(&xb, (const void *const *)terms->x, 0);
    LANE(sub)(divisor, &xb, &xa);
    int suspicious = LANE(maybe_zero)(&xa) | LANE(maybe_zero)(&xb) | LANE(maybe_equal)(divisor);
    suspicious |= 0xff << count & 0xff;
    sums->special = 0;
    if (suspicious) POINT(mark_special)(divisor, sums, terms, suspicious, count);
    LANE(keep)(sums->divisor, POINT(ROW_WORDS), divisor);
    LANE(keep)(sums->product, POINT(ROW_WORDS), product);
}

LANES_INLINE void POINT(peel_block)(LANE(t) *slope, LANE(t) *divisor, const struct POINT(lane_sums) *sums,
                                    LANE(t) *inverse)
{
    LANE(t) product;
    FACTOR factor;
    LANE(recall)(divisor, sums->divisor, POINT(ROW_WORDS));
    LANE(recall)(&product, sums->product, POINT(ROW_WORDS));
    LANE(as_factor)(&factor, inverse);
    LANE(mul_two)(slope, &product, &factor, inverse, divisor, &factor);
}

LANES_INLINE void POINT(finish_blocks)(struct POINT(lane_sums) sums[2], const struct POINT(terms) terms[2],
                                       LANE(t) inverse[2])
{
    LANE(t) slope[2], divisor[2], xa, ya, x[2], y[2];
    FACTOR factor[2];
    for (int k = 0; k < 2; k++) {
        POINT(peel_block)(&slope[k], &divisor[k], &sums[k], &inverse[k]);
        LANE(recall)(&ya, sums[k].y, POINT(ROW_WORDS));
        LANE(load)(&y[k], (const void *const *)terms[k].y, 0);
        LANE(sub_signed)(&y[k], &y[k], &ya, terms[k].negative);
        if (sums[k].special) {
            POINT(insert_rises)(&y[k], &sums[k]);
            LANE(set_no_difference)(&divisor[k], sums[k].special);
        }
        LANE(as_factor)(&factor[k], &slope[k]);
    }
    LANE(mul_two)(&slope[0], &y[0], &factor[0], &slope[1], &y[1], &factor[1]);
    LANE(sqr_two)(&x[0], &slope[0], &x[1], &slope[1]);
    for (int k = 0; k < 2; k++) {
        LANE(recall)(&xa, sums[k].x, POINT(ROW_WORDS));
        LANE(sub_both)(&x[k], &x[k], &xa, &divisor[k]);
        LANE(sub)(&y[k], &xa, &x[k]);
        LANE(half_shift)(&factor[k], &slope[k]);
    }
    LANE(mul_two)(&y[0], &y[0], &factor[0], &y[1], &y[1], &factor[1]);
    for (int k = 0; k < 2; k++) {
        LANE(recall)(&ya, sums[k].y, POINT(ROW_WORDS));
        LANE(sub_close)(&y[k], &y[k], &ya);
        if (sums[k].special) POINT(settle_special)(&x[k], &y[k], &sums[k], &terms[k]);
        LANE(keep)(sums[k].x, POINT(ROW_WORDS), &x[k]);
        LANE(keep)(sums[k].y, POINT(ROW_WORDS), &y[k]);
    }
}

static inline void POINT(fetch_coordinates)(const FIELD(t) *const at[8])
{
    for (int i = 0; i < 8; i++) {
        __builtin_prefetch(at[i], 0, 2);
        __builtin_prefetch((const char *)(at[i] + 1) - 1, 0, 2);
    }
}

LANES void POINT(lane_sums_add)(struct POINT(lane_sums) *sums, const struct POINT(terms) *terms, size_t n,
                                const struct POINT(terms) *next, size_t next_n)
{
    LANE(t) product[2];
    const FIELD(t) one = FIELD_ONE;
    for (int k = 0; k < 2; k++) LANE(set)(&product[k], &one);
    for (size_t b = (n + 15) / 16 * 2; b > 0;) {
        LANE(t) divisor[2];
        FACTOR factor[2];
        b -= 2;
        for (size_t k = 0; k < 2; k++) {
            int count = 8 * (b + k) >= n ? 0 : n - 8 * (b + k) < 8 ? (int)(n - 8 * (b + k)) : 8;
            if (8 * (b + k) < next_n) POINT(fetch_coordinates)(next[b + k].x);
            POINT(collect_block)(&divisor[k], &sums[b + k], &terms[b + k], count, &product[k]);
            LANE(as_factor)(&factor[k], &product[k]);
        }
        LANE(mul_two)(&product[0], &divisor[0], &factor[0], &product[1], &divisor[1], &factor[1]);
    }
    POINT(invert_lanes)(product);
    for (size_t b = 0; 8 * b < n; b += 2) {
        for (size_t k = 0; k < 2; k++) {
            if (8 * (b + k) < next_n) POINT(fetch_coordinates)(next[b + k].y);
        }
        POINT(finish_blocks)(&sums[b], &terms[b], product);
    }
}

LANES void POINT(lane_sums_start)(struct POINT(lane_sums) *sums, const struct POINT(terms) *terms, size_t n)
{
    const LANE(t) zero = { 0 };
    for (size_t b = 0; b < (n + 15) / 16 * 2; b++) {
        LANE(t) x, y, minus;
        LANE(load)(&x, (const void *const *)terms[b].x, 0);
        LANE(load)(&y, (const void *const *)terms[b].y, 0);
        LANE(sub_close)(&minus, &zero, &y);
        LANE(choose)(&y, terms[b].negative, &minus);
        LANE(keep)(sums[b].x, POINT(ROW_WORDS), &x);
        LANE(keep)(sums[b].y, POINT(ROW_WORDS), &y);
    }
}

LANES void POINT(lane_sums_get)(POINT(affine_t) *const *out, const struct POINT(lane_sums) *sums, size_t n)
{
    for (size_t b = 0; 8 * b < n; b++) {
        POINT(affine_t) idle, *at[8];
        LANE(t) x, y;
        for (size_t i = 0; i < 8; i++) at[i] = 8 * b + i < n ? out[8 * b + i] : &idle;
        LANE(recall)(&x, sums[b].x, POINT(ROW_WORDS));
        LANE(recall)(&y, sums[b].y, POINT(ROW_WORDS));
        LANE(reduce)(&x);
        LANE(reduce)(&y);
        LANE(store)((void *const *)at, POINT(OFFSET_X), &x, 0xff);
        LANE(store)((void *const *)at, POINT(OFFSET_Y), &y, 0xff);
    }
}
