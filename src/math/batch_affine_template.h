/* Batches of affine additions, once for G1 and once for G2: batch_affine.c defines the macros. The contract is in
 * batch_affine.h.
 *
 * The slope of a + b is (b.y − a.y)/(b.x − a.x), that of 2a is 3·a.x^2/(2·a.y). The divisors of a batch are
 * multiplied from the last to the first, and each addition keeps the product of the divisors behind its own.
 * Then the inverse of the whole product is peeled from the first to the last. */

static inline bool POINT(is_infinite)(const POINT(affine_t) *p)
{
    return FIRST_LIMB(p->x) == 0 && POINT(affine_is_infinity)(p);
}

/* What is to be done about a + b, and the divisor if there is one. */
static inline int POINT(classify)(FIELD(t) *divisor, const POINT(affine_t) *a, const POINT(affine_t) *b)
{
    if (POINT(is_infinite)(a)) return TAKE_B;
    if (POINT(is_infinite)(b)) return TAKE_A;
    FIELD(sub)(divisor, &b->x, &a->x);
    if (!FIELD(is_zero)(divisor)) return ADD;
    if (!FIELD(equal)(&a->y, &b->y) || FIELD(is_zero)(&a->y)) return VANISH;
    FIELD(double)(divisor, &a->y);
    return DOUBLE;
}

/* The numerator of the slope. */
static inline void POINT(rise)(FIELD(t) *out, const POINT(affine_t) *a, const POINT(affine_t) *b, int kind)
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

/* The third point of the line of this slope through a and b, mirrored. */
static inline void POINT(mirror)(POINT(affine_t) *out, const POINT(affine_t) *a, const POINT(affine_t) *b,
                                 const FIELD(t) *slope)
{
    FIELD(t) x, y;
    FIELD(sqr)(&x, slope);
    FIELD(sub)(&x, &x, &a->x);
    FIELD(sub)(&x, &x, &b->x);
    FIELD(sub)(&y, &a->x, &x);
    FIELD(mul)(&y, &y, slope);
    FIELD(sub)(&out->y, &y, &a->y);
    out->x = x;
}

static inline void POINT(fetch_some)(struct fetch_ahead *fetch)
{
    for (int i = 0; i < FETCHES && fetch->next < fetch->end; i++, fetch->next++) {
        __builtin_prefetch(*fetch->next, 0, 2);
        __builtin_prefetch((const char *)*fetch->next + sizeof(FIELD(t)) - 1, 0, 2);
    }
}

static void POINT(add_one_by_one)(struct POINT(addition) *list, size_t n, struct fetch_ahead *fetch)
{
    FIELD(t) product = FIELD_ONE, inverse, slope, factor;
    for (size_t i = n; i-- > 0;) {
        struct POINT(addition) *s = &list[i];
        POINT(fetch_some)(fetch);
        s->kind = POINT(classify)(&s->divisor, s->a, s->b);
        if (s->kind > DOUBLE) continue;
        s->product = product;
        FIELD(mul)(&product, &product, &s->divisor);
    }
    FIELD(inv_var)(&inverse, &product);
    for (struct POINT(addition) *s = list; s < list + n; s++) {
        POINT(fetch_some)(fetch);
        if (s->kind > DOUBLE) {
            *s->out = s->kind == TAKE_A ? *s->a : s->kind == TAKE_B ? *s->b : AFFINE_INFINITY;
            continue;
        }
        FIELD(mul)(&factor, &inverse, &s->product);
        FIELD(mul)(&inverse, &inverse, &s->divisor);
        POINT(rise)(&slope, s->a, s->b, s->kind);
        FIELD(mul)(&slope, &slope, &factor);
        POINT(mirror)(s->out, s->a, s->b, &slope);
    }
}

#ifdef HAVE_LANES
#include "math/batch_lanes_template.h"
#include "math/lane_sums_template.h"
#else
/* Nobody calls these: lane_sums_pay() says no. */
void POINT(lane_sums_start)(struct POINT(lane_sums) *sums, const struct POINT(terms) *terms, size_t n)
{
    (void)sums, (void)terms, (void)n;
}

void POINT(lane_sums_add)(struct POINT(lane_sums) *sums, const struct POINT(terms) *terms, size_t n,
                          const struct POINT(terms) *next, size_t next_n)
{
    (void)sums, (void)terms, (void)n, (void)next, (void)next_n;
}

void POINT(lane_sums_get)(POINT(affine_t) *const *out, const struct POINT(lane_sums) *sums, size_t n)
{
    (void)out, (void)sums, (void)n;
}
#endif

void POINT(batch_add_fetching)(struct POINT(addition) *list, size_t n, struct fetch_ahead *fetch)
{
#ifdef HAVE_LANES
    if (n >= LANES_WORTH && cpu_level() == CPU_IFMA) {
        POINT(add_side_by_side)(list, n);
        return;
    }
#endif
    POINT(add_one_by_one)(list, n, fetch);
}

void POINT(batch_add)(struct POINT(addition) *list, size_t n)
{
    struct fetch_ahead nothing = { NULL, NULL };
    POINT(batch_add_fetching)(list, n, &nothing);
}

void POINT(batch_accumulate)(POINT(affine_t) *sums, const POINT(affine_t) *terms, size_t n,
                             struct POINT(addition) *list)
{
    for (size_t i = 0; i < n; i++) {
        list[i].out = &sums[i];
        list[i].a = &sums[i];
        list[i].b = &terms[i];
    }
    POINT(batch_add)(list, n);
}

void POINT(batch_sum)(POINT(affine_t) *out, POINT(affine_t) *points, size_t n, struct POINT(addition) *list)
{
    if (n == 0) {
        *out = AFFINE_INFINITY;
        return;
    }
    for (; n > 1; n = (n + 1) / 2) {
        for (size_t i = 0; i < n / 2; i++) {
            list[i].out = &points[i];
            list[i].a = &points[2 * i];
            list[i].b = &points[2 * i + 1];
        }
        POINT(batch_add)(list, n / 2);
        if (n % 2) points[n / 2] = points[n - 1];
    }
    *out = points[0];
}
