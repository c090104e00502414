/* Nanoseconds per operation of the field, curve and pairing code: `math_bench`, or `CUZK_CPU=portable math_bench`.
 * Each figure is the fastest of several rounds. */
#include "math/cpu.h"
#include "math/pairing.h"
#include "math/random.h"

#include <stdio.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

#define ROUNDS 40

#define MEASURE(name, count, statement)                                                                        \
    do {                                                                                                       \
        double best = 1e30;                                                                                    \
        for (int round = 0; round < ROUNDS; round++) {                                                         \
            double start = now();                                                                              \
            for (int i = 0; i < (count); i++) {                                                                \
                statement;                                                                                     \
            }                                                                                                  \
            double each = (now() - start) / (count);                                                           \
            if (each < best) best = each;                                                                      \
        }                                                                                                      \
        printf("%-28s %10.1f ns\n", name, best);                                                               \
    } while (0)

static void bench_fields(struct random *random)
{
    fr_t a = fr_random(random), b = fr_random(random), many[16], others[16];
    fp_t x = fp_random(random), y = fp_random(random), stream[8];
    fp2_t f = fp2_random(random), g = fp2_random(random);
    for (int i = 0; i < 16; i++) many[i] = fr_random(random), others[i] = fr_random(random);
    for (int i = 0; i < 8; i++) stream[i] = fp_random(random);
    MEASURE("fr_add", 10000, fr_add(&a, &a, &b));
    MEASURE("fr_mul, dependent", 10000, fr_mul(&a, &a, &b));
    MEASURE("fr_mul, 8 streams", 10000, fr_mul(&many[i & 7], &many[i & 7], &b));
    MEASURE("fr_sqr", 10000, fr_sqr(&a, &a));
    MEASURE("fr_dot of 3", 10000, fr_dot(&a, many, others, 3));
    MEASURE("fr_dot of 12", 10000, fr_dot(&a, many, others, 12));
    MEASURE("fr_inv_var", 200, fr_inv_var(&a, &a); fr_add(&a, &a, &b));
    MEASURE("fp_add", 10000, fp_add(&x, &x, &y));
    MEASURE("fp_sub", 10000, fp_sub(&x, &x, &y));
    MEASURE("fp_mul, dependent", 10000, fp_mul(&x, &x, &y));
    MEASURE("fp_mul, 8 streams", 10000, fp_mul(&stream[i & 7], &stream[i & 7], &y));
    MEASURE("fp_sqr, dependent", 10000, fp_sqr(&x, &x));
    MEASURE("fp_sqr, 8 streams", 10000, fp_sqr(&stream[i & 7], &stream[i & 7]));
    MEASURE("fp_inv_var", 200, fp_inv_var(&x, &x); fp_add(&x, &x, &y));
    MEASURE("fp_sqrt_var", 50, fp_sqrt_var(&x, &y); fp_add(&y, &y, &x));
    MEASURE("fp2_mul", 10000, fp2_mul(&f, &f, &g));
    MEASURE("fp2_sqr", 10000, fp2_sqr(&f, &f));
}

static void bench_curves(struct random *random)
{
    g1_t p, q;
    g2_t r, s;
    g1_affine_t g;
    g2_affine_t h;
    fr_t k = fr_random(random), l = fr_random(random);
    g1_from_affine(&p, &G1_GENERATOR);
    g1_mul_fr_var(&p, &p, &k);
    g1_mul_fr_var(&q, &p, &l);
    g2_from_affine(&r, &G2_GENERATOR);
    g2_mul_fr_var(&r, &r, &k);
    g2_mul_fr_var(&s, &r, &l);
    g1_to_affine_var(&g, &p);
    g2_to_affine_var(&h, &r);
    MEASURE("g1_double", 2000, g1_double(&q, &q));
    MEASURE("g1_add", 2000, g1_add(&q, &q, &p));
    MEASURE("g1_add_mixed", 2000, g1_add_mixed(&q, &q, &g));
    MEASURE("g1_mul_fr_var", 20, g1_mul_fr_var(&q, &q, &k));
    MEASURE("g1_in_subgroup_var", 20, g1_in_subgroup_var(&g));
    MEASURE("g2_double", 2000, g2_double(&s, &s));
    MEASURE("g2_add", 2000, g2_add(&s, &s, &r));
    MEASURE("g2_add_mixed", 2000, g2_add_mixed(&s, &s, &h));
    MEASURE("g2_in_subgroup_var", 20, g2_in_subgroup_var(&h));
}

static void bench_pairing(struct random *random)
{
    static struct g2_prepared prepared[4];
    const struct g2_prepared *q[4] = { &prepared[0], &prepared[1], &prepared[2], &prepared[3] };
    g1_affine_t p[4];
    g2_affine_t h = G2_GENERATOR;
    gt_t e;
    fp12_t f = FP12_ONE;
    bool one = false;
    for (int i = 0; i < 4; i++) {
        fr_t k = fr_random(random);
        g1_t a;
        g2_t b;
        g1_from_affine(&a, &G1_GENERATOR);
        g1_mul_fr_var(&a, &a, &k);
        g1_to_affine_var(&p[i], &a);
        g2_from_affine(&b, &G2_GENERATOR);
        g2_mul_fr_var(&b, &b, &k);
        g2_to_affine_var(&h, &b);
        g2_prepare_var(&prepared[i], &h);
    }
    MEASURE("g2_prepare_var", 1, g2_prepare_var(&prepared[3], &h));
    MEASURE("Miller loop, 1 prepared", 1, pairing_miller_loop_var(&f, p, q, 1));
    MEASURE("Miller loop, 4 prepared", 1, pairing_miller_loop_var(&f, p, q, 4));
    MEASURE("final exponentiation", 1, pairing_final_exponentiation_var(&e, &f));
    MEASURE("pairing", 1, pairing_var(&e, &p[0], &h));
    MEASURE("product of 4, 1 to prepare", 1, g2_prepare_var(&prepared[3], &h);
            one |= pairing_product_is_one_var(p, q, 4));
    MEASURE("product of 4, 4 to prepare", 1, for (int j = 0; j < 4; j++) g2_prepare_var(&prepared[j], &h);
            one |= pairing_product_is_one_var(p, q, 4));
    if (one || fp12_is_one(&e)) printf("unexpected\n");
}

int main(void)
{
    struct random random = { 1 };
    printf("level: %s\n", cpu_level_name(cpu_level()));
    bench_fields(&random);
    bench_curves(&random);
    bench_pairing(&random);
    return 0;
}
