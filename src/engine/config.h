/* What the engine is told at its start (docs: cli.md, configuration of cuzkd; the daemon fills it from TOML). */
#ifndef CUZK_ENGINE_CONFIG_H
#define CUZK_ENGINE_CONFIG_H

#include "base/log.h"

/* How parameter files are checked before their first use. */
enum srs_verify {
    SRS_VERIFY_DIGEST, /* size, structure and the published digest */
    SRS_VERIFY_DEEP,   /* also every point */
    SRS_VERIFY_TRUST   /* size and structure */
};

enum { CONFIG_AUTO = 0 };

struct engine_config {
    struct log *log; /* may be NULL; outlives the engine */
    bool timing;     /* every interval on stderr (base/timing.h); by default as CUZK_TIMING says */

    const char *param_cache;    /* folder of .params and .vk */
    const char *const *preload; /* circuit ids */
    size_t preload_count;
    enum srs_verify verify;
    bool allow_test_parameters; /* accept files that are not in the published table, under DIGEST */

    uint64_t total_budget;  /* bytes; CONFIG_AUTO: memory or cgroup limit minus the margin */
    uint64_t safety_margin; /* under auto; at most a quarter of the limit is taken */
    uint64_t eviction_min_idle_ms;
    uint64_t reaper_limit;   /* bytes that may wait to be freed; CONFIG_AUTO: reaper_percent of the budget */
    unsigned reaper_percent; /* 1 … 100 */

    const char *const *devices;    /* ordinals or UUIDs; "none": CPU only */
    size_t device_count;           /* 0: all */
    uint64_t device_memory_limit;  /* per GPU; CONFIG_AUTO: what it has */
    unsigned partitions_in_flight; /* per device; CONFIG_AUTO */
    uint64_t device_recovery_ms;   /* jobs wait so long for a usable device when all were lost */
    bool keep_when_lost;           /* then they stay in the journal, if there is one, and engine_lost says so */

    unsigned threads; /* for the CPU's work; CONFIG_AUTO: all CPUs allowed */

    size_t max_queued;
    uint64_t orphan_grace_ms;

    const char *journal_dir;  /* NULL or "": no journal */
    uint64_t retention_ms;    /* of finished results */
    size_t results_in_memory; /* finished jobs kept in memory at most; older ones are found in the journal */
};

/* The defaults of cli.md: param_cache by the environment as `cuzk` finds it (cuzk_param_cache), no journal. */
void engine_config_default(struct engine_config *out);

/* CUZK_PARAMS, else FIL_PROOFS_PARAMETER_CACHE, else /var/tmp/filecoin-proof-parameters. */
const char *param_cache_default(void);

#endif
