/* Part of cuzk bench field: products of eight numbers at a time, where the processor has AVX-512 IFMA. */
#include "cli/bench/bench.h"
#include "math/cpu.h"

#if defined(__x86_64__)
#include "math/fp_lanes.h"
#include "math/fr_lanes.h"

/* Vectors, of eight chains each, that do not wait for each other. */
enum { VECTORS = 8, TURNS = 400 };

LANES static void fp_products(void *context)
{
    fp_t *value = context;
    fp_lanes_t x[VECTORS];
    fp_factor_t factor;
    const void *at[8];
    void *to[8];
    for (int i = 0; i < 8; i++) at[i] = to[i] = value;
    fp_lanes_set(&x[0], value);
    fp_lanes_shift(&factor, &x[0]);
    for (int k = 0; k < VECTORS; k++) fp_lanes_load(&x[k], at, 0);
    for (int i = 0; i < TURNS; i++) {
        for (int k = 0; k < VECTORS; k += 2) {
            fp_lanes_mul_two(&x[k], &x[k], &factor, &x[k + 1], &x[k + 1], &factor);
        }
    }
    fp_lanes_reduce(&x[0]);
    fp_lanes_store(to, 0, &x[0], 1);
}

LANES static void fr_products(void *context)
{
    fr_t *value = context; /* eight of them */
    fr_lanes_t x[VECTORS], factor;
    fr_lanes_factor_all(&factor, value);
    for (int k = 0; k < VECTORS; k++) fr_lanes_load(&x[k], value);
    for (int i = 0; i < TURNS; i++) {
        for (int k = 0; k < VECTORS; k++) {
            fr_lanes_mul(&x[k], &x[k], &factor);
            lanes_carry(x[k].l, FR_LANE_LIMBS);
        }
    }
    fr_lanes_canonical(&x[0]);
    fr_lanes_store(value, &x[0]);
}

void bench_lanes(const struct bench_options *o)
{
    if (cpu_level() != CPU_IFMA) return;
    const uint64_t products = 8 * VECTORS * TURNS;
    fp_t p;
    fr_t r[8];
    fp_from_u64(&p, 0x9e3779b97f4a7c15u);
    for (int i = 0; i < 8; i++) fr_from_u64(&r[i], 0x9e3779b97f4a7c15u + (unsigned)i);
    bench_run(o, "Fr product, 8 lanes", "cpu", 8, 1, products, fr_products, r);
    bench_run(o, "Fp product, 8 lanes", "cpu", 8, 1, products, fp_products, &p);
}
#else
void bench_lanes(const struct bench_options *o) { (void)o; }
#endif
