/* cuzk sample: valid vanilla proofs of any size without sealing. */
#include "cli/command.h"
#include "cli/request_options.h"
#include "vanilla/sample.h"

#include <string.h>

struct sample_command {
    struct sample_options sample;
    int kind;
    const char *output;
    unsigned threads;
};

enum { KEY_SIZE = 256, KEY_PARTITIONS, KEY_SECTORS, KEY_SEED, KEY_THREADS, KEY_OUTPUT = 'o' };

static const struct argp_option options[] = {
    { "size", KEY_SIZE, "SIZE", 0, "sector size: 2KiB, 8MiB, 512MiB, 32GiB or 64GiB", 0 },
    { "partitions", KEY_PARTITIONS, "N", 0, "porep, snap: the first N partitions (all)", 0 },
    { "sectors", KEY_SECTORS, "N", 0, "window: number of sectors (1)", 0 },
    { "seed", KEY_SEED, "TEXT", 0, "another seed gives another sample", 0 },
    { "threads", KEY_THREADS, "N", 0, "threads (0: all CPUs)", 0 },
    { "output", KEY_OUTPUT, "DIR", 0, "folder for the files", 0 },
    { 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct sample_command *c = state->input;
    switch (key) {
    case KEY_SIZE:
        c->sample.shape = sector_shape_by_name(arg);
        if (!c->sample.shape || !c->sample.shape->published) argp_error(state, "--size: no sector size '%s'", arg);
        break;
    case KEY_PARTITIONS: c->sample.partitions = parse_number(state, "--partitions", arg, 1000); break;
    case KEY_SECTORS: c->sample.sectors = parse_number(state, "--sectors", arg, 10000); break;
    case KEY_SEED: c->sample.seed = arg; break;
    case KEY_THREADS: c->threads = (unsigned)parse_number(state, "--threads", arg, 4096); break;
    case KEY_OUTPUT: c->output = arg; break;
    case ARGP_KEY_ARG:
        if (c->kind != 0) argp_error(state, "one kind at a time");
        if (!parse_kind(&c->kind, arg)) argp_error(state, "'%s' is not porep, winning, window or snap", arg);
        break;
    case ARGP_KEY_END:
        if (c->kind == 0 || !c->sample.shape || !c->output) argp_error(state, "a kind, --size and -o are needed");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

int command_sample(int argc, char **argv)
{
    static const struct argp argp = { options, parse_option, "porep|winning|window|snap",
                                      "Writes valid vanilla proofs and their public data, without sealing.", 0, 0, 0 };
    struct sample_command c = { .sample = { .seed = "cuzk-sample/v1" } };
    argp_parse(&argp, argc, argv, 0, NULL, &c);
    c.sample.kind = (enum proof_kind)c.kind;
    cuzk_error err = { "" };
    struct pool *pool = NULL;
    cuzk_status status = pool_create(&pool, c.threads, &err);
    if (status == CUZK_OK) status = sample_write(&c.sample, c.output, pool, &err);
    pool_destroy(pool);
    return command_result(status, &err);
}
