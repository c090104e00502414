/* The group law and what follows from it, once for G1 and once for G2: g1.c and g2.c define POINT(name) and
 * FIELD(name), which put "g1_" and "fp_", or "g2_" and "fp2_", in front of a name, the constants
 * POINT_INFINITY, POINT_AFFINE_INFINITY and FIELD_ONE, and a function curve_b for the constant of the curve
 * equation, and include this file. The contracts are in g1.h and g2.h. */

bool POINT(affine_is_infinity)(const POINT(affine_t) *p)
{
    return FIELD(is_zero)(&p->x) && FIELD(is_zero)(&p->y);
}

bool POINT(affine_equal)(const POINT(affine_t) *p, const POINT(affine_t) *q)
{
    return FIELD(equal)(&p->x, &q->x) && FIELD(equal)(&p->y, &q->y);
}

void POINT(affine_neg)(POINT(affine_t) *out, const POINT(affine_t) *p)
{
    out->x = p->x;
    FIELD(neg)(&out->y, &p->y);
}

bool POINT(is_infinity)(const POINT(t) *p) { return FIELD(is_zero)(&p->zz); }

bool POINT(equal)(const POINT(t) *p, const POINT(t) *q)
{
    if (POINT(is_infinity)(p) || POINT(is_infinity)(q)) {
        return POINT(is_infinity)(p) && POINT(is_infinity)(q);
    }
    FIELD(t) left, right;
    FIELD(mul)(&left, &p->x, &q->zz);
    FIELD(mul)(&right, &q->x, &p->zz);
    if (!FIELD(equal)(&left, &right)) return false;
    FIELD(mul)(&left, &p->y, &q->zzz);
    FIELD(mul)(&right, &q->y, &p->zzz);
    return FIELD(equal)(&left, &right);
}

void POINT(from_affine)(POINT(t) *out, const POINT(affine_t) *p)
{
    if (POINT(affine_is_infinity)(p)) {
        *out = POINT_INFINITY;
        return;
    }
    out->x = p->x;
    out->y = p->y;
    out->zz = FIELD_ONE;
    out->zzz = FIELD_ONE;
}

void POINT(neg)(POINT(t) *out, const POINT(t) *p)
{
    *out = *p;
    FIELD(neg)(&out->y, &p->y);
}

/* The doubled point of (x, y); *w and *v are the factors by which ZZZ and ZZ grow. */
static inline void double_xy(POINT(t) *out, FIELD(t) *v, FIELD(t) *w, const FIELD(t) *x, const FIELD(t) *y)
{
    FIELD(t) u, s, m, t;
    FIELD(double)(&u, y);
    FIELD(sqr)(v, &u);
    FIELD(mul)(w, &u, v);
    FIELD(mul)(&s, x, v);
    FIELD(sqr)(&t, x);
    FIELD(double)(&m, &t);
    FIELD(add)(&m, &m, &t);
    FIELD(mul)(&t, w, y);
    FIELD(sqr)(&out->x, &m);
    FIELD(sub)(&out->x, &out->x, &s);
    FIELD(sub)(&out->x, &out->x, &s);
    FIELD(sub)(&s, &s, &out->x);
    FIELD(mul)(&s, &s, &m);
    FIELD(sub)(&out->y, &s, &t);
}

void POINT(double)(POINT(t) *out, const POINT(t) *p)
{
    /* Right for infinity too: ZZ and ZZZ stay zero. */
    FIELD(t) v, w;
    POINT(t) r;
    double_xy(&r, &v, &w, &p->x, &p->y);
    FIELD(mul)(&r.zz, &p->zz, &v);
    FIELD(mul)(&r.zzz, &p->zzz, &w);
    *out = r;
}

/* The last steps of an addition: x1 and y1 are the first point's coordinates and p, r the differences of the
 * coordinates, all over a common denominator; *pp and *ppp are the factors by which ZZ and ZZZ grow. */
static inline void add_xy(POINT(t) *out, FIELD(t) *pp, FIELD(t) *ppp, const FIELD(t) *x1, const FIELD(t) *y1,
                          const FIELD(t) *p, const FIELD(t) *r)
{
    FIELD(t) q, t;
    FIELD(sqr)(pp, p);
    FIELD(mul)(ppp, p, pp);
    FIELD(mul)(&q, x1, pp);
    FIELD(mul)(&t, y1, ppp);
    FIELD(sqr)(&out->x, r);
    FIELD(sub)(&out->x, &out->x, ppp);
    FIELD(sub)(&out->x, &out->x, &q);
    FIELD(sub)(&out->x, &out->x, &q);
    FIELD(sub)(&q, &q, &out->x);
    FIELD(mul)(&q, &q, r);
    FIELD(sub)(&out->y, &q, &t);
}

void POINT(add)(POINT(t) *out, const POINT(t) *p, const POINT(t) *q)
{
    if (POINT(is_infinity)(p)) {
        *out = *q;
        return;
    }
    if (POINT(is_infinity)(q)) {
        *out = *p;
        return;
    }
    FIELD(t) u1, u2, s1, s2, pp, ppp;
    FIELD(mul)(&u1, &p->x, &q->zz);
    FIELD(mul)(&u2, &q->x, &p->zz);
    FIELD(mul)(&s1, &p->y, &q->zzz);
    FIELD(mul)(&s2, &q->y, &p->zzz);
    FIELD(sub)(&u2, &u2, &u1);
    FIELD(sub)(&s2, &s2, &s1);
    if (FIELD(is_zero)(&u2)) {
        if (FIELD(is_zero)(&s2)) {
            POINT(double)(out, p);
        } else {
            *out = POINT_INFINITY;
        }
        return;
    }
    POINT(t) r;
    add_xy(&r, &pp, &ppp, &u1, &s1, &u2, &s2);
    FIELD(mul)(&r.zz, &p->zz, &q->zz);
    FIELD(mul)(&r.zz, &r.zz, &pp);
    FIELD(mul)(&r.zzz, &p->zzz, &q->zzz);
    FIELD(mul)(&r.zzz, &r.zzz, &ppp);
    *out = r;
}

void POINT(add_mixed)(POINT(t) *out, const POINT(t) *p, const POINT(affine_t) *q)
{
    if (POINT(affine_is_infinity)(q)) {
        *out = *p;
        return;
    }
    if (POINT(is_infinity)(p)) {
        POINT(from_affine)(out, q);
        return;
    }
    FIELD(t) u2, s2, pp, ppp;
    POINT(t) r;
    FIELD(mul)(&u2, &q->x, &p->zz);
    FIELD(mul)(&s2, &q->y, &p->zzz);
    FIELD(sub)(&u2, &u2, &p->x);
    FIELD(sub)(&s2, &s2, &p->y);
    if (FIELD(is_zero)(&u2)) {
        if (FIELD(is_zero)(&s2)) {
            double_xy(&r, &r.zz, &r.zzz, &q->x, &q->y);
            *out = r;
        } else {
            *out = POINT_INFINITY;
        }
        return;
    }
    add_xy(&r, &pp, &ppp, &p->x, &p->y, &u2, &s2);
    FIELD(mul)(&r.zz, &p->zz, &pp);
    FIELD(mul)(&r.zzz, &p->zzz, &ppp);
    *out = r;
}

void POINT(mul_var)(POINT(t) *out, const POINT(t) *p, const uint64_t *k, size_t limbs)
{
    /* Windows of four bits. */
    POINT(t) table[16], sum = POINT_INFINITY;
    table[0] = POINT_INFINITY;
    table[1] = *p;
    for (int i = 2; i < 16; i += 2) {
        POINT(double)(&table[i], &table[i / 2]);
        POINT(add)(&table[i + 1], &table[i], p);
    }
    for (size_t i = 16 * limbs; i-- > 0;) {
        if (!POINT(is_infinity)(&sum)) {
            for (int j = 0; j < 4; j++) POINT(double)(&sum, &sum);
        }
        POINT(add)(&sum, &sum, &table[k[i / 16] >> (4 * (i % 16)) & 15]);
    }
    *out = sum;
}

/* |u|·p for the curve's parameter u = −0xd201000000010000, which has six bits set. */
static void mul_parameter(POINT(t) *out, const POINT(t) *p)
{
    const uint64_t parameter = 0xd201000000010000;
    POINT(t) sum = *p;
    for (int i = 62; i >= 0; i--) {
        POINT(double)(&sum, &sum);
        if (parameter >> i & 1) POINT(add)(&sum, &sum, p);
    }
    *out = sum;
}

/* x = X/ZZ, y = Y/ZZZ; as ZZ^3 = ZZZ^2, 1/ZZ = (ZZ/ZZZ)^2. */
static void divide(POINT(affine_t) *out, const POINT(t) *p, const FIELD(t) *zzz_inverse)
{
    FIELD(t) t;
    FIELD(mul)(&t, &p->zz, zzz_inverse);
    FIELD(sqr)(&t, &t);
    FIELD(mul)(&out->x, &p->x, &t);
    FIELD(mul)(&out->y, &p->y, zzz_inverse);
}

void POINT(to_affine_var)(POINT(affine_t) *out, const POINT(t) *p)
{
    FIELD(t) inverse;
    if (POINT(is_infinity)(p)) {
        *out = POINT_AFFINE_INFINITY;
        return;
    }
    FIELD(inv_var)(&inverse, &p->zzz);
    divide(out, p, &inverse);
}

void POINT(batch_to_affine_var)(POINT(affine_t) *out, const POINT(t) *in, size_t n, FIELD(t) *scratch)
{
    FIELD(t) product = FIELD_ONE, inverse, t;
    for (size_t i = 0; i < n; i++) {
        scratch[i] = product;
        if (!POINT(is_infinity)(&in[i])) FIELD(mul)(&product, &product, &in[i].zzz);
    }
    FIELD(inv_var)(&inverse, &product);
    for (size_t i = n; i-- > 0;) {
        if (POINT(is_infinity)(&in[i])) {
            out[i] = POINT_AFFINE_INFINITY;
            continue;
        }
        FIELD(mul)(&t, &inverse, &scratch[i]);
        FIELD(mul)(&inverse, &inverse, &in[i].zzz);
        divide(&out[i], &in[i], &t);
    }
}

/* x^3 + b */
static void right_side(FIELD(t) *out, const FIELD(t) *x)
{
    FIELD(t) b, t;
    curve_b(&b);
    FIELD(sqr)(&t, x);
    FIELD(mul)(&t, &t, x);
    FIELD(add)(out, &t, &b);
}

bool POINT(on_curve)(const POINT(affine_t) *p)
{
    if (POINT(affine_is_infinity)(p)) return true;
    FIELD(t) left, right;
    FIELD(sqr)(&left, &p->y);
    right_side(&right, &p->x);
    return FIELD(equal)(&left, &right);
}

bool POINT(y_from_x_var)(FIELD(t) *y, const FIELD(t) *x)
{
    FIELD(t) square;
    right_side(&square, x);
    return FIELD(sqrt_var)(y, &square);
}

void POINT(mul_fr_var)(POINT(t) *out, const POINT(t) *p, const fr_t *k)
{
    uint64_t limbs[4];
    fr_to_limbs(limbs, k);
    POINT(mul_var)(out, p, limbs, 4);
}
