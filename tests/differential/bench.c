/* Times of the CUDA backend's parts on one device, beside the floors of docs/cuda.md, and of partitions with
 * synthetic parameters (few different points, repeated) and random witnesses.
 *
 *   bench [--device N] [--small] [--transforms] [--output DIR] [arithmetic | CIRCUIT-ID | keygen-CIRCUIT-ID …]
 *
 * arithmetic: field operations alone. keygen-…: key generation into the device's memory, or with --output into files,
 * which stay.
 */
#include "backend/cuda/cuda.h"
#include "backend/cuda/keygen.h"
#include "backend/cuda/measure.h"
#include "backend/cuda/state.h"
#include "base/clock.h"
#include "bench_kernels.h"
#include "circuit/catalogue.h"
#include "circuit/compile.h"
#include "slots.h"
#include "groth16/keygen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BASE_POINTS = 1 << 14 };

static struct backend backend;
static int proofs = 4; /* of a partition */
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

static void start(void) { check(cudaEventRecord(started, state->lane[0].stream), "event"); }

static double stop(void)
{
    float ms;
    check(cudaEventRecord(stopped, state->lane[0].stream), "event");
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
    void *p = context_take(&state->lane[0], bytes);
    if (!p) {
        fprintf(stderr, "the arena is too small\n");
        exit(1);
    }
    return p;
}

static void time_arithmetic(void)
{
    cuzk_error err = { "" };
    void *space = take((size_t)1 << 28);
    const char *name;
    uint32_t different;
    require(bench_check_squares(&different, &state->lane[0], &err), &err, "squares");
    printf("fp squares apart: %s\n", different ? "DIFFERENT" : "equal");
    require(measure_fill(space, ((size_t)1 << 28) / 32, 1, &state->lane[0], &err), &err, "fill");
    for (int which = 0; (name = bench_arithmetic_name(which)); which++) {
        size_t count;
        double best = 1e9;
        for (int i = 0; i < 4; i++) {
            start();
            require(bench_arithmetic(&count, which, space, &state->lane[0], &err), &err, name);
            double ms = stop();
            if (ms < best) best = ms;
        }
        printf("%-34s %8.2f G/s\n", name, (double)count / best / 1e6);
    }
    fflush(stdout);
    context_release(&state->lane[0], 0);
}

static void time_transforms(unsigned k)
{
    cuzk_error err = { "" };
    struct context *c = &state->lane[0];
    size_t n = (size_t)1 << k;
    struct fr *a = take(n * 32), *b = take(n * 32);
    fr_t one = FR_ONE;
    double forward = 1e9, inverse = 1e9, product, finish;
    require(measure_fill(a, n, 7, c, &err), &err, "fill");
    require(measure_fill(b, n, 8, c, &err), &err, "fill");
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
    struct context *c = &state->lane[0];
    struct msm_plan plan;
    void *points = take(n * sums_affine_bytes(g));
    struct fr *scalars = take(n * 32);
    fill_points(points, g, n);
    double best = 1e9;
    for (int i = 0; i < 3; i++) {
        require(measure_fill(scalars, n, (uint64_t)i << 40, c, &err), &err, "fill");
        start();
        require(sums_msm(c->pinned, &plan, g, points, NULL, scalars, true, n, c, &err), &err, "msm");
        double ms = stop();
        if (ms < best) best = ms;
    }
    printf("msm %s %zu: %.3f ms, %.1f M points/s, %u bits, %u windows, %u at once, %.2f GB\n",
           g == SUMS_G1 ? "g1" : "g2", n, best, (double)n / best / 1e3, plan.bits, plan.windows, plan.batch,
           (double)plan.bytes / 1e9);
    fflush(stdout);
    context_release(c, 0);
}

static void time_selected(enum sums_group g, size_t n)
{
    cuzk_error err = { "" };
    struct context *c = &state->lane[0];
    void *points = take(n * sums_affine_bytes(g));
    uint64_t *bits = take(n / 8 + 64);
    uint32_t *numbers = take(n * 4), *count = take(4);
    fill_points(points, g, n);
    require(measure_fill((struct fr *)bits, n / 256, 5, c, &err), &err, "fill");
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

/* The same partition with its values computed on the device, from random slots. "upload" is that. */
static void time_deferred(const struct backend_circuit *bc, const struct backend_srs *bs, const char *id)
{
    struct slot_set slots;
    struct witness w;
    struct proof_sums sums;
    struct prove_timings t;
    cuzk_error err = { "" };
    slot_set_random(&slots, bc->circuit);
    require(witness_create_deferred(&w, bc->circuit, &err), &err, id);
    for (int i = 0; i < 4; i++) {
        uint64_t begin = clock_now();
        require(witness_fill(&w, &slots.a, state->pool, &err), &err, id);
        uint64_t filled = clock_now();
        require(cuda_prove(&sums, &t, bc, bs, &w, state, &err), &err, id);
        printf("%s, deferred: %.1f ms: upload and fill %.1f; before it, %.1f MB of slots on the host %.1f ms\n", id,
               (double)(clock_now() - filled) / 1e6, (double)t.memory / 1e6, (double)w.size / 1e6,
               (double)(filled - begin) / 1e6);
        fflush(stdout);
    }
    witness_destroy(&w);
    slot_set_release(&slots);
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
           (unsigned)circuit->instance_count, circuit->import_count, (double)state->lane[0].arena.size / 1e9);
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
        require(context_allocate(&srs.points[i], &state->lane[0], srs.bytes[i], "points", &err), &err, id);
        fill_points(srs.points[i], section_group((enum srs_section)i), file.counts.section[i]);
    }
    for (int i = 0; i < proofs; i++) {
        begin = clock_now();
        require(cuda_prove(&sums, &t, &bc, &bs, &w, state, &err), &err, id);
        printf(
            "%s: %.1f ms: upload %.1f, evaluate %.1f, quotient %.1f, h %.1f, l %.1f, a %.1f, b_g1 %.1f, b_g2 %.1f\n",
            id, (double)(clock_now() - begin) / 1e6, (double)t.memory / 1e6, (double)t.evaluate / 1e6,
            (double)t.quotient / 1e6, (double)t.h / 1e6, (double)t.l / 1e6, (double)t.a / 1e6, (double)t.b_g1 / 1e6,
            (double)t.b_g2 / 1e6);
        fflush(stdout);
    }
    if (((const struct cuda_circuit *)bc.loaded)->fill) time_deferred(&bc, &bs, id);
    for (int i = 0; i < SRS_SECTIONS; i++) context_free(&state->lane[0], srs.points[i], srs.bytes[i]);
    backend_circuit_drop(&bc);
    witness_destroy(&w);
    circuit_free(circuit);
}

static double seconds(uint64_t nanoseconds) { return (double)nanoseconds / 1e9; }

static void print_keygen(const char *id, const struct keygen_timings *t, const struct srs_counts *counts,
                         uint64_t total)
{
    printf("%s: key generation %.2f s: lagrange %.2f, columns l %.2f, a %.2f, b %.2f (awaited %.2f), key %.2f, "
           "tables %.2f\n",
           id, seconds(total), seconds(t->lagrange), seconds(t->columns[KEYGEN_L]), seconds(t->columns[KEYGEN_A]),
           seconds(t->columns[KEYGEN_B]), seconds(t->columns_awaited), seconds(t->key), seconds(t->tables));
    for (int i = 0; i < SRS_SECTIONS; i++) {
        double n = (double)counts->section[i], s = seconds(t->section[i]);
        printf("  %-5s %10.0f points %7.3f s, %6.1f M/s\n", srs_section_name((enum srs_section)i), n, s, n / s / 1e6);
    }
    printf("  of these: gathering scalars %.2f, waiting for the device %.2f, writing %.2f\n", seconds(t->gather),
           seconds(t->device), seconds(t->write));
    fflush(stdout);
}

/* Into DIR/ID.params, or with `dir` NULL into the device's memory. */
static void time_keygen(const char *id, const char *dir)
{
    const struct circuit_entry *entry = catalogue_by_id(id);
    struct circuit *circuit;
    struct backend_circuit bc;
    struct toxic toxic;
    struct params_writer writer;
    struct verifying_key vk = { .ic_count = 0 };
    struct cuda_srs srs = { .points = { NULL } };
    struct keygen_target to_file = { .writer = &writer }, to_device = { .srs = &srs, .vk = &vk };
    struct keygen_timings t;
    cuzk_error err = { "" };
    if (!entry) exit(64);
    require(circuit_compile(&circuit, entry->kind, catalogue_shape(entry), &err), &err, id);
    require(backend_circuit_load(&bc, &backend, circuit, &err), &err, id);
    require(toxic_from_insecure_seed(&toxic, "cuzk-bench", &err), &err, id);
    if (dir) require(params_writer_open(&writer, dir, id, &bc.layout.counts, &err), &err, id);
    uint64_t begin = clock_now();
    require(cuda_generate(dir ? &to_file : &to_device, &t, &bc, &toxic, NULL, state, &err), &err, id);
    print_keygen(id, &t, &bc.layout.counts, clock_now() - begin);
    if (dir) require(params_writer_commit(&writer, &err), &err, id);
    for (int i = 0; i < SRS_SECTIONS; i++) context_free(&state->lane[0], srs.points[i], srs.bytes[i]);
    vk_release(&vk);
    backend_circuit_drop(&bc);
    circuit_free(circuit);
}

int main(int argc, char **argv)
{
    int device = 0, first = 1;
    const char *output = NULL;
    bool small = false, transforms = false;
    cuzk_error err = { "" };
    struct pool *pool;
    for (; first < argc && argv[first][0] == '-'; first++) {
        if (strcmp(argv[first], "--once") == 0)
            proofs = 1;
        else if (strcmp(argv[first], "--small") == 0)
            small = true;
        else if (strcmp(argv[first], "--transforms") == 0)
            transforms = true;
        else if (strcmp(argv[first], "--output") == 0 && first + 1 < argc)
            output = argv[++first];
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
    if (first == argc || strcmp(argv[first], "arithmetic") == 0)
        require(context_reserve(&state->lane[0], small ? (size_t)12 << 30 : (size_t)64 << 30, &err), &err, "arena");
    if (first == argc) {
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
    for (; first < argc; first++) {
        if (strcmp(argv[first], "arithmetic") == 0)
            time_arithmetic();
        else if (strncmp(argv[first], "keygen-", 7) == 0)
            time_keygen(argv[first] + 7, output);
        else
            time_partition(argv[first]);
    }
    backend_close(&backend);
    pool_destroy(pool);
    return 0;
}
