/* The options that say where the parameters are and what computes: shared by prove, verify, params and bench. */
#ifndef CUZK_CLI_DEVICE_OPTIONS_H
#define CUZK_CLI_DEVICE_OPTIONS_H

#include "backend/backend.h"
#include "cli/command.h"

struct device_options {
    const char *params; /* NULL: the default folder */
    const char *device; /* NULL: auto */
    unsigned threads;   /* 0: all CPUs */
    unsigned memory;    /* GB of a GPU's memory; 0: what is free */
};

/* A child for a command's argp; its input is a struct device_options. */
extern const struct argp device_argp;

/* The parameter folder: --params, else CUZK_PARAMS, else FIL_PROOFS_PARAMETER_CACHE, else the default. */
const char *params_folder(const struct device_options *o);
extern const char DEFAULT_PARAMS_FOLDER[];

/* Opens what --device names: auto (the first GPU that a CUDA build sees, else the CPU), cpu, cuda, cuda:N. `pool` must
 * outlive the backend. */
cuzk_status device_open(struct backend *out, const struct device_options *o, struct pool *pool, cuzk_error *err);

#endif
