/* Compares every operation of the CUDA backend with the CPU's, byte for byte, at sizes where implementations break:
 * 0 … 33, around powers of two, where windows change, and at random ones.
 *
 *   differential [--device N] [--threads N] [--memory BYTES] [--endure PROOFS] [--quick | --big | --none] [ID.witness | ID …]
 *
 * A file ID.witness holds the packed witness of the circuit ID (make_witness writes it); for a mere ID a random one
 * is made, which satisfies nothing, but the sums are defined all the same. The five sums of the partition are
 * compared, with parameters that are generated under TMPDIR; so are parameters that the device generates, files up to
 * FILE_LIMIT byte for byte, and the sums with those in its memory. --none: only circuits. Needs nothing but a driver. Exit
 * status 0 only if everything was equal. */
#define _GNU_SOURCE
#include "backend/cpu/cpu.h"
#include "backend/cuda/cuda.h"
#include "backend/cuda/fixed_base.h"
#include "backend/cuda/keygen.h"
#include "base/clock.h"
#include "base/file.h"
#include "circuit/catalogue.h"
#include "circuit/compile.h"
#include "groth16/params_writer.h"
#include "math/fixed_base.h"
#include "math/point_codec.h"

#include <inttypes.h>
#include <stdarg.h>
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct backend cpu, cuda;
static struct pool *pool;
static unsigned compared, different;
static bool limited; /* by --memory */
static unsigned endurance;
static uint64_t random_state = 0x9e3779b97f4a7c15;

static uint64_t random_u64(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15; /* splitmix64 */
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static fr_t random_fr(void)
{
    uint8_t bytes[32];
    fr_t x;
    for (int i = 0; i < 4; i++) {
        uint64_t v = random_u64();
        memcpy(bytes + 8 * i, &v, 8);
    }
    fr_from_bytes_reduced(&x, bytes);
    return x;
}

static void require(cuzk_status status, const cuzk_error *err, const char *what)
{
    if (status == CUZK_OK) return;
    fprintf(stderr, "%s: %s: %s\n", what, cuzk_status_text(status), err->detail);
    exit(1);
}

static void *allocate(size_t count, size_t size)
{
    void *p = malloc(count * size + 64);
    if (!p) {
        fprintf(stderr, "no memory for %zu elements of %zu bytes\n", count, size);
        exit(1);
    }
    return p;
}

static void __attribute__((format(printf, 2, 3))) report(bool equal, const char *format, ...)
{
    compared++;
    if (equal) return;
    if (different++ >= 40) return;
    va_list args;
    va_start(args, format);
    printf("DIFFERENT: ");
    vprintf(format, args);
    printf("\n");
    va_end(args);
    fflush(stdout);
}

/* Transforms. */

static void compare_ntt(unsigned k, enum ntt_kind kind)
{
    size_t n = (size_t)1 << k;
    fr_t *x = allocate(n, sizeof *x), *y = allocate(n, sizeof *y);
    cuzk_error err = { "" };
    for (size_t i = 0; i < n; i++) x[i] = random_fr();
    memcpy(y, x, n * sizeof *x);
    require(backend_ntt(x, k, kind, &cpu, &err), &err, "ntt on the cpu");
    require(backend_ntt(y, k, kind, &cuda, &err), &err, "ntt");
    report(memcmp(x, y, n * sizeof *x) == 0, "transform of kind %d, 2^%u", kind, k);
    free(x);
    free(y);
}

static void compare_quotient(unsigned k)
{
    size_t n = (size_t)1 << k;
    fr_t *a = allocate(n, sizeof *a), *b = allocate(n, sizeof *b), *x = allocate(n, sizeof *x);
    cuzk_error err = { "" };
    for (size_t i = 0; i < n; i++) {
        a[i] = i % 5 == 0 ? FR_ZERO : random_fr();
        b[i] = i % 7 == 0 ? FR_ONE : random_fr();
    }
    memcpy(x, a, n * sizeof *a);
    require(backend_quotient(a, b, k, &cpu, &err), &err, "quotient on the cpu");
    require(backend_quotient(x, b, k, &cuda, &err), &err, "quotient");
    report(memcmp(a, x, n * sizeof *a) == 0, "quotient, 2^%u", k);
    free(a);
    free(b);
    free(x);
}

/* Sums. */

enum { PATTERNS = 8 };
static const char *const PATTERN[PATTERNS] = {
    "random", "zeros", "ones", "minus one", "one scalar", "one point", "opposite points, infinities", "small scalars"
};

static void fill_scalars(fr_t *k, size_t n, int pattern)
{
    fr_t minus_one, one = random_fr();
    fr_neg(&minus_one, &FR_ONE);
    for (size_t i = 0; i < n; i++) {
        switch (pattern) {
        case 1: k[i] = FR_ZERO; break;
        case 2: k[i] = FR_ONE; break;
        case 3: k[i] = minus_one; break;
        case 4: k[i] = one; break;
        case 7: fr_from_i64(&k[i], (int64_t)(random_u64() % 17) - 8); break;
        default: k[i] = i % 11 == 3 ? minus_one : random_fr();
        }
    }
}

#define POINTS(g, G)                                                                                                 \
    static void fill_points_##g(g##_affine_t *p, size_t n, int pattern)                                              \
    {                                                                                                                \
        g##_t sum, *list = allocate(n, sizeof *list);                                                                \
        fr_t k = random_fr();                                                                                        \
        g##_from_affine(&sum, &G##_GENERATOR);                                                                       \
        g##_mul_fr_var(&sum, &sum, &k);                                                                              \
        g##_affine_t step;                                                                                           \
        g##_to_affine_var(&step, &sum);                                                                              \
        for (size_t i = 0; i < n; i++) {                                                                             \
            list[i] = sum;                                                                                           \
            if (pattern == 5) continue;                                                                              \
            if (pattern == 6 && i % 3 == 0)                                                                          \
                g##_neg(&sum, &sum);                                                                                 \
            else                                                                                                     \
                g##_add_mixed(&sum, &sum, &step);                                                                    \
        }                                                                                                            \
        void *scratch = allocate(n, sizeof p->x);                                                                    \
        g##_batch_to_affine_var(p, list, n, scratch);                                                                \
        for (size_t i = 0; pattern == 6 && i < n; i += 5) p[i] = G##_AFFINE_INFINITY;                                \
        free(scratch);                                                                                               \
        free(list);                                                                                                  \
    }                                                                                                                \
    static void compare_msm_##g(size_t n, int pattern)                                                               \
    {                                                                                                                \
        g##_affine_t *p = allocate(n, sizeof *p);                                                                    \
        fr_t *k = allocate(n, sizeof *k);                                                                            \
        g##_t want, got;                                                                                             \
        cuzk_error err = { "" };                                                                                     \
        fill_points_##g(p, n, pattern);                                                                              \
        fill_scalars(k, n, pattern);                                                                                 \
        require(backend_msm_##g(&want, p, k, n, &cpu, &err), &err, "msm on the cpu");                                \
        require(backend_msm_##g(&got, p, k, n, &cuda, &err), &err, "msm");                                           \
        report(g##_equal(&want, &got), "msm " #g ", %zu points, %s", n, PATTERN[pattern]);                           \
        free(p);                                                                                                     \
        free(k);                                                                                                     \
    }                                                                                                                \
    static void compare_selected_##g(size_t n, int pattern)                                                          \
    {                                                                                                                \
        size_t words = (n + 63) / 64;                                                                                \
        g##_affine_t *p = allocate(n, sizeof *p);                                                                    \
        uint64_t *bits = allocate(words, sizeof *bits);                                                              \
        g##_t want, got;                                                                                             \
        cuzk_error err = { "" };                                                                                     \
        fill_points_##g(p, n, pattern);                                                                              \
        for (size_t i = 0; i < words; i++) bits[i] = pattern == 1 ? 0 : pattern == 2 ? UINT64_MAX : random_u64();    \
        require(backend_sum_selected_##g(&want, p, n, bits, &cpu, &err), &err, "sum on the cpu");                    \
        require(backend_sum_selected_##g(&got, p, n, bits, &cuda, &err), &err, "sum");                               \
        report(g##_equal(&want, &got), "selected sum " #g ", %zu points, %s", n, PATTERN[pattern]);                  \
        free(p);                                                                                                     \
        free(bits);                                                                                                  \
    }

POINTS(g1, G1)
POINTS(g2, G2)

static void compare_sums(bool big)
{
    for (size_t n = 0; n <= 33; n++) {
        for (int pattern = 0; pattern < PATTERNS; pattern++) {
            if (n > 8 && pattern != 0 && pattern != 6 && n % 8 != 1) continue;
            compare_msm_g1(n, pattern);
            compare_msm_g2(n, pattern);
            compare_selected_g1(n, pattern);
            compare_selected_g2(n, pattern);
        }
    }
    for (unsigned k = 6; k <= (big ? 20 : 16); k += 2) {
        for (size_t n = ((size_t)1 << k) - 1; n <= ((size_t)1 << k) + 1; n++) {
            compare_msm_g1(n, 0);
            compare_selected_g1(n, 0);
            if (k > (big ? 16 : 12)) continue;
            compare_msm_g2(n, 0);
            compare_selected_g2(n, 0);
        }
    }
    for (int pattern = 1; pattern < PATTERNS; pattern++) {
        compare_msm_g1(70001, pattern);
        compare_selected_g1(70001, pattern);
        compare_msm_g2(5003, pattern);
        compare_selected_g2(5003, pattern);
    }
    for (int pattern = 0; pattern < 7; pattern += pattern == 0 ? 5 : 1) { /* rounds of affine additions */
        compare_selected_g1(600001, pattern);
        compare_selected_g2(600001, pattern);
    }
    for (int i = 0; i < 12; i++) {
        size_t n = random_u64() % (big ? 1 << 19 : 1 << 15);
        compare_msm_g1(n, i % PATTERNS);
        compare_selected_g1(n, i % PATTERNS);
        compare_msm_g2(n / 8, i % PATTERNS);
    }
}

/* For compute-sanitizer. */
static void compare_few_sums(void)
{
    static const size_t sizes[] = { 0, 1, 2, 5, 33, 1000 };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int pattern = 0; pattern < PATTERNS; pattern += 2) {
            compare_msm_g1(sizes[i], pattern);
            compare_msm_g2(sizes[i], pattern);
            compare_selected_g1(sizes[i], pattern);
            compare_selected_g2(sizes[i], pattern);
        }
    }
    compare_msm_g1(70001, 6);
    compare_msm_g2(40001, 6);
    compare_selected_g1(600001, 6);
}

/* Multiples of the generator, as key generation makes them. */

static void encode_multiples(uint8_t *out, enum sums_group g, const fr_t *k, size_t n)
{
    void *points = allocate(n, sizeof(g2_affine_t));
    struct g1_fixed_base *g1 = NULL;
    struct g2_fixed_base *g2 = NULL;
    cuzk_error err = { "" };
    if (g == SUMS_G1) {
        require(g1_fixed_base_create(&g1, &G1_GENERATOR, n, pool, &err), &err, "multiples on the cpu");
        g1_fixed_base_mul(points, g1, k, n);
        for (size_t i = 0; i < n; i++) g1_encode(out + i * G1_BYTES, (g1_affine_t *)points + i);
    } else {
        require(g2_fixed_base_create(&g2, &G2_GENERATOR, n, pool, &err), &err, "multiples on the cpu");
        g2_fixed_base_mul(points, g2, k, n);
        for (size_t i = 0; i < n; i++) g2_encode(out + i * G2_BYTES, (g2_affine_t *)points + i);
    }
    g1_fixed_base_destroy(g1);
    g2_fixed_base_destroy(g2);
    free(points);
}

static void compare_multiples(enum sums_group g, uint32_t bits, size_t n, int pattern)
{
    size_t size = sums_affine_bytes(g);
    fr_t *k = allocate(n, sizeof *k);
    uint8_t *want = allocate(n, size), *got = allocate(n, size);
    cuzk_error err = { "" };
    fill_scalars(k, n, pattern);
    for (size_t i = 0; pattern == 5 && i < n; i += 3) k[i] = FR_ZERO;
    encode_multiples(want, g, k, n);
    require(cuda_multiples(got, g, bits, k, n, cuda.state, &err), &err, "multiples");
    size_t bad = 0;
    while (bad < n && memcmp(want + bad * size, got + bad * size, size) == 0) bad++;
    report(bad == n, "multiple %zu of %zu in g%d, windows of %u bits, %s", bad, n, g == SUMS_G1 ? 1 : 2, bits,
           PATTERN[pattern]);
    free(k);
    free(want);
    free(got);
}

static void compare_all_multiples(bool quick)
{
    static const size_t sizes[] = { 1, 2, 16, 17, 33, 1000, 70001 };
    size_t count = sizeof sizes / sizeof sizes[0];
    for (int g = 0; g < 2; g++) {
        for (size_t i = 0; i < (quick ? count - 1 : count); i++) {
            for (int pattern = 0; pattern < PATTERNS; pattern++) {
                if (pattern != 6) compare_multiples((enum sums_group)g, 8 + (uint32_t)i, sizes[i], pattern);
            }
        }
        for (uint32_t bits = FIXED_LEAST_BITS; !quick && bits <= FIXED_MOST_BITS; bits++) {
            compare_multiples((enum sums_group)g, bits, 3001, 5);
        }
    }
}

/* Circuits. */

static void load_witness(struct witness *w, const struct circuit *circuit, const char *path)
{
    struct mapping map;
    cuzk_error err = { "" };
    require(mapping_open(&map, path, &err), &err, "witness");
    require(witness_create(w, circuit, &err), &err, "witness");
    if (map.size != witness_value_bytes(circuit)) {
        fprintf(stderr, "%s has %zu bytes, %zu expected\n", path, map.size, witness_value_bytes(circuit));
        exit(1);
    }
    memcpy(w->memory, map.data, map.size);
    mapping_close(&map);
}

static void make_random_witness(struct witness *w, const struct circuit *circuit)
{
    cuzk_error err = { "" };
    require(witness_create(w, circuit, &err), &err, "witness");
    for (size_t i = 0; i < w->size / 8; i++) ((uint64_t *)w->memory)[i] = random_u64();
    for (size_t i = 0; i < circuit->wides; i++) w->wides[i].l[3] &= UINT64_MAX >> 2;
    for (size_t i = 0; i < circuit->inputs; i++) w->inputs[i].l[3] &= UINT64_MAX >> 2;
    w->inputs[0] = FR_ONE;
    if (circuit->bits % 64) w->bits[circuit->bits / 64] &= (UINT64_C(1) << (circuit->bits % 64)) - 1;
}

static void compare_rows(const struct backend_circuit *a, const struct backend_circuit *b, const struct witness *w,
                         const char *id)
{
    uint32_t rows = a->circuit->rows;
    fr_t *x = allocate(rows, sizeof *x), *y = allocate(rows, sizeof *y);
    cuzk_error err = { "" };
    for (int m = MATRIX_A; m <= MATRIX_B; m++) {
        require(backend_evaluate(x, a, w, (enum matrix_name)m, &err), &err, "rows on the cpu");
        require(backend_evaluate(y, b, w, (enum matrix_name)m, &err), &err, "rows");
        report(memcmp(x, y, rows * sizeof *x) == 0, "rows of %s, matrix %d", id, m);
    }
    free(x);
    free(y);
}

static void report_sums(const struct proof_sums *want, const struct proof_sums *got, const char *id)
{
    report(g1_equal(&want->h, &got->h), "%s: h", id);
    report(g1_equal(&want->l, &got->l), "%s: l", id);
    report(g1_equal(&want->a, &got->a), "%s: a", id);
    report(g1_equal(&want->b_g1, &got->b_g1), "%s: b_g1", id);
    report(g2_equal(&want->b_g2, &got->b_g2), "%s: b_g2", id);
}

/* The same partition from several threads at once: lanes of the device. */
enum { AT_ONCE = 4 };

struct caller {
    pthread_t thread;
    struct proof_sums sums;
    const struct backend_circuit *circuit;
    const struct backend_srs *srs;
    const struct witness *w;
};

static void *call(void *context)
{
    struct caller *x = context;
    cuzk_error err = { "" };
    require(backend_prove(&x->sums, NULL, x->circuit, x->srs, x->w, &err), &err, "a proof among others");
    return NULL;
}

static void prove_at_once(const struct proof_sums *want, const struct backend_circuit *c, const struct backend_srs *s,
                          const struct witness *w, const char *id)
{
    struct caller callers[AT_ONCE];
    uint64_t begin = clock_now();
    for (int i = 0; i < AT_ONCE; i++) {
        callers[i] = (struct caller){ .circuit = c, .srs = s, .w = w };
        if (pthread_create(&callers[i].thread, NULL, call, &callers[i]) != 0) exit(1);
    }
    for (int i = 0; i < AT_ONCE; i++) pthread_join(callers[i].thread, NULL);
    printf("%s: %d at once, %.1f ms each\n", id, AT_ONCE, (double)(clock_now() - begin) / 1e6 / AT_ONCE);
    fflush(stdout);
    for (int i = 0; i < AT_ONCE; i++) report_sums(want, &callers[i].sums, id);
}

#define FILE_LIMIT ((size_t)8 << 30)

static void compare_files(const struct params_file *want, const struct params_file *got, const char *id)
{
    report(want->map.size == got->map.size, "%s: size of the generated file", id);
    if (want->map.size != got->map.size) return;
    report(memcmp(want->map.data, got->map.data, want->offset[SRS_H]) == 0, "%s: generated key", id);
    for (int i = 0; i < SRS_SECTIONS; i++) {
        enum srs_section s = (enum srs_section)i;
        size_t size = srs_point_bytes(s);
        uint64_t bad = 0, n = want->counts.section[s];
        while (bad < n && memcmp(params_point(want, s, bad), params_point(got, s, bad), size) == 0) bad++;
        report(bad == n, "%s: generated section %s, point %" PRIu64 " of %" PRIu64, id, srs_section_name(s), bad, n);
    }
}

/* A file that the device generates, against the CPU's. */
static void compare_generated(const struct backend_circuit *b, const struct toxic *toxic,
                              const struct params_file *want, const char *folder, const char *id)
{
    char path[512];
    struct params_writer writer;
    struct params_file got;
    cuzk_error err = { "" };
    if (want->map.size > FILE_LIMIT) return;
    uint64_t start = clock_now();
    require(params_writer_open(&writer, folder, "cuda", &b->layout.counts, &err), &err, "cuda parameters");
    require(backend_keygen(&writer, b, toxic, NULL, &err), &err, "cuda parameters");
    require(params_writer_commit(&writer, &err), &err, "cuda parameters");
    printf("%s: parameters by cuda %.2f s\n", id, (double)(clock_now() - start) / 1e9);
    snprintf(path, sizeof path, "%s/cuda.params", folder);
    require(params_open(&got, path, &b->layout.counts, pool, &err), &err, "cuda parameters");
    compare_files(want, &got, id);
    params_close(&got);
    unlink(path);
    snprintf(path, sizeof path, "%s/cuda.vk", folder);
    unlink(path);
}

/* The same in the device's memory: the sums that a proof has with them. */
static void compare_resident(const struct backend_circuit *b, const struct toxic *toxic, const struct witness *w,
                             const struct proof_sums *want, const char *id)
{
    struct backend_srs srs;
    struct params_file made;
    struct proof_sums got;
    struct prove_timings t;
    cuzk_error err = { "" };
    uint64_t start = clock_now();
    cuzk_status status = backend_srs_generate(&srs, &made, b, toxic, NULL, &err);
    if (status == CUZK_ERR_RESOURCE && limited) return; /* they do not fit, as --memory wants it */
    require(status, &err, "resident parameters");
    printf("%s: parameters by cuda, resident, %.2f s\n", id, (double)(clock_now() - start) / 1e9);
    require(backend_prove(&got, &t, b, &srs, w, &err), &err, "proof with resident parameters");
    report(g1_equal(&want->h, &got.h), "%s: h, resident", id);
    report(g1_equal(&want->l, &got.l), "%s: l, resident", id);
    report(g1_equal(&want->a, &got.a), "%s: a, resident", id);
    report(g1_equal(&want->b_g1, &got.b_g1), "%s: b_g1, resident", id);
    report(g2_equal(&want->b_g2, &got.b_g2), "%s: b_g2, resident", id);
    backend_srs_drop(&srs);
    params_close(&made);
}

/* Many proofs with nothing left behind on the device: its free memory must be the same after the first and the last. */
static void endure(const struct proof_sums *want, const struct backend_circuit *c, const struct backend_srs *s,
                   const struct witness *w, const char *id)
{
    size_t before = 0, after = 0, total;
    unsigned equal = 0;
    cuzk_error err = { "" };
    if (endurance == 0) return;
    uint64_t begin = clock_now();
    for (unsigned i = 0; i < endurance; i++) {
        struct proof_sums got;
        require(backend_prove(&got, NULL, c, s, w, &err), &err, "one of many proofs");
        equal += g1_equal(&want->h, &got.h) && g1_equal(&want->l, &got.l) && g2_equal(&want->b_g2, &got.b_g2);
        (void)cudaMemGetInfo(i == 0 ? &before : &after, &total);
    }
    printf("%s: %u proofs, %.1f ms each; free on the device %zu bytes after the first, %zu after the last\n", id,
           endurance, (double)(clock_now() - begin) / 1e6 / endurance, before, after);
    report(equal == endurance, "%s: %u of %u proofs are equal", id, equal, endurance);
    report(before == after, "%s: free memory", id);
}

static void compare_proofs(const struct backend_circuit *a, const struct backend_circuit *b, const struct witness *w,
                           const char *id)
{
    char folder[256], path[512];
    struct params_writer writer;
    struct params_file file;
    struct toxic toxic;
    struct backend_srs on_cpu, on_cuda;
    struct proof_sums want, got[3];
    struct prove_timings t = { 0 }, u = { 0 };
    cuzk_error err = { "" };
    const char *tmp = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/cuzk-differential-XXXXXX", tmp ? tmp : "/tmp");
    if (!mkdtemp(folder)) exit(1);
    uint64_t start = clock_now();
    require(toxic_from_insecure_seed(&toxic, "cuzk-differential", &err), &err, "seed");
    require(params_writer_open(&writer, folder, id, &a->layout.counts, &err), &err, "parameters");
    require(backend_keygen(&writer, a, &toxic, NULL, &err), &err, "parameters");
    require(params_writer_commit(&writer, &err), &err, "parameters");
    snprintf(path, sizeof path, "%s/%s.params", folder, id);
    require(params_open(&file, path, &a->layout.counts, pool, &err), &err, "parameters");
    uint64_t made = clock_now();
    printf("%s: parameters %.1f s, %.2f GB\n", id, (double)(made - start) / 1e9, (double)file.map.size / 1e9);
    fflush(stdout);
    require(backend_srs_load(&on_cpu, &cpu, &file, NULL, &err), &err, "load on the cpu");
    require(backend_srs_load(&on_cuda, &cuda, &file, NULL, &err), &err, "load");
    printf("%s: load %.3f s\n", id, (double)(clock_now() - made) / 1e9);
    for (int i = 0; i < 3; i++) {
        uint64_t begin = clock_now();
        require(backend_prove(&got[i], &u, b, &on_cuda, w, &err), &err, "proof");
        printf("%s: cuda %.1f ms (memory %.1f, evaluate %.1f, quotient %.1f, h %.1f, l %.1f, a %.1f, b_g1 %.1f, "
               "b_g2 %.1f)\n",
               id, (double)(clock_now() - begin) / 1e6, (double)u.memory / 1e6, (double)u.evaluate / 1e6,
               (double)u.quotient / 1e6, (double)u.h / 1e6, (double)u.l / 1e6, (double)u.a / 1e6,
               (double)u.b_g1 / 1e6, (double)u.b_g2 / 1e6);
        fflush(stdout);
    }
    uint64_t begin = clock_now();
    require(backend_prove(&want, &t, a, &on_cpu, w, &err), &err, "proof on the cpu");
    printf("%s: cpu %.1f ms\n", id, (double)(clock_now() - begin) / 1e6);
    fflush(stdout);
    for (int i = 0; i < 3; i++) report_sums(&want, &got[i], id);
    const struct witness *same[3] = { w, w, w };
    require(backend_prove_batch(got, NULL, b, &on_cuda, same, 3, &err), &err, "a batch");
    for (int i = 0; i < 3; i++) report_sums(&want, &got[i], id);
    prove_at_once(&want, b, &on_cuda, w, id);
    endure(&want, b, &on_cuda, w, id);
    backend_srs_drop(&on_cpu);
    backend_srs_drop(&on_cuda);
    compare_generated(b, &toxic, &file, folder, id);
    compare_resident(b, &toxic, w, &want, id);
    params_close(&file);
    unlink(path);
    snprintf(path, sizeof path, "%s/%s.vk", folder, id);
    unlink(path);
    rmdir(folder);
}

static void compare_circuit(const char *path)
{
    char id[64];
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    snprintf(id, sizeof id, "%.*s", (int)strcspn(name, "."), name);
    const struct circuit_entry *entry = catalogue_by_id(id);
    struct circuit *circuit;
    struct backend_circuit a, b;
    struct witness w;
    cuzk_error err = { "" };
    if (!entry) {
        fprintf(stderr, "%s: no circuit %s\n", path, id);
        exit(1);
    }
    require(circuit_compile(&circuit, entry->kind, catalogue_shape(entry), &err), &err, id);
    if (strchr(name, '.'))
        load_witness(&w, circuit, path);
    else
        make_random_witness(&w, circuit);
    require(backend_circuit_load(&a, &cpu, circuit, &err), &err, id);
    require(backend_circuit_load(&b, &cuda, circuit, &err), &err, id);
    compare_rows(&a, &b, &w, id);
    compare_proofs(&a, &b, &w, id);
    backend_circuit_drop(&a);
    backend_circuit_drop(&b);
    witness_destroy(&w);
    circuit_free(circuit);
}

static void section(const char *name)
{
    static uint64_t since;
    uint64_t now = clock_now();
    if (since != 0) printf("  %u compared, %u different, %.1f s\n", compared, different, (double)(now - since) / 1e9);
    if (name) printf("%s\n", name);
    fflush(stdout);
    since = now;
}

static void compare_operations(bool big, bool quick)
{
    section("transforms");
    for (unsigned k = 0; k <= (big ? 22 : quick ? 12 : 14); k++) {
        for (int kind = 0; kind < 4; kind++) compare_ntt(k, (enum ntt_kind)kind);
    }
    compare_ntt(18, NTT_FORWARD);
    compare_ntt(19, NTT_COSET_INVERSE);
    section("quotients");
    for (unsigned k = 0; k <= (big ? 20 : 13); k++) compare_quotient(k);
    section("sums");
    if (quick)
        compare_few_sums();
    else
        compare_sums(big);
    section("multiples of the generators");
    compare_all_multiples(quick);
}

int main(int argc, char **argv)
{
    int device = 0, first = 1;
    unsigned threads = 0;
    uint64_t memory = 0;
    bool big = false, quick = false, none = false;
    cuzk_error err = { "" };
    for (; first < argc && argv[first][0] == '-'; first++) {
        const char *value = first + 1 < argc ? argv[first + 1] : "";
        if (strcmp(argv[first], "--big") == 0)
            big = true;
        else if (strcmp(argv[first], "--quick") == 0)
            quick = true;
        else if (strcmp(argv[first], "--none") == 0)
            none = true;
        else if (strcmp(argv[first], "--device") == 0)
            device = atoi(value), first++;
        else if (strcmp(argv[first], "--threads") == 0)
            threads = (unsigned)atoi(value), first++;
        else if (strcmp(argv[first], "--endure") == 0)
            endurance = (unsigned)atoi(value), first++;
        else if (strcmp(argv[first], "--memory") == 0)
            memory = strtoull(value, NULL, 10), first++;
        else
            return 64;
    }
    require(pool_create(&pool, threads, &err), &err, "threads");
    require(cpu_backend_open(&cpu, pool, &err), &err, "cpu");
    limited = memory != 0;
    require(cuda_backend_open(&cuda, device, memory, pool, &err), &err, "cuda");
    struct backend_description d;
    backend_describe(&d, &cuda);
    printf("%s, %.1f GB\n", d.device, (double)d.memory / 1e9);
    if (!none) compare_operations(big, quick);
    for (; first < argc; first++) {
        section(argv[first]);
        compare_circuit(argv[first]);
    }
    section(NULL);
    require(backend_health(&cuda, &err), &err, "health");
    backend_close(&cuda);
    backend_close(&cpu);
    pool_destroy(pool);
    printf("%s: %u of %u comparisons differ\n", different == 0 ? "EQUAL" : "FAILED", different, compared);
    return different != 0;
}
