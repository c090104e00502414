/* cuzk circuit list | info | digest | rows | stats */
#include "base/clock.h"
#include "circuit/catalogue.h"
#include "circuit/compile.h"
#include "cli/command.h"
#include "cli/digests.h"
#include "r1cs/circuit_digest.h"
#include "r1cs/rows_text.h"

#include <stdio.h>
#include <string.h>

struct circuit_options {
    const char *id;
    uint32_t chunk, from, to;
    unsigned threads;
    bool json;
};

enum { KEY_CHUNK = 256, KEY_FROM, KEY_TO, KEY_THREADS, KEY_JSON };

static const struct argp_option options[] = {
    { "chunk", KEY_CHUNK, "N", 0, "rows per chunk of a digest (65536)", 0 },
    { "from", KEY_FROM, "ROW", 0, "rows: the first row", 0 },
    { "to", KEY_TO, "ROW", 0, "rows: the row after the last one", 0 },
    { "threads", KEY_THREADS, "N", 0, "threads (0: all CPUs)", 0 },
    { "json", KEY_JSON, NULL, 0, "machine-readable output", 0 },
    { 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct circuit_options *o = state->input;
    switch (key) {
    case KEY_CHUNK:
        o->chunk = (uint32_t)parse_number(state, "--chunk", arg, 1u << 30);
        if (o->chunk == 0) argp_error(state, "--chunk: at least 1");
        break;
    case KEY_FROM: o->from = (uint32_t)parse_number(state, "--from", arg, UINT32_MAX); break;
    case KEY_TO: o->to = (uint32_t)parse_number(state, "--to", arg, UINT32_MAX); break;
    case KEY_THREADS: o->threads = (unsigned)parse_number(state, "--threads", arg, 4096); break;
    case KEY_JSON: o->json = true; break;
    case ARGP_KEY_ARG:
        if (o->id) argp_error(state, "one circuit at a time");
        o->id = arg;
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static struct circuit_options parse(int argc, char **argv, bool wants_circuit)
{
    static const struct argp with = { options, parse_option, "CIRCUIT", "Circuits: cuzk circuit list.", 0, 0, 0 };
    static const struct argp without = { options, parse_option, NULL, "The circuits of the catalogue.", 0, 0, 0 };
    struct circuit_options o = { .chunk = 65536, .to = UINT32_MAX };
    const struct argp *argp = wants_circuit ? &with : &without;
    argp_parse(argp, argc, argv, 0, NULL, &o);
    if (wants_circuit && !o.id) {
        argp_help(argp, stderr, ARGP_HELP_STD_ERR, argv[0]);
    }
    return o;
}

static cuzk_status find(const struct circuit_entry **out, const char *id, cuzk_error *err)
{
    *out = catalogue_by_id(id);
    if (*out) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_USAGE, "there is no circuit '%s'; see cuzk circuit list", id);
}

static cuzk_status compile(struct circuit **out, const struct circuit_entry **entry, const char *id, cuzk_error *err)
{
    cuzk_status status = find(entry, id, err);
    if (status != CUZK_OK) return status;
    return circuit_compile(out, (*entry)->kind, catalogue_shape(*entry), err);
}

/* list, info */

static json_t *entry_json(const struct circuit_entry *e)
{
    char stem[CATALOGUE_STEM_BYTES];
    catalogue_stem(stem, e);
    return json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:i, s:I, s:I, s:I, s:I, s:I, s:s?, s:s?}", "circuit",
                     e->id, "kind", proof_kind_name(e->kind), "sector_size", catalogue_shape(e)->name, "file", stem,
                     "constraints", (json_int_t)e->constraints, "inputs", (json_int_t)e->inputs, "aux",
                     (json_int_t)e->aux, "rows", (json_int_t)catalogue_rows(e), "log2_domain",
                     (int)catalogue_log_domain(e), "a_aux_density", (json_int_t)e->a_aux, "b_aux_density",
                     (json_int_t)e->b_aux, "params_bytes", (json_int_t)catalogue_params_bytes(e), "vk_bytes",
                     (json_int_t)catalogue_vk_bytes(e), "partitions",
                     (json_int_t)(e->kind == PROOF_WINDOW ? 1 : partition_count(e->kind, catalogue_shape(e), 1)),
                     "params_blake2b_128", e->params_digest, "vk_blake2b_128", e->vk_digest);
}

static int run_list(int argc, char **argv)
{
    struct circuit_options o = parse(argc, argv, false);
    cuzk_error err = { "" };
    if (o.json) {
        json_t *list = json_array();
        for (size_t i = 0; catalogue_at(i); i++) json_array_append_new(list, entry_json(catalogue_at(i)));
        return command_result(print_json(list, JSON_INDENT(1), &err), &err);
    }
    printf("%-13s %11s %7s %11s %14s  %s\n", "circuit", "rows", "inputs", "aux", ".params bytes", "files");
    for (size_t i = 0; catalogue_at(i); i++) {
        const struct circuit_entry *e = catalogue_at(i);
        char stem[CATALOGUE_STEM_BYTES];
        catalogue_stem(stem, e);
        printf("%-13s %11llu %7u %11u %14llu  %s%s\n", e->id, (unsigned long long)catalogue_rows(e), e->inputs, e->aux,
               (unsigned long long)catalogue_params_bytes(e), stem, e->params_digest ? "" : " (unpublished)");
    }
    return 0;
}

static int run_info(int argc, char **argv)
{
    struct circuit_options o = parse(argc, argv, true);
    cuzk_error err = { "" };
    const struct circuit_entry *e;
    cuzk_status status = find(&e, o.id, &err);
    if (status == CUZK_OK) status = print_json(entry_json(e), JSON_INDENT(1), &err);
    return command_result(status, &err);
}

/* digest */

static int run_digest(int argc, char **argv)
{
    struct circuit_options o = parse(argc, argv, true);
    cuzk_error err = { "" };
    const struct circuit_entry *e;
    struct circuit *c = NULL;
    struct pool *pool = NULL;
    json_t *value = NULL;
    cuzk_status status = compile(&c, &e, o.id, &err);
    if (status == CUZK_OK) status = pool_create(&pool, o.threads, &err);
    if (status == CUZK_OK) status = shape_digest_json(&value, c, e, o.chunk, pool, &err);
    if (status == CUZK_OK) status = print_json(value, JSON_INDENT(1) | JSON_SORT_KEYS, &err);
    pool_destroy(pool);
    circuit_free(c);
    return command_result(status, &err);
}

/* rows */

static int run_rows(int argc, char **argv)
{
    struct circuit_options o = parse(argc, argv, true);
    cuzk_error err = { "" };
    const struct circuit_entry *e;
    struct circuit *c = NULL;
    cuzk_status status = compile(&c, &e, o.id, &err);
    if (status == CUZK_OK) status = rows_text(stdout, c, o.from, o.to, &err);
    if (status == CUZK_OK && fflush(stdout) != 0) status = cuzk_fail(&err, CUZK_ERR_WRITE, "stdout is broken");
    circuit_free(c);
    return command_result(status, &err);
}

/* stats */

static void print_templates(const struct circuit *c)
{
    printf("\n%-24s %9s %9s %7s %9s %8s %8s %10s %12s\n", "template", "instances", "rows", "imports", "bits", "wide",
           "nonzero", "fill steps", "bytes");
    for (size_t i = 0; i < c->template_count; i++) {
        const struct template *t = c->templates[i];
        size_t instances = 0, nonzero = 0;
        for (size_t k = 0; k < c->instance_count; k++) instances += c->instances[k].template == i;
        for (int m = 0; m < MATRICES; m++) nonzero += t->matrix[m].start[t->rows];
        printf("%-24s %9zu %9u %7u %9u %8u %8zu %10zu %12zu\n", t->name, instances, t->rows, t->imports, t->bits,
               t->wides, nonzero, t->program.length, template_bytes(t));
    }
}

static int run_stats(int argc, char **argv)
{
    struct circuit_options o = parse(argc, argv, true);
    cuzk_error err = { "" };
    const struct circuit_entry *e;
    struct circuit *c = NULL;
    uint64_t start = clock_now();
    cuzk_status status = compile(&c, &e, o.id, &err);
    double seconds = 1e-9 * (double)(clock_now() - start);
    if (status == CUZK_OK && o.json) {
        status = print_json(
            json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:[III], s:I, s:f}", "circuit", e->id, "templates",
                      (json_int_t)c->template_count, "instances", (json_int_t)c->instance_count, "imports",
                      (json_int_t)c->import_count, "bytes", (json_int_t)circuit_bytes(c), "bits",
                      (json_int_t)c->bits, "wide", (json_int_t)c->wides, "rows", (json_int_t)c->rows, "witness_bytes",
                      (json_int_t)(c->bits / 8 + (uint64_t)c->wides * 32), "nonzero", (json_int_t)c->nonzero[0],
                      (json_int_t)c->nonzero[1], (json_int_t)c->nonzero[2], "coefficients",
                      (json_int_t)c->coeff_count, "compile_seconds", seconds),
            JSON_INDENT(1), &err);
    } else if (status == CUZK_OK) {
        printf("%s: compiled in %.3f s, %.1f MB in memory\n", e->id, seconds, (double)circuit_bytes(c) / 1e6);
        printf("templates %zu, instances %zu, imports %zu, coefficients %zu\n", c->template_count, c->instance_count,
               c->import_count, c->coeff_count);
        printf("variables: %u bits, %u wide; packed witness %.1f MB\n", c->bits, c->wides,
               ((double)c->bits / 8 + 32.0 * c->wides) / 1e6);
        printf("non-zero entries: A %llu, B %llu, C %llu\n", (unsigned long long)c->nonzero[0],
               (unsigned long long)c->nonzero[1], (unsigned long long)c->nonzero[2]);
        print_templates(c);
    }
    circuit_free(c);
    return command_result(status, &err);
}

int command_circuit(int argc, char **argv)
{
    static const struct command commands[] = {
        { "list", "the circuits of the catalogue", run_list },
        { "info", "sizes, files and digests of one", run_info },
        { "digest", "digests of its rows and densities, as the oracle files", run_digest },
        { "rows", "its rows in readable form", run_rows },
        { "stats", "templates, instances, memory", run_stats },
    };
    return command_group("circuit", commands, sizeof commands / sizeof commands[0], argc, argv);
}
