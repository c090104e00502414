/* Batches of affine additions, once for G1 and once for G2: batch_affine.c defines POINT, FIELD, FIELD_ONE and
 * AFFINE_INFINITY. The contract is in batch_affine.h.
 *
 * The slope of a + b is (b.y − a.y)/(b.x − a.x), that of 2a is 3·a.x^2/(2·a.y). The divisors of a batch are
 * multiplied from the last to the first; slot i keeps the product of the divisors after its own. Then the
 * inverse of the whole product is peeled from the first to the last. */

/* What is to be done about slot i, and its divisor if the kind has one. */
static inline int POINT(classify)(FIELD(t) *divisor, const POINT(affine_t) *a, const POINT(affine_t) *b)
{
    FIELD(sub)(divisor, &b->x, &a->x);
    bool same_x = FIELD(is_zero)(divisor);
    if (FIRST_LIMB(a->x) == 0 && POINT(affine_is_infinity)(a)) return TAKE_B;
    if (FIRST_LIMB(b->x) == 0 && POINT(affine_is_infinity)(b)) return TAKE_A;
    if (!same_x) return ADD;
    if (!FIELD(equal)(&a->y, &b->y) || FIELD(is_zero)(&a->y)) return VANISH;
    FIELD(double)(divisor, &a->y);
    return DOUBLE;
}

static inline void POINT(slope)(FIELD(t) *out, const POINT(affine_t) *a, const POINT(affine_t) *b, int kind)
{
    if (kind == ADD) {
        FIELD(sub)(out, &b->y, &a->y);
        return;
    }
    FIELD(t) square;
    FIELD(sqr)(&square, &a->x);
    FIELD(double)(out, &square);
    FIELD(add)(out, out, &square);
}

/* The third point of the line through a and b, mirrored. */
static inline void POINT(chord)(POINT(affine_t) *out, const POINT(affine_t) *a, const FIELD(t) *bx,
                                const FIELD(t) *slope)
{
    FIELD(t) x, y;
    FIELD(sqr)(&x, slope);
    FIELD(sub)(&x, &x, &a->x);
    FIELD(sub)(&x, &x, bx);
    FIELD(sub)(&y, &a->x, &x);
    FIELD(mul)(&y, &y, slope);
    FIELD(sub)(&out->y, &y, &a->y);
    out->x = x;
}

void POINT(batch_add)(POINT(affine_t) *out, size_t out_step, const POINT(affine_t) *a, size_t a_step,
                      const POINT(affine_t) *b, size_t b_step, size_t n, struct POINT(slot) *scratch)
{
    FIELD(t) product = FIELD_ONE, inverse, slope;
    for (size_t i = n; i-- > 0;) {
        struct POINT(slot) *s = &scratch[i];
        s->kind = POINT(classify)(&s->divisor, &a[i * a_step], &b[i * b_step]);
        if (s->kind > DOUBLE) continue;
        s->product = product;
        FIELD(mul)(&product, &product, &s->divisor);
    }
    FIELD(inv_var)(&inverse, &product);
    for (size_t i = 0; i < n; i++, out += out_step, a += a_step, b += b_step) {
        const struct POINT(slot) *s = &scratch[i];
        if (s->kind > DOUBLE) {
            *out = s->kind == TAKE_A ? *a : s->kind == TAKE_B ? *b : AFFINE_INFINITY;
            continue;
        }
        FIELD(t) divided;
        FIELD(mul)(&divided, &inverse, &s->product);
        FIELD(mul)(&inverse, &inverse, &s->divisor);
        POINT(slope)(&slope, a, b, s->kind);
        FIELD(mul)(&slope, &slope, &divided);
        POINT(chord)(out, a, &b->x, &slope);
    }
}

void POINT(batch_sum)(POINT(affine_t) *out, POINT(affine_t) *points, size_t n, struct POINT(slot) *scratch)
{
    if (n == 0) {
        *out = AFFINE_INFINITY;
        return;
    }
    for (; n > 1; n = (n + 1) / 2) {
        POINT(batch_add)(points, 1, points, 2, points + 1, 2, n / 2, scratch);
        if (n % 2) points[n / 2] = points[n - 1];
    }
    *out = points[0];
}
