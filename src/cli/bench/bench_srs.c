/* cuzk bench srs CIRCUIT: how long parameters take to come and to go. Going is measured for the mapped file, as the
 * engine holds it, and for a copy in locked anonymous memory, as systems with pinned parameters hold theirs; with
 * nothing beside it, and by the reaper while transforms run on all threads, which are measured too. */
#define _GNU_SOURCE
#include "cli/bench/bench_memory.h"

#include "backend/prover.h"
#include "base/clock.h"
#include "cli/bench/bench.h"
#include "cli/bench/memory_available.h"
#include "engine/reaper.h"
#include "math/ntt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { KEY_REPEAT = 256, KEY_JSON, MAX_RUNS = 99, LOAD_LOG = 16, LOAD_MS = 200, PAGE = 4096 };

struct srs_options {
    struct device_options device;
    const char *circuit;
    unsigned repeat;
    bool json;
};

static const struct argp_option options[] = {
    { "repeat", KEY_REPEAT, "N", 0, "measured runs (5)", 0 },
    { "json", KEY_JSON, NULL, 0, "machine-readable result", 0 },
    { 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct srs_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &o->device; break;
    case KEY_REPEAT:
        o->repeat = (unsigned)parse_number(state, "--repeat", arg, MAX_RUNS);
        if (o->repeat == 0) argp_error(state, "--repeat: at least 1");
        break;
    case KEY_JSON: o->json = true; break;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0) argp_error(state, "one circuit at a time");
        o->circuit = arg;
        break;
    case ARGP_KEY_END:
        if (!o->circuit) argp_error(state, "a circuit is needed, such as porep-2k");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* What is measured, and what keeps the machine busy beside it. */
struct srs_bench {
    const struct srs_options *o;
    struct bench_options report;
    const struct circuit_entry *entry;
    char *path;
    struct pool *pool;
    struct backend backend;
    struct reaper *reaper;
    struct ntt_domain *domain;
    fr_t **vectors; /* one for each thread */
    size_t units;   /* transforms in one load */
};

/* ---- parameters in memory ---- */

struct held {
    struct params_file file; /* mapped */
    void *copy;              /* pinned: anonymous memory, NULL if it is the mapping that is held */
    size_t bytes;
    bool locked;
};

static void touch(const uint8_t *data, size_t size)
{
    volatile uint8_t sink = 0;
    for (size_t i = 0; i < size; i += PAGE) sink ^= data[i];
    (void)sink;
}

static cuzk_status open_file(struct held *h, const struct srs_bench *b, cuzk_error *err)
{
    struct srs_counts expected = catalogue_counts(b->entry);
    *h = (struct held){ 0 };
    cuzk_status status = params_open(&h->file, b->path, &expected, b->pool, err);
    h->bytes = h->file.map.size;
    return status;
}

/* A copy that cannot be paged out; where the limit on locked memory forbids that, a copy. */
static cuzk_status pin(struct held *h, cuzk_error *err)
{
    void *copy = mmap(NULL, h->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a copy of %zu bytes", h->bytes);
    h->locked = mlock(copy, h->bytes) == 0;
    memcpy(copy, h->file.map.data, h->bytes);
    h->copy = copy;
    params_close(&h->file);
    return CUZK_OK;
}

/* What the engine's unload does with a mapping, and what ends a pinned copy. */
static void evict(void *context)
{
    struct held *h = context;
    params_close(&h->file);
    if (h->copy) munmap(h->copy, h->bytes);
    h->copy = NULL;
}

static cuzk_status hold(struct held *h, const struct srs_bench *b, bool pinned, cuzk_error *err)
{
    cuzk_status status = open_file(h, b, err);
    if (status != CUZK_OK) return status;
    touch(h->file.map.data, h->bytes);
    return pinned ? pin(h, err) : CUZK_OK;
}

/* ---- loading ---- */

typedef cuzk_status load_step(struct held *h, struct srs_bench *b, uint64_t *ns, cuzk_error *err);

static cuzk_status load_open(struct held *h, struct srs_bench *b, uint64_t *ns, cuzk_error *err)
{
    uint64_t start = clock_now();
    cuzk_status status = open_file(h, b, err);
    *ns = clock_now() - start;
    return status;
}

static cuzk_status load_read(struct held *h, struct srs_bench *b, uint64_t *ns, cuzk_error *err)
{
    uint64_t start = clock_now();
    cuzk_status status = open_file(h, b, err);
    if (status == CUZK_OK) touch(h->file.map.data, h->bytes);
    *ns = clock_now() - start;
    return status;
}

/* From the disk: the system is asked to forget the file's pages first (it may refuse for those that others map). */
static cuzk_status load_cold(struct held *h, struct srs_bench *b, uint64_t *ns, cuzk_error *err)
{
    int fd = open(b->path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
        close(fd);
    }
    return load_read(h, b, ns, err);
}

static cuzk_status load_device(struct held *h, struct srs_bench *b, uint64_t *ns, cuzk_error *err)
{
    struct backend_srs srs = { 0 };
    cuzk_status status = hold(h, b, false, err);
    uint64_t start = clock_now();
    if (status == CUZK_OK) status = backend_srs_load(&srs, &b->backend, &h->file, NULL, err);
    *ns = clock_now() - start;
    if (status == CUZK_OK) backend_srs_drop(&srs);
    return status;
}

static cuzk_status load_pinned(struct held *h, struct srs_bench *b, uint64_t *ns, cuzk_error *err)
{
    cuzk_status status = hold(h, b, false, err);
    uint64_t start = clock_now();
    if (status == CUZK_OK) status = pin(h, err);
    *ns = clock_now() - start;
    return status;
}

static cuzk_status measure_load(struct srs_bench *b, const char *name, load_step *step, cuzk_error *err)
{
    double seconds[MAX_RUNS];
    cuzk_status status = CUZK_OK;
    for (unsigned i = 0; i < b->o->repeat && status == CUZK_OK; i++) {
        struct held h = { 0 };
        uint64_t ns = 0;
        status = step(&h, b, &ns, err);
        seconds[i] = 1e-9 * (double)ns;
        evict(&h);
    }
    if (status == CUZK_OK) {
        bench_report(&b->report, name, b->backend.ops->name, catalogue_params_bytes(b->entry), pool_threads(b->pool),
                     0, seconds, b->o->repeat);
    }
    return status;
}

/* ---- load on all threads ---- */

static void transform(void *context, size_t begin, size_t end, unsigned worker)
{
    struct srs_bench *b = context;
    for (size_t i = begin; i < end; i++) ntt_forward(b->vectors[worker], b->domain, NULL);
}

static double run_load(struct srs_bench *b)
{
    uint64_t start = clock_now();
    pool_for(b->pool, b->units, 1, transform, b);
    return 1e-6 * (double)(clock_now() - start);
}

static cuzk_status make_load(struct srs_bench *b, cuzk_error *err)
{
    unsigned threads = pool_threads(b->pool);
    cuzk_status status = ntt_domain_create(&b->domain, LOAD_LOG, NULL, err);
    b->vectors = calloc(threads, sizeof *b->vectors);
    if (status == CUZK_OK && !b->vectors) status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the load");
    for (unsigned t = 0; t < threads && status == CUZK_OK; t++) {
        b->vectors[t] = calloc((size_t)1 << LOAD_LOG, sizeof(fr_t));
        if (!b->vectors[t]) status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the load");
        else b->vectors[t][1] = FR_ONE;
    }
    if (status != CUZK_OK) return status;
    b->units = 8 * (size_t)threads;
    run_load(b);
    b->units = 1 + (size_t)((double)b->units * LOAD_MS / run_load(b));
    return CUZK_OK;
}

/* ---- eviction ---- */

struct eviction {
    double idle_ms;   /* nothing beside it, by the caller */
    double defer_ms;  /* what the caller spends on handing it to the reaper under load */
    double reaper_ms; /* what the reaper then takes */
    double quiet_ms, load_ms; /* the load without and with it */
    uint64_t faults;  /* of loading it, so that there was something to evict */
    bool locked;
};

static double ms_between(uint64_t start, uint64_t end) { return 1e-6 * (double)(end - start); }

static cuzk_status evict_once(struct eviction *e, struct srs_bench *b, bool pinned, cuzk_error *err)
{
    struct held h;
    struct reaper_state before, after;
    uint64_t faults = page_faults();
    cuzk_status status = hold(&h, b, pinned, err);
    e->faults = page_faults() - faults;
    e->locked = h.locked;
    uint64_t start = clock_now();
    evict(&h);
    e->idle_ms = ms_between(start, clock_now());
    e->quiet_ms = run_load(b);
    if (status == CUZK_OK) status = hold(&h, b, pinned, err);
    if (status != CUZK_OK) {
        evict(&h);
        return status;
    }
    reaper_state(b->reaper, &before);
    start = clock_now();
    reaper_defer(b->reaper, &(struct region){ evict, &h, h.bytes, NULL });
    e->defer_ms = ms_between(start, clock_now());
    e->load_ms = run_load(b);
    reaper_drain(b->reaper);
    reaper_state(b->reaper, &after);
    e->reaper_ms = ms_between(before.freeing_ns, after.freeing_ns);
    return CUZK_OK;
}

static int by_reaper_time(const void *a, const void *b)
{
    double x = ((const struct eviction *)a)->reaper_ms, y = ((const struct eviction *)b)->reaper_ms;
    return (x > y) - (x < y);
}

static void report_eviction(struct srs_bench *b, const struct eviction *e, bool pinned)
{
    const char *name = pinned ? "srs evict, pinned" : "srs evict, mapped";
    uint64_t bytes = catalogue_params_bytes(b->entry);
    if (b->o->json) {
        json_array_append_new(
            b->report.results,
            json_pack("{s:s, s:s, s:I, s:i, s:I, s:f, s:f, s:f, s:f, s:f, s:I, s:b}", "name", name, "device", "cpu",
                      "size", (json_int_t)bytes, "threads", (int)pool_threads(b->pool), "repeat",
                      (json_int_t)b->o->repeat, "idle_ms", e->idle_ms, "defer_ms", e->defer_ms, "reaper_ms",
                      e->reaper_ms, "quiet_ms", e->quiet_ms, "load_ms", e->load_ms, "faults", (json_int_t)e->faults,
                      "locked", pinned && e->locked));
        return;
    }
    printf("%-24s %-14.14s size %10llu  threads %2u  idle %.2f ms; under load: handed over in %.4f ms, gone in %.2f "
           "ms, load %.1f ms (%.1f ms without)%s\n",
           name, "cpu", (unsigned long long)bytes, pool_threads(b->pool), e->idle_ms, e->defer_ms, e->reaper_ms,
           e->load_ms, e->quiet_ms, pinned && !e->locked ? "; NOT LOCKED: the limit on locked memory" : "");
}

static cuzk_status measure_eviction(struct srs_bench *b, bool pinned, cuzk_error *err)
{
    struct eviction runs[MAX_RUNS];
    cuzk_status status = CUZK_OK;
    for (unsigned i = 0; i < b->o->repeat && status == CUZK_OK; i++) status = evict_once(&runs[i], b, pinned, err);
    if (status != CUZK_OK) return status;
    qsort(runs, b->o->repeat, sizeof *runs, by_reaper_time);
    report_eviction(b, &runs[b->o->repeat / 2], pinned);
    return CUZK_OK;
}

/* ---- the command ---- */

static cuzk_status get_ready(struct srs_bench *b, cuzk_error *err)
{
    b->entry = catalogue_by_id(b->o->circuit);
    if (!b->entry) return cuzk_fail(err, CUZK_ERR_USAGE, "there is no circuit '%s'", b->o->circuit);
    uint64_t bytes = catalogue_params_bytes(b->entry), available = memory_available();
    if (bytes > available) {
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "%s has %.2f GB of parameters, %.2f GB of memory are available",
                         b->o->circuit, 1e-9 * (double)bytes, 1e-9 * (double)available);
    }
    cuzk_status status = params_path(&b->path, b->entry, params_folder(&b->o->device), "params", err);
    if (status == CUZK_OK) status = pool_create(&b->pool, b->o->device.threads, err);
    if (status == CUZK_OK) status = device_open(&b->backend, &b->o->device, b->pool, err);
    if (status == CUZK_OK) status = reaper_create(&b->reaper, 4, bytes, err);
    if (status == CUZK_OK) status = make_load(b, err);
    return status;
}

static void release(struct srs_bench *b)
{
    for (unsigned t = 0; b->vectors && t < pool_threads(b->pool); t++) free(b->vectors[t]);
    free(b->vectors);
    ntt_domain_destroy(b->domain);
    reaper_destroy(b->reaper);
    backend_close(&b->backend);
    pool_destroy(b->pool);
    free(b->path);
}

static cuzk_status run(const struct srs_options *o, cuzk_error *err)
{
    struct srs_bench b = { .o = o, .report = { .json = o->json, .repeat = o->repeat } };
    if (o->json) b.report.results = json_array();
    cuzk_status status = get_ready(&b, err);
    if (status == CUZK_OK) status = measure_load(&b, "srs open", load_open, err);
    if (status == CUZK_OK) status = measure_load(&b, "srs read, from disk", load_cold, err);
    if (status == CUZK_OK) status = measure_load(&b, "srs read, from cache", load_read, err);
    if (status == CUZK_OK) status = measure_load(&b, "srs to the device", load_device, err);
    if (status == CUZK_OK) status = measure_load(&b, "srs pin a copy", load_pinned, err);
    if (status == CUZK_OK) status = measure_eviction(&b, false, err);
    if (status == CUZK_OK) status = measure_eviction(&b, true, err);
    release(&b);
    if (status == CUZK_OK && o->json) return print_json(b.report.results, JSON_INDENT(1), err);
    json_decref(b.report.results);
    return status;
}

int command_bench_srs(int argc, char **argv)
{
    static const struct argp_child children[] = { { &device_argp, 0, NULL, 0 }, { 0 } };
    static const struct argp argp = { options, parse_option, "CIRCUIT",
                                      "Loading a circuit's parameters, and evicting them with and without load.",
                                      children, NULL, NULL };
    struct srs_options o = { .repeat = 5 };
    cuzk_error err = { "" };
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    return command_result(run(&o, &err), &err);
}
