#include "cli/bench/dealloc.h"

#include "base/clock.h"
#include "cli/bench/bench_counters.h"
#include "cli/bench/memory_available.h"
#include "cli/bench/working_set.h"
#include "engine/reaper.h"

const char *const dealloc_mode_names[DEALLOC_MODES] = { "sync", "deferred", "arena", "packed" };

unsigned dealloc_sets(enum dealloc_mode mode) { return mode == MODE_SYNC || mode == MODE_DEFERRED ? 2 : 1; }

uint64_t dealloc_bytes(double scale)
{
    struct set_plan plan;
    set_plan_create(&plan, scale);
    return SET_CIRCUITS * plan.bytes;
}

/* One run's things: the set that is used and got rid of, and the next job's. Ways that reuse have only one. */
struct run {
    enum dealloc_mode mode;
    const struct dealloc_setup *setup;
    struct working_set first, second, *next;
    struct budget budget;
    struct reaper *reaper;
    uint64_t base; /* resident before */
    struct dealloc_result *out;
};

static double ms_since(uint64_t start) { return 1e-6 * (double)(clock_now() - start); }

static double timed_fill(struct working_set *set, struct pool *pool)
{
    uint64_t start = clock_now();
    set_fill(set, pool);
    return ms_since(start);
}

/* Both sets in memory and touched. The next job's is measured: a set of its own, or the first one taken up again. */
static cuzk_status build_sets(struct run *r, cuzk_error *err)
{
    struct pool *pool = r->setup->pool;
    cuzk_status status = set_build(&r->first, err);
    if (status != CUZK_OK) return status;
    set_fill(&r->first, pool);
    uint64_t faults = page_faults(), start = clock_now();
    status = set_build(r->next, err);
    if (status != CUZK_OK) return status;
    set_fill(r->next, pool);
    r->out->build_ms = ms_since(start);
    r->out->faults = page_faults() - faults;
    r->out->huge_bytes = resident_huge();
    return CUZK_OK;
}

/* The end of a job: what its mode does with the set before the result can leave. */
static void part_with(struct run *r)
{
    for (size_t i = 0; i < SET_CIRCUITS; i++) {
        struct circuit_set *c = &r->first.circuit[i];
        uint64_t bytes = r->first.plan.bytes;
        if (r->mode == MODE_SYNC) circuit_set_free(c);
        if (r->mode == MODE_DEFERRED) {
            reaper_defer(r->reaper, &(struct region){ circuit_set_free, c, bytes, &r->budget });
        }
    }
}

static void run_phases(struct run *r)
{
    struct dealloc_result *out = r->out;
    struct pool *pool = r->setup->pool;
    out->quiet_ms = timed_fill(r->next, pool);
    uint64_t start = clock_now();
    set_fill(&r->first, pool);
    uint64_t used = clock_now();
    part_with(r);
    uint64_t parted = clock_now();
    out->next_ms = timed_fill(r->next, pool);
    out->inner_ms = 1e-6 * (double)(used - start);
    out->outer_ms = 1e-6 * (double)(parted - start);
    reaper_drain(r->reaper);
    struct reaper_state state;
    reaper_state(r->reaper, &state);
    bool later = r->mode == MODE_DEFERRED;
    out->gone_ms = 1e-6 * (double)(later ? state.freeing_ns : parted - used);
    uint64_t resident = resident_anonymous(), in_use = r->base + set_bytes(r->next);
    out->left_bytes = resident > in_use ? resident - in_use : 0;
}

/* The reaper took all, and the budget has all back: otherwise another way was measured than the one that is named. */
static cuzk_status check_reaper(struct run *r, cuzk_error *err)
{
    struct reaper_state state;
    struct budget_state budget;
    reaper_state(r->reaper, &state);
    budget_state(&r->budget, &budget);
    uint64_t expected = r->mode == MODE_DEFERRED ? SET_CIRCUITS : 0;
    bool all = state.deferred == expected && state.synchronous == 0;
    if (all && budget.used == 0 && budget.errors == 0) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_INTERNAL, "the reaper took %llu of %llu sets, %llu bytes are still charged",
                     (unsigned long long)state.deferred, (unsigned long long)expected,
                     (unsigned long long)budget.used);
}

static cuzk_status run_create(struct run *r, cuzk_error *err)
{
    const struct dealloc_setup *s = r->setup;
    bool huge = s->pages == PAGES_HUGE;
    enum set_kind kind = r->mode == MODE_ARENA ? SET_ARENA : r->mode == MODE_PACKED ? SET_PACKED : SET_MALLOC;
    set_create(&r->first, kind, huge, s->scale, s->porep);
    set_create(&r->second, kind, huge, s->scale, s->porep);
    r->next = dealloc_sets(r->mode) == 2 ? &r->second : &r->first;
    r->base = resident_anonymous();
    r->out->bytes = set_bytes(&r->first);
    budget_create(&r->budget, "the benchmark", r->out->bytes);
    if (r->mode == MODE_DEFERRED) budget_force(&r->budget, r->out->bytes);
    return reaper_create(&r->reaper, 4 * SET_CIRCUITS, r->out->bytes, err);
}

cuzk_status dealloc_measure(struct dealloc_result *out, enum dealloc_mode mode, const struct dealloc_setup *setup,
                            cuzk_error *err)
{
    struct run r = { .mode = mode, .setup = setup, .out = out };
    *out = (struct dealloc_result){ 0 };
    cuzk_status status = run_create(&r, err);
    if (status == CUZK_OK) status = build_sets(&r, err);
    if (status == CUZK_OK) {
        run_phases(&r);
        status = check_reaper(&r, err);
    }
    uint64_t start = clock_now();
    set_free(&r.first);
    set_free(&r.second);
    allocator_purge();
    out->release_ms = ms_since(start);
    reaper_destroy(r.reaper);
    budget_destroy(&r.budget);
    return status;
}
