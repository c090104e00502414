/* Sixteen affine additions at a time, part of batch_affine_template.h: the same algorithm as add_one_by_one with a
 * chain of products in each of sixteen lanes, two vectors that are multiplied together (fp_lanes.h). A group is
 * sixteen neighbours of the list, two halves; the last group may have fewer. Lanes that are no plain additions are
 * special: they take part with a divisor of their own or 1, and what the chord does not give is written
 * afterwards.
 *
 * The products of a chain lack a power of two for each factor, as nothing is shifted there. What peels a divisor off
 * the inverse of the whole has the same power less, so one factor for the inverse makes up for all of them, and it is
 * chosen so that slopes have 2^16 too much: their squares are then right. */

struct POINT(half) {
    struct POINT(addition) *list;
    int count;       /* additions, 0 … 8 */
    uint64_t *rows;  /* where divisor and product are kept, and the distance of their rows in words */
    size_t step;
    int special;     /* lanes */
    const void *a[8], *b[8];
    void *out[8];
};

enum {
    POINT(OFFSET_X) = 0,
    POINT(OFFSET_Y) = sizeof(FIELD(t)),
    POINT(ROW_WORDS) = sizeof(FIELD(t)) / 6, /* 64 bytes for each element of Fp */
    POINT(STEP) = sizeof(struct POINT(addition)) / 8,
    POINT(SPARE) = 16 * POINT(ROW_WORDS), /* words */
};

/* Additions [begin, begin + 8) of n, as far as there are any. A half that is not full keeps its rows in `spare`, and
 * its idle lanes read what the list's first addition reads. */
LANES_INLINE void POINT(set_half)(struct POINT(half) *half, struct POINT(addition) *list, size_t n, size_t begin,
                                  uint64_t *spare)
{
    half->count = begin >= n ? 0 : n - begin < 8 ? (int)(n - begin) : 8;
    half->list = half->count > 0 ? list + begin : list;
    half->rows = half->count < 8 ? spare : half->list->rows;
    half->step = half->count < 8 ? 2 * POINT(ROW_WORDS) : POINT(STEP);
    for (int i = 0; i < 8; i++) {
        const struct POINT(addition) *s = i < half->count ? &half->list[i] : list;
        half->a[i] = s->a;
        half->b[i] = s->b;
        half->out[i] = s->out;
    }
}

/* Classifies the suspicious lanes and gives the special ones their divisors. */
LANES static __attribute__((noinline)) void POINT(treat_special)(LANE(t) *divisor, struct POINT(half) *half,
                                                                 int suspicious)
{
    half->special = 0;
    for (int i = 0; i < 8; i++) {
        if (!(suspicious >> i & 1)) continue;
        FIELD(t) value = FIELD_ONE;
        if (i < half->count) {
            int *kind = &half->list[i].kind;
            *kind = POINT(classify)(&value, half->list[i].a, half->list[i].b);
            if (*kind == ADD) continue;
            if (*kind > DOUBLE) value = FIELD_ONE;
        }
        LANE(insert)(divisor, i, &value);
        half->special |= 1 << i;
    }
}

/* Keeps the half's divisors and the products behind them. */
LANES_INLINE void POINT(collect_half)(LANE(t) *divisor, struct POINT(half) *half, const LANE(t) *product)
{
    LANE(t) xa, xb;
    LANE(load)(&xa, half->a, POINT(OFFSET_X));
    LANE(load)(&xb, half->b, POINT(OFFSET_X));
    LANE(sub)(divisor, &xb, &xa);
    int suspicious = LANE(maybe_zero)(&xa) | LANE(maybe_zero)(&xb) | LANE(maybe_equal)(divisor);
    suspicious |= 0xff << half->count & 0xff;
    half->special = 0;
    if (suspicious) POINT(treat_special)(divisor, half, suspicious);
    if (half->count > 0) half->list->special = half->special;
    LANE(keep)(half->rows, half->step, divisor);
    LANE(keep)(half->rows + POINT(ROW_WORDS), half->step, product);
}

/* Inverts all lanes, which are multiplied together step by step, by one inversion. */
LANES static __attribute__((noinline)) void POINT(invert_lanes)(LANE(t) a[2])
{
    LANE(t) product[4], other, inverse; /* product[k]: of 2^k·2 lanes each */
    FACTOR factor;
    FIELD(t) value;
    fp_t shift;
    LANE(as_factor)(&factor, &a[1]);
    LANE(mul)(&product[0], &a[0], &factor);
    for (int k = 0; k < 3; k++) {
        LANE(swap)(&other, &product[k], 1 << k);
        LANE(as_factor)(&factor, &other);
        LANE(mul)(&product[k + 1], &product[k], &factor);
    }
    other = product[3];
    LANE(reduce)(&other);
    LANE(store)((void *[8]){ &value }, 0, &other, 1);
    FIELD(inv_var)(&value, &value);
    fp_from_u64(&shift, UINT64_C(1) << 48); /* 2^32 for the division, 2^16 for the slopes */
    SCALE(&value, &value, &shift);
    LANE(set)(&inverse, &value);
    for (int k = 2; k >= 0; k--) {
        LANE(swap)(&other, &product[k], 1 << k);
        LANE(as_factor)(&factor, &other);
        LANE(mul)(&inverse, &inverse, &factor);
    }
    LANE(as_factor)(&factor, &inverse);
    other = a[0];
    LANE(mul_two)(&a[0], &a[1], &factor, &a[1], &other, &factor);
}

/* Before anything is written: numerators for the doublings, and the sums that need no chord into `sums`. Says
 * for which lanes the chord is right. */
LANES static __attribute__((noinline)) lane_set POINT(prepare_special)(LANE(t) *rise, POINT(affine_t) *sums,
                                                                       const struct POINT(half) *half)
{
    lane_set chords = 0xff;
    for (int i = 0; i < 8; i++) {
        if (!(half->special >> i & 1)) continue;
        if (i < half->count && half->list[i].kind == DOUBLE) {
            FIELD(t) value;
            POINT(rise)(&value, half->a[i], half->b[i], DOUBLE);
            LANE(insert)(rise, i, &value);
            continue;
        }
        chords &= (lane_set)~(1 << i);
        if (i >= half->count) continue;
        const int kind = half->list[i].kind;
        sums[i] = kind == TAKE_A ? *half->list[i].a : kind == TAKE_B ? *half->list[i].b : AFFINE_INFINITY;
    }
    return chords;
}

/* Peels the half's divisors off the inverse, which gives the slopes' denominators. */
LANES_INLINE void POINT(peel_half)(LANE(t) *denominator, LANE(t) *divisor, const struct POINT(half) *half,
                                   LANE(t) *inverse)
{
    LANE(t) product;
    FACTOR factor;
    LANE(recall)(divisor, half->rows, half->step);
    LANE(recall)(&product, half->rows + POINT(ROW_WORDS), half->step);
    LANE(as_factor)(&factor, inverse);
    LANE(mul_two)(denominator, &product, &factor, inverse, divisor, &factor);
}

LANES_INLINE void POINT(store_half)(const struct POINT(half) *half, const LANE(t) *x, const LANE(t) *y,
                                    lane_set chords, const POINT(affine_t) *sums)
{
    LANE(store)(half->out, POINT(OFFSET_X), x, chords);
    LANE(store)(half->out, POINT(OFFSET_Y), y, chords);
    if (chords == 0xff) return;
    for (int i = 0; i < half->count; i++) {
        if (!(chords >> i & 1)) *half->list[i].out = sums[i];
    }
}

LANES_INLINE void POINT(finish_group)(const struct POINT(half) half[2], LANE(t) inverse[2])
{
    LANE(t) slope[2], divisor[2], xa[2], ya[2], x[2], y[2];
    FACTOR factor[2];
    POINT(affine_t) sums[16];
    lane_set chords[2] = { 0xff, 0xff };
    for (int k = 0; k < 2; k++) {
        POINT(peel_half)(&slope[k], &divisor[k], &half[k], &inverse[k]);
        LANE(load)(&ya[k], half[k].a, POINT(OFFSET_Y));
        LANE(load)(&y[k], half[k].b, POINT(OFFSET_Y));
        LANE(sub)(&y[k], &y[k], &ya[k]);
        if (half[k].special) {
            chords[k] = POINT(prepare_special)(&y[k], sums + 8 * k, &half[k]);
            LANE(set_no_difference)(&divisor[k], (lane_set)half[k].special);
        }
        LANE(as_factor)(&factor[k], &slope[k]);
    }
    LANE(mul_two)(&slope[0], &y[0], &factor[0], &slope[1], &y[1], &factor[1]);
    LANE(sqr_two)(&x[0], &slope[0], &x[1], &slope[1]);
    for (int k = 0; k < 2; k++) {
        LANE(load)(&xa[k], half[k].a, POINT(OFFSET_X));
        LANE(sub_both)(&x[k], &x[k], &xa[k], &divisor[k]);
        LANE(sub)(&y[k], &xa[k], &x[k]);
        LANE(half_shift)(&factor[k], &slope[k]);
    }
    LANE(mul_two)(&y[0], &y[0], &factor[0], &y[1], &y[1], &factor[1]);
    for (int k = 0; k < 2; k++) {
        LANE(sub_close)(&y[k], &y[k], &ya[k]);
        LANE(reduce)(&x[k]);
        LANE(reduce)(&y[k]);
        POINT(store_half)(&half[k], &x[k], &y[k], chords[k], sums + 8 * k);
    }
}

LANES static void POINT(add_side_by_side)(struct POINT(addition) *list, size_t n)
{
    uint64_t spare[2][POINT(SPARE)];
    struct POINT(half) half[2];
    LANE(t) product[2];
    const FIELD(t) one = FIELD_ONE;
    for (int k = 0; k < 2; k++) LANE(set)(&product[k], &one);
    for (size_t g = (n + 15) / 16; g-- > 0;) {
        LANE(t) divisor[2];
        FACTOR factor[2];
        for (size_t k = 0; k < 2; k++) {
            POINT(set_half)(&half[k], list, n, 16 * g + 8 * k, spare[k]);
            POINT(collect_half)(&divisor[k], &half[k], &product[k]);
            LANE(as_factor)(&factor[k], &product[k]);
        }
        LANE(mul_two)(&product[0], &divisor[0], &factor[0], &product[1], &divisor[1], &factor[1]);
    }
    POINT(invert_lanes)(product);
    for (size_t g = 0; g < (n + 15) / 16; g++) {
        for (size_t k = 0; k < 2; k++) {
            POINT(set_half)(&half[k], list, n, 16 * g + 8 * k, spare[k]);
            half[k].special = half[k].count > 0 ? half[k].list->special : 0xff;
        }
        POINT(finish_group)(half, product);
    }
}
