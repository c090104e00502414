#include "cli/device_options.h"

#include "backend/cpu/cpu.h"

#include <stdlib.h>
#include <string.h>

const char DEFAULT_PARAMS_FOLDER[] = "/var/tmp/filecoin-proof-parameters";

enum { KEY_PARAMS = 2000, KEY_DEVICE, KEY_THREADS };

static const struct argp_option options[] = {
    { 0, 0, 0, 0, "Where and with what:", 2 },
    { "params", KEY_PARAMS, "DIR", 0, "folder of .params and .vk files", 2 },
    { "device", KEY_DEVICE, "DEVICE", 0, "auto or cpu", 2 },
    { "threads", KEY_THREADS, "N", 0, "threads (0: all CPUs)", 2 },
    { 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct device_options *o = state->input;
    switch (key) {
    case KEY_PARAMS: o->params = arg; break;
    case KEY_DEVICE: o->device = arg; break;
    case KEY_THREADS: o->threads = (unsigned)parse_number(state, "--threads", arg, 4096); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp device_argp = { options, parse_option, NULL, NULL, NULL, NULL, NULL };

const char *params_folder(const struct device_options *o)
{
    if (o->params) return o->params;
    const char *from = getenv("CUZK_PARAMS");
    if (!from || !*from) from = getenv("FIL_PROOFS_PARAMETER_CACHE");
    return from && *from ? from : DEFAULT_PARAMS_FOLDER;
}

cuzk_status device_open(struct backend *out, const struct device_options *o, struct pool *pool, cuzk_error *err)
{
    const char *device = o->device ? o->device : "auto";
    if (strcmp(device, "auto") == 0 || strcmp(device, "cpu") == 0) return cpu_backend_open(out, pool, err);
    if (strncmp(device, "cuda", 4) == 0) {
        return cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "--device %s: this build has no CUDA backend", device);
    }
    return cuzk_fail(err, CUZK_ERR_USAGE, "--device: '%s' is neither auto nor cpu", device);
}
