#include "cli/command.h"

#include "base/bytes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int command_result(cuzk_status status, const cuzk_error *err)
{
    if (status != CUZK_OK) {
        fprintf(stderr, "cuzk: %s\n", err->detail[0] ? err->detail : cuzk_status_text(status));
    }
    return cuzk_status_exit_code(status);
}

static void print_commands(FILE *out, const char *group, const struct command *commands, size_t count)
{
    fprintf(out, "Usage: cuzk %s COMMAND [OPTION...]\n\n", group);
    for (size_t i = 0; i < count; i++) fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].summary);
}

int command_group(const char *group, const struct command *commands, size_t count, int argc, char **argv)
{
    if (argc >= 2) {
        for (size_t i = 0; i < count; i++) {
            if (strcmp(argv[1], commands[i].name) != 0) continue;
            char name[128];
            snprintf(name, sizeof name, "%s %s", argv[0], argv[1]);
            argv[1] = name;
            return commands[i].run(argc - 1, argv + 1);
        }
        if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "--usage") == 0) {
            print_commands(stdout, group, commands, count);
            return 0;
        }
        fprintf(stderr, "cuzk: there is no command '%s %s'\n", group, argv[1]);
    }
    print_commands(stderr, group, commands, count);
    return cuzk_status_exit_code(CUZK_ERR_USAGE);
}

cuzk_status print_json(json_t *value, size_t flags, cuzk_error *err)
{
    if (!value) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the result");
    int bad = json_dumpf(value, stdout, flags) != 0 || putchar('\n') == EOF || fflush(stdout) != 0;
    json_decref(value);
    return bad ? cuzk_fail(err, CUZK_ERR_WRITE, "stdout: %s", strerror(errno)) : CUZK_OK;
}

json_t *json_hex(const uint8_t *bytes, size_t size)
{
    char *text = malloc(2 * size + 1);
    if (!text) return NULL;
    hex_encode(text, bytes, size);
    json_t *value = json_string(text);
    free(text);
    return value;
}

uint64_t parse_number(struct argp_state *state, const char *option, const char *text, uint64_t max)
{
    char *end;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 0);
    if (errno != 0 || end == text || *end != '\0' || text[0] == '-' || v > max) {
        argp_error(state, "%s: '%s' is not a number from 0 to %llu", option, text, (unsigned long long)max);
    }
    return v;
}
