#include "daemon/config_keys.h"

#include <stddef.h>
#include <string.h>

static const char *const verify_names[] = { "digest", "deep", "trust", NULL };
static const char *const format_names[] = { "text", "json", NULL };
/* In the order of enum log_level. */
static const char *const level_names[] = { "error", "warn", "info", "debug", "trace", NULL };

#define AT(field) offsetof(struct config, field)
#define LEVEL_OF(i, what) CONFIG_LEVEL, AT(log_levels) + (i), "", what, 0, 0, level_names

static const struct config_key keys[] = {
    { "daemon.listen", CONFIG_ADDRESSES, AT(listen), "unix:///run/cuzk/cuzk.sock",
      "gRPC address, or an array of addresses: unix:///PATH, HOST:PORT, http://HOST:PORT.", 0, 0, NULL },
    { "daemon.status_listen", CONFIG_TEXT, AT(status_listen), "127.0.0.1:9821",
      "HTTP address of /healthz, /readyz, /status, /metrics and the page; empty = off.", 0, 0, NULL },
    { "daemon.max_message", CONFIG_SIZE, AT(max_message), "256MiB", "Largest gRPC message, both ways.", 1 << 16,
      INT32_MAX, NULL },
    { "daemon.socket_mode", CONFIG_MODE, AT(socket_mode), "0660", "Permissions of the unix socket.", 0, 0777, NULL },
    { "daemon.socket_group", CONFIG_TEXT, AT(socket_group), "", "Group of the unix socket; empty = unchanged.", 0, 0,
      NULL },
    { "daemon.tls_cert", CONFIG_TEXT, AT(tls_cert), "",
      "PEM file with the server's certificate chain; TCP listeners then speak TLS.", 0, 0, NULL },
    { "daemon.tls_key", CONFIG_TEXT, AT(tls_key), "", "PEM file with the certificate's private key.", 0, 0, NULL },
    { "daemon.tls_client_ca", CONFIG_TEXT, AT(tls_client_ca), "",
      "PEM file: clients must show a certificate that one of these authorities has signed.", 0, 0, NULL },
    { "daemon.token_file", CONFIG_TEXT, AT(token_file), "",
      "File whose first line TCP clients must send as `authorization: Bearer …`.", 0, 0, NULL },
    { "daemon.allow_insecure", CONFIG_FLAG, AT(allow_insecure), "false",
      "Allow a non-loopback address without TLS and a token.", 0, 0, NULL },

    { "srs.param_cache", CONFIG_TEXT, AT(param_cache), "",
      "Folder of .params and .vk files; empty = $CUZK_PARAMS, else $FIL_PROOFS_PARAMETER_CACHE, else\n"
      "/var/tmp/filecoin-proof-parameters.",
      0, 0, NULL },
    { "srs.preload", CONFIG_TEXTS, AT(preload), "", "Circuits whose parameters are loaded at start.", 0, 0, NULL },
    { "srs.verify", CONFIG_CHOICE, AT(verify), "digest",
      "digest = compare with the published table, once per file; deep = also decode every point;\n"
      "trust = size and structure only.",
      0, 0, verify_names },
    { "srs.allow_test_parameters", CONFIG_FLAG, AT(allow_test_parameters), "false",
      "Under \"digest\", accept files outside of the published table. Proofs made with them are worthless.", 0, 0,
      NULL },

    { "memory.total_budget", CONFIG_SIZE_OR_AUTO, AT(total_budget), "auto",
      "Host memory for everything large; auto = the smaller of physical memory and the cgroup's\n"
      "limit, minus the margin.",
      1 << 20, INT64_MAX, NULL },
    { "memory.safety_margin", CONFIG_SIZE, AT(safety_margin), "5GiB",
      "Left free under auto; at most a quarter of the limit.", 0, INT64_MAX, NULL },
    { "memory.eviction_min_idle", CONFIG_DURATION, AT(eviction_min_idle), "5m",
      "How long unpinned parameters must be idle before they may be evicted under pressure.", 0, INT64_MAX, NULL },
    { "memory.reaper_limit", CONFIG_SHARE, AT(reaper_limit), "25%",
      "How much memory may wait to be freed: a share of the budget, or a size.", 0, 0, NULL },

    { "gpus.devices", CONFIG_DEVICES, AT(devices), "auto",
      "auto or [] = all, none = CPU only, or a list of ordinals or UUIDs.", 0, 0, NULL },
    { "gpus.memory_limit", CONFIG_SIZE_OR_AUTO, AT(device_memory_limit), "auto", "Memory used on each device.",
      1 << 20, INT64_MAX, NULL },
    { "gpus.partitions_in_flight", CONFIG_COUNT_OR_AUTO, AT(partitions_in_flight), "auto",
      "Partitions proved at once on each device.", 1, 64, NULL },
    { "gpus.recovery_time", CONFIG_DURATION, AT(device_recovery), "20s",
      "How long jobs wait when all devices are lost; then cuzkd ends, if it has a journal, to be started again.", 0,
      INT64_C(1) << 40, NULL },

    { "synthesis.threads", CONFIG_COUNT, AT(threads), "0", "CPU threads; 0 = all that this process may use.", 0, 4096,
      NULL },

    { "scheduler.max_queued", CONFIG_COUNT, AT(max_queued), "1000",
      "Jobs waiting; more are refused with RESOURCE_EXHAUSTED.", 1, 1000000, NULL },
    { "scheduler.orphan_grace", CONFIG_DURATION, AT(orphan_grace), "10m",
      "A job whose last waiter has gone runs on for so long.", 0, INT64_MAX, NULL },
    { "scheduler.drain_timeout", CONFIG_DURATION, AT(drain_timeout), "10m",
      "How long SIGTERM lets running jobs finish.", 0, INT64_MAX, NULL },

    { "journal.dir", CONFIG_TEXT, AT(journal_dir), "/var/lib/cuzk",
      "Accepted jobs and finished results outlive a restart here; empty = no journal.", 0, 0, NULL },
    { "journal.retention", CONFIG_DURATION, AT(retention), "24h", "How long finished results are kept.", 0, INT64_MAX,
      NULL },

    { "logging.level", CONFIG_CHOICE, AT(log_level), "info", "error, warn, info, debug or trace.", 0, 0,
      level_names },
    { "logging.format", CONFIG_CHOICE, AT(log_format), "text", "text, or json for machines.", 0, 0, format_names },

    { "logging.levels.main", LEVEL_OF(LOG_MAIN, "Levels per subsystem; logging.level where nothing is said.") },
    { "logging.levels.engine", LEVEL_OF(LOG_ENGINE, "") },
    { "logging.levels.srs", LEVEL_OF(LOG_SRS, "") },
    { "logging.levels.device", LEVEL_OF(LOG_DEVICE, "") },
    { "logging.levels.journal", LEVEL_OF(LOG_JOURNAL, "") },
    { "logging.levels.memory", LEVEL_OF(LOG_MEMORY, "") },
    { "logging.levels.rpc", LEVEL_OF(LOG_RPC, "") },
    { "logging.levels.http", LEVEL_OF(LOG_HTTP, "") },
};

static const char *const sections[] = { "",          "daemon",    "srs",     "memory",  "gpus",
                                        "synthesis", "scheduler", "journal", "logging", "logging.levels" };

static const struct {
    const char *name, *instead;
} retired[] = {
    { "memory.pinned_budget", "memory.total_budget covers pinned memory too" },
    { "memory.working_memory_budget", "memory.total_budget covers working memory too" },
    { "gpus.gpu_threads", "synthesis.threads sizes the one pool of CPU threads" },
    { "gpus.gpu_workers_per_device", "gpus.partitions_in_flight says how many partitions share a device" },
    { "scheduler.max_batch_size", "partitions of all waiting jobs share the devices without batching" },
    { "scheduler.max_batch_wait_ms", "partitions of all waiting jobs share the devices without batching" },
    { "scheduler.sort_by_type", "jobs go by priority, then deadline, then arrival" },
    { "synthesis.partition_workers", "synthesis.threads and memory.total_budget decide together" },
    { "pipeline", "stages always overlap; see gpus.partitions_in_flight and memory.total_budget" },
    { "pipeline.enabled", "stages always overlap" },
    { "pipeline.synthesis_lookahead", "memory.total_budget decides how far synthesis runs ahead" },
    { "pipeline.synthesis_concurrency", "memory.total_budget decides how much is synthesized at once" },
    { "pipeline.max_parallel_synthesis", "synthesis.threads and memory.total_budget decide together" },
    { "pipeline.slot_size", "memory.total_budget decides how far synthesis runs ahead" },
    { "pipeline.max_gpu_queue_depth", "gpus.partitions_in_flight bounds what waits for a device" },
};

const struct config_key *config_key_at(size_t i) { return i < sizeof keys / sizeof *keys ? &keys[i] : NULL; }

const struct config_key *config_key_find(const char *name)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(keys[i].name, name) == 0) return &keys[i];
    return NULL;
}

bool config_is_section(const char *name)
{
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (strcmp(sections[i], name) == 0) return true;
    return false;
}

const char *config_retired(const char *name)
{
    for (size_t i = 0; i < sizeof retired / sizeof *retired; i++)
        if (strcmp(retired[i].name, name) == 0) return retired[i].instead;
    return NULL;
}
