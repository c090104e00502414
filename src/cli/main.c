#include "cli/command.h"

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
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void usage(FILE *out)
{
    fputs("Usage: cuzk COMMAND [OPTION...]\n"
          "Groth16 proofs for Filecoin storage providers. `cuzk COMMAND --help` explains one command.\n\n",
          out);
    for (size_t i = 0; i < COMMANDS; i++) fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].summary);
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
            return commands[i].run(argc - 1, argv + 1);
        }
        if (strcmp(argv[1], "--version") == 0) {
            puts("cuzk " CUZK_VERSION);
            return 0;
        }
        if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--usage") == 0) {
            usage(stdout);
            return 0;
        }
        fprintf(stderr, "cuzk: there is no command '%s'\n", argv[1]);
    }
    usage(stderr);
    return cuzk_status_exit_code(CUZK_ERR_USAGE);
}
