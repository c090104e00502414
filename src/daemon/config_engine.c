#include "daemon/config_engine.h"

void config_engine(struct engine_config *out, const struct config *c, struct log *log)
{
    static const char *const none[] = { "none" };
    engine_config_default(out);
    out->log = log;
    out->param_cache = *c->param_cache ? c->param_cache : param_cache_default();
    out->preload = c->preload.at;
    out->preload_count = c->preload.count;
    out->verify = (enum srs_verify)c->verify;
    out->allow_test_parameters = c->allow_test_parameters;
    out->total_budget = c->total_budget;
    out->safety_margin = c->safety_margin;
    out->eviction_min_idle_ms = c->eviction_min_idle;
    out->reaper_limit = c->reaper_limit.percent ? CONFIG_AUTO : c->reaper_limit.amount;
    if (c->reaper_limit.percent) out->reaper_percent = (unsigned)c->reaper_limit.amount;
    out->devices = c->devices_none ? none : c->devices.at;
    out->device_count = c->devices_none ? 1 : c->devices.count;
    out->device_memory_limit = c->device_memory_limit;
    out->partitions_in_flight = (unsigned)c->partitions_in_flight;
    out->device_recovery_ms = c->device_recovery;
    out->keep_when_lost = true; /* daemon.c ends the process then */
    out->threads = (unsigned)c->threads;
    out->max_queued = (size_t)c->max_queued;
    out->orphan_grace_ms = c->orphan_grace;
    out->journal_dir = c->journal_dir;
    out->retention_ms = c->retention;
}

void config_log_levels(struct log *log, const struct config *c)
{
    for (int area = 0; area < LOG_AREAS; area++) {
        int level = c->log_levels[area] == CONFIG_LEVEL_UNSET ? (int)c->log_level : c->log_levels[area];
        log_set_level(log, (enum log_area)area, (enum log_level)level);
    }
}
