/* Eight affine additions at a time, part of batch_affine_template.h: the same algorithm as add_one_by_one with a
 * chain of products in each of eight lanes. A group is eight neighbours of the list, the last one may have fewer.
 * Lanes that are no plain additions are special: they take part with a divisor of their own or 1, and what
 * cannot be computed by the chord is written afterwards. */

struct POINT(group) {
    struct POINT(addition) *list;
    int count;         /* additions, 1 … 8 */
    uint64_t *rows;    /* where divisor and product are kept, and the distance of their rows in words */
    size_t step;
    const void *a[8], *b[8];
    void *out[8];
};

enum {
    POINT(OFFSET_X) = 0,
    POINT(OFFSET_Y) = sizeof(FIELD(t)),
    POINT(ROW_WORDS) = sizeof(FIELD(t)) / 6, /* 64 bytes for each element of Fp */
    POINT(STEP) = sizeof(struct POINT(addition)) / 8,
};

/* Group g of n additions. A group that is not full keeps its rows in `spare`. */
static inline struct POINT(group) POINT(group_of)(struct POINT(addition) *list, size_t n, size_t g,
                                                  uint64_t *spare)
{
    struct POINT(group) group = { .list = list + 8 * g, .count = n - 8 * g < 8 ? (int)(n - 8 * g) : 8 };
    group.rows = group.count < 8 ? spare : group.list->rows;
    group.step = group.count < 8 ? 2 * POINT(ROW_WORDS) : POINT(STEP);
    for (int i = 0; i < 8; i++) {
        const struct POINT(addition) *s = &group.list[i < group.count ? i : 0];
        group.a[i] = s->a;
        group.b[i] = s->b;
        group.out[i] = s->out;
    }
    return group;
}

/* Classifies the suspicious lanes and gives the special ones their divisors. */
LANES static __attribute__((noinline)) lane_set POINT(treat_special)(LANE(t) *divisor,
                                                                     const struct POINT(group) *group,
                                                                     lane_set suspicious)
{
    lane_set special = 0;
    for (int i = 0; i < 8; i++) {
        if (!(suspicious >> i & 1)) continue;
        FIELD(t) value = FIELD_ONE;
        if (i < group->count) {
            int *kind = &group->list[i].kind;
            *kind = POINT(classify)(&value, group->list[i].a, group->list[i].b);
            if (*kind == ADD) continue;
            if (*kind > DOUBLE) value = FIELD_ONE;
        }
        LANE(insert)(divisor, i, &value);
        special |= (lane_set)(1 << i);
    }
    return special;
}

/* Keeps the group's divisors and the product behind them, and multiplies them into it. */
LANES_INLINE void POINT(collect_group)(const struct POINT(group) *group, LANE(t) *product)
{
    LANE(t) xa, xb, divisor;
    FACTOR factor;
    LANE(load)(&xa, group->a, POINT(OFFSET_X));
    LANE(load)(&xb, group->b, POINT(OFFSET_X));
    LANE(sub)(&divisor, &xb, &xa);
    lane_set suspicious = LANE(zero)(&xa) | LANE(zero)(&xb) | LANE(equal_p)(&divisor);
    suspicious |= (lane_set)(0xff << group->count);
    group->list->special = 0;
    if (suspicious) group->list->special = POINT(treat_special)(&divisor, group, suspicious);
    LANE(keep)(group->rows, group->step, &divisor);
    LANE(keep)(group->rows + POINT(ROW_WORDS), group->step, product);
    LANE(shift)(&factor, product);
    LANE(mul)(product, &divisor, &factor);
}

/* Inverts all lanes and multiplies them by 2^32, which makes up for the slope's factors: these are not shifted. */
LANES static __attribute__((noinline)) void POINT(invert_lanes)(LANE(t) *a)
{
    FIELD(t) value[8], scratch[8];
    void *p[8];
    fp_t shift;
    for (int i = 0; i < 8; i++) p[i] = &value[i];
    LANE(reduce)(a);
    LANE(store)(p, 0, a, 0xff);
    FIELD(batch_inv_var)(value, 8, scratch);
    fp_from_u64(&shift, UINT64_C(1) << 32);
    for (int i = 0; i < 8; i++) SCALE(&value[i], &value[i], &shift);
    LANE(load)(a, (const void *const *)p, 0);
}

/* Before anything is written: numerators for the doublings, and the sums that need no chord into `sums`. The
 * lanes that the chord is right for. */
LANES static __attribute__((noinline)) lane_set POINT(prepare_special)(LANE(t) *rise, POINT(affine_t) *sums,
                                                                       const struct POINT(group) *group)
{
    lane_set chords = 0xff;
    for (int i = 0; i < 8; i++) {
        if (!(group->list->special >> i & 1)) continue;
        if (i < group->count && group->list[i].kind == DOUBLE) {
            FIELD(t) value;
            POINT(rise)(&value, group->a[i], group->b[i], DOUBLE);
            LANE(insert)(rise, i, &value);
            continue;
        }
        chords &= (lane_set)~(1 << i);
        if (i >= group->count) continue;
        const int kind = group->list[i].kind;
        sums[i] = kind == TAKE_A ? *group->list[i].a : kind == TAKE_B ? *group->list[i].b : AFFINE_INFINITY;
    }
    return chords;
}

/* Peels the group's divisors off the inverse and adds. */
LANES_INLINE void POINT(finish_group)(const struct POINT(group) *group, LANE(t) *inverse)
{
    LANE(t) divisor, slope, xa, ya, x, y;
    FACTOR factor;
    POINT(affine_t) sums[8];
    lane_set chords = 0xff;
    LANE(recall)(&slope, group->rows + POINT(ROW_WORDS), group->step);
    LANE(recall)(&divisor, group->rows, group->step);
    LANE(shift)(&factor, inverse);
    LANE(mul)(&slope, &slope, &factor);
    LANE(mul)(inverse, &divisor, &factor);

    LANE(load)(&ya, group->a, POINT(OFFSET_Y));
    LANE(load)(&y, group->b, POINT(OFFSET_Y));
    LANE(sub)(&y, &y, &ya);
    if (group->list->special) chords = POINT(prepare_special)(&y, sums, group);
    LANE(as_factor)(&factor, &y);
    LANE(mul)(&slope, &slope, &factor);

    LANE(load)(&xa, group->a, POINT(OFFSET_X));
    LANE(load)(&x, group->b, POINT(OFFSET_X));
    LANE(shift)(&factor, &slope);
    LANE(mul)(&slope, &slope, &factor);
    LANE(sub_two)(&x, &slope, &xa, &x);
    LANE(sub)(&y, &xa, &x);
    LANE(mul)(&y, &y, &factor);
    LANE(sub_one)(&y, &y, &ya);

    LANE(store)(group->out, POINT(OFFSET_X), &x, chords);
    LANE(store)(group->out, POINT(OFFSET_Y), &y, chords);
    for (int i = 0; i < group->count; i++) {
        if (!(chords >> i & 1)) *group->list[i].out = sums[i];
    }
}

LANES static void POINT(add_side_by_side)(struct POINT(addition) *list, size_t n)
{
    uint64_t spare[16 * POINT(ROW_WORDS)];
    size_t groups = (n + 7) / 8;
    LANE(t) product;
    const FIELD(t) one = FIELD_ONE;
    LANE(set)(&product, &one);
    for (size_t g = groups; g-- > 0;) {
        struct POINT(group) group = POINT(group_of)(list, n, g, spare);
        POINT(collect_group)(&group, &product);
    }
    POINT(invert_lanes)(&product);
    for (size_t g = 0; g < groups; g++) {
        struct POINT(group) group = POINT(group_of)(list, n, g, spare);
        POINT(finish_group)(&group, &product);
    }
}
