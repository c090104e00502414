#include "cli/device_options.h"

#include "backend/cpu/cpu.h"
#ifdef CUZK_CUDA
#include "backend/cuda/cuda.h"
#endif

#include <stdlib.h>
#include <string.h>

const char DEFAULT_PARAMS_FOLDER[] = "/var/tmp/filecoin-proof-parameters";

enum { KEY_PARAMS = 2000, KEY_DEVICE, KEY_THREADS, KEY_MEMORY };

static const struct argp_option options[] = {
    { 0, 0, 0, 0, "Where and with what:", 2 },
    { "params", KEY_PARAMS, "DIR", 0, "folder of .params and .vk files", 2 },
    { "device", KEY_DEVICE, "DEVICE", 0, "auto, cpu or cuda[:N]", 2 },
    { "device-memory", KEY_MEMORY, "GB", 0, "take at most so much of a GPU's memory (0: what is free)", 2 },
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
    case KEY_MEMORY: o->memory = (unsigned)parse_number(state, "--device-memory", arg, 100000); break;
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

#ifdef CUZK_CUDA
/* "cuda" or "cuda:N" */
static cuzk_status open_cuda(struct backend *out, const char *device, uint64_t memory, struct pool *pool,
                             cuzk_error *err)
{
    char *end = "";
    long ordinal = 0;
    if (device[4] == ':') ordinal = strtol(device + 5, &end, 10);
    bool malformed = (device[4] != '\0' && device[4] != ':') || (device[4] == ':' && device[5] == '\0');
    if (malformed || *end != '\0' || ordinal < 0 || ordinal > 1024) {
        return cuzk_fail(err, CUZK_ERR_USAGE, "--device: '%s' is not cuda or cuda:N", device);
    }
    return cuda_backend_open(out, (int)ordinal, memory, pool, err);
}

static bool has_cuda(void) { return cuda_device_count() > 0; }
#else
static cuzk_status open_cuda(struct backend *out, const char *device, uint64_t memory, struct pool *pool,
                             cuzk_error *err)
{
    (void)out;
    (void)memory;
    (void)pool;
    return cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "--device %s: this build has no CUDA backend", device);
}

static bool has_cuda(void) { return false; }
#endif

cuzk_status device_open(struct backend *out, const struct device_options *o, struct pool *pool, cuzk_error *err)
{
    const char *device = o->device ? o->device : "auto";
    if (strcmp(device, "auto") == 0) device = has_cuda() ? "cuda" : "cpu";
    if (strcmp(device, "cpu") == 0) return cpu_backend_open(out, pool, err);
    if (strncmp(device, "cuda", 4) == 0) return open_cuda(out, device, (uint64_t)o->memory * 1000000000, pool, err);
    return cuzk_fail(err, CUZK_ERR_USAGE, "--device: '%s' is none of auto, cpu, cuda[:N]", device);
}
