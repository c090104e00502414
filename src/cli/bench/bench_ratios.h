/* Measurements that hold on a busy machine: ratios of two works done in turns by one thread, in its own CPU time. */
#ifndef CUZK_CLI_BENCH_RATIOS_H
#define CUZK_CLI_BENCH_RATIOS_H

#include "base/status.h"

#include <jansson.h>

/* Adds {"name": value, …} of the arithmetic's ratios to an object. */
cuzk_status ratios_arithmetic(json_t *into, cuzk_error *err);

/* The same of those that other benchmarks measure as commands of this program, in a folder of their own. */
cuzk_status ratios_of_commands(json_t *into, cuzk_error *err);

#endif
