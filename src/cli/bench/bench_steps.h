/* A list of commands of this program, run one after the other in a folder, each with its stdout in a file there. A
 * command that fails is noted and the list goes on. */
#ifndef CUZK_CLI_BENCH_STEPS_H
#define CUZK_CLI_BENCH_STEPS_H

#include "base/status.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct bench_steps {
    const char *dir;
    json_t *commands; /* [{"file", "command", "seconds", "exit"}] */
};

/* Makes the folder if need be. */
cuzk_status steps_open(struct bench_steps *s, const char *dir, cuzk_error *err);

/* Makes a folder in it; false if that cannot be, which is noted. */
bool steps_folder(struct bench_steps *s, const char *name);

bool steps_has(const struct bench_steps *s, const char *file);

/* Runs "cuzk COMMAND" in the folder; words are separated by single spaces. */
CUZK_PRINTF(3, 4) void steps_run(struct bench_steps *s, const char *file, const char *format, ...);

/* Options of a request: `pattern` with %s for the folder of its sample, completed with miner, randomness and
 * commitments from the public data that `cuzk sample` has left there. */
void steps_request(const struct bench_steps *s, char *out, size_t size, const char *pattern, const char *folder);

/* Writes commands.json and machine.json (`machine` is taken over). */
cuzk_status steps_close(struct bench_steps *s, json_t *machine, cuzk_error *err);

#endif
