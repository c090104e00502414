#include "math/pairing.h"

#define PARAMETER 0xd201000000010000 /* |u|; u is negative */

/* A running multiple of Q in homogeneous coordinates, x = X/Z, y = Y/Z. */
struct multiple {
    fp2_t x, y, z;
};

/* A line before normalisation: b0 + b2·x·w^2 + b3·y·w^3. */
struct raw_line {
    fp2_t b0, b2, b3;
};

/* T = 2T and the tangent at the old T. Costello, Lange, Naehrig, "Faster pairing computations on curves with
 * high-degree twists" (PKC 2010), in the form of Aranha et al. (Eurocrypt 2011), all coordinates times 4. */
static void double_step(struct multiple *t, struct raw_line *line)
{
    fp2_t a, b, c, e, f, h;
    fp2_mul(&a, &t->x, &t->y);
    fp2_double(&a, &a);
    fp2_sqr(&b, &t->y);
    fp2_sqr(&c, &t->z);
    fp2_add(&h, &t->y, &t->z);
    fp2_sqr(&h, &h);
    fp2_sub(&h, &h, &b);
    fp2_sub(&h, &h, &c); /* 2YZ */
    fp2_double(&e, &c);
    fp2_add(&e, &e, &c);
    fp2_double(&e, &e);
    fp2_double(&e, &e);
    fp2_mul_nonresidue(&e, &e); /* 3b'Z^2 = 12·(1 + u)·Z^2 */
    fp2_double(&f, &e);
    fp2_add(&f, &f, &e);

    fp2_sqr(&c, &t->x);
    fp2_double(&line->b2, &c);
    fp2_add(&line->b2, &line->b2, &c);
    fp2_sub(&line->b0, &e, &b);
    fp2_neg(&line->b3, &h);

    fp2_sub(&c, &b, &f);
    fp2_mul(&t->x, &a, &c);
    fp2_add(&c, &b, &f);
    fp2_sqr(&t->y, &c);
    fp2_sqr(&e, &e);
    fp2_double(&c, &e);
    fp2_add(&c, &c, &e);
    fp2_double(&c, &c);
    fp2_double(&c, &c);
    fp2_sub(&t->y, &t->y, &c);
    fp2_mul(&t->z, &b, &h);
    fp2_double(&t->z, &t->z);
    fp2_double(&t->z, &t->z);
}

/* T = T + Q and the line through both (ibid.). */
static void add_step(struct multiple *t, struct raw_line *line, const g2_affine_t *q)
{
    fp2_t theta, lambda, c, d, e, g, h;
    fp2_mul(&c, &q->y, &t->z);
    fp2_sub(&theta, &t->y, &c);
    fp2_mul(&c, &q->x, &t->z);
    fp2_sub(&lambda, &t->x, &c);

    fp2_mul(&line->b0, &theta, &q->x);
    fp2_mul(&c, &lambda, &q->y);
    fp2_sub(&line->b0, &line->b0, &c);
    fp2_neg(&line->b2, &theta);
    line->b3 = lambda;

    fp2_sqr(&c, &theta);
    fp2_sqr(&d, &lambda);
    fp2_mul(&e, &lambda, &d);
    fp2_mul(&c, &c, &t->z);
    fp2_mul(&g, &t->x, &d);
    fp2_add(&h, &e, &c);
    fp2_sub(&h, &h, &g);
    fp2_sub(&h, &h, &g);
    fp2_mul(&t->x, &lambda, &h);
    fp2_sub(&g, &g, &h);
    fp2_mul(&g, &g, &theta);
    fp2_mul(&c, &e, &t->y);
    fp2_sub(&t->y, &g, &c);
    fp2_mul(&t->z, &t->z, &e);
}

void g2_prepare_var(struct g2_prepared *out, const g2_affine_t *q)
{
    out->infinity = g2_affine_is_infinity(q);
    if (out->infinity) return;
    struct multiple t = { q->x, q->y, FP2_ONE };
    struct raw_line raw;
    fp2_t b3[PAIRING_LINES], scratch[PAIRING_LINES];
    size_t n = 0;
    for (int i = 62; i >= 0; i--) {
        for (int adding = 0; adding <= (int)(PARAMETER >> i & 1); adding++) {
            if (adding) {
                add_step(&t, &raw, q);
            } else {
                double_step(&t, &raw);
            }
            out->line[n].b0 = raw.b0;
            out->line[n].b2 = raw.b2;
            b3[n++] = raw.b3;
        }
    }
    /* b3 is not zero: T is neither infinity nor ±Q before the loop ends, and no point has order two. */
    fp2_batch_inv_var(b3, n, scratch);
    for (size_t i = 0; i < n; i++) {
        fp2_mul(&out->line[i].b0, &out->line[i].b0, &b3[i]);
        fp2_mul(&out->line[i].b2, &out->line[i].b2, &b3[i]);
    }
}

enum { TOGETHER = 16, WORTH_TOGETHER = 4 };

/* Running multiples in affine coordinates. */
struct multiples {
    g2_affine_t t[TOGETHER];
    const g2_affine_t *q[TOGETHER];
    struct g2_prepared *out[TOGETHER];
    fp2_t divisor[TOGETHER], scratch[TOGETHER];
    size_t n, line;
};

/* T = 2T or T = T + Q in all of them. With the slope s the line through a point (x, y) of it is
 * (s·x − y) − s·w^2 + w^3 in the form of struct pairing_line. */
static void step_together(struct multiples *m, bool adding)
{
    for (size_t i = 0; i < m->n; i++) {
        if (adding) fp2_sub(&m->divisor[i], &m->t[i].x, &m->q[i]->x);
        else fp2_double(&m->divisor[i], &m->t[i].y);
    }
    fp2_batch_inv_var(m->divisor, m->n, m->scratch);
    for (size_t i = 0; i < m->n; i++) {
        g2_affine_t *t = &m->t[i];
        struct pairing_line *line = &m->out[i]->line[m->line];
        fp2_t s, x;
        if (adding) {
            fp2_sub(&s, &t->y, &m->q[i]->y);
        } else {
            fp2_sqr(&x, &t->x);
            fp2_double(&s, &x);
            fp2_add(&s, &s, &x);
        }
        fp2_mul(&s, &s, &m->divisor[i]);
        fp2_neg(&line->b2, &s);
        fp2_mul(&line->b0, &s, &t->x);
        fp2_sub(&line->b0, &line->b0, &t->y);
        fp2_sqr(&x, &s);
        fp2_sub(&x, &x, &t->x);
        fp2_sub(&x, &x, adding ? &m->q[i]->x : &t->x);
        fp2_sub(&t->x, &t->x, &x);
        fp2_mul(&s, &s, &t->x);
        fp2_sub(&t->y, &s, &t->y);
        t->x = x;
    }
    m->line++;
}

static void prepare_together(struct g2_prepared *out, const g2_affine_t *q, size_t n)
{
    struct multiples m;
    m.n = m.line = 0;
    for (size_t i = 0; i < n; i++) {
        out[i].infinity = g2_affine_is_infinity(&q[i]);
        if (out[i].infinity) continue;
        m.t[m.n] = q[i];
        m.q[m.n] = &q[i];
        m.out[m.n++] = &out[i];
    }
    for (int i = 62; i >= 0; i--) {
        step_together(&m, false);
        if (PARAMETER >> i & 1) step_together(&m, true);
    }
}

void g2_prepare_many_var(struct g2_prepared *out, const g2_affine_t *q, size_t n)
{
    while (n >= WORTH_TOGETHER) {
        size_t count = n < TOGETHER ? n : TOGETHER;
        prepare_together(out, q, count);
        out += count;
        q += count;
        n -= count;
    }
    for (size_t i = 0; i < n; i++) g2_prepare_var(&out[i], &q[i]);
}

/* What the loop needs of a pair: x/y and 1/y, and the next line. */
struct pair {
    fp_t x_over_y, one_over_y;
    const struct pairing_line *line;
};

/* Pairs that share one loop; more only cost stack. */
#define CHUNK 16

static void multiply_lines(fp12_t *f, struct pair *pairs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        fp2_t b0, b2;
        fp2_mul_fp(&b0, &pairs[i].line->b0, &pairs[i].one_over_y);
        fp2_mul_fp(&b2, &pairs[i].line->b2, &pairs[i].x_over_y);
        fp12_mul_line(f, f, &b0, &b2);
        pairs[i].line++;
    }
}

static void miller_loop_chunk(fp12_t *out, const g1_affine_t *p, const struct g2_prepared *const *q, size_t n)
{
    struct pair pairs[CHUNK];
    fp_t inverse[CHUNK], scratch[CHUNK];
    const g1_affine_t *points[CHUNK];
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        if (q[i]->infinity || g1_affine_is_infinity(&p[i])) continue;
        inverse[used] = p[i].y;
        points[used] = &p[i];
        pairs[used++].line = q[i]->line;
    }
    fp_batch_inv_var(inverse, used, scratch);
    for (size_t i = 0; i < used; i++) {
        pairs[i].one_over_y = inverse[i];
        fp_mul(&pairs[i].x_over_y, &points[i]->x, &inverse[i]);
    }
    *out = FP12_ONE;
    if (used == 0) return;
    for (int i = 62; i >= 0; i--) {
        if (i != 62) fp12_sqr(out, out);
        multiply_lines(out, pairs, used);
        if (PARAMETER >> i & 1) multiply_lines(out, pairs, used);
    }
    fp12_conjugate(out, out); /* u is negative: f_{−n} = 1/f_n up to what the final exponentiation removes */
}

void pairing_miller_loop_var(fp12_t *out, const g1_affine_t *p, const struct g2_prepared *const *q, size_t n)
{
    fp12_t product = FP12_ONE, part;
    for (size_t i = 0; i < n; i += CHUNK) {
        miller_loop_chunk(&part, p + i, q + i, n - i < CHUNK ? n - i : CHUNK);
        if (i == 0) {
            product = part;
        } else {
            fp12_mul(&product, &product, &part);
        }
    }
    *out = product;
}

enum { MAX_PARTS = 16 };

struct shared_loop {
    const g1_affine_t *p;
    const struct g2_prepared *const *q;
    size_t n, parts;
    fp12_t value[MAX_PARTS];
};

static void loop_part(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    struct shared_loop *s = context;
    for (size_t i = begin; i < end; i++) {
        size_t first = s->n * i / s->parts, last = s->n * (i + 1) / s->parts;
        pairing_miller_loop_var(&s->value[i], s->p + first, s->q + first, last - first);
    }
}

void pairing_miller_loop_shared_var(fp12_t *out, const g1_affine_t *p, const struct g2_prepared *const *q, size_t n,
                                    struct pool *pool)
{
    struct shared_loop s = { .p = p, .q = q, .n = n, .parts = pool_threads(pool) };
    if (s.parts > n / 2) s.parts = n / 2;
    if (s.parts > MAX_PARTS) s.parts = MAX_PARTS;
    if (s.parts <= 1) {
        pairing_miller_loop_var(out, p, q, n);
        return;
    }
    pool_for(pool, s.parts, 1, loop_part, &s);
    *out = s.value[0];
    for (size_t i = 1; i < s.parts; i++) fp12_mul(out, out, &s.value[i]);
}

/* a^u in the cyclotomic subgroup. */
static void power_parameter(fp12_t *out, const fp12_t *a)
{
    fp12_t power = *a;
    for (int i = 62; i >= 0; i--) {
        fp12_cyclotomic_sqr(&power, &power);
        if (PARAMETER >> i & 1) fp12_mul(&power, &power, a);
    }
    fp12_conjugate(out, &power);
}

void pairing_final_exponentiation_var(gt_t *out, const fp12_t *f)
{
    fp12_t a, b, t;
    /* Easy part: (p^6 − 1)(p^2 + 1). What remains lies in the cyclotomic subgroup. */
    fp12_inv_var(&t, f);
    fp12_conjugate(&a, f);
    fp12_mul(&a, &a, &t);
    fp12_frobenius(&t, &a);
    fp12_frobenius(&t, &t);
    fp12_mul(&a, &a, &t);

    /* Hard part: 3·(p^4 − p^2 + 1)/r = (u − 1)^2·(u + p)·(u^2 + p^2 − 1) + 3 */
    power_parameter(&b, &a);
    fp12_conjugate(&t, &a);
    fp12_mul(&b, &b, &t); /* a^(u − 1) */
    power_parameter(&t, &b);
    fp12_conjugate(&b, &b);
    fp12_mul(&b, &b, &t); /* a^((u − 1)^2) */
    power_parameter(&t, &b);
    fp12_frobenius(&b, &b);
    fp12_mul(&b, &b, &t); /* …·(u + p) */
    power_parameter(&t, &b);
    power_parameter(&t, &t); /* b^(u^2) */
    fp12_t conjugate;
    fp12_conjugate(&conjugate, &b);
    fp12_mul(&t, &t, &conjugate);
    fp12_frobenius(&b, &b);
    fp12_frobenius(&b, &b);
    fp12_mul(&b, &b, &t); /* …·(u^2 + p^2 − 1) */
    fp12_cyclotomic_sqr(&t, &a);
    fp12_mul(&t, &t, &a);
    fp12_mul(out, &b, &t);
}

void pairing_product_var(gt_t *out, const g1_affine_t *p, const struct g2_prepared *const *q, size_t n)
{
    fp12_t f;
    pairing_miller_loop_var(&f, p, q, n);
    pairing_final_exponentiation_var(out, &f);
}

bool pairing_product_is_one_var(const g1_affine_t *p, const struct g2_prepared *const *q, size_t n)
{
    gt_t product;
    pairing_product_var(&product, p, q, n);
    return fp12_is_one(&product);
}

void pairing_var(gt_t *out, const g1_affine_t *p, const g2_affine_t *q)
{
    struct g2_prepared prepared;
    const struct g2_prepared *pointer = &prepared;
    g2_prepare_var(&prepared, q);
    pairing_product_var(out, p, &pointer, 1);
}
