/* cuzk witness digest | check */
#include "circuit/compile.h"
#include "cli/digests.h"
#include "cli/request_options.h"
#include "r1cs/evaluate.h"

#include <stdio.h>

struct witness_options {
    struct request_options request;
    uint32_t chunk;
    unsigned threads;
};

enum { KEY_CHUNK = 256, KEY_THREADS };

static const struct argp_option options[] = {
    { "chunk", KEY_CHUNK, "N", 0, "rows and values per chunk of a digest (65536)", 0 },
    { "threads", KEY_THREADS, "N", 0, "threads (0: all CPUs)", 0 },
    { 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct witness_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &o->request; break;
    case KEY_CHUNK:
        o->chunk = (uint32_t)parse_number(state, "--chunk", arg, 1u << 30);
        if (o->chunk == 0) argp_error(state, "--chunk: at least 1");
        break;
    case KEY_THREADS: o->threads = (unsigned)parse_number(state, "--threads", arg, 4096); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* What is done with each partition's witness. */
typedef cuzk_status partition_action(const struct witness *w, const struct circuit_entry *e, size_t partition,
                                     const struct witness_options *o, struct pool *pool, json_t *results,
                                     cuzk_error *err);

static cuzk_status digest_partition(const struct witness *w, const struct circuit_entry *e, size_t partition,
                                    const struct witness_options *o, struct pool *pool, json_t *results,
                                    cuzk_error *err)
{
    (void)partition;
    json_t *value;
    cuzk_status status = witness_digest_json(&value, w, e, o->chunk, pool, err);
    if (status == CUZK_OK) json_array_append_new(results, value);
    return status;
}

static cuzk_status check_partition(const struct witness *w, const struct circuit_entry *e, size_t partition,
                                   const struct witness_options *o, struct pool *pool, json_t *results,
                                   cuzk_error *err)
{
    (void)o;
    (void)results;
    cuzk_status status = witness_check(w, pool, err);
    if (status == CUZK_OK) printf("%s, partition %zu: all %u rows hold\n", e->id, partition, w->circuit->rows);
    return status;
}

static cuzk_status each_partition(const struct vanilla_job *job, const struct witness_options *o,
                                  partition_action *action, json_t *results, struct pool *pool, cuzk_error *err)
{
    const struct circuit_entry *e = catalogue_by_shape(job->kind, job->shape);
    struct circuit *circuit = NULL;
    struct witness w = { 0 };
    cuzk_status status = circuit_compile(&circuit, job->kind, job->shape, err);
    if (status == CUZK_OK) status = witness_create(&w, circuit, err);
    for (size_t i = 0; i < job->input_count && status == CUZK_OK; i++) {
        status = circuit_fill(&w, &job->inputs[i], pool, err);
        if (status == CUZK_OK) status = action(&w, e, job->first_partition + i, o, pool, results, err);
        cuzk_within(err, status, "partition %zu", job->first_partition + i);
    }
    witness_destroy(&w);
    circuit_free(circuit);
    return status;
}

static int run(int argc, char **argv, partition_action *action, const char *doc, bool prints_json)
{
    static const struct argp_child children[] = { { &request_argp, 0, NULL, 0 }, { 0 } };
    const struct argp argp = { options, parse_option, "[VANILLA...]", doc, children, 0, 0 };
    struct witness_options o = { .chunk = 65536 };
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    cuzk_error err = { "" };
    struct pool *pool = NULL;
    struct vanilla_job *job = NULL;
    json_t *results = json_array();
    cuzk_status status = pool_create(&pool, o.threads, &err);
    if (status == CUZK_OK) status = checked_job_from_options(&job, &o.request, pool, &err);
    if (status == CUZK_OK) status = each_partition(job, &o, action, results, pool, &err);
    if (status == CUZK_OK && prints_json) {
        json_t *value = json_array_size(results) == 1 ? json_incref(json_array_get(results, 0)) : json_incref(results);
        status = print_json(value, JSON_INDENT(1) | JSON_SORT_KEYS, &err);
    }
    json_decref(results);
    vanilla_job_free(job);
    pool_destroy(pool);
    return command_result(status, &err);
}

static int run_digest(int argc, char **argv)
{
    return run(argc, argv, digest_partition, "Digests of each partition's witness, as the oracle files.", true);
}

static int run_check(int argc, char **argv)
{
    return run(argc, argv, check_partition, "Checks every row a*b = c over each partition's witness.", false);
}

int command_witness(int argc, char **argv)
{
    static const struct command commands[] = {
        { "digest", "digests of values and evaluations", run_digest },
        { "check", "every row over the witness", run_check },
    };
    return command_group("witness", commands, sizeof commands / sizeof commands[0], argc, argv);
}
