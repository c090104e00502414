/* The life of the daemon: everything opened, signals, drain, everything closed. */
#ifndef CUZK_DAEMON_DAEMON_H
#define CUZK_DAEMON_DAEMON_H

#include "daemon/config.h"

/* How the command line changes the configuration, now and at each SIGHUP. */
struct overrides {
    const char *file; /* of the configuration, NULL: defaults */
    const char *listen[16];
    size_t listen_count;
    const char *log_level; /* NULL: as configured */
};

/* The configuration as the command line wants it. */
cuzk_status overrides_load(struct config *out, const struct overrides *o, config_warn *warn, void *context,
                           cuzk_error *err);

struct steps; /* engine/steps.h */

/* Runs until a signal says otherwise; messages go to the log on standard error. Returns the exit code. `steps` is for
 * tests, NULL: the real ones. */
int daemon_run(struct config *config, const struct overrides *overrides, const struct steps *steps);

/* The whole program: command line, configuration, daemon_run. */
int daemon_main(int argc, char **argv, const struct steps *steps);

#endif
