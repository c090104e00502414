/* cuzk join: concatenates partition proofs after checking that each is one. */
#include "base/file.h"
#include "cli/command.h"
#include "groth16/proof.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_FILES = 4096, FILE_LIMIT = 1 << 20, KEY_OUTPUT = 'o' };

struct join_options {
    const char *files[MAX_FILES];
    size_t count;
    const char *output;
};

static const struct argp_option options[] = {
    { "output", KEY_OUTPUT, "FILE", 0, "write the raw proof there instead of hexadecimal digits on stdout", 0 },
    { 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct join_options *o = state->input;
    switch (key) {
    case KEY_OUTPUT: o->output = arg; break;
    case ARGP_KEY_ARG:
        if (o->count == MAX_FILES) argp_error(state, "more than %d files", MAX_FILES);
        o->files[o->count++] = arg;
        break;
    case ARGP_KEY_END:
        if (o->count == 0) argp_error(state, "which files?");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* Appends one file, whose every 192 bytes must be a proof. */
static cuzk_status append(uint8_t **all, size_t *size, const char *path, cuzk_error *err)
{
    uint8_t *bytes, *larger;
    size_t more;
    cuzk_status status = file_read(&bytes, &more, path, FILE_LIMIT, err);
    if (status != CUZK_OK) return status;
    if (more == 0 || more % PROOF_BYTES != 0) {
        status = cuzk_fail(err, CUZK_ERR_DATA, "%s: %zu bytes, a multiple of %d expected", path, more, PROOF_BYTES);
    }
    for (size_t i = 0; i < more / PROOF_BYTES && status == CUZK_OK; i++) {
        struct proof proof;
        status = proof_decode(&proof, bytes + i * PROOF_BYTES, err);
        cuzk_within(err, status, "%s: proof %zu", path, i);
    }
    if (status == CUZK_OK) {
        larger = realloc(*all, *size + more);
        if (larger) {
            memcpy(larger + *size, bytes, more);
            *all = larger;
            *size += more;
        } else {
            status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %zu bytes", *size + more);
        }
    }
    free(bytes);
    return status;
}

int command_join(int argc, char **argv)
{
    static const struct argp argp = { options, parse_option, "FILE...", "Joins partition proofs in the order given.",
                                      0, 0, 0 };
    struct join_options o = { .count = 0 };
    argp_parse(&argp, argc, argv, 0, NULL, &o);
    cuzk_error err = { "" };
    cuzk_status status = CUZK_OK;
    uint8_t *all = NULL;
    size_t size = 0;
    for (size_t i = 0; i < o.count && status == CUZK_OK; i++) status = append(&all, &size, o.files[i], &err);
    if (status == CUZK_OK && o.output) {
        status = file_write(o.output, all, size, true, &err);
    } else if (status == CUZK_OK) {
        for (size_t i = 0; i < size; i++) printf("%02x", all[i]);
        if (putchar('\n') == EOF || fflush(stdout) != 0) status = cuzk_fail(&err, CUZK_ERR_WRITE, "stdout is broken");
    }
    free(all);
    return command_result(status, &err);
}
