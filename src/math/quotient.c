#include "math/quotient.h"

enum { GRAIN = 4096 };

struct pair {
    fr_t *a;
    const fr_t *b;
    fr_t factor[2];
};

static void multiply(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    const struct pair *s = context;
    for (size_t i = begin; i < end; i++) fr_mul(&s->a[i], &s->a[i], &s->b[i]);
}

static void combine(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    const struct pair *s = context;
    for (size_t i = begin; i < end; i++) {
        fr_t terms[2] = { s->a[i], s->b[i] };
        fr_dot(&s->a[i], terms, s->factor, 2);
    }
}

static void move_to_coset(fr_t *x, const struct ntt_domain *domain, struct pool *pool)
{
    ntt_interpolate(x, NTT_PLAIN, domain, pool);
    ntt_evaluate(x, NTT_TWISTED, domain, pool);
}

void quotient_product(fr_t *a, fr_t *b, const struct ntt_domain *domain, struct pool *pool)
{
    struct pair s = { .a = a, .b = b };
    move_to_coset(a, domain, pool);
    move_to_coset(b, domain, pool);
    pool_for(pool, ntt_domain_size(domain), GRAIN, multiply, &s);
    ntt_interpolate(a, NTT_TWISTED, domain, pool);
}

void quotient_finish(fr_t *a, fr_t *c, const struct ntt_domain *domain, struct pool *pool)
{
    /* h = C/2 − (C − 2·h)/2; `a` comes with a factor m^3, the interpolated c with a factor m. */
    struct pair s = { .a = a, .b = c };
    fr_t m, denominator;
    ntt_interpolate(c, NTT_PLAIN, domain, pool);
    fr_from_u64(&m, ntt_domain_size(domain));
    fr_double(&denominator, &m);
    fr_inv_var(&s.factor[1], &denominator);
    fr_sqr(&m, &m);
    fr_mul(&denominator, &denominator, &m);
    fr_neg(&denominator, &denominator);
    fr_inv_var(&s.factor[0], &denominator);
    pool_for(pool, ntt_domain_size(domain), GRAIN, combine, &s);
}
