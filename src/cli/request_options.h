/* The options that describe a request: shared by prove, verify, witness, bench and the client commands. Flag names are
 * those that users of the incumbent's bench tool know (docs: cli.md). */
#ifndef CUZK_CLI_REQUEST_OPTIONS_H
#define CUZK_CLI_REQUEST_OPTIONS_H

#include "base/arena.h"
#include "cli/command.h"
#include "vanilla/job.h"

enum { MAX_VANILLA_FILES = 4096 };

struct request_options {
    int kind; /* enum proof_kind, 0 = not given */
    const char *c1, *request_file, *public_file, *registered;
    const char *vanilla[MAX_VANILLA_FILES];
    size_t vanilla_count;
    bool has_sector, has_miner, has_partition;
    uint64_t sector, miner, partition;
    uint8_t randomness[32], comm_r_old[32], comm_r_new[32], comm_d_new[32];
    bool has_randomness, has_comm_r_old, has_comm_r_new, has_comm_d_new;
    /* verify only: PoRep's public data instead of a C1 file */
    uint8_t ticket[32], seed[32], comm_r[32], comm_d[32];
    bool has_ticket, has_seed, has_comm_r, has_comm_d;
};

/* A child for a command's argp; its input is a struct request_options. */
extern const struct argp request_argp;

/* The request with the bytes of its files. `memory` owns what it points to. CUZK_ERR_USAGE if options are missing. */
cuzk_status request_from_options(struct request *out, struct arena *memory, const struct request_options *o,
                                 cuzk_error *err);

/* The same, parsed into a job. */
cuzk_status job_from_options(struct vanilla_job **out, const struct request_options *o, cuzk_error *err);

/* The same, checked as well (vanilla_check): what commands that use the private inputs start from. */
cuzk_status checked_job_from_options(struct vanilla_job **out, const struct request_options *o, struct pool *pool,
                                     cuzk_error *err);

/* Reads a kind in any of its spellings; false if it is none. */
bool parse_kind(int *out, const char *text);

#endif
