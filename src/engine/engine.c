/* The engine as a whole: how it begins and ends. */
#include "engine/engine_private.h"

#include "base/clock.h"
#include "engine/memory_limit.h"
#include "engine/pipeline.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { REAPER_REGIONS = 4096, RECORD_MS = 30 * 1000 };

void engine_lock(struct engine *e) { pthread_mutex_lock(&e->lock); }

void engine_unlock(struct engine *e)
{
    struct waiter *notices = e->notices;
    struct trash *trash = e->trash;
    e->notices = NULL;
    e->notices_end = &e->notices;
    e->trash = NULL;
    pthread_mutex_unlock(&e->lock);
    if (notices) deliver_notices(e, notices);
    while (trash) {
        struct trash *next = trash->next;
        reaper_defer(e->reaper, &trash->region);
        trash = next;
    }
    srs_store_flush(e->store);
}

bool engine_stopping(const struct engine *e) { return __atomic_load_n(&e->stopping, __ATOMIC_ACQUIRE); }

int engine_thread(pthread_t *out, void *(*thread_main)(void *), void *argument)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failure = pthread_create(out, NULL, thread_main, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failure;
}

/* ---- beginning ---- */

static cuzk_status no_memory(cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the engine");
}

static cuzk_status copy_config(struct engine *e, const struct engine_config *config, cuzk_error *err)
{
    e->config = *config;
    e->log = config->log;
    bool journal = config->journal_dir && *config->journal_dir;
    e->param_cache = strdup(config->param_cache ? config->param_cache : "");
    e->journal_dir = journal ? strdup(config->journal_dir) : NULL;
    e->preload = calloc(config->preload_count + 1, sizeof *e->preload);
    if (!e->param_cache || !e->preload || (journal && !e->journal_dir)) return no_memory(err);
    for (size_t i = 0; i < config->preload_count; i++) {
        e->preload[i] = strdup(config->preload[i]);
        if (!e->preload[i]) return no_memory(err);
        if (circuit_number(e->preload[i]) == SIZE_MAX) {
            return cuzk_fail(err, CUZK_ERR_CONFIG, "srs.preload: %s is no circuit", e->preload[i]);
        }
    }
    e->config.param_cache = e->param_cache;
    e->config.journal_dir = e->journal_dir;
    e->config.preload = (const char *const *)e->preload;
    e->config.devices = NULL; /* the steps know them by now */
    return CUZK_OK;
}

static uint64_t host_budget(const struct engine_config *config)
{
    if (config->total_budget != CONFIG_AUTO) return config->total_budget;
    return memory_auto_budget(memory_limit(""), config->safety_margin);
}

static uint64_t device_budget(const struct engine_config *config, const struct device_state *d)
{
    uint64_t has = d->memory_total ? d->memory_total : UINT64_MAX; /* 0: the host's memory, charged there */
    uint64_t limit = config->device_memory_limit;
    return limit != CONFIG_AUTO && limit < has ? limit : has;
}

/* What cannot fail and must exist before anything else. */
static void make_locks(struct engine *e)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&e->lock, NULL);
    pthread_cond_init(&e->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    bell_create(&e->work);
    bell_create(&e->time);
    bell_create(&e->watch);
    bell_create(&e->record);
    e->notices_end = &e->notices;
    e->records_end = &e->records;
}

static void ring_work(void *context)
{
    struct engine *e = context;
    bell_ring(&e->work);
}

/* Of the store: parameters have come or gone, perhaps off a device that can now be made anew. */
static void store_changed(void *context)
{
    struct engine *e = context;
    bell_ring(&e->work);
    bell_ring(&e->watch);
}

static void make_lanes(struct engine *e, size_t device, unsigned lanes)
{
    struct device_slot *d = &e->device[device];
    for (unsigned i = 0; i < lanes && e->lane_count < LANES_MAX; i++, d->lanes++) {
        e->lane[e->lane_count] = (struct lane){ .engine = e, .number = e->lane_count, .device = device };
        e->lane_count++;
    }
}

static cuzk_status make_devices(struct engine *e, cuzk_error *err)
{
    if (e->steps.devices == 0 || e->steps.devices > DEVICES_MAX) {
        return cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "%zu devices: 1 to %d are possible", e->steps.devices,
                         DEVICES_MAX);
    }
    for (size_t d = 0; d < e->steps.devices; d++) {
        struct device_state *state = &e->device[d].state;
        e->steps.device(e->steps.context, state, d);
        budget_create(&e->device_budget[d], "device memory", device_budget(&e->config, state));
        budget_notify(&e->device_budget[d], ring_work, e);
        if (state->healthy) e->scheduler.healthy |= UINT64_C(1) << d;
        e->vouched = e->scheduler.healthy;
        unsigned lanes = e->config.partitions_in_flight ? e->config.partitions_in_flight : state->lanes;
        make_lanes(e, d, lanes ? lanes : 1);
    }
    return CUZK_OK;
}

static uint64_t reaper_bytes(const struct engine *e)
{
    if (e->config.reaper_limit != CONFIG_AUTO) return e->config.reaper_limit;
    unsigned percent = e->config.reaper_percent ? e->config.reaper_percent : 25;
    return e->host.limit / 100 * percent;
}

static cuzk_status make_store(struct engine *e, cuzk_error *err)
{
    struct srs_store_setup setup = {
        .steps = &e->steps,
        .host = &e->host,
        .device = e->device_budget,
        .reaper = e->reaper,
        .log = e->log,
        .usable = e->scheduler.healthy,
        .min_idle = e->config.eviction_min_idle_ms * CLOCK_MS,
        .recovery = e->config.device_recovery_ms * CLOCK_MS,
        .changed = store_changed,
        .context = e,
    };
    return srs_store_create(&e->store, &setup, err);
}

static void make_scheduler(struct engine *e)
{
    unsigned lanes = (unsigned)e->lane_count;
    e->scheduler.devices = e->steps.devices;
    e->scheduler.witness_limit = 2 * lanes + 1;
    e->scheduler.active_limit = 2 * lanes + 2;
    e->scheduler.patience = e->config.eviction_min_idle_ms * CLOCK_MS;
    work_gate(&e->scheduler.gate, e);
    unsigned threads = e->config.threads ? e->config.threads : pool_cpus();
    size_t workers = threads < e->scheduler.witness_limit + 1 ? threads : e->scheduler.witness_limit + 1;
    e->worker_count = workers < WORKERS_MAX ? workers : WORKERS_MAX;
}

static cuzk_status open_journal(struct engine *e, cuzk_error *err)
{
    if (!e->journal_dir) return CUZK_OK;
    cuzk_status status = journal_open(&e->journal, e->journal_dir, e->log, err);
    if (status == CUZK_OK) e->journal_writable = true;
    return status;
}

static cuzk_status take_up_jobs(struct engine *e, cuzk_error *err)
{
    if (!e->journal) return CUZK_OK;
    engine_lock(e);
    cuzk_status status = journal_recover(e->journal, admit_unfinished, e, err);
    engine_unlock(e);
    return status;
}

static cuzk_status no_thread(cuzk_error *err)
{
    return cuzk_fail(err, CUZK_ERR_RESOURCE, "cannot start the engine's threads");
}

static cuzk_status start_threads(struct engine *e, cuzk_error *err)
{
    if (e->journal) {
        e->recorder_started = engine_thread(&e->recorder, recorder_main, e) == 0;
        if (!e->recorder_started) return no_thread(err);
    }
    e->keeper_started = engine_thread(&e->keeper, keeper_main, e) == 0;
    if (!e->keeper_started) return no_thread(err);
    e->watcher_started = engine_thread(&e->watcher, watcher_main, e) == 0;
    if (!e->watcher_started) return no_thread(err);
    for (; e->workers_started < e->worker_count; e->workers_started++) {
        if (engine_thread(&e->worker[e->workers_started], worker_main, e) != 0) return no_thread(err);
    }
    for (; e->lanes_started < e->lane_count; e->lanes_started++) {
        struct lane *lane = &e->lane[e->lanes_started];
        if (engine_thread(&lane->thread, lane_main, lane) != 0) return no_thread(err);
    }
    if (e->config.preload_count) {
        e->preloader_started = engine_thread(&e->preloader, preload_main, e) == 0;
        if (!e->preloader_started) return no_thread(err);
    }
    return CUZK_OK;
}

cuzk_status engine_create_with(struct engine **out, const struct engine_config *config, const struct steps *steps,
                               cuzk_error *err)
{
    *out = NULL;
    struct engine *e = calloc(1, sizeof *e);
    if (!e) {
        steps->close(steps->context);
        return no_memory(err);
    }
    e->steps = *steps;
    e->born = clock_now();
    make_locks(e);
    budget_create(&e->host, "host memory", host_budget(config));
    budget_notify(&e->host, ring_work, e);
    cuzk_status status = copy_config(e, config, err);
    if (status == CUZK_OK && e->host.limit == 0) {
        status =
            cuzk_fail(err, CUZK_ERR_CONFIG, "memory.total_budget: the machine does not tell how much memory it has");
    }
    if (status == CUZK_OK) status = make_devices(e, err);
    if (status == CUZK_OK) status = reaper_create(&e->reaper, REAPER_REGIONS, reaper_bytes(e), err);
    if (status == CUZK_OK) status = make_store(e, err);
    if (status == CUZK_OK) make_scheduler(e);
    if (status == CUZK_OK) status = open_journal(e, err);
    if (status == CUZK_OK) status = take_up_jobs(e, err);
    if (status == CUZK_OK) status = start_threads(e, err);
    if (status != CUZK_OK) {
        engine_destroy(e);
        return status;
    }
    *out = e;
    return CUZK_OK;
}

cuzk_status engine_create(struct engine **out, const struct engine_config *config, cuzk_error *err)
{
    struct steps steps;
    *out = NULL;
    cuzk_status status = pipeline_open(&steps, config, err);
    return status == CUZK_OK ? engine_create_with(out, config, &steps, err) : status;
}

/* ---- running ---- */

cuzk_status engine_reconfigure(struct engine *e, const struct engine_config *config, cuzk_error *err)
{
    uint64_t budget = host_budget(config);
    if (budget == 0) return cuzk_fail(err, CUZK_ERR_CONFIG, "memory.total_budget: 0 bytes");
    engine_lock(e);
    e->config.max_queued = config->max_queued;
    e->config.orphan_grace_ms = config->orphan_grace_ms;
    e->config.retention_ms = config->retention_ms;
    e->config.eviction_min_idle_ms = config->eviction_min_idle_ms;
    e->scheduler.patience = config->eviction_min_idle_ms * CLOCK_MS;
    engine_unlock(e);
    srs_store_set_min_idle(e->store, config->eviction_min_idle_ms * CLOCK_MS);
    budget_set_limit(&e->host, budget);
    bell_ring(&e->time);
    return CUZK_OK;
}

void engine_inject_fault(struct engine *e, enum proof_kind kind, uint32_t partition, uint32_t times)
{
    engine_lock(e);
    e->fault[kind_index(kind)] = (struct fault){ partition, times };
    engine_unlock(e);
}

/* ---- ending ---- */

/* False when `until` has come. */
static bool wait_changed(struct engine *e, uint64_t until)
{
    struct timespec t = { (time_t)(until / CLOCK_SECOND), (long)(until % CLOCK_SECOND) };
    return pthread_cond_timedwait(&e->changed, &e->lock, &t) == 0 || clock_now() < until;
}

static void cut_short(struct engine *e, struct job_queue *q)
{
    const char *text = e->journal ? "the daemon is shutting down; the journal keeps the job for the next start"
                                  : "the daemon is shutting down";
    while (q->first) {
        q->first->cut_short = true;
        job_finish(e, q->first, JOB_FAILED, text);
    }
}

bool engine_drain(struct engine *e, uint64_t timeout_ms)
{
    uint64_t most = UINT64_C(1) << 40; /* milliseconds: centuries would overflow */
    uint64_t until = clock_now() + (timeout_ms < most ? timeout_ms : most) * CLOCK_MS;
    engine_lock(e);
    e->draining = true;
    while (e->scheduler.active.first && !e->hurry && wait_changed(e, until)) continue;
    bool clean = e->scheduler.active.first == NULL && e->scheduler.queued.first == NULL;
    cut_short(e, &e->scheduler.active);
    cut_short(e, &e->scheduler.queued);
    engine_unlock(e);
    engine_lock(e);
    until = clock_now() + RECORD_MS * CLOCK_MS;
    while (e->recorder_started && e->record_count > 0 && wait_changed(e, until)) continue;
    engine_unlock(e);
    return clean;
}

bool engine_lost(struct engine *e)
{
    engine_lock(e);
    bool lost = e->lost;
    engine_unlock(e);
    return lost;
}

void engine_hurry(struct engine *e)
{
    engine_lock(e);
    e->hurry = true;
    pthread_cond_broadcast(&e->changed);
    engine_unlock(e);
}

static void stop_threads(struct engine *e)
{
    __atomic_store_n(&e->stopping, true, __ATOMIC_RELEASE);
    bell_ring(&e->work);
    bell_ring(&e->time);
    bell_ring(&e->watch);
    if (e->store) srs_store_poke(e->store);
    while (e->workers_started > 0) pthread_join(e->worker[--e->workers_started], NULL);
    while (e->lanes_started > 0) pthread_join(e->lane[--e->lanes_started].thread, NULL);
    if (e->preloader_started) pthread_join(e->preloader, NULL);
    if (e->watcher_started) pthread_join(e->watcher, NULL);
    if (e->keeper_started) pthread_join(e->keeper, NULL);
    bell_ring(&e->record);
    if (e->recorder_started) pthread_join(e->recorder, NULL);
}

static void free_config(struct engine *e)
{
    for (size_t i = 0; e->preload && e->preload[i]; i++) free(e->preload[i]);
    free(e->preload);
    free(e->param_cache);
    free(e->journal_dir);
}

static void destroy_locks(struct engine *e)
{
    bell_destroy(&e->record);
    bell_destroy(&e->watch);
    bell_destroy(&e->time);
    bell_destroy(&e->work);
    pthread_cond_destroy(&e->changed);
    pthread_mutex_destroy(&e->lock);
}

static void forget_jobs(struct engine *e)
{
    engine_lock(e);
    while (e->records) { /* only if the journal's thread never ran */
        struct job *job = e->records;
        e->records = job->journal_next;
        job_release(e, job);
    }
    while (e->jobs) table_remove(e, e->jobs);
    engine_unlock(e);
}

void engine_destroy(struct engine *e)
{
    if (!e) return;
    if (e->store) engine_drain(e, 0);
    stop_threads(e);
    if (e->store) forget_jobs(e);
    srs_store_destroy(e->store);
    reaper_destroy(e->reaper);
    journal_close(e->journal);
    for (size_t d = 0; d < e->steps.devices && d < DEVICES_MAX && e->device_budget[d].name; d++) {
        budget_destroy(&e->device_budget[d]);
    }
    budget_destroy(&e->host);
    e->steps.close(e->steps.context);
    destroy_locks(e);
    free_config(e);
    free(e);
}
