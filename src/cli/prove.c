/* cuzk prove: one proof, in this process. */
#include "backend/partitions.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/timing.h"
#include "cli/device_options.h"
#include "cli/peak_memory.h"
#include "cli/request_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct prove_options {
    struct request_options request;
    struct device_options device;
    const char *output, *insecure_tag;
    bool insecure_zero, json;
};

enum { KEY_OUTPUT = 'o', KEY_TAG = 256, KEY_ZERO, KEY_JSON };

static const struct argp_option options[] = {
    { "output", KEY_OUTPUT, "FILE", 0, "write the raw proof there, 192 bytes per partition", 0 },
    { "insecure-rs", KEY_TAG, "TAG", 0, "fixed r and s, for tests: the proof is not zero-knowledge", 0 },
    { "insecure-rs-zero", KEY_ZERO, NULL, 0, "r = s = 0, for tests", 0 },
    { "json", KEY_JSON, NULL, 0, "machine-readable result with timings", 0 },
    { 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct prove_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->request;
        state->child_inputs[1] = &o->device;
        break;
    case KEY_OUTPUT: o->output = arg; break;
    case KEY_TAG: o->insecure_tag = arg; break;
    case KEY_ZERO: o->insecure_zero = true; break;
    case KEY_JSON: o->json = true; break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* All that one proof owns on its way. */
struct proving {
    const struct prove_options *o;
    struct pool *pool;
    struct backend backend;
    struct vanilla_job *job;
    struct prover prover;
    struct public_values claims;
    struct proof *proofs;
    uint8_t *bytes;
    uint64_t *done; /* when each proof was there */
    struct partition_timings timings;
    uint64_t started, entry, parse, open, prove, verify, reply, total; /* nanoseconds */
    bool timing; /* CUZK_TIMING */
    uint64_t peak;
    struct backend_description description;
};

static cuzk_status choose_randomness(struct proof_randomness *out, const struct prove_options *o, size_t partition,
                                     cuzk_error *err)
{
    if (o->insecure_zero) {
        *out = (struct proof_randomness){ FR_ZERO, FR_ZERO };
        return CUZK_OK;
    }
    if (o->insecure_tag) return proof_randomness_from_tag(out, o->insecure_tag, partition, err);
    return proof_randomness_draw(out, err);
}

static cuzk_status read_job(struct proving *p, cuzk_error *err)
{
    uint64_t start = clock_now();
    cuzk_status status = checked_job_from_options(&p->job, &p->o->request, p->pool, err);
    p->parse = clock_now() - start;
    if (status == CUZK_OK && p->job->aggregated && !p->o->request.has_partition) {
        status = cuzk_fail(err, CUZK_ERR_DATA,
                           "%s: a whole non-interactive PoRep is an aggregate, which cuzk does not make; "
                           "single partitions can be proved with --partition",
                           p->job->proof->name);
    }
    return status;
}

static cuzk_status prove_partitions(struct proving *p, cuzk_error *err)
{
    size_t count = p->job->input_count, failed = 0;
    struct proof_randomness *random = calloc(count, sizeof *random);
    p->proofs = calloc(count, sizeof *p->proofs);
    p->bytes = calloc(count, PROOF_BYTES);
    p->done = calloc(count, sizeof *p->done);
    cuzk_status status = CUZK_OK;
    if (!p->proofs || !p->bytes || !p->done || !random) {
        status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu proofs", count);
    }
    for (size_t i = 0; i < count && status == CUZK_OK; i++) {
        status = choose_randomness(&random[i], p->o, p->job->first_partition + i, err);
    }
    if (status == CUZK_OK) {
        status = partitions_prove(p->proofs, p->done, &p->prover, p->job->inputs, random, count, &p->timings, &failed,
                                  err);
        cuzk_within(err, status, "partition %zu", p->job->first_partition + failed);
    }
    for (size_t i = 0; i < count && status == CUZK_OK; i++) proof_encode(p->bytes + i * PROOF_BYTES, &p->proofs[i]);
    free(random);
    return status;
}

/* The vanilla proof was good, so a proof that does not hold comes from a damaged point of the parameters, or from a
 * fault of ours. */
static cuzk_status explain_refusal(const struct proving *p, cuzk_error *err)
{
    cuzk_status status = params_check_points(&p->prover.params, POINT_CHECK_CURVE, p->pool, err);
    if (status != CUZK_OK) return status;
    return cuzk_fail(err, CUZK_ERR_INTERNAL,
                     "self-check: the proof does not hold, and %s has only points of the curve",
                     p->prover.params.path);
}

/* Against the public inputs that a verifier would compute, not those of the witness. */
static cuzk_status verify_partitions(struct proving *p, cuzk_error *err)
{
    uint64_t start = clock_now();
    cuzk_status status = proofs_verify(&p->prover.verifier, &p->claims, p->proofs, p->pool, err);
    p->verify = clock_now() - start;
    return status == CUZK_REFUSED ? explain_refusal(p, err) : cuzk_within(err, status, "self-check");
}

static double ms(uint64_t nanoseconds) { return 1e-6 * (double)nanoseconds; }

static cuzk_status print_result(const struct proving *p, cuzk_error *err)
{
    size_t size = p->job->input_count * PROOF_BYTES;
    const struct prove_timings *t = &p->timings.backend;
    if (p->o->output) {
        cuzk_status status = file_write(p->o->output, p->bytes, size, true, err);
        if (status != CUZK_OK) return status;
    }
    if (!p->o->json) {
        if (p->o->output) return CUZK_OK;
        char *hex = malloc(2 * size + 1);
        if (!hex) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the proof's text");
        hex_encode(hex, p->bytes, size);
        int bad = puts(hex) == EOF || fflush(stdout) != 0;
        free(hex);
        return bad ? cuzk_fail(err, CUZK_ERR_WRITE, "stdout is broken") : CUZK_OK;
    }
    json_t *done = json_array();
    for (size_t i = 0; i < p->job->input_count; i++)
        json_array_append_new(done, json_real(ms(p->done[i] - p->started)));
    return print_json(json_pack("{s:s, s:I, s:o, s:b, s:{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, "
                                "s:f, s:f, s:f, s:f}, "
                                "s:o, s:s, s:I}",
                                "circuit", p->prover.entry->id, "partitions", (json_int_t)p->job->input_count,
                                "proof", json_hex(p->bytes, size), "verified", 1, "timings_ms", "parse", ms(p->parse),
                                "open", ms(p->open), "prove", ms(p->prove), "h", ms(t->h), "l", ms(t->l), "a",
                                ms(t->a), "b_g1", ms(t->b_g1), "b_g2", ms(t->b_g2), "memory", ms(t->memory),
                                "witness", ms(p->timings.witness), "evaluate", ms(t->evaluate), "quotient",
                                ms(t->quotient), "msm", ms(t->h + t->l + t->a + t->b_g1 + t->b_g2 + t->memory),
                                "assemble", ms(p->timings.assemble), "verify", ms(p->verify), "total", ms(p->total),
                                "partitions_done_ms", done, "device", p->description.device, "peak_bytes",
                                (json_int_t)p->peak),
                      JSON_INDENT(1), err);
}

/* Time since *since, which moves on to now: between laps nothing is lost. */
static uint64_t lap(uint64_t *since)
{
    uint64_t now = clock_now(), spent = now - *since;
    *since = now;
    return spent;
}

/* The inner stages are sums over the partitions, which may overlap. */
static void mark_stages(const struct proving *p)
{
    const struct prove_timings *t = &p->timings.backend;
    const struct {
        const char *name;
        uint64_t ns;
    } marks[] = {
        { "entry_prep", p->entry }, { "open", p->open },         { "witness", p->timings.witness },
        { "workspace", t->memory }, { "evaluate", t->evaluate }, { "quotient", t->quotient },
        { "msm_h", t->h },          { "msm_l", t->l },           { "msm_a", t->a },
        { "msm_b_g1", t->b_g1 },    { "msm_b_g2", t->b_g2 },     { "epilogue", p->timings.assemble },
        { "prove", p->prove },      { "verify", p->verify },     { "reply", p->reply },
    };
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        timing_mark(p->timing, marks[i].name, marks[i].ns, NULL, NULL);
    }
}

static cuzk_status prove(struct proving *p, cuzk_error *err)
{
    struct peak_memory peak;
    uint64_t clock = p->started = clock_now();
    cuzk_status status = pool_create(&p->pool, p->o->device.threads, err);
    if (status != CUZK_OK) return status;
    peak_memory_begin(&peak);
    status = read_job(p, err);
    if (status == CUZK_OK && p->o->output) status = file_can_create(p->o->output, err);
    if (status == CUZK_OK) {
        status = public_values_create(&p->claims, &p->job->statement, p->job->first_partition, p->job->input_count, err);
    }
    p->entry = lap(&clock);
    if (status == CUZK_OK) status = device_open(&p->backend, &p->o->device, p->pool, err);
    if (status == CUZK_OK) {
        backend_describe(&p->description, &p->backend);
        status = prover_open(&p->prover, catalogue_by_shape(p->job->kind, p->job->shape),
                             params_folder(&p->o->device), &p->backend, p->pool, err);
    }
    p->open = lap(&clock);
    if (status == CUZK_OK) status = prove_partitions(p, err);
    p->prove = lap(&clock);
    if (status == CUZK_OK) status = verify_partitions(p, err);
    p->total = lap(&clock) + p->entry + p->open + p->prove;
    p->peak = peak_memory_end(&peak);
    if (status == CUZK_OK) status = print_result(p, err);
    p->reply = lap(&clock);
    return status;
}

/* After the answer. */
static void release(struct proving *p)
{
    prover_close(&p->prover);
    backend_close(&p->backend);
    public_values_release(&p->claims);
    vanilla_job_free(p->job);
    pool_destroy(p->pool);
    free(p->proofs);
    free(p->bytes);
    free(p->done);
}

int command_prove(int argc, char **argv)
{
    static const struct argp_child children[] = { { &request_argp, 0, NULL, 0 },
                                                  { &device_argp, 0, NULL, 0 },
                                                  { 0 } };
    static const struct argp argp = { options,
                                      parse_option,
                                      "[VANILLA...]",
                                      "Checks the vanilla proof, proves it, verifies the proof and prints it.",
                                      children,
                                      0,
                                      0 };
    struct prove_options o = { .json = false };
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    struct proving p = { .o = &o, .timing = timing_wanted() };
    cuzk_error err = { "" };
    int code = command_result(prove(&p, &err), &err);
    uint64_t clock = clock_now(), answered = clock - p.started;
    release(&p);
    uint64_t freeing = lap(&clock);
    mark_stages(&p);
    timing_mark(p.timing, "pre_destructor", answered, NULL, NULL);
    timing_mark(p.timing, "deallocation", freeing, NULL, NULL);
    timing_mark(p.timing, "outer", clock - p.started, NULL, NULL);
    return code;
}
