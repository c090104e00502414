/* cuzk bench field | ntt | msm | witness | prove: measurements, each with device, size, threads, median and spread. */
#include "cli/bench/bench.h"
#include "cli/bench/bench_all.h"
#include "cli/bench/bench_check.h"
#include "cli/bench/bench_job.h"
#include "cli/bench/bench_memory.h"
#include "cli/bench/bench_styles.h"
#include "cli/client.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>

enum { KEY_REPEAT = 256, KEY_JSON, KEY_MIN, KEY_MAX, KEY_STYLE, KEY_RESIDENT, MAX_REPEAT = 10000 };

static const struct argp_option options[] = {
    { "repeat", KEY_REPEAT, "N", 0, "measured runs after one that warms up (5)", 0 },
    { "log-min", KEY_MIN, "K", 0, "ntt, msm: smallest size 2^K (14)", 0 },
    { "log-max", KEY_MAX, "K", 0, "ntt, msm: largest size 2^K (18)", 0 },
    { "style", KEY_STYLE, "STYLE", 0,
      "witness: objects, no-temporaries, program or all: ways to synthesise a PoRep's labels", 0 },
    { "device-resident", KEY_RESIDENT, NULL, 0,
      "prove: generate INSECURE parameters into the device's memory, without a file", 0 },
    { "json", KEY_JSON, NULL, 0, "machine-readable result", 0 },
    { 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct bench_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->request;
        state->child_inputs[1] = &o->device;
        break;
    case KEY_REPEAT:
        o->repeat = (unsigned)parse_number(state, "--repeat", arg, MAX_REPEAT);
        if (o->repeat == 0) argp_error(state, "--repeat: at least 1");
        break;
    case KEY_MIN: o->log_min = (unsigned)parse_number(state, "--log-min", arg, 28); break;
    case KEY_MAX: o->log_max = (unsigned)parse_number(state, "--log-max", arg, 28); break;
    case KEY_STYLE:
        o->style = style_by_name(arg);
        if (o->style == STYLE_NONE) {
            argp_error(state, "--style: '%s' is none of objects, no-temporaries, program, all", arg);
        }
        break;
    case KEY_RESIDENT: o->resident = true; break;
    case KEY_JSON: o->json = true; break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* A time in the unit that reads best. */
static void print_time(double seconds)
{
    if (seconds >= 1) printf("%9.3f s ", seconds);
    else if (seconds >= 1e-3) printf("%9.3f ms", 1e3 * seconds);
    else if (seconds >= 1e-6) printf("%9.3f us", 1e6 * seconds);
    else printf("%9.2f ns", 1e9 * seconds);
}

/* What a run cost beside its time. */
struct cost {
    const struct bench_task *task;
    const struct counters *counters;
    struct counts run; /* of one run, on average */
};

static void print_cost(const struct cost *c)
{
    printf("    page faults %llu", (unsigned long long)c->run.faults);
    if (c->task->allocated) printf(", allocated %.2f MB", 1e-6 * (double)*c->task->allocated);
    if (c->run.counted) printf(", instructions %.2f M\n", 1e-6 * (double)c->run.instructions);
    else printf(", instructions %s\n", c->counters->refused);
    fflush(stdout);
}

static void add_cost(json_t *r, const struct cost *c)
{
    if (c->task->style) json_object_set_new(r, "style", json_string(c->task->style));
    json_object_set_new(r, "faults", json_integer((json_int_t)c->run.faults));
    json_object_set_new(r, "instructions",
                        c->run.counted ? json_integer((json_int_t)c->run.instructions) : json_null());
    if (c->task->allocated) {
        json_object_set_new(r, "allocated_bytes", json_integer((json_int_t)*c->task->allocated));
    }
}

static void report(const struct bench_options *o, const struct bench_task *t, double *seconds, size_t count,
                   const struct cost *cost)
{
    qsort(seconds, count, sizeof *seconds, compare_doubles);
    double median = (seconds[(count - 1) / 2] + seconds[count / 2]) / 2;
    if (o->json) {
        json_t *r = json_pack("{s:s, s:s, s:I, s:i, s:I, s:f, s:f, s:f}", "name", t->name, "device", t->device, "size",
                              (json_int_t)t->size, "threads", (int)t->threads, "repeat", (json_int_t)count,
                              "median_s", median, "min_s", seconds[0], "max_s", seconds[count - 1]);
        if (t->work > 0) json_object_set_new(r, "per_unit_ns", json_real(1e9 * median / (double)t->work));
        if (cost) add_cost(r, cost);
        json_array_append_new(o->results, r);
        return;
    }
    printf("%-24s %-14.14s size %10llu  threads %2u  median ", t->name, t->device, (unsigned long long)t->size,
           t->threads);
    print_time(median);
    printf("  min ");
    print_time(seconds[0]);
    printf("  max ");
    print_time(seconds[count - 1]);
    if (t->work > 0) printf("  %10.2f ns each", 1e9 * median / (double)t->work);
    putchar('\n');
    if (cost) print_cost(cost);
    fflush(stdout);
}

void bench_report(const struct bench_options *o, const char *name, const char *device, uint64_t size, unsigned threads,
                  uint64_t work, double *seconds, size_t count)
{
    report(o, &(struct bench_task){ .name = name, .device = device, .size = size, .threads = threads, .work = work },
           seconds, count, NULL);
}

static void run_once(const struct bench_task *t)
{
    if (t->reset) t->reset(t->context);
    t->body(t->context);
}

static void run_repeated(double *seconds, struct counts *sum, const struct bench_options *o,
                         const struct bench_task *t)
{
    run_once(t);
    *sum = (struct counts){ .counted = o->counters && o->counters->fd >= 0 };
    for (unsigned i = 0; i < o->repeat; i++) {
        struct counts before = { 0 }, after = { 0 };
        if (t->reset) t->reset(t->context);
        if (o->counters) counters_read(&before, o->counters);
        uint64_t start = clock_now();
        t->body(t->context);
        seconds[i] = 1e-9 * (double)(clock_now() - start);
        if (o->counters) counters_read(&after, o->counters);
        sum->instructions += after.instructions - before.instructions;
        sum->faults += after.faults - before.faults;
        sum->counted = sum->counted && before.counted && after.counted;
    }
    sum->instructions /= o->repeat;
    sum->faults /= o->repeat;
}

void bench_measure(const struct bench_options *o, const struct bench_task *t)
{
    double seconds[MAX_REPEAT];
    struct cost cost = { .task = t, .counters = o->counters };
    run_repeated(seconds, &cost.run, o, t);
    report(o, t, seconds, o->repeat, o->counters ? &cost : NULL);
}

void bench_run(const struct bench_options *o, const char *name, const char *device, uint64_t size, unsigned threads,
               uint64_t work, bench_body *body, void *context)
{
    struct bench_options plain = *o;
    plain.counters = NULL;
    bench_measure(&plain, &(struct bench_task){ .name = name, .device = device, .size = size, .threads = threads,
                                                .work = work, .body = body, .context = context });
}

typedef cuzk_status bench_function(const struct bench_options *o, cuzk_error *err);

static int run(int argc, char **argv, bench_function *function, const char *doc)
{
    static const struct argp_child children[] = { { &request_argp, 0, NULL, 0 }, { &device_argp, 0, NULL, 0 }, { 0 } };
    const struct argp argp = { options, parse_option, "[VANILLA...]", doc, children, 0, 0 };
    struct bench_options o = { .repeat = 5, .log_min = 14, .log_max = 18 };
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    cuzk_error err = { "" };
    struct counters counters;
    if (o.style != STYLE_NONE && function != bench_witness) {
        return command_result(cuzk_fail(&err, CUZK_ERR_USAGE, "--style: of `bench witness` alone"), &err);
    }
    counters_open(&counters); /* before any thread */
    o.counters = &counters;
    if (o.json) o.results = json_array();
    cuzk_status status = function(&o, &err);
    counters_close(&counters);
    if (status == CUZK_OK && o.json) return command_result(print_json(o.results, JSON_INDENT(1), &err), &err);
    json_decref(o.results);
    return command_result(status, &err);
}

static int run_field(int argc, char **argv) { return run(argc, argv, bench_field, "Field products."); }
static int run_ntt(int argc, char **argv) { return run(argc, argv, bench_ntt, "Transforms over Fr."); }
static int run_msm(int argc, char **argv) { return run(argc, argv, bench_msm, "Multi-scalar multiplications."); }
static int run_verify(int argc, char **argv) { return run(argc, argv, bench_verify, "Pairings and verification."); }
static int run_witness(int argc, char **argv)
{
    return run(argc, argv, bench_witness, "Filling one partition's witness, without parsing and compiling.");
}
static int run_prove(int argc, char **argv)
{
    return run(argc, argv, bench_prove, "Proving one partition, parameters open and witness buffers warm.");
}

int command_bench(int argc, char **argv)
{
    static const struct command commands[] = {
        { "field", "products in Fr and Fp, Poseidon", run_field },
        { "ntt", "transforms", run_ntt },
        { "msm", "multi-scalar multiplications in G1 and G2", run_msm },
        { "verify", "pairings, one proof, ten proofs together", run_verify },
        { "witness", "filling one partition's witness (request options)", run_witness },
        { "prove", "one partition, stage by stage (request options)", run_prove },
        { "job", "a job's partitions one after the other: memory over time (request options)", command_bench_job },
        { "all", "everything, and a report with figures", command_bench_all },
        { "check", "a few ratios against a baseline", command_bench_check },
#ifdef CUZK_CLIENT
        { "srs", "loading and evicting a circuit's parameters", command_bench_srs },
        { "dealloc", "what freeing working sets costs, in four ways", command_bench_dealloc },
        { "memory", "allocators, pages and giving memory back on this project's own paths", command_bench_memory },
        { "load", "drive a daemon with many requests at once", command_bench_load },
#endif
    };
    return command_group("bench", commands, sizeof commands / sizeof commands[0], argc, argv);
}
