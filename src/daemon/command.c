/* cuzkd: the command line. */
#include "daemon/daemon.h"
#include "daemon/endpoints.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef CUZK_VERSION
#define CUZK_VERSION "unknown"
#endif

const char *argp_program_version = "cuzkd " CUZK_VERSION;

enum { KEY_CHECK = 256, KEY_PRINT, KEY_LEVEL };

static const struct argp_option options[] = {
    { "config", 'c', "FILE", 0, "Read the configuration from FILE (TOML); without it the defaults hold", 0 },
    { "listen", 'l', "ADDR", 0, "Listen on ADDR instead of daemon.listen; may be repeated", 0 },
    { "log-level", KEY_LEVEL, "LEVEL", 0, "error, warn, info, debug or trace, instead of logging.level", 0 },
    { "check-config", KEY_CHECK, NULL, 0, "Read and check the configuration, then end: 0 if it is good, 78 if not",
      0 },
    { "print-config", KEY_PRINT, NULL, 0, "Print the configuration with all defaults and comments, then end", 0 },
    { NULL, 0, NULL, 0, NULL, 0 },
};

struct command {
    struct overrides overrides;
    bool check, print;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct command *c = state->input;
    struct overrides *o = &c->overrides;
    switch (key) {
    case 'c': o->file = arg; return 0;
    case 'l':
        if (o->listen_count == sizeof o->listen / sizeof *o->listen) argp_error(state, "too many --listen");
        o->listen[o->listen_count++] = arg;
        return 0;
    case KEY_LEVEL: o->log_level = arg; return 0;
    case KEY_CHECK: c->check = true; return 0;
    case KEY_PRINT: c->print = true; return 0;
    case ARGP_KEY_ARG: argp_error(state, "unexpected argument \"%s\"", arg); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = { options, parse_option, NULL, "The proving daemon of cuzk.", NULL, NULL, NULL };

static void warn(void *context, const char *text)
{
    (void)context;
    fprintf(stderr, "cuzkd: warning: %s\n", text);
}

static int print(const struct config *config)
{
    char *text = config_print(config);
    bool good = text && fputs(text, stdout) >= 0 && fflush(stdout) == 0;
    free(text);
    return cuzk_status_exit_code(good ? CUZK_OK : CUZK_ERR_WRITE);
}

int daemon_main(int argc, char **argv, const struct steps *steps)
{
    struct command command = { .check = false };
    struct config config;
    cuzk_error err = { "" };
    argp_parse(&argp, argc, argv, 0, NULL, &command);
    cuzk_status status = overrides_load(&config, &command.overrides, warn, NULL, &err);
    if (status == CUZK_OK && command.check) {
        struct endpoints endpoints;
        status = endpoints_plan(&endpoints, &config, warn, NULL, &err);
        if (status == CUZK_OK) endpoints_free(&endpoints);
        if (status != CUZK_OK) config_free(&config);
    }
    if (status != CUZK_OK) {
        fprintf(stderr, "cuzkd: %s\n", err.detail);
        return cuzk_status_exit_code(status);
    }
    int code = command.print ? print(&config) : command.check ? 0 : daemon_run(&config, &command.overrides, steps);
    config_free(&config);
    return code;
}
