/* cuzk params list | check | generate */
#define _GNU_SOURCE
#include "backend/prover.h"
#include "base/clock.h"
#include "base/file.h"
#include "cli/device_options.h"
#include "cli/progress_bar.h"
#include "hash/blake2b.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_CIRCUITS = 64, KEY_OUTPUT = 'o', KEY_DEEP = 256, KEY_SEED, KEY_JSON };

struct params_options {
    struct device_options device;
    const char *ids[MAX_CIRCUITS];
    size_t count;
    const char *output, *seed;
    bool deep, json;
};

static const struct argp_option check_options[] = {
    { "deep", KEY_DEEP, NULL, 0, "decode every point, with curve and subgroup checks, instead of digests", 0 },
    { "json", KEY_JSON, NULL, 0, "machine-readable result", 0 },
    { 0 },
};

static const struct argp_option list_options[] = {
    { "json", KEY_JSON, NULL, 0, "machine-readable result", 0 },
    { 0 },
};

static const struct argp_option generate_options[] = {
    { "insecure-seed", KEY_SEED, "SEED", 0, "derive the secret numbers from SEED: anyone can forge proofs", 0 },
    { "output", KEY_OUTPUT, "DIR", 0, "folder for the files; must not hold them yet", 0 },
    { 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct params_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &o->device; break;
    case KEY_DEEP: o->deep = true; break;
    case KEY_JSON: o->json = true; break;
    case KEY_SEED: o->seed = arg; break;
    case KEY_OUTPUT: o->output = arg; break;
    case ARGP_KEY_ARG:
        if (o->count == MAX_CIRCUITS) argp_error(state, "more than %d circuits", MAX_CIRCUITS);
        if (!catalogue_by_id(arg)) argp_error(state, "there is no circuit '%s'; see cuzk circuit list", arg);
        o->ids[o->count++] = arg;
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static struct params_options parse(int argc, char **argv, const struct argp_option *options, const char *args,
                                   const char *doc)
{
    static const struct argp_child children[] = { { &device_argp, 0, NULL, 0 }, { 0 } };
    const struct argp argp = { options, parse_option, args, doc, children, 0, 0 };
    struct params_options o = { .deep = false };
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    return o;
}

/* list */

static const char *size_state(uint64_t *bytes, const char *path, uint64_t expected)
{
    struct stat st;
    *bytes = 0;
    if (stat(path, &st) != 0) return "absent";
    *bytes = (uint64_t)st.st_size;
    return *bytes == expected ? "present" : "wrong size";
}

static cuzk_status list_entry(const struct circuit_entry *e, const char *dir, json_t *list, cuzk_error *err)
{
    static const char *const extensions[2] = { "params", "vk" };
    for (int k = 0; k < 2; k++) {
        char *path;
        uint64_t bytes, expected = k == 0 ? catalogue_params_bytes(e) : catalogue_vk_bytes(e);
        cuzk_status status = params_path(&path, e, dir, extensions[k], err);
        if (status != CUZK_OK) return status;
        const char *state = size_state(&bytes, path, expected);
        if (list) {
            json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:I, s:s}", "circuit", e->id, "kind",
                                                  extensions[k], "file", strrchr(path, '/') + 1, "bytes",
                                                  (json_int_t)expected, "state", state));
        } else {
            printf("%-13s %-6s %14llu  %-10s  %s\n", e->id, extensions[k], (unsigned long long)expected, state,
                   strrchr(path, '/') + 1);
        }
        free(path);
    }
    return CUZK_OK;
}

static int run_list(int argc, char **argv)
{
    struct params_options o = parse(argc, argv, list_options, "[CIRCUIT...]", "Which parameter files are there.");
    const char *dir = params_folder(&o.device);
    cuzk_error err = { "" };
    cuzk_status status = CUZK_OK;
    json_t *list = o.json ? json_array() : NULL;
    if (!list) printf("%-13s %-6s %14s  %-10s  %s\n", "circuit", "kind", "bytes", "state", dir);
    for (size_t i = 0; catalogue_at(i) && status == CUZK_OK; i++) {
        bool wanted = o.count == 0;
        for (size_t k = 0; k < o.count; k++) wanted = wanted || strcmp(o.ids[k], catalogue_at(i)->id) == 0;
        if (wanted) status = list_entry(catalogue_at(i), dir, list, &err);
    }
    if (status == CUZK_OK && list) return command_result(print_json(list, JSON_INDENT(1), &err), &err);
    json_decref(list);
    return command_result(status, &err);
}

/* check */

static void file_digest(char out[33], const struct mapping *m)
{
    enum { PIECE = 1 << 22 };
    struct blake2b h;
    uint8_t digest[64];
    blake2b_begin(&h, sizeof digest, NULL, 0);
    for (size_t at = 0; at < m->size; at += PIECE) {
        blake2b_put(&h, m->data + at, m->size - at < PIECE ? m->size - at : PIECE);
    }
    blake2b_end(&h, digest);
    hex_encode(out, digest, 16);
}

static cuzk_status check_digest(const char *path, const char *published, cuzk_error *err)
{
    struct mapping m;
    char digest[33];
    cuzk_status status = mapping_open(&m, path, err);
    if (status != CUZK_OK) return status;
    file_digest(digest, &m);
    mapping_close(&m);
    if (published && strcmp(digest, published) == 0) return CUZK_OK;
    return cuzk_fail(err, CUZK_REFUSED, "%s: digest %s, published is %s", path, digest,
                     published ? published : "none (a test circuit)");
}

static cuzk_status check_deep(const struct circuit_entry *e, const char *path, const char *vk_path, struct pool *pool,
                              cuzk_error *err)
{
    struct params_file f = { 0 };
    struct srs_counts expected = catalogue_counts(e);
    struct mapping vk = { 0 };
    cuzk_status status = params_open(&f, path, &expected, pool, err);
    if (status == CUZK_OK) status = params_check_points(&f, POINT_CHECK_SUBGROUP, pool, err);
    if (status == CUZK_OK) status = mapping_open(&vk, vk_path, err);
    if (status == CUZK_OK && (vk.size != catalogue_vk_bytes(e) || memcmp(vk.data, f.map.data, vk.size) != 0)) {
        status = cuzk_fail(err, CUZK_REFUSED, "%s: not the verifying key at the beginning of the .params file", vk_path);
    }
    mapping_close(&vk);
    params_close(&f);
    return status == CUZK_ERR_DATA ? CUZK_REFUSED : status;
}

static cuzk_status check_entry(const struct circuit_entry *e, const struct params_options *o, struct pool *pool,
                               cuzk_error *err)
{
    char *path = NULL, *vk_path = NULL;
    cuzk_status status = params_path(&path, e, params_folder(&o->device), "params", err);
    if (status == CUZK_OK) status = params_path(&vk_path, e, params_folder(&o->device), "vk", err);
    if (status == CUZK_OK && o->deep) {
        status = check_deep(e, path, vk_path, pool, err);
    } else if (status == CUZK_OK) {
        status = check_digest(path, e->params_digest, err);
        if (status == CUZK_OK) status = check_digest(vk_path, e->vk_digest, err);
    }
    free(path);
    free(vk_path);
    return status;
}

/* Without names: every circuit whose file is there. */
static bool is_wanted(const struct circuit_entry *e, const struct params_options *o)
{
    for (size_t k = 0; k < o->count; k++) {
        if (strcmp(o->ids[k], e->id) == 0) return true;
    }
    if (o->count > 0) return false;
    char *path;
    if (params_path(&path, e, params_folder(&o->device), "params", NULL) != CUZK_OK) return false;
    bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

static int run_check(int argc, char **argv)
{
    struct params_options o = parse(argc, argv, check_options, "[CIRCUIT...]",
                                    "Compares parameter files with the published digests, or decodes every point. "
                                    "Exit status 1 if one is not what it should be.");
    cuzk_error err = { "" };
    struct pool *pool = NULL;
    json_t *list = o.json ? json_array() : NULL;
    cuzk_status result = pool_create(&pool, o.device.threads, &err);
    bool any = false;
    for (size_t i = 0; catalogue_at(i) && (result == CUZK_OK || result == CUZK_REFUSED); i++) {
        const struct circuit_entry *e = catalogue_at(i);
        if (!is_wanted(e, &o)) continue;
        any = true;
        cuzk_error why = { "" };
        cuzk_status status = check_entry(e, &o, pool, &why);
        if (list) {
            json_array_append_new(list, json_pack("{s:s, s:b, s:s}", "circuit", e->id, "good", status == CUZK_OK,
                                                  "detail", why.detail));
        } else {
            printf("%-13s %s\n", e->id, status == CUZK_OK ? "good" : why.detail);
        }
        if (status != CUZK_OK) {
            result = status;
            err = why;
        }
    }
    if (list) print_json(list, JSON_INDENT(1), &err);
    if (result == CUZK_OK && !any) {
        result = cuzk_fail(&err, CUZK_ERR_MISSING, "%s: no parameter files", params_folder(&o.device));
    }
    pool_destroy(pool);
    return command_result(result, &err);
}

/* generate */

static const char MARKER[] = "INSECURE-TEST-PARAMETERS";

/* The default folder is where a provider keeps the real ones. */
static bool is_default_folder(const char *dir)
{
    char *a = realpath(dir, NULL), *b = realpath(DEFAULT_PARAMS_FOLDER, NULL);
    bool same = (a && b && strcmp(a, b) == 0) || strcmp(dir, DEFAULT_PARAMS_FOLDER) == 0;
    free(a);
    free(b);
    return same;
}

static cuzk_status write_marker(const char *dir, const char *seed, cuzk_error *err)
{
    char *path = path_join(dir, MARKER), *text = NULL;
    int n = asprintf(&text,
                     "The parameters in this folder were generated by cuzk from the public seed '%s'.\n"
                     "Anyone can forge proofs against them. They are for tests and benchmarks only.\n",
                     seed);
    cuzk_status status = CUZK_OK;
    if (!path || n < 0) status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the marker file");
    if (status == CUZK_OK) status = file_write(path, text, (size_t)n, true, err);
    free(path);
    if (n >= 0) free(text);
    return status;
}

static cuzk_status generate(const struct circuit_entry *e, const struct params_options *o,
                            const struct backend *backend, cuzk_error *err)
{
    struct circuit *c = NULL;
    struct backend_circuit loaded = { 0 };
    struct params_writer w;
    struct toxic toxic;
    struct srs_counts counts = catalogue_counts(e);
    struct progress_bar bar;
    char stem[CATALOGUE_STEM_BYTES];
    catalogue_stem(stem, e);
    cuzk_status status = toxic_from_insecure_seed(&toxic, o->seed, err);
    if (status == CUZK_OK) status = params_writer_open(&w, o->output, stem, &counts, err);
    if (status != CUZK_OK) return status;
    status = write_marker(o->output, o->seed, err);
    if (status == CUZK_OK) status = circuit_compile(&c, e->kind, catalogue_shape(e), err);
    if (status == CUZK_OK) status = backend_circuit_load(&loaded, backend, c, err);
    progress_bar_begin(&bar, e->id);
    if (status == CUZK_OK) status = backend_keygen(&w, &loaded, &toxic, &bar.progress, err);
    progress_bar_end(&bar);
    if (status == CUZK_OK) status = params_writer_commit(&w, err);
    else params_writer_abandon(&w);
    backend_circuit_drop(&loaded);
    circuit_free(c);
    return status;
}

static int run_generate(int argc, char **argv)
{
    struct params_options o = parse(argc, argv, generate_options, "CIRCUIT...",
                                    "Generates INSECURE test parameters from a public seed.");
    cuzk_error err = { "" };
    struct pool *pool = NULL;
    struct backend backend = { 0 };
    cuzk_status status = CUZK_OK;
    if (o.count == 0 || !o.seed || !o.output) {
        status = cuzk_fail(&err, CUZK_ERR_USAGE, "a circuit, --insecure-seed SEED and -o DIR are needed");
    } else if (is_default_folder(o.output)) {
        status = cuzk_fail(&err, CUZK_ERR_USAGE, "%s is the folder of the real parameters; choose another one",
                           o.output);
    } else if (mkdir(o.output, 0755) != 0 && errno != EEXIST) {
        status = cuzk_fail(&err, CUZK_ERR_CREATE, "%s: %s", o.output, strerror(errno));
    }
    if (status == CUZK_OK) status = pool_create(&pool, o.device.threads, &err);
    if (!o.device.device) o.device.device = "cpu"; /* a device only when it is asked for */
    if (status == CUZK_OK) status = device_open(&backend, &o.device, pool, &err);
    for (size_t i = 0; i < o.count && status == CUZK_OK; i++) {
        uint64_t start = clock_now();
        status = generate(catalogue_by_id(o.ids[i]), &o, &backend, &err);
        if (status == CUZK_OK) {
            fprintf(stderr, "cuzk: %s: INSECURE test parameters in %s, %.1f s\n", o.ids[i], o.output,
                    1e-9 * (double)(clock_now() - start));
        }
        cuzk_within(&err, status, "%s", o.ids[i]);
    }
    backend_close(&backend);
    pool_destroy(pool);
    return command_result(status, &err);
}

int command_params(int argc, char **argv)
{
    static const struct command commands[] = {
        { "list", "which files are there", run_list },
        { "check", "compare files with the published digests, or decode every point", run_check },
        { "generate", "make INSECURE test parameters", run_generate },
    };
    return command_group("params", commands, sizeof commands / sizeof commands[0], argc, argv);
}
