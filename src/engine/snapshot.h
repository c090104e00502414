/* What the engine looks like from outside: status, metrics, readiness. Plain data, copied under short locks: none of
 * these functions waits for a lock that a load, a proof or a device call holds.
 */
#ifndef CUZK_ENGINE_SNAPSHOT_H
#define CUZK_ENGINE_SNAPSHOT_H

#include "base/arena.h"
#include "engine/engine.h"
#include "engine/histogram.h"

enum { KINDS = 4 }; /* index: enum proof_kind − 1 */

/* "porep-c2", "snap-update", "window-post", "winning-post" (status) and with underscores (metrics labels); index as
 * above. NULL past the end. */
const char *kind_text(size_t kind_index);
const char *kind_label(size_t kind_index);

/* ---- status ---- */

struct status_device {
    uint32_t ordinal;
    const char *name;                   /* "cpu", "NVIDIA H200", … */
    const char *backend;                /* "cpu", "cuda" */
    uint64_t memory_total, memory_free; /* as of the last look, at most a few seconds old */
    bool healthy;
    const char *trouble;      /* why not; "" if healthy */
    struct bytes job_id;      /* of one partition on it; empty if idle */
    const char *kind;         /* kind_text; "" if idle */
    uint64_t partitions_done; /* proved on it */
    uint64_t selfcheck_failures;
};

/* A place on a device where one partition at a time is proved; a device has partitions_in_flight of them. */
struct status_lane {
    uint32_t lane;   /* counted over all devices */
    uint32_t device; /* index into devices */
    bool busy;
    struct bytes job_id;
    uint32_t partition;
    uint64_t busy_ns;
};

enum srs_tier {
    TIER_COLD,   /* on disk only */
    TIER_MAPPED, /* mapped and checked, on no usable device */
    TIER_LOADED  /* on at least one device, ready */
};

struct status_srs {
    const char *circuit_id;
    enum srs_tier tier;
    bool loading;
    double progress;                   /* 0 … 1 while loading */
    const char *step; /* "checking", "waiting for device memory", "loading", "leaving a device", "waiting for a
                       * device" (jobs need one and none is usable), "" */
    uint64_t host_bytes, device_bytes; /* charged now */
    uint64_t circuit_bytes;            /* the compiled circuit's share of host_bytes */
    uint32_t pins;
    uint64_t idle_ns; /* since the last pin was dropped; 0 if pinned */
    bool evictable;
    bool test_parameters; /* not in the published table, accepted by configuration */
    const char *trouble;  /* why the last load failed, "" if it did not */
};

struct status_queue {
    const char *kind;              /* kind_text */
    uint32_t pending, in_progress; /* jobs QUEUED; jobs beyond it and not final */
};

enum partition_state {
    PARTITION_PENDING,
    PARTITION_FILLING,
    PARTITION_FILLED,
    PARTITION_PROVING,
    PARTITION_PROVED,
    PARTITION_FAILED
};

/* "pending", "synthesizing", "synth_done", "gpu", "done", "failed" */
const char *partition_state_name(enum partition_state state);

/* Times are nanoseconds since the job was submitted; 0: not yet, or (end) still running. */
struct status_partition {
    enum partition_state state;
    uint64_t fill_begin, fill_end, prove_begin, prove_end;
    uint32_t device; /* index, meaningful from PROVING on */
    uint32_t attempts;
};

/* Running jobs, then recently finished ones. */
struct status_job {
    struct bytes job_id;
    enum job_state state;
    uint32_t kind_index;
    const char *circuit_id; /* "" before it is known */
    uint32_t priority;      /* 1 … 4 */
    uint64_t age_ns;        /* since it was submitted */
    uint32_t waiters;
    const char *error;
    struct timings timings;   /* so far */
    const struct span *spans; /* begin and end since submission, as above */
    size_t span_count;
    const struct status_partition *partitions;
    size_t partition_count, partitions_done;
};

struct engine_status {
    struct arena memory; /* everything below lives here */

    uint64_t uptime_ns;
    bool draining;
    bool test_parameters_allowed, parameters_trusted;

    const struct status_device *devices;
    size_t device_count;
    const struct status_lane *lanes;
    size_t lane_count;
    const struct status_srs *srs; /* not COLD, or loading, or in trouble */
    size_t srs_count;
    struct status_queue queues[KINDS];
    const struct status_job *jobs; /* not final (queued ones by order), then recent; at most 256 of each */
    size_t job_count;

    uint64_t completed, failed, cancelled; /* since start */
    uint64_t completed_by_kind[KINDS], failed_by_kind[KINDS], cancelled_by_kind[KINDS];
    uint32_t queue_depth; /* jobs QUEUED */

    uint64_t budget_limit, budget_used, budget_peak;
    uint64_t device_budget_limit, device_budget_used; /* over all devices */
    uint32_t fills_max, fills_active;                 /* CPU workers, and those that fill a witness now */
    uint32_t witnesses_in_flight;                     /* being filled, waiting for a device or on one */
    uint32_t provers_active;                          /* partitions on devices */
    uint32_t reaper_waiting;                          /* regions */
    uint64_t reaper_bytes;
};

/* Free with engine_status_free. CUZK_ERR_RESOURCE without memory. */
cuzk_status engine_status(struct engine *engine, struct engine_status **out, cuzk_error *err);
void engine_status_free(struct engine_status *status); /* NULL is allowed */

/* ---- metrics ---- */

struct kind_metrics {
    uint64_t submitted, joined, completed, failed, cancelled, refused; /* counters */
    struct histogram phase[PHASES]; /* exclusive times of completed jobs; enum phase */
    struct histogram duration;      /* their totals */
    uint32_t pending, in_progress;  /* gauges */
};

struct device_metrics {
    uint32_t ordinal;
    char name[64];
    bool healthy;
    uint64_t memory_total, memory_free;
    uint64_t budget_limit, budget_used, budget_errors;
    uint64_t partitions, selfcheck_failures; /* counters */
    double busy_seconds;                     /* counter, summed over lanes */
};

enum { METRICS_DEVICES = 64 };

struct engine_metrics {
    struct kind_metrics kind[KINDS];
    struct device_metrics device[METRICS_DEVICES];
    size_t device_count;

    uint64_t uptime_ns;
    uint64_t selfcheck_failures, retries; /* partitions whose proof did not verify; proved again */
    uint64_t srs_loads, srs_load_failures, srs_evictions;
    double srs_load_seconds;
    uint64_t budget_limit, budget_used, budget_peak;
    uint64_t budget_errors;                       /* credits beyond what was charged, devices' too: a bug */
    uint64_t budget_refused;                      /* requests that can never fit */
    uint64_t reaper_deferred, reaper_synchronous; /* regions, counters */
    uint64_t reaper_freed_bytes;
    double reaper_seconds; /* spent freeing, off the critical path */
    uint32_t reaper_waiting;
    uint64_t reaper_waiting_bytes;
    uint64_t journal_accepted, journal_finished, journal_errors; /* counters */
    bool journal_enabled, journal_writable;
    uint32_t witnesses_in_flight, fills_active, provers_active;
    uint32_t jobs_in_memory, waiters;
};

void engine_metrics(struct engine *engine, struct engine_metrics *out);

/* ---- readiness ---- */

enum { READINESS_REASONS = 32 };

/* Ready if no reason is left: a device is usable, the journal (if configured) can be written, every circuit
 * of srs.preload can be proved (its files present with the right size, and loaded or no failure known), without
 * preloads at least one circuit's files are there, and the engine is not draining. Looks at files (stat) without
 * locks. */
struct engine_readiness {
    bool ready;
    size_t count;
    char reason[READINESS_REASONS][256]; /* one line each */
};

void engine_readiness(struct engine *engine, struct engine_readiness *out);

#endif
