/* cuzk bench dealloc: the ten-second ghost on demand. Working sets of the incumbent's shape are used and got rid of
 * in four ways (dealloc.h), under every allocator, page size and number of arenas that was asked for; each combination
 * is a run of this program of its own (allocator_cells.h). */
#include "cli/bench/bench_memory.h"

#include "base/clock.h"
#include "circuit/catalogue.h"
#include "circuit/compile.h"
#include "cli/bench/dealloc.h"
#include "cli/bench/memory_available.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_SCALE = 256, KEY_MODE, KEY_ALLOCATOR, KEY_PAGES, KEY_ARENAS, KEY_REPEAT, KEY_THREADS, KEY_JSON,
    MAX_RUNS = 99, MAX_SCALE = 16,
    ALLOCATOR_CURRENT = 1 << ALLOCATORS /* this process as it is */
};

struct dealloc_options {
    double scale;     /* 0: chosen by the memory that is there */
    bool largest;     /* --scale max */
    unsigned modes, allocators, pages, arenas; /* bit sets */
    unsigned repeat, threads;
    bool json;
};

static const struct argp_option options[] = {
    { "scale", KEY_SCALE, "S", 0,
      "part of the incumbent's ten circuits (1: 169 GB, twice with the next job's), or max; otherwise a tenth of the "
      "memory", 0 },
    { "mode", KEY_MODE, "LIST", 0, "sync, deferred, arena, packed (all)", 0 },
    { "allocator", KEY_ALLOCATOR, "LIST", 0, "glibc, jemalloc, or current: this process as it is (both)", 0 },
    { "pages", KEY_PAGES, "LIST", 0, "4k, huge (both)", 0 },
    { "arenas", KEY_ARENAS, "LIST", 0, "of malloc: one, many (both)", 0 },
    { "repeat", KEY_REPEAT, "N", 0, "runs, of which the one with the median share counts (3)", 0 },
    { "threads", KEY_THREADS, "N", 0, "threads that use the working sets (0: all CPUs)", 0 },
    { "json", KEY_JSON, NULL, 0, "machine-readable result", 0 },
    { 0 },
};

static void parse_scale(struct argp_state *state, struct dealloc_options *o, const char *arg)
{
    char *end;
    o->largest = strcmp(arg, "max") == 0;
    if (o->largest) return;
    o->scale = strtod(arg, &end);
    if (end == arg || *end != '\0' || !(o->scale > 0 && o->scale <= MAX_SCALE)) {
        argp_error(state, "--scale: '%s' is not a number above 0 and up to %d, or max", arg, MAX_SCALE);
    }
}

static unsigned parse_allocators(struct argp_state *state, const char *arg)
{
    if (strcmp(arg, "current") == 0) return ALLOCATOR_CURRENT;
    return parse_names(state, "--allocator", arg, allocator_names, ALLOCATORS);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct dealloc_options *o = state->input;
    switch (key) {
    case KEY_SCALE: parse_scale(state, o, arg); break;
    case KEY_MODE: o->modes = parse_names(state, "--mode", arg, dealloc_mode_names, DEALLOC_MODES); break;
    case KEY_ALLOCATOR: o->allocators = parse_allocators(state, arg); break;
    case KEY_PAGES: o->pages = parse_names(state, "--pages", arg, pages_names, PAGE_KINDS); break;
    case KEY_ARENAS: o->arenas = parse_names(state, "--arenas", arg, arenas_names, ARENA_KINDS); break;
    case KEY_REPEAT:
        o->repeat = (unsigned)parse_number(state, "--repeat", arg, MAX_RUNS);
        if (o->repeat == 0) argp_error(state, "--repeat: at least 1");
        break;
    case KEY_THREADS: o->threads = (unsigned)parse_number(state, "--threads", arg, 4096); break;
    case KEY_JSON: o->json = true; break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* ---- does it fit? Before anything is allocated. ---- */

static unsigned sets_at_once(unsigned modes)
{
    unsigned most = 1;
    for (int m = 0; m < DEALLOC_MODES; m++) {
        if ((modes >> m & 1) && dealloc_sets((enum dealloc_mode)m) > most) most = dealloc_sets((enum dealloc_mode)m);
    }
    return most;
}

/* What a process takes beside its sets: the allocator's rounding, and the rest of the program. */
static double with_overhead(double bytes) { return 1.03 * bytes + (256 << 20); }

static cuzk_status choose_scale(struct dealloc_options *o, cuzk_error *err)
{
    double available = (double)memory_available(), one = (double)dealloc_bytes(1), sets = sets_at_once(o->modes);
    double largest = (available - with_overhead(0)) / (1.03 * sets * one);
    if (o->largest) o->scale = 0.9 * largest; /* others live here too */
    else if (o->scale == 0) o->scale = 0.1 * available / one < 1 ? 0.1 * available / one : 1;
    if (o->scale > 0 && o->scale <= largest) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_RESOURCE,
                     "--scale %.3g needs %.2f GB (%.0f working sets of %.2f GB), %.2f GB are available; at most %.3g",
                     o->scale, 1e-9 * with_overhead(sets * o->scale * one), sets, 1e-9 * o->scale * one,
                     1e-9 * available, largest > 0 ? largest : 0);
}

/* ---- one combination, in this process ---- */

static int by_share(const void *a, const void *b)
{
    const struct dealloc_result *x = a, *y = b;
    double dx = (x->outer_ms - x->inner_ms) / x->outer_ms, dy = (y->outer_ms - y->inner_ms) / y->outer_ms;
    return (dx > dy) - (dx < dy);
}

static json_t *result_json(const struct dealloc_result *r, enum dealloc_mode mode, const struct dealloc_setup *s,
                           unsigned repeat)
{
    bool malloced = mode == MODE_SYNC || mode == MODE_DEFERRED;
    json_t *j = json_pack("{s:s, s:s, s:I, s:f, s:f, s:f, s:I}", "mode", dealloc_mode_names[mode], "allocator",
                          malloced ? allocator_here() : "mmap", "bytes", (json_int_t)r->bytes, "inner_ms",
                          r->inner_ms, "outer_ms", r->outer_ms, "next_ms", r->next_ms, "faults",
                          (json_int_t)r->faults);
    json_t *more = json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:I, s:I, s:f, s:I, s:I}", "pages",
                             pages_names[s->pages], "arenas", malloced ? arenas_names[arenas_here()] : "none",
                             "share", (r->outer_ms - r->inner_ms) / r->outer_ms, "frees_ms",
                             r->outer_ms - r->inner_ms, "quiet_ms", r->quiet_ms, "build_ms", r->build_ms, "gone_ms",
                             r->gone_ms, "release_ms", r->release_ms, "left_bytes", (json_int_t)r->left_bytes,
                             "huge_bytes", (json_int_t)r->huge_bytes, "scale", s->scale, "threads",
                             (json_int_t)pool_threads(s->pool), "repeat", (json_int_t)repeat);
    if (j && more) json_object_update(j, more);
    json_decref(more);
    return j;
}

static cuzk_status measure_mode(json_t *results, enum dealloc_mode mode, const struct dealloc_setup *s,
                                unsigned repeat, cuzk_error *err)
{
    struct dealloc_result runs[MAX_RUNS];
    cuzk_status status = CUZK_OK;
    for (unsigned i = 0; i < repeat && status == CUZK_OK; i++) status = dealloc_measure(&runs[i], mode, s, err);
    if (status != CUZK_OK) return cuzk_within(err, status, "%s", dealloc_mode_names[mode]);
    qsort(runs, repeat, sizeof *runs, by_share);
    json_array_append_new(results, result_json(&runs[repeat / 2], mode, s, repeat));
    return CUZK_OK;
}

static cuzk_status measure_here(json_t *results, const struct dealloc_options *o, enum pages pages, cuzk_error *err)
{
    struct dealloc_setup s = { .scale = o->scale, .pages = pages };
    struct circuit *porep = NULL;
    const struct circuit_entry *e = catalogue_by_id("porep-32g");
    pages_choose(pages);
    allocator_fix_threshold();
    cuzk_status status = pool_create(&s.pool, o->threads, err);
    if (status == CUZK_OK && (o->modes >> MODE_PACKED & 1)) {
        status = circuit_compile(&porep, e->kind, catalogue_shape(e), err);
    }
    s.porep = porep;
    for (int m = 0; m < DEALLOC_MODES && status == CUZK_OK; m++) {
        if (o->modes >> m & 1) status = measure_mode(results, (enum dealloc_mode)m, &s, o->repeat, err);
    }
    circuit_free(porep);
    pool_destroy(s.pool);
    return status;
}

/* ---- all combinations, each in a process of its own ---- */

static cuzk_status measure_cell(json_t *results, const struct dealloc_options *o, const struct cell *cell,
                                const char *modes, cuzk_error *err)
{
    char scale[32], repeat[16], threads[16];
    snprintf(scale, sizeof scale, "%.9g", o->scale);
    snprintf(repeat, sizeof repeat, "%u", o->repeat);
    snprintf(threads, sizeof threads, "%u", o->threads);
    const char *const arguments[] = { "bench", "dealloc", "--allocator", "current", "--json", "--scale", scale,
                                      "--repeat", repeat, "--threads", threads, "--mode", modes, "--pages",
                                      pages_names[cell->pages], NULL };
    json_t *part = NULL;
    cuzk_status status = cell_run(&part, cell, arguments, err);
    if (status == CUZK_OK) json_array_extend(results, part);
    json_decref(part);
    return status;
}

static const char *malloc_modes(unsigned modes)
{
    bool sync = modes >> MODE_SYNC & 1, deferred = modes >> MODE_DEFERRED & 1;
    return sync && deferred ? "sync,deferred" : sync ? "sync" : deferred ? "deferred" : NULL;
}

static const char *mapping_modes(unsigned modes)
{
    bool arena = modes >> MODE_ARENA & 1, packed = modes >> MODE_PACKED & 1;
    return arena && packed ? "arena,packed" : arena ? "arena" : packed ? "packed" : NULL;
}

static cuzk_status measure_allocator(json_t *results, const struct dealloc_options *o, enum allocator a,
                                     cuzk_error *err)
{
    cuzk_status status = CUZK_OK;
    for (int p = 0; p < PAGE_KINDS; p++) {
        for (int n = 0; n < ARENA_KINDS && status == CUZK_OK; n++) {
            if (!(o->pages >> p & 1) || !(o->arenas >> n & 1)) continue;
            struct cell cell = { a, (enum pages)p, (enum arenas)n };
            status = measure_cell(results, o, &cell, malloc_modes(o->modes), err);
        }
    }
    return status;
}

static cuzk_status measure_all(json_t *results, const struct dealloc_options *o, cuzk_error *err)
{
    cuzk_status status = CUZK_OK;
    for (int a = 0; a < ALLOCATORS && status == CUZK_OK && malloc_modes(o->modes); a++) {
        if (!(o->allocators >> a & 1)) continue;
        if (allocator_present((enum allocator)a)) status = measure_allocator(results, o, (enum allocator)a, err);
        else fprintf(stderr, "cuzk: jemalloc IS NOT INSTALLED, its cells are left out (Debian: apt-get install "
                             "libjemalloc2; elsewhere: CUZK_JEMALLOC=PATH)\n");
    }
    for (int p = 0; p < PAGE_KINDS && status == CUZK_OK && mapping_modes(o->modes); p++) {
        struct cell cell = { ALLOCATOR_GLIBC, (enum pages)p, ARENAS_MANY };
        if (o->pages >> p & 1) status = measure_cell(results, o, &cell, mapping_modes(o->modes), err);
    }
    return status;
}

/* ---- the table ---- */

static void print_table(const json_t *results, const struct dealloc_options *o)
{
    size_t i;
    json_t *r;
    printf("working sets of ten circuits, %.2f GB each time (scale %.3g of the incumbent's 169 GB); every word "
           "written once on memory touched before\n\n",
           1e-9 * (double)dealloc_bytes(o->scale), o->scale);
    printf("%-9s %-5s %-5s %-9s %9s %9s %9s %9s %7s  %9s %9s  %9s %8s %9s %8s %8s\n", "allocator", "pages", "arena",
           "mode", "MB", "inner ms", "outer ms", "frees ms", "share", "next ms", "quiet ms", "build ms", "faults",
           "gone ms", "left MB", "huge MB");
    json_array_foreach(results, i, r) {
        printf("%-9s %-5s %-5s %-9s %9.1f %9.2f %9.2f %9.3f %6.2f%%  %9.2f %9.2f  %9.2f %8.0f %9.2f %8.1f %8.1f\n",
               json_string_value(json_object_get(r, "allocator")), json_string_value(json_object_get(r, "pages")),
               json_string_value(json_object_get(r, "arenas")), json_string_value(json_object_get(r, "mode")),
               1e-6 * number_of(r, "bytes"), number_of(r, "inner_ms"), number_of(r, "outer_ms"),
               number_of(r, "frees_ms"), 100 * number_of(r, "share"), number_of(r, "next_ms"),
               number_of(r, "quiet_ms"), number_of(r, "build_ms"), number_of(r, "faults"), number_of(r, "gone_ms"),
               1e-6 * number_of(r, "left_bytes"), 1e-6 * number_of(r, "huge_bytes"));
    }
    printf("\nshare: of the outer time, what the frees took. next: the next job's phase directly after; quiet: the "
           "same with nothing beside it.\nbuild: the next job's set allocated and touched, or taken up again. gone: "
           "freeing, wherever it ran. left: what the allocator kept resident.\n");
}

static cuzk_status run(struct dealloc_options *o, cuzk_error *err)
{
    json_t *results = json_array();
    cuzk_status status = choose_scale(o, err);
    if (status == CUZK_OK && o->allocators == ALLOCATOR_CURRENT) {
        for (int p = 0; p < PAGE_KINDS && status == CUZK_OK; p++) {
            if (o->pages >> p & 1) status = measure_here(results, o, (enum pages)p, err);
        }
    } else if (status == CUZK_OK) {
        status = measure_all(results, o, err);
    }
    if (status == CUZK_OK && o->json) return print_json(results, JSON_INDENT(1), err);
    if (status == CUZK_OK) print_table(results, o);
    json_decref(results);
    return status;
}

int command_bench_dealloc(int argc, char **argv)
{
    static const struct argp argp = { options, parse_option, NULL,
                                      "Frees working sets of the incumbent's shape in four ways: at once (sync), by "
                                      "the engine's reaper (deferred), not at all (arena), and as this project's "
                                      "packed witnesses (packed).",
                                      NULL, NULL, NULL };
    struct dealloc_options o = { .modes = 15, .allocators = 3, .pages = 3, .arenas = 3, .repeat = 3 };
    cuzk_error err = { "" };
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    return command_result(run(&o, &err), &err);
}
