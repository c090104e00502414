#include "cli/client.h"

#include <stdio.h>
#include <string.h>

static const struct command commands[] = {
    { "prove", "prove a PoRep, a PoSt or an update in this process", command_prove },
    { "verify", "verify a proof against public data alone", command_verify },
    { "join", "concatenate partition proofs", command_join },
    { "params", "list, check or generate parameter files", command_params },
    { "circuit", "list circuits; sizes, digests and rows of one", command_circuit },
    { "bench", "measure arithmetic, witnesses and proofs", command_bench },
    { "sample", "make valid vanilla proofs without sealing", command_sample },
    { "witness", "digests of a witness, or check every row", command_witness },
#ifdef CUZK_CLIENT
    { "submit", "have a daemon prove a request", command_submit },
    { "await", "wait for a daemon's job", command_await },
    { "cancel", "drop a daemon's job", command_cancel },
    { "status", "a daemon's devices, queues and parameters", command_status },
    { "metrics", "a daemon's metrics", command_metrics },
    { "preload", "have a daemon load parameters", command_preload },
    { "evict", "have a daemon drop parameters", command_evict },
    { "top", "a daemon's state, live", command_top },
#endif
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void usage(FILE *out)
{
    fputs("Usage: cuzk COMMAND [OPTION...]\n"
          "Groth16 proofs for Filecoin storage providers. `cuzk COMMAND --help` explains one command.\n\n",
          out);
    for (size_t i = 0; i < COMMANDS; i++) fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].summary);
}

/* Results that did not arrive (a full disk behind a redirection) are a failure, whoever printed them. */
static int closed(int code)
{
    if ((fflush(stdout) == 0 && !ferror(stdout)) || code != 0) return code;
    cuzk_error err;
    return command_result(cuzk_fail(&err, CUZK_ERR_WRITE, "stdout: cannot be written"), &err);
}

int main(int argc, char **argv)
{
    argp_err_exit_status = cuzk_status_exit_code(CUZK_ERR_USAGE);
    if (argc >= 2) {
        for (size_t i = 0; i < COMMANDS; i++) {
            if (strcmp(argv[1], commands[i].name) != 0) continue;
            char name[64];
            snprintf(name, sizeof name, "cuzk %s", argv[1]);
            argv[1] = name;
            return closed(commands[i].run(argc - 1, argv + 1));
        }
        if (strcmp(argv[1], "--version") == 0) {
            puts("cuzk " CUZK_VERSION);
            return closed(0);
        }
        if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--usage") == 0) {
            usage(stdout);
            return closed(0);
        }
        fprintf(stderr, "cuzk: there is no command '%s'\n", argv[1]);
    }
    usage(stderr);
    return cuzk_status_exit_code(CUZK_ERR_USAGE);
}
