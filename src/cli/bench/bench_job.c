/* cuzk bench job: all partitions of a job one after the other as a device's host sees them, and what memory that takes
 * over time. With --prove they are proved as well, which needs the parameters. */
#include "cli/bench/bench_job.h"

#include "backend/prover.h"
#include "base/clock.h"
#include "cli/device_options.h"
#include "cli/bench/memory_track.h"
#include "cli/request_options.h"

#include <malloc.h>
#include <stdio.h>
#include <sys/stat.h>

struct job_options {
    struct request_options request;
    struct device_options device;
    bool prove;
};

enum { KEY_PROVE = 256, KEY_JSON };

static const struct argp_option options[] = {
    { "prove", KEY_PROVE, NULL, 0, "also prove each partition", 0 },
    { "json", KEY_JSON, NULL, 0, "accepted for the sake of likeness: the result is JSON in any case", 0 },
    { 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct job_options *o = state->input;
    (void)arg;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->request;
        state->child_inputs[1] = &o->device;
        break;
    case KEY_PROVE: o->prove = true; break;
    case KEY_JSON: break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

struct running {
    const struct job_options *o;
    struct memory_track *track;
    struct pool *pool;
    struct vanilla_job *job;
    const struct circuit_entry *entry;
    struct circuit *circuit; /* without --prove */
    struct backend backend;
    struct prover prover; /* with it */
    struct witness witness;
};

static cuzk_status get_ready(struct running *r, cuzk_error *err)
{
    cuzk_status status = pool_create(&r->pool, r->o->device.threads, err);
    memory_track_event(r->track, "read and check");
    if (status == CUZK_OK) status = checked_job_from_options(&r->job, &r->o->request, r->pool, err);
    malloc_trim(0); /* the payload has gone: show it */
    memory_track_event(r->track, "compile");
    if (status != CUZK_OK) return status;
    r->entry = catalogue_by_shape(r->job->kind, r->job->shape);
    if (!r->o->prove) {
        status = circuit_compile(&r->circuit, r->job->kind, r->job->shape, err);
        return status == CUZK_OK ? witness_create(&r->witness, r->circuit, err) : status;
    }
    status = device_open(&r->backend, &r->o->device, r->pool, err);
    if (status == CUZK_OK) {
        status = prover_open(&r->prover, r->entry, params_folder(&r->o->device), &r->backend, r->pool, err);
    }
    return status == CUZK_OK ? backend_witness_create(&r->witness, &r->backend, r->prover.circuit, err) : status;
}

static cuzk_status do_partition(struct running *r, size_t i, cuzk_error *err)
{
    char name[32];
    struct proof proof;
    struct partition_timings timings = { 0 };
    struct proof_randomness random;
    snprintf(name, sizeof name, "p%zu", r->job->first_partition + i);
    memory_track_event(r->track, name);
    if (!r->o->prove) return circuit_fill(&r->witness, &r->job->inputs[i], r->pool, err);
    cuzk_status status = proof_randomness_draw(&random, err);
    if (status != CUZK_OK) return status;
    return prover_partition(&proof, &r->prover, &r->witness, &r->job->inputs[i], &random, &timings, err);
}

static uint64_t file_bytes(const char *path)
{
    struct stat st;
    return path && stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

static uint64_t payload_bytes(const struct request_options *q)
{
    uint64_t bytes = file_bytes(q->c1) + file_bytes(q->request_file);
    for (size_t i = 0; i < q->vanilla_count; i++) bytes += file_bytes(q->vanilla[i]);
    return bytes;
}

static cuzk_status run(struct running *r, cuzk_error *err)
{
    cuzk_status status = memory_track_begin(&r->track, err);
    if (status != CUZK_OK) return status;
    uint64_t begin = clock_now();
    status = get_ready(r, err);
    for (size_t i = 0; status == CUZK_OK && i < r->job->input_count; i++) status = do_partition(r, i, err);
    json_t *result = NULL;
    if (status == CUZK_OK) {
        result = json_pack("{s:s, s:I, s:b, s:f}", "circuit", r->entry->id, "partitions",
                           (json_int_t)r->job->input_count, "proved", r->o->prove, "total_s",
                           1e-9 * (double)(clock_now() - begin));
        json_object_set_new(result, "payload_bytes", json_integer((json_int_t)payload_bytes(&r->o->request)));
    }
    memory_track_end(r->track, result);
    return status == CUZK_OK ? print_json(result, JSON_COMPACT, err) : status;
}

int command_bench_job(int argc, char **argv)
{
    static const struct argp_child children[] = { { &request_argp, 0, NULL, 0 }, { &device_argp, 0, NULL, 0 }, { 0 } };
    static const struct argp argp = { options, parse_option, "[VANILLA...]",
                                      "A job's partitions one after the other: memory over time, as JSON.",
                                      children, 0, 0 };
    struct job_options o = { .prove = false };
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    struct running r = { .o = &o };
    cuzk_error err = { "" };
    int code = command_result(run(&r, &err), &err);
    witness_destroy(&r.witness);
    prover_close(&r.prover);
    circuit_free(r.circuit);
    backend_close(&r.backend);
    vanilla_job_free(r.job);
    pool_destroy(r.pool);
    return code;
}
