/* Deferred witnesses: what the device computes from slots, against witness_fill, byte for byte, with all groups and
 * with few; what it says of bad slots; and how long it takes.
 *
 *   differential_fill [--device N] [--threads N] [--time] ID.slots | ID …
 *
 * make_witness writes ID.slots; for a mere ID the slots are random (wpost-32g: the host needs 4.2 GB). --time: only how
 * long the device takes, nothing is compared. Exit status 0 only if everything was equal. */
#include "backend/cuda/cuda.h"
#include "backend/cuda/state.h"
#include "base/clock.h"
#include "circuit/catalogue.h"
#include "circuit/compile.h"
#include "r1cs/evaluate.h"
#include "slots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 26, RUNS = 5, SLACK = 1 << 16 };

static struct device device;
static struct context context;
static struct pool *pool;
static unsigned compared, different;

static void require(cuzk_status status, const cuzk_error *err, const char *what)
{
    if (status == CUZK_OK) return;
    fprintf(stderr, "%s: %s: %s\n", what, cuzk_status_text(status), err->detail);
    exit(1);
}

static double ms(uint64_t since) { return 1e-6 * (double)(clock_now() - since); }

/* `bytes` bytes of the device's memory, a piece at a time. */
static void compare(const void *want, const void *on_device, size_t bytes, const char *what)
{
    static char piece[PIECE];
    compared++;
    for (size_t at = 0; at < bytes; at += PIECE) {
        size_t n = bytes - at < PIECE ? bytes - at : PIECE, bad = 0;
        if (cudaMemcpy(piece, (const char *)on_device + at, n, cudaMemcpyDeviceToHost) != cudaSuccess) {
            fprintf(stderr, "%s: cannot be read back\n", what);
            exit(1);
        }
        if (memcmp(piece, (const char *)want + at, n) == 0) continue;
        while (piece[bad] == ((const char *)want)[at + bad]) bad++;
        printf("DIFFERENT: %s, byte %zu of %zu\n", what, at + bad, bytes);
        different++;
        return;
    }
}

struct scene {
    const char *id;
    struct circuit *circuit;
    struct slot_set slots;
    struct cuda_fill *fill;
    struct witness deferred;
};

static void compare_groups(struct scene *s, struct witness *want, size_t groups)
{
    struct assignment a = slot_set_first(&s->slots, s->circuit, groups);
    const struct circuit *c = s->circuit;
    struct device_witness got;
    cuzk_error err = { "" };
    uint64_t start = clock_now();
    require(witness_fill(want, &a, pool, &err), &err, "fill on the host");
    double host = ms(start);
    require(witness_fill(&s->deferred, &a, pool, &err), &err, "fill of a deferred witness");
    require(fill_witness(&got, &s->deferred, s->fill, &context, &err), &err, "fill on the device");
    compare(want->bits, got.bits, ((size_t)c->bits + 63) / 64 * 8, "bits");
    compare(want->wides, got.wides, (size_t)c->wides * sizeof(fr_t), "wide values");
    compare(want->inputs, got.inputs, (size_t)c->inputs * sizeof(fr_t), "public inputs");
    context_release(&context, 0);
    printf("%s: %zu of %zu groups, host %.1f ms\n", s->id, groups, c->group_count - 1, host);
    fflush(stdout);
}

/* Slots that change after the host has looked at them. */
static void compare_refusal(struct scene *s, uint8_t *changed, const char *what)
{
    struct device_witness got;
    cuzk_error want = { "" }, err = { "" };
    uint8_t before[32];
    memcpy(before, changed, 32);
    memset(changed, 0xff, 32);
    cuzk_status status = assignment_check_slots(&s->deferred.given, s->circuit, pool, &want);
    cuzk_status found = fill_witness(&got, &s->deferred, s->fill, &context, &err);
    compared++;
    if (status != CUZK_ERR_DATA || found != status || strcmp(want.detail, err.detail) != 0) {
        printf("DIFFERENT: %s: %s, expected %s\n", what, err.detail, want.detail);
        different++;
    }
    context_release(&context, 0);
    memcpy(changed, before, 32);
}

enum { MOST_ROWS = 1 << 22 };

/* As proofs take a deferred witness: rows evaluated from one, by a circuit that was loaded with its plan. */
static void compare_rows(struct scene *s, const struct witness *filled, int ordinal)
{
    struct backend b;
    struct backend_circuit bc;
    cuzk_error err = { "" };
    size_t rows = s->circuit->rows;
    fr_t *want = malloc(2 * rows * sizeof *want), *got = want + rows;
    if (!want) exit(1);
    require(cuda_backend_open(&b, ordinal, 0, pool, &err), &err, "backend");
    require(backend_circuit_load(&bc, &b, s->circuit, &err), &err, s->id);
    struct cuda_circuit *loaded = bc.loaded;
    struct context *lane = &((struct cuda_state *)b.state)->lane[0];
    if (!loaded->fill) require(fill_create(&loaded->fill, s->circuit, lane, &err), &err, s->id);
    for (int m = MATRIX_A; m <= MATRIX_B; m++) {
        require(evaluate_rows(want, filled, (enum matrix_name)m, 0, (uint32_t)rows, pool, &err), &err, "rows");
        require(backend_evaluate(got, &bc, &s->deferred, (enum matrix_name)m, &err), &err, "rows on the device");
        compared++;
        if (memcmp(want, got, rows * sizeof *want) == 0) continue;
        printf("DIFFERENT: rows of matrix %d\n", m);
        different++;
    }
    backend_circuit_drop(&bc);
    backend_close(&b);
    free(want);
}

static void compare_all(struct scene *s, int ordinal)
{
    const struct circuit *c = s->circuit;
    struct witness want;
    cuzk_error err = { "" };
    size_t groups = s->slots.a.groups;
    require(witness_create(&want, c, &err), &err, s->id);
    for (size_t some = 1; some < groups; some += groups / 3 + 1) {
        struct assignment a = slot_set_first(&s->slots, c, some);
        if (assignment_check_counts(&a, c, NULL) == CUZK_OK) compare_groups(s, &want, some);
    }
    compare_groups(s, &want, groups);
    if (c->rows <= MOST_ROWS) compare_rows(s, &want, ordinal);
    const struct assignment *own = &s->deferred.given;
    if (own->int_count > 4) {
        compare_refusal(s, (uint8_t *)&own->ints[own->int_count - 4], "bad integers");
        compare_refusal(s, (uint8_t *)own->ints, "bad integers at the beginning");
    }
    if (own->node_count > 0) compare_refusal(s, (uint8_t *)own->nodes[own->node_count / 2], "a bad node");
    witness_destroy(&want);
}

static void time_fill(struct scene *s)
{
    cuzk_error err = { "" };
    double best = 1e9;
    require(witness_fill(&s->deferred, &s->slots.a, pool, &err), &err, s->id);
    for (int i = 0; i < RUNS; i++) {
        struct device_witness got;
        uint64_t start = clock_now();
        require(fill_witness(&got, &s->deferred, s->fill, &context, &err), &err, s->id);
        double t = ms(start);
        if (t < best) best = t;
        context_release(&context, 0);
    }
    uint64_t start = clock_now();
    require(witness_fill(&s->deferred, &s->slots.a, pool, &err), &err, s->id);
    printf("%s: host checks and copies %.1f MB of slots in %.1f ms; device fills %.1f MB in %.2f ms (upload included), "
           "%zu levels, %zu steps\n",
           s->id, (double)s->deferred.size / 1e6, ms(start), (double)witness_value_bytes(s->circuit) / 1e6, best,
           s->fill->plan.levels, s->fill->plan.step_count);
    fflush(stdout);
}

static void run(const char *path, bool only_time, int ordinal)
{
    char id[64];
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    struct scene s = { .id = id };
    cuzk_error err = { "" };
    snprintf(id, sizeof id, "%.*s", (int)strcspn(name, "."), name);
    const struct circuit_entry *entry = catalogue_by_id(id);
    if (!entry) exit(64);
    require(circuit_compile(&s.circuit, entry->kind, catalogue_shape(entry), &err), &err, id);
    if (strchr(name, '.'))
        slot_set_read(&s.slots, path);
    else
        slot_set_random(&s.slots, s.circuit);
    uint64_t start = clock_now();
    require(fill_create(&s.fill, s.circuit, &context, &err), &err, id);
    printf("%s: %s, plan %.1f ms, %.1f MB, registers %.1f MB\n", id, fill_pays(s.circuit) ? "pays" : "does not pay",
           ms(start), (double)s.fill->bytes / 1e6, (double)s.fill->register_bytes / 1e6);
    size_t arena = witness_value_bytes(s.circuit) + fill_scratch_bytes(s.fill) + SLACK;
    require(context_reserve(&context, arena, &err), &err, id);
    require(witness_create_deferred(&s.deferred, s.circuit, &err), &err, id);
    if (!only_time) compare_all(&s, ordinal);
    time_fill(&s);
    witness_destroy(&s.deferred);
    fill_drop(s.fill, &context);
    slot_set_release(&s.slots);
    circuit_free(s.circuit);
}

int main(int argc, char **argv)
{
    int ordinal = 0, first = 1;
    unsigned threads = 0;
    bool only_time = false;
    cuzk_error err = { "" };
    for (; first < argc && argv[first][0] == '-'; first++) {
        if (strcmp(argv[first], "--time") == 0)
            only_time = true;
        else if (strcmp(argv[first], "--device") == 0 && first + 1 < argc)
            ordinal = atoi(argv[++first]);
        else if (strcmp(argv[first], "--threads") == 0 && first + 1 < argc)
            threads = (unsigned)atoi(argv[++first]);
        else
            return 64;
    }
    require(pool_create(&pool, threads, &err), &err, "threads");
    require(context_device_open(&device, ordinal, 0, &err), &err, "device");
    require(context_open(&context, &device, &err), &err, "device");
    for (; first < argc; first++) run(argv[first], only_time, ordinal);
    require(context_health(&context, &err), &err, "health");
    context_close(&context);
    context_device_close(&device);
    pool_destroy(pool);
    printf("%s: %u of %u comparisons differ\n", different == 0 ? "EQUAL" : "FAILED", different, compared);
    return different != 0;
}
