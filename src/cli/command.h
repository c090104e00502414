/* The `cuzk` command: its sub-commands and what they share. Results go to stdout, messages to stderr; exit codes are
 * those of sysexits (docs: cli.md). */
#ifndef CUZK_CLI_COMMAND_H
#define CUZK_CLI_COMMAND_H

#include "base/status.h"

#include <argp.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* One sub-command. `argv[0]` is "cuzk NAME"; returns the exit code. */
struct command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
};

int command_prove(int argc, char **argv);
int command_verify(int argc, char **argv);
int command_join(int argc, char **argv);
int command_params(int argc, char **argv);
int command_circuit(int argc, char **argv);
int command_witness(int argc, char **argv);
int command_sample(int argc, char **argv);
int command_bench(int argc, char **argv);

/* Runs the sub-command of a group ("circuit list", …) named by argv[1]. */
int command_group(const char *group, const struct command *commands, size_t count, int argc, char **argv);

/* Prints "cuzk: DETAIL" for a failure and returns the exit code; silent for CUZK_OK. */
int command_result(cuzk_status status, const cuzk_error *err);

/* Prints and releases a JSON value (one line, or indented for people with JSON_INDENT in flags). CUZK_ERR_WRITE if
 * stdout is broken; a NULL value means that there was no memory to build it. */
cuzk_status print_json(json_t *value, size_t flags, cuzk_error *err);

json_t *json_hex(const uint8_t *bytes, size_t size);

/* A number option: decimal or 0x…, at most `max`; argp_error with the option's name otherwise. */
uint64_t parse_number(struct argp_state *state, const char *option, const char *text, uint64_t max);

#endif
