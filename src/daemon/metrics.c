#include "daemon/metrics.h"

#include "engine/snapshot.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef CUZK_VERSION
#define CUZK_VERSION "unknown"
#endif

static void family(FILE *f, const char *name, const char *type, const char *help)
{
    fprintf(f, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void one(FILE *f, const char *name, const char *type, const char *help, uint64_t value)
{
    family(f, name, type, help);
    fprintf(f, "%s %" PRIu64 "\n", name, value);
}

static void one_real(FILE *f, const char *name, const char *type, const char *help, double value)
{
    family(f, name, type, help);
    fprintf(f, "%s %.6f\n", name, value);
}

/* ---- by kind ---- */

/* A number of struct kind_metrics, 64 or 32 bits wide, for each kind that has occurred (or all). */
struct by_kind {
    const char *name, *type, *help;
    size_t offset;
    bool wide;
};

#define WIDE(field) offsetof(struct kind_metrics, field), true
#define NARROW(field) offsetof(struct kind_metrics, field), false

static const struct by_kind by_kind[] = {
    { "cuzk_jobs_submitted_total", "counter", "Jobs taken in.", WIDE(submitted) },
    { "cuzk_jobs_joined_total", "counter", "Requests that joined an existing job.", WIDE(joined) },
    { "cuzk_jobs_refused_total", "counter", "Requests refused for lack of room.", WIDE(refused) },
    { "cuzk_proofs_completed", "counter", "Proofs completed.", WIDE(completed) },
    { "cuzk_proofs_failed", "counter", "Proofs failed.", WIDE(failed) },
    { "cuzk_proofs_cancelled", "counter", "Jobs cancelled.", WIDE(cancelled) },
    { "cuzk_jobs_pending", "gauge", "Jobs waiting.", NARROW(pending) },
    { "cuzk_jobs_in_progress", "gauge", "Jobs being worked on.", NARROW(in_progress) },
};

static void print_by_kind(FILE *f, const struct engine_metrics *m)
{
    for (size_t i = 0; i < sizeof by_kind / sizeof *by_kind; i++) {
        const struct by_kind *b = &by_kind[i];
        family(f, b->name, b->type, b->help);
        for (size_t k = 0; k < KINDS; k++) {
            const char *at = (const char *)&m->kind[k] + b->offset;
            uint64_t v = b->wide ? *(const uint64_t *)at : *(const uint32_t *)at;
            fprintf(f, "%s{proof_kind=\"%s\"} %" PRIu64 "\n", b->name, kind_label(k), v);
        }
    }
}

static void print_histogram(FILE *f, const char *name, const char *labels, const struct histogram *h)
{
    uint64_t below = 0;
    for (unsigned i = 0; i < HISTOGRAM_BOUNDS; i++) {
        below += h->count[i];
        fprintf(f, "%s_bucket{%s,le=\"%g\"} %" PRIu64 "\n", name, labels, histogram_bound(i), below);
    }
    fprintf(f, "%s_bucket{%s,le=\"+Inf\"} %" PRIu64 "\n", name, labels, h->total);
    fprintf(f, "%s_sum{%s} %.6f\n%s_count{%s} %" PRIu64 "\n", name, labels, h->sum, name, labels, h->total);
}

static void print_durations(FILE *f, const struct engine_metrics *m)
{
    static const char *const phases[PHASES] = { [PHASE_GPU] = "gpu",
                                                [PHASE_SYNTH] = "synth",
                                                [PHASE_SRS] = "srs",
                                                [PHASE_FINISH] = "finish",
                                                [PHASE_QUEUE] = "queue" };
    char labels[128];
    family(f, "cuzk_proof_duration_seconds", "histogram", "Completed jobs, from submission to result.");
    for (size_t k = 0; k < KINDS; k++) {
        snprintf(labels, sizeof labels, "proof_kind=\"%s\"", kind_label(k));
        print_histogram(f, "cuzk_proof_duration_seconds", labels, &m->kind[k].duration);
    }
    family(f, "cuzk_phase_duration_seconds", "histogram",
           "Exclusive time of completed jobs by phase; the phases of a job add up to its duration.");
    for (size_t k = 0; k < KINDS; k++) {
        for (size_t p = 0; p < PHASES; p++) {
            snprintf(labels, sizeof labels, "proof_kind=\"%s\",phase=\"%s\"", kind_label(k), phases[p]);
            print_histogram(f, "cuzk_phase_duration_seconds", labels, &m->kind[k].phase[p]);
        }
    }
}

/* ---- devices ---- */

static void print_label_text(FILE *f, const char *text)
{
    for (; *text; text++) {
        if (*text == '\\' || *text == '"') fputc('\\', f);
        fputc((unsigned char)*text < ' ' ? '?' : *text, f);
    }
}

static void device_family(FILE *f, const struct engine_metrics *m, const char *name, const char *type,
                          const char *help, double (*value)(const struct device_metrics *))
{
    family(f, name, type, help);
    for (size_t i = 0; i < m->device_count; i++) {
        fprintf(f, "%s{device=\"%zu\",ordinal=\"%u\",name=\"", name, i, m->device[i].ordinal);
        print_label_text(f, m->device[i].name);
        fprintf(f, "\"} %.17g\n", value(&m->device[i]));
    }
}

static double device_healthy(const struct device_metrics *d) { return d->healthy ? 1 : 0; }
static double device_total(const struct device_metrics *d) { return (double)d->memory_total; }
static double device_free(const struct device_metrics *d) { return (double)d->memory_free; }
static double device_limit(const struct device_metrics *d) { return (double)d->budget_limit; }
static double device_used(const struct device_metrics *d) { return (double)d->budget_used; }
static double device_partitions(const struct device_metrics *d) { return (double)d->partitions; }
static double device_failures(const struct device_metrics *d) { return (double)d->selfcheck_failures; }
static double device_busy(const struct device_metrics *d) { return floor(d->busy_seconds * 1e6) / 1e6; }

static void print_devices(FILE *f, const struct engine_metrics *m)
{
    device_family(f, m, "cuzk_device_healthy", "gauge", "1 if the device is used.", device_healthy);
    device_family(f, m, "cuzk_device_memory_bytes", "gauge", "Memory of the device.", device_total);
    device_family(f, m, "cuzk_device_memory_free_bytes", "gauge", "Of it, free.", device_free);
    device_family(f, m, "cuzk_device_budget_limit_bytes", "gauge", "What may be charged on it.", device_limit);
    device_family(f, m, "cuzk_device_budget_used_bytes", "gauge", "What is charged on it.", device_used);
    device_family(f, m, "cuzk_device_partitions_total", "counter", "Partitions proved.", device_partitions);
    device_family(f, m, "cuzk_device_selfcheck_failures_total", "counter", "Of them, wrong.", device_failures);
    device_family(f, m, "cuzk_device_busy_seconds_total", "counter", "Time spent proving.", device_busy);
}

/* ---- totals ---- */

static void print_totals(FILE *f, const struct engine_metrics *m)
{
    uint64_t completed = 0, failed = 0, pending = 0, running = 0;
    for (size_t k = 0; k < KINDS; k++) {
        completed += m->kind[k].completed;
        failed += m->kind[k].failed;
        pending += m->kind[k].pending;
        running += m->kind[k].in_progress;
    }
    one(f, "cuzk_proofs_completed_total", "counter", "Proofs completed, all kinds.", completed);
    one(f, "cuzk_proofs_failed_total", "counter", "Proofs failed, all kinds.", failed);
    one(f, "cuzk_uptime_seconds", "gauge", "Since start.", m->uptime_ns / 1000000000);
    one(f, "cuzk_queue_depth", "gauge", "Jobs waiting.", pending);
    one(f, "cuzk_running_jobs", "gauge", "Jobs being worked on.", running);
    one(f, "cuzk_gpu_workers", "gauge", "Devices.", m->device_count);
    one(f, "cuzk_jobs_in_memory", "gauge", "Jobs known, finished ones included.", m->jobs_in_memory);
    one(f, "cuzk_waiters", "gauge", "Callers who wait for a job.", m->waiters);
    one(f, "cuzk_witnesses_in_flight", "gauge", "Partitions with a witness.", m->witnesses_in_flight);
    one(f, "cuzk_synthesis_active", "gauge", "Witnesses being filled.", m->fills_active);
    one(f, "cuzk_provers_active", "gauge", "Partitions on devices.", m->provers_active);
}

static void print_memory(FILE *f, const struct engine_metrics *m)
{
    one(f, "cuzk_memory_budget_limit_bytes", "gauge", "Host memory that may be charged.", m->budget_limit);
    one(f, "cuzk_memory_budget_used_bytes", "gauge", "Host memory that is charged.", m->budget_used);
    one(f, "cuzk_memory_budget_peak_bytes", "gauge", "The most that was charged.", m->budget_peak);
    one(f, "cuzk_memory_budget_refused_total", "counter", "Requests that could never fit.", m->budget_refused);
    one(f, "cuzk_memory_budget_errors_total", "counter", "Credits beyond what was charged: a bug.", m->budget_errors);
    one(f, "cuzk_reaper_deferred_total", "counter", "Regions freed off the critical path.", m->reaper_deferred);
    one(f, "cuzk_reaper_synchronous_total", "counter", "Regions freed at once, the reaper being full.",
        m->reaper_synchronous);
    one(f, "cuzk_reaper_freed_bytes_total", "counter", "Bytes that the reaper has freed.", m->reaper_freed_bytes);
    one_real(f, "cuzk_reaper_seconds_total", "counter", "Time that it took.", m->reaper_seconds);
    one(f, "cuzk_reaper_waiting", "gauge", "Regions that wait to be freed.", m->reaper_waiting);
    one(f, "cuzk_reaper_waiting_bytes", "gauge", "Bytes that wait to be freed.", m->reaper_waiting_bytes);
}

static void print_rest(FILE *f, const struct engine_metrics *m)
{
    one(f, "cuzk_selfcheck_failures_total", "counter", "Partitions whose proof did not verify.",
        m->selfcheck_failures);
    one(f, "cuzk_retries_total", "counter", "Partitions proved again.", m->retries);
    one(f, "cuzk_srs_loads_total", "counter", "Loads of parameters.", m->srs_loads);
    one(f, "cuzk_srs_load_failures_total", "counter", "Loads that failed.", m->srs_load_failures);
    one(f, "cuzk_srs_evictions_total", "counter", "Parameters dropped.", m->srs_evictions);
    one_real(f, "cuzk_srs_load_seconds_total", "counter", "Time spent loading.", m->srs_load_seconds);
    one(f, "cuzk_journal_enabled", "gauge", "1 if there is a journal.", m->journal_enabled);
    one(f, "cuzk_journal_writable", "gauge", "1 if it can be written.", m->journal_writable);
    one(f, "cuzk_journal_accepted_total", "counter", "Jobs written down.", m->journal_accepted);
    one(f, "cuzk_journal_finished_total", "counter", "Results written down.", m->journal_finished);
    one(f, "cuzk_journal_errors_total", "counter", "Writes that failed.", m->journal_errors);
    family(f, "cuzk_build_info", "gauge", "1; the labels say what runs.");
    fprintf(f, "cuzk_build_info{version=\"" CUZK_VERSION "\",compiler=\"" __VERSION__ "\"} 1\n");
}

char *metrics_text(struct engine *engine)
{
    struct engine_metrics *m = malloc(sizeof *m);
    char *text = NULL;
    size_t size = 0;
    FILE *f = m ? open_memstream(&text, &size) : NULL;
    if (!f) {
        free(m);
        return NULL;
    }
    engine_metrics(engine, m);
    print_totals(f, m);
    print_by_kind(f, m);
    print_durations(f, m);
    print_devices(f, m);
    print_memory(f, m);
    print_rest(f, m);
    free(m);
    bool bad = ferror(f);
    if (fclose(f) != 0 || bad) {
        free(text);
        return NULL;
    }
    return text;
}
