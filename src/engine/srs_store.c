#define _GNU_SOURCE
#include "engine/srs_store.h"

#include "base/clock.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { CIRCUITS_MAX = 64, LOOK_AGAIN_MS = 500 };

enum slot_phase { SLOT_COLD, SLOT_LOADING, SLOT_READY, SLOT_FAILED };

struct slot {
    const struct circuit_entry *entry;
    enum slot_phase phase;
    bool thread; /* a loader is at work: on the host part or on a device's */
    unsigned pins;
    struct slot *older, *newer; /* on the list of idle circuits */
    bool idle;
    uint64_t idle_since;

    void *srs; /* READY */
    struct circuit_needs needs;
    uint64_t charged; /* host bytes */
    uint64_t devices; /* bit d: on device d, and needs.device charged there */
    bool test;
    uint64_t load_ns;

    bool troubled;
    cuzk_error trouble;   /* of the last load */
    const char *step;     /* "": nothing goes on */
    atomic_uint progress; /* per mille; written by the loader without the lock */

    struct witness_box *boxes; /* idle */
    unsigned places;           /* idle: for provers, needs.prove bytes each */
};

struct srs_store {
    struct srs_store_setup setup;
    pthread_mutex_t lock;
    pthread_cond_t moved; /* anything changed: for srs_preload and srs_store_destroy */
    struct slot slot[CIRCUITS_MAX];
    size_t circuits;
    struct slot *oldest, *newest; /* idle circuits */
    unsigned threads;
    bool stopping;
    uint64_t leaving;      /* host bytes of what has left and is not yet credited */
    struct leaver *outbox; /* for the next srs_store_flush */
    struct srs_totals totals;
};

/* Something that has been taken out of the store and is to be freed once the lock is dropped. */
struct leaver {
    struct leaver *next;
    struct srs_store *store;
    void *srs; /* or NULL */
    uint64_t devices, device_bytes;
    struct witness_box *boxes;
    void *spare;    /* the provers' memory, or NULL */
    uint64_t bytes; /* host bytes charged for all of it */
};

/* ---- the list of idle circuits ---- */

static void idle_remove(struct srs_store *s, struct slot *slot)
{
    if (!slot->idle) return;
    *(slot->older ? &slot->older->newer : &s->oldest) = slot->newer;
    *(slot->newer ? &slot->newer->older : &s->newest) = slot->older;
    slot->older = slot->newer = NULL;
    slot->idle = false;
}

static void idle_append(struct srs_store *s, struct slot *slot)
{
    slot->older = s->newest;
    slot->newer = NULL;
    *(s->newest ? &s->newest->newer : &s->oldest) = slot;
    s->newest = slot;
    slot->idle = true;
    slot->idle_since = clock_now();
}

/* A circuit that nobody pins or loads: idle if it is there, forgotten if it is not. */
static void settle(struct srs_store *s, struct slot *slot)
{
    if (slot->pins || slot->thread) return;
    if (slot->phase == SLOT_READY)
        idle_append(s, slot);
    else
        slot->phase = SLOT_COLD;
}

/* ---- leaving ---- */

static void free_boxes(const struct steps *steps, struct witness_box *box)
{
    while (box) {
        struct witness_box *next = box->next;
        steps->witness_free(steps->context, box->witness);
        free(box);
        box = next;
    }
}

static void detach_all(struct srs_store *s, void *srs, uint64_t devices, uint64_t device_bytes)
{
    const struct steps *steps = s->setup.steps;
    for (size_t d = 0; d < steps->devices; d++) {
        if (!(devices >> d & 1)) continue;
        steps->detach(steps->context, srs, d);
        budget_credit(&s->setup.device[d], device_bytes);
    }
}

/* The reaper's part. The credit comes before `leaving` shrinks, and whoever looked in between looks again. */
static void leaver_free(void *context)
{
    struct leaver *l = context;
    struct srs_store *s = l->store;
    const struct steps *steps = s->setup.steps;
    free_boxes(steps, l->boxes);
    if (l->spare) steps->spare_free(steps->context, l->spare);
    detach_all(s, l->srs, l->devices, l->device_bytes);
    if (l->srs) steps->unload(steps->context, l->srs);
    budget_credit(s->setup.host, l->bytes);
    pthread_mutex_lock(&s->lock);
    s->leaving -= l->bytes;
    pthread_mutex_unlock(&s->lock);
    free(l);
    s->setup.changed(s->setup.context);
}

void srs_store_flush(struct srs_store *s)
{
    pthread_mutex_lock(&s->lock);
    struct leaver *list = s->outbox;
    s->outbox = NULL;
    pthread_mutex_unlock(&s->lock);
    while (list) {
        struct leaver *next = list->next;
        reaper_defer(s->setup.reaper, &(struct region){ leaver_free, list, list->bytes, NULL });
        list = next;
    }
}

static struct leaver *leaver_add(struct srs_store *s, const struct leaver *what)
{
    struct leaver *l = malloc(sizeof *l);
    if (!l) return NULL; /* it stays: nothing is lost, and memory will be asked for again */
    *l = *what;
    l->store = s;
    l->next = s->outbox;
    s->outbox = l;
    s->leaving += l->bytes;
    return l;
}

static uint64_t boxes_bytes(const struct witness_box *box)
{
    uint64_t bytes = 0;
    for (; box; box = box->next) bytes += box->bytes;
    return bytes;
}

/* Evicts an idle circuit altogether. */
static void take_out(struct srs_store *s, struct slot *slot)
{
    struct leaver l = { .srs = slot->srs,
                        .devices = slot->devices,
                        .device_bytes = slot->needs.device,
                        .boxes = slot->boxes,
                        .bytes = slot->charged + boxes_bytes(slot->boxes) + slot->places * slot->needs.prove };
    if (!leaver_add(s, &l)) return; /* the provers' memory goes with the rest */
    idle_remove(s, slot);
    slot->phase = SLOT_COLD;
    slot->srs = NULL;
    slot->devices = 0;
    slot->charged = 0;
    slot->boxes = NULL;
    slot->places = 0;
    slot->test = false;
    s->totals.evictions++;
    log_info(s->setup.log, LOG_SRS, "%s: evicted, %llu bytes", slot->entry->id, (unsigned long long)l.bytes);
}

/* Idle boxes: those behind the first `keep` ones. */
static void trim_boxes(struct srs_store *s, struct slot *slot, unsigned keep)
{
    struct witness_box **at = &slot->boxes;
    while (*at && keep-- > 0) at = &(*at)->next;
    if (!*at) return;
    struct leaver l = { .boxes = *at, .bytes = boxes_bytes(*at) };
    if (leaver_add(s, &l)) *at = NULL;
}

/* Idle places for provers, and with them what proofs have left behind: more than is charged there if a place is
 * reserved but not at work, whose next proof then takes fresh memory. */
static void trim_places(struct srs_store *s, struct slot *slot, unsigned keep)
{
    const struct steps *steps = s->setup.steps;
    if (slot->places <= keep || slot->thread) return; /* a loader may be at work where the memory lies */
    struct leaver l = { .bytes = (slot->places - keep) * slot->needs.prove };
    struct leaver *kept = leaver_add(s, &l);
    if (!kept) return;
    kept->spare = steps->spare_take(steps->context, slot->srs);
    slot->places = keep;
}

static void trim_all_boxes(struct srs_store *s)
{
    for (size_t i = 0; i < s->circuits; i++) {
        struct slot *slot = &s->slot[i];
        trim_boxes(s, slot, slot->pins ? 1 : 0);
        trim_places(s, slot, slot->pins ? 1 : 0);
    }
}

static bool may_leave(const struct srs_store *s, const struct slot *slot, bool urgent, uint64_t now)
{
    return urgent || now - slot->idle_since >= s->setup.min_idle;
}

/* What is free or will be when the reaper is done. */
static uint64_t free_soon(struct srs_store *s)
{
    struct budget_state b;
    struct reaper_state r;
    budget_state(s->setup.host, &b);
    reaper_state(s->setup.reaper, &r);
    uint64_t leaving = s->leaving > r.waiting_bytes ? s->leaving : r.waiting_bytes;
    if (leaving > b.used) leaving = b.used;
    return b.limit > b.used - leaving ? b.limit - (b.used - leaving) : 0;
}

/* Sends idle things away until `bytes` will be free, but nothing in vain. */
static void make_room(struct srs_store *s, uint64_t bytes, bool urgent)
{
    if (free_soon(s) >= bytes) return;
    trim_all_boxes(s);
    uint64_t soon = free_soon(s), more = 0, now = clock_now();
    for (struct slot *slot = s->oldest; slot; slot = slot->newer) {
        if (may_leave(s, slot, urgent, now)) more += slot->charged;
    }
    if (soon + more < bytes) return;
    for (struct slot *slot = s->oldest, *next; slot && soon < bytes; slot = next) {
        next = slot->newer;
        if (!may_leave(s, slot, urgent, now)) continue;
        soon += slot->charged;
        take_out(s, slot);
    }
}

/* ---- loading ---- */

struct load {
    struct srs_store *store;
    struct slot *slot;
    size_t circuit;
};

static void on_progress(void *context, uint64_t done, uint64_t total)
{
    struct slot *slot = context;
    unsigned mille = total ? (unsigned)((double)done / (double)total * 1000) : 0;
    atomic_store_explicit(&slot->progress, mille > 1000 ? 1000 : mille, memory_order_relaxed);
}

static void set_step(struct srs_store *s, struct slot *slot, const char *step)
{
    atomic_store_explicit(&slot->progress, 0, memory_order_relaxed);
    pthread_mutex_lock(&s->lock);
    slot->step = step;
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->lock);
}

/* The host part: charged as estimated before, corrected to what it really is. */
static cuzk_status load_host(struct srs_store *s, struct slot *slot, size_t circuit, cuzk_error *err)
{
    const struct steps *steps = s->setup.steps;
    struct progress progress = { on_progress, slot };
    struct circuit_needs actual = srs_needs(s, circuit);
    void *srs = NULL;
    bool test = false;
    set_step(s, slot, "checking");
    cuzk_status status = steps->load(steps->context, &srs, &actual, &test, circuit, &progress, err);
    if (status != CUZK_OK) return status;
    uint64_t bytes = actual.srs + actual.circuit, surplus = 0;
    pthread_mutex_lock(&s->lock);
    if (bytes > slot->charged)
        budget_force(s->setup.host, bytes - slot->charged);
    else
        surplus = slot->charged - bytes;
    slot->charged = bytes;
    actual.prove = slot->needs.prove; /* places are charged by it */
    slot->needs = actual;
    slot->srs = srs;
    slot->test = test;
    slot->phase = SLOT_READY;
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->lock);
    budget_credit(s->setup.host, surplus);
    s->setup.changed(s->setup.context);
    return CUZK_OK;
}

static void start_load(struct srs_store *s, struct slot *slot);

/* Takes a circuit that was idle off a device; its mapping stays. Under the lock, which is dropped meanwhile: nobody
 * else touches a slot whose `thread` is set. Whoever has pinned it meanwhile gets it back. */
static void detach_idle(struct srs_store *s, struct slot *slot, size_t device)
{
    void *srs = slot->srs;
    uint64_t bit = UINT64_C(1) << device, bytes = slot->needs.device;
    idle_remove(s, slot);
    slot->thread = true;
    slot->devices &= ~bit;
    pthread_mutex_unlock(&s->lock);
    detach_all(s, srs, bit, bytes);
    pthread_mutex_lock(&s->lock);
    slot->thread = false;
    if (!slot->pins)
        settle(s, slot);
    else if (!slot->devices)
        start_load(s, slot);
}

/* Takes an idle circuit off a device, its mapping stays. False if there is none that may. */
static bool make_device_room(struct srs_store *s, size_t device)
{
    struct slot *victim = NULL;
    uint64_t now = clock_now();
    pthread_mutex_lock(&s->lock);
    for (struct slot *slot = s->oldest; slot && !victim; slot = slot->newer) {
        if ((slot->devices >> device & 1) && slot->needs.device && may_leave(s, slot, false, now)) {
            victim = slot;
        }
    }
    if (victim) detach_idle(s, victim, device);
    pthread_mutex_unlock(&s->lock);
    return victim != NULL;
}

/* Charges a device; waits for memory only if `patient`. */
static cuzk_status charge_device(struct srs_store *s, struct slot *slot, size_t device, bool patient, cuzk_error *err)
{
    struct budget *b = &s->setup.device[device];
    uint64_t bytes = slot->needs.device;
    for (;;) {
        if (budget_try(b, bytes)) return CUZK_OK;
        cuzk_status status = budget_possible(b, bytes, slot->entry->id, err);
        if (status != CUZK_OK) return status;
        if (make_device_room(s, device)) continue;
        if (!patient) return cuzk_fail(err, CUZK_ERR_RESOURCE, "device %zu: no memory now", device);
        status = budget_wait(b, bytes, clock_now() + LOOK_AGAIN_MS * CLOCK_MS, &s->stopping, slot->entry->id, err);
        if (status != CUZK_ERR_RESOURCE) return status;
    }
}

static cuzk_status attach_one(struct srs_store *s, struct slot *slot, size_t device, bool patient, cuzk_error *err)
{
    const struct steps *steps = s->setup.steps;
    struct progress progress = { on_progress, slot };
    set_step(s, slot, "waiting for device memory");
    cuzk_status status = charge_device(s, slot, device, patient, err);
    if (status != CUZK_OK) return status;
    set_step(s, slot, "loading");
    do { /* the device knows better than our estimate what fits */
        status = steps->attach(steps->context, slot->srs, device, &progress, err);
    } while (status == CUZK_ERR_RESOURCE && make_device_room(s, device));
    if (status != CUZK_OK) {
        budget_credit(&s->setup.device[device], slot->needs.device);
        return cuzk_within(err, status, "device %zu", device);
    }
    pthread_mutex_lock(&s->lock);
    slot->devices |= UINT64_C(1) << device;
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->lock);
    s->setup.changed(s->setup.context);
    return CUZK_OK;
}

/* Onto every healthy device that does not have it; fails if it is on none in the end. First those with room, then, if
 * there is no other way, waiting for the first healthy one. */
static cuzk_status load_devices(struct srs_store *s, struct slot *slot, cuzk_error *err)
{
    const struct steps *steps = s->setup.steps;
    cuzk_status status = cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "no device is usable");
    size_t first = SIZE_MAX;
    for (size_t d = 0; d < steps->devices; d++) {
        if (slot->devices >> d & 1) continue; /* only this thread sets bits */
        struct device_state device;
        steps->device(steps->context, &device, d);
        if (!device.healthy) continue;
        if (first == SIZE_MAX) first = d;
        status = attach_one(s, slot, d, false, err);
        if (status != CUZK_OK && slot->devices) {
            log_warn(s->setup.log, LOG_SRS, "%s: not on device %zu: %s", slot->entry->id, d, err->detail);
        }
    }
    if (slot->devices) return CUZK_OK;
    if (first != SIZE_MAX && status == CUZK_ERR_RESOURCE) status = attach_one(s, slot, first, true, err);
    return status;
}

/* A load that failed leaves nothing behind but its message. */
static void load_failed(struct srs_store *s, struct slot *slot, const cuzk_error *err)
{
    const struct steps *steps = s->setup.steps;
    pthread_mutex_lock(&s->lock);
    void *srs = slot->srs;
    uint64_t bytes = slot->charged;
    slot->srs = NULL;
    slot->charged = 0;
    slot->phase = SLOT_FAILED;
    slot->troubled = true;
    slot->trouble = *err;
    s->totals.failures++;
    pthread_mutex_unlock(&s->lock);
    if (srs) steps->unload(steps->context, srs);
    budget_credit(s->setup.host, bytes);
    log_error(s->setup.log, LOG_SRS, "%s: %s", slot->entry->id, err->detail);
}

static void load_ended(struct srs_store *s, struct slot *slot, bool ok, uint64_t begin)
{
    pthread_mutex_lock(&s->lock);
    slot->step = "";
    slot->thread = false;
    if (ok) {
        slot->troubled = false;
        slot->load_ns = clock_now() - begin;
        s->totals.loads++;
        s->totals.load_ns += slot->load_ns;
    }
    settle(s, slot);
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->lock);
    s->setup.changed(s->setup.context);
    pthread_mutex_lock(&s->lock); /* the last that this thread does with the store */
    s->threads--;
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->lock);
}

static void *load_main(void *argument)
{
    struct load load = *(struct load *)argument;
    free(argument);
    struct srs_store *s = load.store;
    struct slot *slot = load.slot;
    cuzk_error err = { "" };
    uint64_t begin = clock_now();
    cuzk_status status = slot->srs ? CUZK_OK : load_host(s, slot, load.circuit, &err);
    if (status == CUZK_OK) status = load_devices(s, slot, &err);
    if (status == CUZK_OK) {
        log_info(s->setup.log, LOG_SRS, "%s: loaded in %llu ms, %llu bytes", slot->entry->id,
                 (unsigned long long)((clock_now() - begin) / CLOCK_MS), (unsigned long long)slot->charged);
    } else {
        load_failed(s, slot, &err);
    }
    load_ended(s, slot, status == CUZK_OK, begin);
    return NULL;
}

static bool thread_start(struct load *load)
{
    pthread_attr_t detached;
    pthread_t thread;
    sigset_t all, before;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failure = pthread_create(&thread, &detached, load_main, load);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&detached);
    return failure == 0;
}

/* Starts the loader of a pinned circuit; its host part is charged. Under the lock. */
static void start_load(struct srs_store *s, struct slot *slot)
{
    struct load *load = malloc(sizeof *load);
    if (load) *load = (struct load){ s, slot, (size_t)(slot - s->slot) };
    slot->thread = true;
    s->threads++;
    if (load && thread_start(load)) return;
    free(load);
    slot->thread = false;
    s->threads--;
    slot->troubled = true;
    cuzk_fail(&slot->trouble, CUZK_ERR_RESOURCE, "%s: no thread to load it", slot->entry->id);
    if (slot->phase == SLOT_LOADING) slot->phase = SLOT_FAILED;
}

/* ---- pins ---- */

bool srs_pin(struct srs_store *s, size_t circuit, uint64_t extra, bool urgent)
{
    struct slot *slot = &s->slot[circuit];
    pthread_mutex_lock(&s->lock);
    bool was_idle = slot->idle;
    idle_remove(s, slot); /* it must not be evicted to make room for itself */
    bool cold = slot->phase == SLOT_COLD;
    uint64_t own = cold ? slot->needs.srs + slot->needs.circuit : 0;
    bool possible = !s->stopping && slot->phase != SLOT_FAILED; /* its jobs let go of it first */
    bool ok = possible && budget_try(s->setup.host, extra + own);
    if (possible && !ok) make_room(s, extra + own, urgent);
    if (ok) {
        slot->pins++;
        if (cold) {
            slot->phase = SLOT_LOADING;
            slot->charged = own;
        }
        if (!slot->thread && (cold || (slot->phase == SLOT_READY && !slot->devices))) start_load(s, slot);
    } else if (was_idle) { /* back to where it was, but as the newest: someone wants it */
        uint64_t since = slot->idle_since;
        idle_append(s, slot);
        slot->idle_since = since;
    }
    pthread_mutex_unlock(&s->lock);
    return ok;
}

void srs_unpin(struct srs_store *s, size_t circuit)
{
    struct slot *slot = &s->slot[circuit];
    uint64_t bytes = 0;
    bool failed = false;
    pthread_mutex_lock(&s->lock);
    if (--slot->pins == 0) {
        failed = slot->phase == SLOT_FAILED;
        if (slot->phase == SLOT_FAILED && !slot->thread) { /* of a load that could not even start */
            bytes = slot->charged;
            slot->charged = 0;
        }
        settle(s, slot);
        pthread_cond_broadcast(&s->moved);
    }
    pthread_mutex_unlock(&s->lock);
    budget_credit(s->setup.host, bytes);
    if (failed) s->setup.changed(s->setup.context); /* it can be tried again */
}

bool srs_resident(struct srs_store *s, size_t circuit)
{
    pthread_mutex_lock(&s->lock);
    bool there = s->slot[circuit].phase != SLOT_COLD;
    pthread_mutex_unlock(&s->lock);
    return there;
}

enum srs_readiness srs_look(struct srs_store *s, size_t circuit, cuzk_error *err)
{
    struct slot *slot = &s->slot[circuit];
    pthread_mutex_lock(&s->lock);
    enum srs_readiness out = SRS_LOADING;
    if (slot->phase == SLOT_READY) out = SRS_READY;
    if (slot->phase == SLOT_FAILED) {
        out = SRS_FAILED;
        if (err) *err = slot->trouble;
    }
    pthread_mutex_unlock(&s->lock);
    return out;
}

void *srs_get(struct srs_store *s, size_t circuit)
{
    pthread_mutex_lock(&s->lock);
    void *srs = s->slot[circuit].srs;
    pthread_mutex_unlock(&s->lock);
    return srs;
}

static uint64_t devices_of(struct srs_store *s, size_t circuit)
{
    pthread_mutex_lock(&s->lock);
    uint64_t devices = s->slot[circuit].devices;
    pthread_mutex_unlock(&s->lock);
    return devices;
}

bool srs_on_device(struct srs_store *s, size_t circuit, size_t device)
{
    return devices_of(s, circuit) >> device & 1;
}

bool srs_loading(struct srs_store *s, size_t circuit)
{
    pthread_mutex_lock(&s->lock);
    bool loading = s->slot[circuit].thread;
    pthread_mutex_unlock(&s->lock);
    return loading;
}

bool srs_on_any_device(struct srs_store *s, size_t circuit) { return devices_of(s, circuit) != 0; }

struct circuit_needs srs_needs(struct srs_store *s, size_t circuit)
{
    pthread_mutex_lock(&s->lock);
    struct circuit_needs needs = s->slot[circuit].needs;
    pthread_mutex_unlock(&s->lock);
    return needs;
}

uint64_t srs_job_bytes(const struct circuit_needs *n) { return n->srs + n->circuit + n->witness + n->prove; }

/* ---- preload and evict ---- */

static bool ready_on_device(const struct slot *slot) { return slot->phase == SLOT_READY && slot->devices; }

/* The lock is held. False when `until` has come. */
static bool wait_moved(struct srs_store *s, uint64_t until)
{
    uint64_t now = clock_now(), wake = now + LOOK_AGAIN_MS * CLOCK_MS; /* eviction comes with time alone */
    if (until && now >= until) return false;
    if (until && wake > until) wake = until;
    struct timespec t = { (time_t)(wake / CLOCK_SECOND), (long)(wake % CLOCK_SECOND) };
    pthread_cond_timedwait(&s->moved, &s->lock, &t);
    return true;
}

static cuzk_status gave_up(const struct slot *slot, const bool *stop, cuzk_error *err)
{
    if (stop && __atomic_load_n(stop, __ATOMIC_ACQUIRE)) {
        return cuzk_fail(err, CUZK_ERR_CANCELLED, "%s: shutting down", slot->entry->id);
    }
    return cuzk_fail(err, CUZK_ERR_RESOURCE, "%s: not loaded in time", slot->entry->id);
}

/* Until it is pinned. */
static cuzk_status preload_pin(struct srs_store *s, size_t circuit, uint64_t until, const bool *stop, cuzk_error *err)
{
    struct slot *slot = &s->slot[circuit];
    while (!srs_pin(s, circuit, 0, false)) {
        srs_store_flush(s);
        pthread_mutex_lock(&s->lock);
        bool on = !(stop && __atomic_load_n(stop, __ATOMIC_ACQUIRE)) && !s->stopping && wait_moved(s, until);
        pthread_mutex_unlock(&s->lock);
        if (!on) return gave_up(slot, stop, err);
    }
    return CUZK_OK;
}

/* Until it is ready or failed. */
static cuzk_status preload_wait(struct srs_store *s, struct slot *slot, uint64_t until, const bool *stop,
                                uint64_t *load_ns, cuzk_error *err)
{
    cuzk_status status = CUZK_OK;
    pthread_mutex_lock(&s->lock);
    while (status == CUZK_OK && !(ready_on_device(slot) && !slot->thread)) {
        if (slot->phase == SLOT_FAILED)
            status = cuzk_fail(err, CUZK_ERR_DATA, "%s", slot->trouble.detail);
        else if ((stop && __atomic_load_n(stop, __ATOMIC_ACQUIRE)) || !wait_moved(s, until)) {
            status = gave_up(slot, stop, err);
        }
    }
    *load_ns = slot->load_ns;
    pthread_mutex_unlock(&s->lock);
    return status;
}

cuzk_status srs_preload(struct srs_store *s, size_t circuit, uint64_t until, const bool *stop, bool *already,
                        uint64_t *load_ns, cuzk_error *err)
{
    struct slot *slot = &s->slot[circuit];
    *load_ns = 0;
    pthread_mutex_lock(&s->lock);
    *already = ready_on_device(slot) && !slot->thread;
    uint64_t bytes = slot->needs.srs + slot->needs.circuit;
    pthread_mutex_unlock(&s->lock);
    if (*already) return CUZK_OK;
    cuzk_status status = budget_possible(s->setup.host, bytes, slot->entry->id, err);
    if (status == CUZK_OK) status = preload_pin(s, circuit, until, stop, err);
    if (status != CUZK_OK) return status;
    status = preload_wait(s, slot, until, stop, load_ns, err);
    srs_unpin(s, circuit);
    return status;
}

cuzk_status srs_evict(struct srs_store *s, size_t circuit, bool *was_loaded, uint64_t *freed, cuzk_error *err)
{
    struct slot *slot = &s->slot[circuit];
    cuzk_status status = CUZK_OK;
    *was_loaded = false;
    *freed = 0;
    pthread_mutex_lock(&s->lock);
    if (slot->thread || slot->pins) {
        status = cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "%s is in use: %s by %u jobs", slot->entry->id,
                           slot->thread ? "being loaded, wanted" : "pinned", slot->pins);
    } else if (slot->idle) {
        uint64_t before = s->leaving;
        take_out(s, slot);
        *was_loaded = !slot->idle;
        *freed = s->leaving - before;
    }
    pthread_mutex_unlock(&s->lock);
    srs_store_flush(s);
    return status;
}

void srs_store_poke(struct srs_store *s)
{
    pthread_mutex_lock(&s->lock);
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->lock);
}

void srs_device_lost(struct srs_store *s, size_t device)
{
    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->circuits; i++) {
        struct slot *slot = &s->slot[i]; /* circuits in use stay: partitions may be on the device */
        if (slot->idle && (slot->devices >> device & 1)) detach_idle(s, slot, device);
    }
    pthread_mutex_unlock(&s->lock);
}

/* ---- witnesses ---- */

struct witness_box *srs_box_take(struct srs_store *s, size_t circuit)
{
    struct slot *slot = &s->slot[circuit];
    pthread_mutex_lock(&s->lock);
    struct witness_box *box = slot->boxes;
    if (box) {
        slot->boxes = box->next;
        box->next = NULL;
    }
    pthread_mutex_unlock(&s->lock);
    return box;
}

void srs_box_put(struct srs_store *s, size_t circuit, struct witness_box *box)
{
    struct slot *slot = &s->slot[circuit];
    pthread_mutex_lock(&s->lock);
    box->next = slot->boxes;
    slot->boxes = box;
    pthread_mutex_unlock(&s->lock);
}

cuzk_status srs_box_create(struct witness_box **out, struct srs_store *s, size_t circuit, uint64_t bytes,
                           cuzk_error *err)
{
    const struct steps *steps = s->setup.steps;
    struct witness_box *box = *out = calloc(1, sizeof *box);
    cuzk_status status = box ? CUZK_OK : cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a witness");
    if (box) status = steps->witness_create(steps->context, &box->witness, srs_get(s, circuit), err);
    if (status == CUZK_OK) {
        box->bytes = bytes;
        return CUZK_OK;
    }
    free(box);
    *out = NULL;
    budget_credit(s->setup.host, bytes);
    return status;
}

void srs_boxes_trim(struct srs_store *s)
{
    pthread_mutex_lock(&s->lock);
    trim_all_boxes(s);
    pthread_mutex_unlock(&s->lock);
}

/* ---- the memory of provers ---- */

bool srs_place_take(struct srs_store *s, size_t circuit)
{
    struct slot *slot = &s->slot[circuit];
    pthread_mutex_lock(&s->lock);
    bool there = slot->places > 0;
    if (there) slot->places--;
    pthread_mutex_unlock(&s->lock);
    return there;
}

void srs_place_put(struct srs_store *s, size_t circuit)
{
    pthread_mutex_lock(&s->lock);
    s->slot[circuit].places++;
    pthread_mutex_unlock(&s->lock);
}

/* ---- the whole ---- */

cuzk_status srs_store_create(struct srs_store **out, const struct srs_store_setup *setup, cuzk_error *err)
{
    struct srs_store *s = *out = calloc(1, sizeof *s);
    if (!s) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the parameter store");
    s->setup = *setup;
    pthread_mutex_init(&s->lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&s->moved, &monotonic);
    pthread_condattr_destroy(&monotonic);
    for (const struct circuit_entry *e; s->circuits < CIRCUITS_MAX && (e = catalogue_at(s->circuits));) {
        struct slot *slot = &s->slot[s->circuits];
        slot->entry = e;
        slot->step = "";
        setup->steps->needs(setup->steps->context, &slot->needs, s->circuits++);
    }
    return CUZK_OK;
}

void srs_store_destroy(struct srs_store *s)
{
    if (!s) return;
    pthread_mutex_lock(&s->lock);
    __atomic_store_n(&s->stopping, true, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&s->lock);
    for (size_t d = 0; d < s->setup.steps->devices; d++) budget_wake(&s->setup.device[d]);
    pthread_mutex_lock(&s->lock);
    while (s->threads > 0) pthread_cond_wait(&s->moved, &s->lock);
    while (s->oldest) {
        struct slot *slot = s->oldest;
        take_out(s, slot);
        if (s->oldest == slot) break; /* no memory to do it properly */
    }
    trim_all_boxes(s);
    pthread_mutex_unlock(&s->lock);
    srs_store_flush(s);
    reaper_drain(s->setup.reaper);
    pthread_cond_destroy(&s->moved);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

void srs_store_set_min_idle(struct srs_store *s, uint64_t min_idle)
{
    pthread_mutex_lock(&s->lock);
    s->setup.min_idle = min_idle;
    pthread_mutex_unlock(&s->lock);
}

void srs_totals(struct srs_store *s, struct srs_totals *out)
{
    pthread_mutex_lock(&s->lock);
    *out = s->totals;
    pthread_mutex_unlock(&s->lock);
}

bool srs_in_trouble(struct srs_store *s, size_t circuit, cuzk_error *err)
{
    const struct slot *slot = &s->slot[circuit];
    pthread_mutex_lock(&s->lock);
    bool troubled = slot->troubled;
    if (troubled) *err = slot->trouble;
    pthread_mutex_unlock(&s->lock);
    return troubled;
}

static void slot_status(struct status_srs *out, const struct srs_store *s, const struct slot *slot,
                        struct arena *arena, uint64_t now)
{
    *out = (struct status_srs){
        .circuit_id = slot->entry->id,
        .tier = slot->phase != SLOT_READY ? TIER_COLD
                : slot->devices           ? TIER_LOADED
                                          : TIER_MAPPED,
        .loading = slot->thread,
        .progress = (double)atomic_load_explicit(&slot->progress, memory_order_relaxed) / 1000,
        .step = slot->step,
        .host_bytes = slot->charged,
        .device_bytes = slot->needs.device * (uint64_t)__builtin_popcountll(slot->devices),
        .circuit_bytes = slot->charged ? slot->needs.circuit : 0,
        .pins = slot->pins,
        .idle_ns = slot->idle ? now - slot->idle_since : 0,
        .evictable = slot->idle && may_leave(s, slot, false, now),
        .test_parameters = slot->test,
        .trouble = "",
    };
    if (!slot->troubled) return;
    size_t size = strlen(slot->trouble.detail) + 1;
    char *text = arena_take(arena, 1, size);
    if (text) out->trouble = memcpy(text, slot->trouble.detail, size);
}

cuzk_status srs_snapshot(struct srs_store *s, struct arena *arena, const struct status_srs **out, size_t *count,
                         cuzk_error *err)
{
    struct status_srs *list = arena_take(arena, s->circuits, sizeof *list);
    if (!list) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a snapshot");
    uint64_t now = clock_now();
    *count = 0;
    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->circuits; i++) {
        const struct slot *slot = &s->slot[i];
        if (slot->phase == SLOT_COLD && !slot->thread && !slot->troubled) continue;
        slot_status(&list[(*count)++], s, slot, arena, now);
    }
    pthread_mutex_unlock(&s->lock);
    *out = list;
    return CUZK_OK;
}
