/* cuzk bench field | ntt | msm | witness | prove: measurements, each with device, size, threads, median and spread. */
#include "cli/bench.h"
#include "cli/client.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>

enum { KEY_REPEAT = 256, KEY_JSON, KEY_MIN, KEY_MAX, MAX_REPEAT = 10000 };

static const struct argp_option options[] = {
    { "repeat", KEY_REPEAT, "N", 0, "measured runs after one that warms up (5)", 0 },
    { "log-min", KEY_MIN, "K", 0, "ntt, msm: smallest size 2^K (14)", 0 },
    { "log-max", KEY_MAX, "K", 0, "ntt, msm: largest size 2^K (18)", 0 },
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

void bench_report(const struct bench_options *o, const char *name, const char *device, uint64_t size, unsigned threads,
                  uint64_t work, double *seconds, size_t count)
{
    qsort(seconds, count, sizeof *seconds, compare_doubles);
    double median = (seconds[(count - 1) / 2] + seconds[count / 2]) / 2;
    if (o->json) {
        json_t *r = json_pack("{s:s, s:s, s:I, s:i, s:I, s:f, s:f, s:f}", "name", name, "device", device, "size",
                              (json_int_t)size, "threads", (int)threads, "repeat", (json_int_t)count, "median_s",
                              median, "min_s", seconds[0], "max_s", seconds[count - 1]);
        if (work > 0) json_object_set_new(r, "per_unit_ns", json_real(1e9 * median / (double)work));
        json_array_append_new(o->results, r);
        return;
    }
    printf("%-24s %-14.14s size %10llu  threads %2u  median ", name, device, (unsigned long long)size, threads);
    print_time(median);
    printf("  min ");
    print_time(seconds[0]);
    printf("  max ");
    print_time(seconds[count - 1]);
    if (work > 0) printf("  %10.2f ns each", 1e9 * median / (double)work);
    putchar('\n');
    fflush(stdout);
}

void bench_run(const struct bench_options *o, const char *name, const char *device, uint64_t size, unsigned threads,
               uint64_t work, bench_body *body, void *context)
{
    double seconds[MAX_REPEAT];
    body(context);
    for (unsigned i = 0; i < o->repeat; i++) {
        uint64_t start = clock_now();
        body(context);
        seconds[i] = 1e-9 * (double)(clock_now() - start);
    }
    bench_report(o, name, device, size, threads, work, seconds, o->repeat);
}

typedef cuzk_status bench_function(const struct bench_options *o, cuzk_error *err);

static int run(int argc, char **argv, bench_function *function, const char *doc)
{
    static const struct argp_child children[] = { { &request_argp, 0, NULL, 0 }, { &device_argp, 0, NULL, 0 }, { 0 } };
    const struct argp argp = { options, parse_option, "[VANILLA...]", doc, children, 0, 0 };
    struct bench_options o = { .repeat = 5, .log_min = 14, .log_max = 18 };
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    cuzk_error err = { "" };
    if (o.json) o.results = json_array();
    cuzk_status status = function(&o, &err);
    if (status == CUZK_OK && o.json) return command_result(print_json(o.results, JSON_INDENT(1), &err), &err);
    json_decref(o.results);
    return command_result(status, &err);
}

static int run_field(int argc, char **argv) { return run(argc, argv, bench_field, "Field products."); }
static int run_ntt(int argc, char **argv) { return run(argc, argv, bench_ntt, "Transforms over Fr."); }
static int run_msm(int argc, char **argv) { return run(argc, argv, bench_msm, "Multi-scalar multiplications."); }
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
        { "witness", "filling one partition's witness (request options)", run_witness },
        { "prove", "one partition, stage by stage (request options)", run_prove },
#ifdef CUZK_CLIENT
        { "load", "drive a daemon with many requests at once", command_bench_load },
#endif
    };
    return command_group("bench", commands, sizeof commands / sizeof commands[0], argc, argv);
}
