/* Benchmarks of a device's primitives. */
#ifndef CUZK_CLI_BENCH_DEVICE_H
#define CUZK_CLI_BENCH_DEVICE_H

#include "cli/bench/bench.h"

/* Did --device name a GPU? Then ntt and msm are timed there, on data in its memory. */
bool bench_wants_device(const struct bench_options *o);

/* Sizes 2^log_min, 2^(log_min + 2), …, and 2^log_max. */
cuzk_status bench_on_device(const struct bench_options *o, const enum primitive *what, size_t count, cuzk_error *err);

#endif
