/* What the benchmarks share: repeated timing, and one way to print a result. */
#ifndef CUZK_CLI_BENCH_H
#define CUZK_CLI_BENCH_H

#include "cli/bench/bench_counters.h"
#include "cli/device_options.h"
#include "cli/request_options.h"

struct bench_options {
    struct request_options request;
    struct device_options device;
    unsigned repeat;
    unsigned log_min, log_max; /* sizes of ntt and msm */
    int style;                 /* witness: one of bench_styles.h */
    struct counters *counters; /* open */
    bool resident;             /* prove: with parameters that are generated into the device's memory */
    bool json;
    json_t *results; /* filled when json is asked for */
};

/* Runs `body` once to warm up and `repeat` times, and reports median, minimum and maximum. `work` is how many units
 * one run does (points, products); 0 if there is no such thing. */
typedef void bench_body(void *context);
void bench_run(const struct bench_options *o, const char *name, const char *device, uint64_t size, unsigned threads,
               uint64_t work, bench_body *body, void *context);

/* The same for times that were measured elsewhere (seconds, `count` of them, sorted in place). */
void bench_report(const struct bench_options *o, const char *name, const char *device, uint64_t size, unsigned threads,
                  uint64_t work, double *seconds, size_t count);

/* What bench_run does, with more to say: instructions and page faults of a run, and bytes that it allocated. */
struct bench_task {
    const char *name, *device;
    uint64_t size;
    unsigned threads;
    uint64_t work;
    bench_body *body, *reset; /* reset, unless NULL, runs before each body and is not measured */
    void *context;
    const char *style;         /* NULL: none */
    const uint64_t *allocated; /* set by the body; NULL: not known */
};
void bench_measure(const struct bench_options *o, const struct bench_task *task);

cuzk_status bench_field(const struct bench_options *o, cuzk_error *err);
cuzk_status bench_ntt(const struct bench_options *o, cuzk_error *err);
cuzk_status bench_msm(const struct bench_options *o, cuzk_error *err);
void bench_lanes(const struct bench_options *o); /* part of field */
cuzk_status bench_verify(const struct bench_options *o, cuzk_error *err);
cuzk_status bench_witness(const struct bench_options *o, cuzk_error *err);
cuzk_status bench_prove(const struct bench_options *o, cuzk_error *err);

#endif
