/* Times of the CUDA backend's parts on one device, beside the floors of docs/cuda.md, and of partitions with
 * synthetic parameters (few different points, repeated) and random witnesses.
 *
 *   bench [--device N] [--small] [--transforms] [CIRCUIT-ID …]
 */
#include "backend/cuda/cuda.h"
#include "backend/cuda/state.h"
#include "base/clock.h"
#include "bench_kernels.h"
#include "circuit/catalogue.h"
#include "circuit/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BASE_POINTS = 1 << 14 };

static struct backend backend;
static struct cuda_state *state;
static cudaEvent_t started, stopped;

static void require(cuzk_status status, const cuzk_error *err, const char *what)
{
    if (status == CUZK_OK) return;
    fprintf(stderr, "%s: %s: %s\n", what, cuzk_status_text(status), err->detail);
    exit(1);
}

static void check(cudaError_t code, const char *what)
{
    if (code == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code));
    exit(1);
}

static void start(void) { check(cudaEventRecord(started, state->context.stream), "event"); }

static double stop(void)
{
    float ms;
    check(cudaEventRecord(stopped, state->context.stream), "event");
    check(cudaEventSynchronize(stopped), "what was timed");
    check(cudaEventElapsedTime(&ms, started, stopped), "event");
    return ms;
}

/* n points in device memory: BASE_POINTS multiples of the generator, over and over. */
static void fill_points(void *out, enum sums_group g, size_t n)
{
    static g1_t list1[BASE_POINTS];
    static g1_affine_t base1[BASE_POINTS];
    static fp_t scratch1[BASE_POINTS];
    static g2_t list2[BASE_POINTS];
    static g2_affine_t base2[BASE_POINTS];
    static fp2_t scratch2[BASE_POINTS];
    static bool made;
    size_t size = sums_affine_bytes(g);
    if (!made) {
        g1_from_affine(&list1[0], &G1_GENERATOR);
        g2_from_affine(&list2[0], &G2_GENERATOR);
        for (int i = 1; i < BASE_POINTS; i++) {
            g1_add_mixed(&list1[i], &list1[i - 1], &G1_GENERATOR);
            g2_add_mixed(&list2[i], &list2[i - 1], &G2_GENERATOR);
        }
        g1_batch_to_affine_var(base1, list1, BASE_POINTS, scratch1);
        g2_batch_to_affine_var(base2, list2, BASE_POINTS, scratch2);
        made = true;
    }
    for (size_t done = 0; done < n;) {
        size_t some = done == 0 ? BASE_POINTS : done;
        if (some > n - done) some = n - done;
        const void *from = done == 0 ? (g == SUMS_G1 ? (void *)base1 : base2) : out;
        check(cudaMemcpy((char *)out + done * size, from, some * size, cudaMemcpyDefault), "points");
        done += some;
    }
}

static void *take(size_t bytes)
{
    void *p = context_take(&state->context, bytes);
    if (!p) {
        fprintf(stderr, "the arena is too small\n");
        exit(1);
    }
    return p;
}

static void time_arithmetic(void)
{
    static const char *const name[] = { "fr mul",   "fp mul",      "fp sqr",      "g1 mixed",
                                        "g2 mixed", "fr add, sub", "fr mul, few", "fp mul, few" };
    cuzk_error err = { "" };
    void *space = take((size_t)1 << 28);
    require(bench_fill(space, ((size_t)1 << 28) / 32, 1, &state->context, &err), &err, "fill");
    for (int which = 0; which < 8; which++) {
        size_t count;
        require(bench_arithmetic(&count, which, space, &state->context, &err), &err, name[which]);
        start();
        require(bench_arithmetic(&count, which, space, &state->context, &err), &err, name[which]);
        double ms = stop();
        printf("%-12s %8.2f G/s\n", name[which], (double)count / ms / 1e6);
    }
    context_release(&state->context, 0);
}

static void time_transforms(unsigned k)
{
    cuzk_error err = { "" };
    struct context *c = &state->context;
    size_t n = (size_t)1 << k;
    struct fr *a = take(n * 32), *b = take(n * 32);
    fr_t one = FR_ONE;
    double forward = 1e9, inverse = 1e9, product, finish;
    require(bench_fill(a, n, 7, c, &err), &err, "fill");
    require(bench_fill(b, n, 8, c, &err), &err, "fill");
    for (int i = 0; i < 3; i++) {
        start();
        require(ntt_device_interpolate(a, k, false, &state->tables, c, &err), &err, "ntt");
        double ms = stop();
        if (ms < inverse) inverse = ms;
        start();
        require(ntt_device_evaluate(a, k, true, &state->tables, c, &err), &err, "ntt");
        ms = stop();
        if (ms < forward) forward = ms;
    }
    start();
    require(quotient_device_product(a, b, k, &state->tables, c, &err), &err, "quotient");
    product = stop();
    start();
    require(quotient_device_finish(a, b, k, &one, &one, &state->tables, c, &err), &err, "quotient");
    finish = stop();
    printf("2^%u: evaluate %.3f ms (%.1f G butterflies/s), interpolate %.3f ms; quotient %.3f + %.3f ms\n", k,
           forward, (double)n / 2 * k / forward / 1e6, inverse, product, finish);
    fflush(stdout);
    context_release(c, 0);
}

static void time_msm(enum sums_group g, size_t n)
{
    cuzk_error err = { "" };
    struct context *c = &state->context;
    struct msm_plan plan;
    void *points = take(n * sums_affine_bytes(g));
    struct fr *scalars = take(n * 32);
    fill_points(points, g, n);
    double best = 1e9;
    for (int i = 0; i < 3; i++) {
        require(bench_fill(scalars, n, (uint64_t)i << 40, c, &err), &err, "fill");
        start();
        require(sums_msm(c->pinned, &plan, g, points, NULL, scalars, true, n, c, &err), &err, "msm");
        double ms = stop();
        if (ms < best) best = ms;
    }
    printf("msm %s %zu: %.3f ms, %.1f M points/s, %u bits, %u windows, %u at once, %u rounds, %.2f GB\n",
           g == SUMS_G1 ? "g1" : "g2", n, best, (double)n / best / 1e3, plan.bits, plan.windows, plan.batch,
           plan.rounds, (double)plan.bytes / 1e9);
    fflush(stdout);
    context_release(c, 0);
}

static void time_selected(enum sums_group g, size_t n)
{
    cuzk_error err = { "" };
    struct context *c = &state->context;
    void *points = take(n * sums_affine_bytes(g));
    uint64_t *bits = take(n / 8 + 64);
    uint32_t *numbers = take(n * 4), *count = take(4);
    fill_points(points, g, n);
    require(bench_fill((struct fr *)bits, n / 256, 5, c, &err), &err, "fill");
    double select = 1e9, sum = 1e9;
    for (int i = 0; i < 3; i++) {
        start();
        require(bits_select(numbers, count, bits, NULL, NULL, n / 64, c, &err), &err, "select");
        double ms = stop();
        if (ms < select) select = ms;
        start();
        require(sums_listed(c->pinned, g, points, numbers, count, n, c, &err), &err, "sum");
        ms = stop();
        if (ms < sum) sum = ms;
    }
    printf("bit sum %s of about %zu of %zu: select %.3f ms, add %.3f ms (%.2f G/s)\n", g == SUMS_G1 ? "g1" : "g2",
           n / 2, n, select, sum, (double)n / 2 / sum / 1e6);
    fflush(stdout);
    context_release(c, 0);
}

/* A partition with synthetic parameters and a random witness: half of the bits are one. */
static void time_partition(const char *id)
{
    const struct circuit_entry *entry = catalogue_by_id(id);
    struct circuit *circuit;
    struct backend_circuit bc;
    struct cuda_srs srs = { .points = { NULL } };
    struct params_file file = { .counts = { 0 } };
    struct backend_srs bs = { .backend = &backend, .file = &file, .loaded = &srs };
    struct witness w;
    struct proof_sums sums;
    struct prove_timings t;
    cuzk_error err = { "" };
    if (!entry) exit(64);
    uint64_t begin = clock_now();
    require(circuit_compile(&circuit, entry->kind, catalogue_shape(entry), &err), &err, id);
    uint64_t compiled = clock_now();
    require(backend_circuit_load(&bc, &backend, circuit, &err), &err, id);
    uint64_t loaded = clock_now();
    printf("%s: compile %.2f s, %.1f MB; load %.3f s; %u instances, %zu imports, %.2f GB of arena\n", id,
           (double)(compiled - begin) / 1e9, (double)circuit_bytes(circuit) / 1e6, (double)(loaded - compiled) / 1e9,
           (unsigned)circuit->instance_count, circuit->import_count, (double)state->context.arena.size / 1e9);
    fflush(stdout);
    require(witness_create(&w, circuit, &err), &err, id);
    uint64_t z = 88172645463325252;
    for (size_t i = 0; i < w.size / 8; i++) {
        z ^= z << 13, z ^= z >> 7, z ^= z << 17;
        ((uint64_t *)w.memory)[i] = z;
    }
    for (size_t i = 0; i < circuit->wides; i++) w.wides[i].l[3] &= 0x3fffffffffffffff;
    for (size_t i = 0; i < circuit->inputs; i++) w.inputs[i].l[3] &= 0x3fffffffffffffff;
    if (circuit->bits % 64) w.bits[circuit->bits / 64] &= (UINT64_C(1) << (circuit->bits % 64)) - 1;
    file.counts = bc.layout.counts;
    for (int i = 0; i < SRS_SECTIONS; i++) {
        srs.bytes[i] = file.counts.section[i] * srs_point_bytes((enum srs_section)i);
        require(context_allocate(&srs.points[i], &state->context, srs.bytes[i], "points", &err), &err, id);
        fill_points(srs.points[i], section_group((enum srs_section)i), file.counts.section[i]);
    }
    for (int i = 0; i < 4; i++) {
        begin = clock_now();
        require(cuda_prove(&sums, &t, &bc, &bs, &w, state, &err), &err, id);
        printf(
            "%s: %.1f ms: upload %.1f, evaluate %.1f, quotient %.1f, h %.1f, l %.1f, a %.1f, b_g1 %.1f, b_g2 %.1f\n",
            id, (double)(clock_now() - begin) / 1e6, (double)t.memory / 1e6, (double)t.evaluate / 1e6,
            (double)t.quotient / 1e6, (double)t.h / 1e6, (double)t.l / 1e6, (double)t.a / 1e6, (double)t.b_g1 / 1e6,
            (double)t.b_g2 / 1e6);
        fflush(stdout);
    }
    for (int i = 0; i < SRS_SECTIONS; i++) context_free(&state->context, srs.points[i], srs.bytes[i]);
    backend_circuit_drop(&bc);
    witness_destroy(&w);
    circuit_free(circuit);
}

int main(int argc, char **argv)
{
    int device = 0, first = 1;
    bool small = false, transforms = false;
    cuzk_error err = { "" };
    struct pool *pool;
    for (; first < argc && argv[first][0] == '-'; first++) {
        if (strcmp(argv[first], "--small") == 0)
            small = true;
        else if (strcmp(argv[first], "--transforms") == 0)
            transforms = true;
        else if (strcmp(argv[first], "--device") == 0 && first + 1 < argc)
            device = atoi(argv[++first]);
        else
            return 64;
    }
    require(pool_create(&pool, 0, &err), &err, "threads");
    require(cuda_backend_open(&backend, device, 0, pool, &err), &err, "open");
    state = backend.state;
    check(cudaEventCreate(&started), "event");
    check(cudaEventCreate(&stopped), "event");
    if (first == argc) {
        require(context_reserve(&state->context, small ? (size_t)12 << 30 : (size_t)64 << 30, &err), &err, "arena");
        time_arithmetic();
        time_transforms(20);
        time_transforms(small ? 22 : 24);
        if (!small) time_transforms(27);
        if (transforms) return 0;
        time_msm(SUMS_G1, 1 << 16);
        time_msm(SUMS_G1, 1 << 20);
        time_msm(SUMS_G1, 1700000);
        time_msm(SUMS_G2, 1 << 16);
        time_msm(SUMS_G2, 1 << 19);
        time_selected(SUMS_G1, 1 << 22);
        time_selected(SUMS_G2, 1 << 22);
        if (!small) {
            time_msm(SUMS_G1, 1 << 24);
            time_msm(SUMS_G1, 1 << 26);
            time_msm(SUMS_G1, (1 << 27) - 1);
            time_selected(SUMS_G1, 1 << 27);
            time_selected(SUMS_G2, 1 << 25);
        }
    }
    for (; first < argc; first++) time_partition(argv[first]);
    backend_close(&backend);
    pool_destroy(pool);
    return 0;
}
