/* The benchmarks about memory: they need the engine's reaper, so they come with it. */
#ifndef CUZK_CLI_BENCH_MEMORY_H
#define CUZK_CLI_BENCH_MEMORY_H

#include "cli/command.h"

int command_bench_dealloc(int argc, char **argv); /* the ten-second ghost */
int command_bench_srs(int argc, char **argv);     /* loading parameters, and evicting them under load */
int command_bench_memory(int argc, char **argv);  /* this project's own paths: allocators, pages, ways to give back */

/* A list option such as "sync,deferred": a bit for each name. argp_error with the option's name otherwise. */
unsigned parse_names(struct argp_state *state, const char *option, const char *list, const char *const *names,
                     unsigned count);

/* A number of a JSON object; 0 if there is none. */
double number_of(const json_t *object, const char *key);

#endif
