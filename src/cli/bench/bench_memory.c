/* cuzk bench memory: what memory costs on this project's own paths. Regions such as the CPU backend's two domain
 * vectors, kept or given back between proofs; transforms on small and huge pages; and, for a request, the paths that
 * use malloc (reading and checking it, compiling its circuit, releasing both) under each allocator. */
#define _GNU_SOURCE
#include "cli/bench/bench_memory.h"

#include "base/clock.h"
#include "circuit/compile.h"
#include "cli/bench/allocator_cells.h"
#include "cli/bench/bench_counters.h"
#include "cli/bench/memory_available.h"
#include "cli/bench/memory_region.h"
#include "cli/request_options.h"
#include "math/ntt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { KEY_LOG = 256, KEY_REPEAT, KEY_THREADS, KEY_PAGES, KEY_ALLOCATOR, KEY_JSON };
enum { MAX_RUNS = 99, ARGUMENTS_MAX = 56 };

struct memory_options {
    struct request_options request;
    unsigned log_size; /* of one domain vector; a region is two */
    unsigned repeat, threads, pages;
    bool here; /* --allocator current: the malloc paths alone, in this process */
    bool json;
    char **argv; /* as given, for other allocators' runs */
    int argc;
};

static const struct argp_option options[] = {
    { "log-size", KEY_LOG, "K", 0, "elements of a domain vector, 2^K; a region is two (22: a 2 KiB PoRep)", 0 },
    { "repeat", KEY_REPEAT, "N", 0, "measured rounds (5)", 0 },
    { "threads", KEY_THREADS, "N", 0, "threads (0: all CPUs)", 0 },
    { "pages", KEY_PAGES, "LIST", 0, "4k, huge (both)", 0 },
    { "allocator", KEY_ALLOCATOR, "current", 0, "only the request's paths, in this process as it is", 0 },
    { "json", KEY_JSON, NULL, 0, "machine-readable result", 0 },
    { 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct memory_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &o->request; break;
    case KEY_LOG:
        o->log_size = (unsigned)parse_number(state, "--log-size", arg, 28);
        if (o->log_size < 10) argp_error(state, "--log-size: at least 10");
        break;
    case KEY_REPEAT:
        o->repeat = (unsigned)parse_number(state, "--repeat", arg, MAX_RUNS);
        if (o->repeat == 0) argp_error(state, "--repeat: at least 1");
        break;
    case KEY_THREADS: o->threads = (unsigned)parse_number(state, "--threads", arg, 4096); break;
    case KEY_PAGES: o->pages = parse_names(state, "--pages", arg, pages_names, PAGE_KINDS); break;
    case KEY_ALLOCATOR:
        if (strcmp(arg, "current") != 0) argp_error(state, "--allocator: '%s' is not current", arg);
        o->here = true;
        break;
    case KEY_JSON: o->json = true; break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static double ms_since(uint64_t start) { return 1e-6 * (double)(clock_now() - start); }

/* ---- regions ---- */

static cuzk_status measure_regions(json_t *results, const struct memory_options *o, enum pages pages,
                                   struct pool *pool, cuzk_error *err)
{
    size_t bytes = (size_t)2 * sizeof(fr_t) << o->log_size;
    cuzk_status status = CUZK_OK;
    for (int way = 0; way < GIVE_WAYS && status == CUZK_OK; way++) {
        struct region_result r;
        status = region_measure(&r, (enum give_back)way, pages, bytes, o->repeat, pool, err);
        if (status != CUZK_OK) break;
        json_array_append_new(results, json_pack("{s:s, s:s, s:s, s:I, s:f, s:f, s:I, s:I, s:I}", "name", "region",
                                                 "way", give_back_names[way], "pages", pages_names[pages], "bytes",
                                                 (json_int_t)bytes, "give_ms", r.give_ms, "take_ms", r.take_ms,
                                                 "faults", (json_int_t)r.faults, "left_bytes",
                                                 (json_int_t)r.left_bytes, "huge_bytes", (json_int_t)r.huge_bytes));
    }
    return status;
}

/* ---- transforms ---- */

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static cuzk_status measure_transform(json_t *results, const struct memory_options *o, enum pages pages,
                                     struct pool *pool, cuzk_error *err)
{
    double ms[MAX_RUNS];
    size_t n = (size_t)1 << o->log_size;
    struct ntt_domain *domain = NULL;
    fr_t *x = region_map(n * sizeof *x, pages);
    cuzk_status status = x ? ntt_domain_create(&domain, o->log_size, pool, err)
                           : cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for 2^%u elements", o->log_size);
    if (status == CUZK_OK) {
        for (size_t i = 0; i < n; i++) fr_from_u64(&x[i], i);
        for (unsigned i = 0; i < o->repeat; i++) {
            uint64_t start = clock_now();
            ntt_forward(x, domain, pool);
            ms[i] = ms_since(start);
        }
        qsort(ms, o->repeat, sizeof *ms, compare_doubles);
        json_array_append_new(results, json_pack("{s:s, s:s, s:I, s:f, s:f, s:I}", "name", "transform", "pages",
                                                 pages_names[pages], "size", (json_int_t)n, "ms",
                                                 ms[o->repeat / 2], "min_ms", ms[0], "huge_bytes",
                                                 (json_int_t)resident_huge()));
    }
    ntt_domain_destroy(domain);
    if (x) munmap(x, n * sizeof *x);
    return status;
}

/* ---- the paths that use malloc ---- */

struct paths {
    double parse_ms, compile_ms, release_ms;
    uint64_t faults;
};

static cuzk_status walk_paths(struct paths *out, const struct memory_options *o, struct pool *pool, cuzk_error *err)
{
    struct vanilla_job *job = NULL;
    struct circuit *circuit = NULL;
    uint64_t faults = page_faults(), start = clock_now();
    cuzk_status status = checked_job_from_options(&job, &o->request, pool, err);
    out->parse_ms = ms_since(start);
    start = clock_now();
    if (status == CUZK_OK) status = circuit_compile(&circuit, job->kind, job->shape, err);
    out->compile_ms = ms_since(start);
    start = clock_now();
    circuit_free(circuit);
    vanilla_job_free(job);
    out->release_ms = ms_since(start);
    out->faults = page_faults() - faults;
    return status;
}

static int by_total(const void *a, const void *b)
{
    const struct paths *x = a, *y = b;
    double dx = x->parse_ms + x->compile_ms + x->release_ms, dy = y->parse_ms + y->compile_ms + y->release_ms;
    return (dx > dy) - (dx < dy);
}

static cuzk_status measure_paths(json_t *results, const struct memory_options *o, enum pages pages, struct pool *pool,
                                 cuzk_error *err)
{
    struct paths runs[MAX_RUNS], warm;
    cuzk_status status = walk_paths(&warm, o, pool, err);
    for (unsigned i = 0; i < o->repeat && status == CUZK_OK; i++) status = walk_paths(&runs[i], o, pool, err);
    if (status != CUZK_OK) return status;
    qsort(runs, o->repeat, sizeof *runs, by_total);
    const struct paths *p = &runs[o->repeat / 2];
    uint64_t resident = resident_anonymous();
    json_array_append_new(results, json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:I, s:I, s:I}", "name", "paths",
                                             "allocator", allocator_here(), "pages", pages_names[pages], "parse_ms",
                                             p->parse_ms, "compile_ms", p->compile_ms, "release_ms", p->release_ms,
                                             "faults", (json_int_t)p->faults, "left_bytes", (json_int_t)resident,
                                             "huge_bytes", (json_int_t)resident_huge()));
    return CUZK_OK;
}

/* The same command line once more, in a process with another allocator. */
static cuzk_status measure_cell(json_t *results, const struct memory_options *o, const struct cell *cell,
                                cuzk_error *err)
{
    const char *arguments[ARGUMENTS_MAX + 8] = { "bench", "memory" };
    size_t count = 2;
    if (o->argc > ARGUMENTS_MAX) return cuzk_fail(err, CUZK_ERR_USAGE, "at most %d arguments here", ARGUMENTS_MAX);
    for (int i = 1; i < o->argc; i++) arguments[count++] = o->argv[i];
    const char *const last[] = { "--allocator=current", "--json", "--pages", pages_names[cell->pages] };
    memcpy(arguments + count, last, sizeof last);
    json_t *part = NULL;
    cuzk_status status = cell_run(&part, cell, arguments, err);
    if (status == CUZK_OK) json_array_extend(results, part);
    json_decref(part);
    return status;
}

static cuzk_status measure_allocators(json_t *results, const struct memory_options *o, cuzk_error *err)
{
    cuzk_status status = CUZK_OK;
    for (int a = 0; a < ALLOCATORS; a++) {
        if (!allocator_present((enum allocator)a)) {
            fprintf(stderr, "cuzk: jemalloc IS NOT INSTALLED, its rows are left out (Debian: libjemalloc2)\n");
            continue;
        }
        for (int p = 0; p < PAGE_KINDS && status == CUZK_OK; p++) {
            struct cell cell = { (enum allocator)a, (enum pages)p, ARENAS_MANY };
            if (o->pages >> p & 1) status = measure_cell(results, o, &cell, err);
        }
    }
    return status;
}

/* ---- the tables ---- */

static const char *text_of(const json_t *r, const char *key) { return json_string_value(json_object_get(r, key)); }

static void print_row(const json_t *r)
{
    const char *name = text_of(r, "name");
    const char *what = text_of(r, "way") ? text_of(r, "way") : text_of(r, "allocator");
    printf("%-10s %-14s %-5s", name, what ? what : "in a region", text_of(r, "pages"));
    if (strcmp(name, "region") == 0) {
        printf("  %8.1f MB  given back %8.3f ms  taken again and written %8.2f ms", 1e-6 * number_of(r, "bytes"),
               number_of(r, "give_ms"), number_of(r, "take_ms"));
    } else if (strcmp(name, "paths") == 0) {
        printf("  read and check %8.2f ms  compile %8.2f ms  release %7.3f ms", number_of(r, "parse_ms"),
               number_of(r, "compile_ms"), number_of(r, "release_ms"));
    } else {
        printf("  %8.0f elements  %9.2f ms, least %9.2f ms", number_of(r, "size"), number_of(r, "ms"),
               number_of(r, "min_ms"));
    }
    if (json_object_get(r, "faults")) {
        printf("  faults %7.0f  resident %7.1f MB", number_of(r, "faults"), 1e-6 * number_of(r, "left_bytes"));
    }
    printf("  huge %6.1f MB\n", 1e-6 * number_of(r, "huge_bytes"));
}

static cuzk_status measure_all(json_t *results, const struct memory_options *o, struct pool *pool, cuzk_error *err)
{
    cuzk_status status = CUZK_OK;
    for (int p = 0; p < PAGE_KINDS && status == CUZK_OK; p++) {
        if (!(o->pages >> p & 1)) continue;
        if (o->here) pages_choose((enum pages)p);
        if (o->here) status = measure_paths(results, o, (enum pages)p, pool, err);
        else status = measure_regions(results, o, (enum pages)p, pool, err);
        if (!o->here && status == CUZK_OK) status = measure_transform(results, o, (enum pages)p, pool, err);
    }
    bool request = o->request.kind != 0 || o->request.request_file;
    if (status == CUZK_OK && !o->here && request) status = measure_allocators(results, o, err);
    return status;
}

static cuzk_status check_size(const struct memory_options *o, cuzk_error *err)
{
    uint64_t needed = (UINT64_C(3) * sizeof(fr_t) << o->log_size) + (64 << 20), available = memory_available();
    if (needed <= available) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_RESOURCE, "--log-size %u needs %.2f GB, %.2f GB are available", o->log_size,
                     1e-9 * (double)needed, 1e-9 * (double)available);
}

static cuzk_status run(const struct memory_options *o, cuzk_error *err)
{
    struct pool *pool = NULL;
    json_t *results = json_array(), *r;
    size_t i;
    cuzk_status status = check_size(o, err);
    if (status == CUZK_OK) status = pool_create(&pool, o->threads, err);
    if (status == CUZK_OK) status = measure_all(results, o, pool, err);
    pool_destroy(pool);
    if (status == CUZK_OK && o->json) return print_json(results, JSON_INDENT(1), err);
    if (status == CUZK_OK) {
        json_array_foreach(results, i, r) print_row(r);
    }
    json_decref(results);
    return status;
}

int command_bench_memory(int argc, char **argv)
{
    static const struct argp_child children[] = { { &request_argp, 0, NULL, 0 }, { 0 } };
    static const struct argp argp = { options, parse_option, "[VANILLA...]",
                                      "Memory on this project's own paths: ways to give regions back, page sizes, "
                                      "and, with request options, allocators under reading, checking and compiling.",
                                      children, NULL, NULL };
    static struct memory_options o = { .log_size = 22, .repeat = 5, .pages = 3 };
    cuzk_error err = { "" };
    char *copy[ARGUMENTS_MAX + 1]; /* argp permutes argv */
    o.argc = argc;
    o.argv = copy;
    for (int i = 0; i < argc && i < ARGUMENTS_MAX; i++) copy[i] = argv[i];
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    return command_result(run(&o, &err), &err);
}
