#include "engine/config.h"

#include "base/timing.h"

#include <stdlib.h>

const char *param_cache_default(void)
{
    static const char *const names[] = { "CUZK_PARAMS", "FIL_PROOFS_PARAMETER_CACHE" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value && *value) return value;
    }
    return "/var/tmp/filecoin-proof-parameters";
}

void engine_config_default(struct engine_config *out)
{
    *out = (struct engine_config){
        .timing = timing_wanted(),
        .param_cache = param_cache_default(),
        .verify = SRS_VERIFY_DIGEST,
        .total_budget = CONFIG_AUTO,
        .safety_margin = UINT64_C(5) << 30,
        .eviction_min_idle_ms = 5 * 60 * 1000,
        .reaper_limit = CONFIG_AUTO,
        .reaper_percent = 25,
        .device_recovery_ms = 20 * 1000,
        .max_queued = 1000,
        .orphan_grace_ms = 10 * 60 * 1000,
        .retention_ms = UINT64_C(24) * 3600 * 1000,
        .results_in_memory = 1000,
    };
}
