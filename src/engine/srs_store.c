#define _GNU_SOURCE
#include "engine/srs_store.h"

#include "base/clock.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* LOAD_TRIES: loads in a row that fail on devices which call themselves usable, after which further ones count as
 * hope no more (srs_stranded). */
enum { CIRCUITS_MAX = 64, STORE_DEVICES = 64, LOOK_AGAIN_MS = 500, LOAD_TRIES = 5 };

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
    uint64_t missed;  /* bit d: not on device d only because that was not usable */
    uint16_t at_work[STORE_DEVICES]; /* partitions that use it there */
    bool attaching;                  /* the loader has a usable device to bring it to */
    unsigned tries;                  /* loads onto devices that failed since the last that did not */
    uint64_t retry_at;               /* and when the next may begin */
    uint64_t none_since;             /* on no usable device, nor on its way to one; 0: it is */
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
    uint64_t usable;              /* bit d: device d, as far as known */
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

/* ---- devices ---- */

static bool reached(const struct srs_store *s, const struct slot *slot) { return (slot->devices & s->usable) != 0; }

/* Devices that it is on, which are lost, and where no partition is at work any more. */
static uint64_t devices_to_leave(const struct srs_store *s, const struct slot *slot)
{
    uint64_t out = slot->devices & ~s->usable;
    for (size_t d = 0; d < s->setup.steps->devices; d++) {
        if (slot->at_work[d]) out &= ~(UINT64_C(1) << d);
    }
    return out;
}

/* Devices that it should be brought to: those that it could not be on, and any at all if it is on none. */
static uint64_t devices_to_reach(const struct srs_store *s, const struct slot *slot)
{
    return s->usable & ~slot->devices & (reached(s, slot) ? slot->missed : UINT64_MAX);
}

/* After every change of what `none_since` speaks of. */
static void note_reach(const struct srs_store *s, struct slot *slot)
{
    if (reached(s, slot) || (slot->attaching && slot->tries < LOAD_TRIES))
        slot->none_since = 0;
    else if (!slot->none_since)
        slot->none_since = clock_now();
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

/* Sends a circuit away with all that is its own. False without memory for the note: it stays. */
static bool put_out(struct srs_store *s, struct slot *slot)
{
    struct leaver l = { .srs = slot->srs,
                        .devices = slot->devices,
                        .device_bytes = slot->needs.device,
                        .boxes = slot->boxes,
                        .bytes = slot->charged + boxes_bytes(slot->boxes) + slot->places * slot->needs.prove };
    if (!leaver_add(s, &l)) return false; /* the provers' memory goes with the rest */
    slot->phase = SLOT_COLD;
    slot->srs = NULL;
    slot->devices = slot->missed = 0;
    slot->charged = 0;
    slot->boxes = NULL;
    slot->places = 0;
    slot->test = false;
    log_info(s->setup.log, LOG_SRS, "%s: evicted, %llu bytes", slot->entry->id, (unsigned long long)l.bytes);
    return true;
}

/* Evicts an idle circuit altogether. */
static void take_out(struct srs_store *s, struct slot *slot)
{
    if (!put_out(s, slot)) return;
    idle_remove(s, slot);
    s->totals.evictions++;
}

/* A circuit that nobody pins or loads: idle if it is there, forgotten if it is not. What a failed load has left on
 * the host goes only now, since steps of the jobs that had it pinned may have been at work with it. */
static void settle(struct srs_store *s, struct slot *slot)
{
    if (slot->pins || slot->thread) return;
    if (slot->phase == SLOT_READY || (slot->srs && !put_out(s, slot))) {
        slot->phase = SLOT_READY;
        idle_append(s, slot);
    } else {
        slot->phase = SLOT_COLD;
    }
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
    slot->tries = 0;
    slot->none_since = slot->retry_at = 0;
    note_reach(s, slot);
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->lock);
    budget_credit(s->setup.host, surplus);
    s->setup.changed(s->setup.context);
    return CUZK_OK;
}

static void start_load(struct srs_store *s, struct slot *slot);

/* Takes a circuit off a device; its mapping stays. Nobody else touches the slot, since its `thread` is set. Under the
 * lock, which is dropped meanwhile. */
static void leave_device(struct srs_store *s, struct slot *slot, size_t device)
{
    void *srs = slot->srs;
    uint64_t bit = UINT64_C(1) << device, bytes = slot->needs.device;
    slot->devices &= ~bit;
    if (!(s->usable & bit)) slot->missed |= bit;
    note_reach(s, slot);
    pthread_mutex_unlock(&s->lock);
    detach_all(s, srs, bit, bytes);
    pthread_mutex_lock(&s->lock);
}

/* The same for one that was idle. Whoever has pinned it meanwhile gets it back. */
static void detach_idle(struct srs_store *s, struct slot *slot, size_t device)
{
    idle_remove(s, slot);
    slot->thread = true;
    leave_device(s, slot, device);
    slot->thread = false;
    if (!slot->pins)
        settle(s, slot);
    else if (devices_to_reach(s, slot))
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

/* Charges a device; waits a little for memory if `patient`. *later: its memory is in use, but it would fit. */
static cuzk_status charge_device(struct srs_store *s, struct slot *slot, size_t device, bool patient, bool *later,
                                 cuzk_error *err)
{
    struct budget *b = &s->setup.device[device];
    uint64_t bytes = slot->needs.device;
    for (;;) {
        if (budget_try(b, bytes)) return CUZK_OK;
        cuzk_status status = budget_possible(b, bytes, slot->entry->id, err);
        if (status != CUZK_OK) return status;
        if (make_device_room(s, device)) continue;
        if (patient) {
            uint64_t until = clock_now() + LOOK_AGAIN_MS * CLOCK_MS;
            status = budget_wait(b, bytes, until, &s->stopping, slot->entry->id, err);
        } else {
            status = cuzk_fail(err, CUZK_ERR_RESOURCE, "device %zu: no memory now", device);
        }
        if (status == CUZK_ERR_RESOURCE) *later = true;
        return status;
    }
}

/* What an attempt has come to. A device that was lost on the way is asked for its health by the watcher, whom the end
 * of this load wakes. */
static void note_attach(struct srs_store *s, struct slot *slot, size_t device, cuzk_status status)
{
    uint64_t bit = UINT64_C(1) << device;
    pthread_mutex_lock(&s->lock);
    slot->missed &= ~bit;
    if (status == CUZK_OK) {
        slot->devices |= bit;
        slot->tries = 0;
    } else if (status == CUZK_ERR_UNAVAILABLE) {
        slot->missed |= bit;
        s->usable &= ~bit;
    }
    note_reach(s, slot);
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->lock);
}

static cuzk_status attach_one(struct srs_store *s, struct slot *slot, size_t device, bool patient, bool *later,
                              cuzk_error *err)
{
    const struct steps *steps = s->setup.steps;
    struct progress progress = { on_progress, slot };
    set_step(s, slot, "waiting for device memory");
    cuzk_status status = charge_device(s, slot, device, patient, later, err);
    if (status == CUZK_OK) {
        set_step(s, slot, "loading");
        do { /* the device knows better than our estimate what fits */
            status = steps->attach(steps->context, slot->srs, device, &progress, err);
        } while (status == CUZK_ERR_RESOURCE && make_device_room(s, device));
        if (status != CUZK_OK) budget_credit(&s->setup.device[device], slot->needs.device);
        cuzk_within(err, status, "device %zu", device);
    }
    note_attach(s, slot, device, status);
    if (status == CUZK_OK) s->setup.changed(s->setup.context);
    return status;
}

static uint64_t all_devices(const struct srs_store *s)
{
    return UINT64_MAX >> (STORE_DEVICES - s->setup.steps->devices);
}

/* Off the lost devices, as far as no partition is at work there; and to where should it be brought then? */
static uint64_t plan_devices(struct srs_store *s, struct slot *slot)
{
    pthread_mutex_lock(&s->lock);
    for (uint64_t gone; (gone = devices_to_leave(s, slot)) != 0;) {
        slot->step = "leaving a device";
        leave_device(s, slot, (size_t)__builtin_ctzll(gone));
    }
    slot->missed |= all_devices(s) & ~s->usable & ~slot->devices;
    uint64_t where = devices_to_reach(s, slot);
    slot->attaching = where != 0;
    note_reach(s, slot);
    pthread_mutex_unlock(&s->lock);
    return where;
}

static bool is_reached(struct srs_store *s, const struct slot *slot)
{
    pthread_mutex_lock(&s->lock);
    bool yes = reached(s, slot);
    pthread_mutex_unlock(&s->lock);
    return yes;
}

/* What the failures on two devices come to. A refused point is the file's fault; devices that are lost or full may
 * come back. */
static cuzk_status worse(cuzk_status a, cuzk_status b)
{
    if (a == CUZK_OK || a == CUZK_ERR_UNAVAILABLE) return b;
    if (b == CUZK_ERR_UNAVAILABLE) return a;
    return a == CUZK_ERR_RESOURCE ? b : a;
}

/* One round over the devices: the worst that happened. With `patient` it waits a little for the first one's memory.
 * *later: it is on none, but there will be room. */
static cuzk_status attach_round(struct srs_store *s, struct slot *slot, bool patient, bool *later, cuzk_error *err)
{
    uint64_t where = plan_devices(s, slot);
    cuzk_status status = CUZK_OK;
    *later = false;
    if (!where && !is_reached(s, slot)) {
        return cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "no device is usable");
    }
    for (; where; where &= where - 1, patient = false) {
        cuzk_error trouble = { "" };
        size_t d = (size_t)__builtin_ctzll(where);
        cuzk_status one = attach_one(s, slot, d, patient, later, &trouble);
        if (one == CUZK_OK) continue;
        if (worse(status, one) != status) *err = trouble;
        status = worse(status, one);
        if (is_reached(s, slot)) {
            log_warn(s->setup.log, LOG_SRS, "%s: not on device %zu: %s", slot->entry->id, d, trouble.detail);
        }
    }
    if (is_reached(s, slot)) *later = false;
    return status;
}

static bool pinned(struct srs_store *s, struct slot *slot)
{
    pthread_mutex_lock(&s->lock);
    bool yes = slot->pins > 0;
    pthread_mutex_unlock(&s->lock);
    return yes;
}

/* Onto every usable device that it should be on; fails if it is on none in the end, with CUZK_ERR_UNAVAILABLE if that
 * may change with the devices' health: srs_tend comes back to it. First those with room, then, if there is no other
 * way, waiting for room; devices that are lost or come back meanwhile are seen in between. */
static cuzk_status load_devices(struct srs_store *s, struct slot *slot, cuzk_error *err)
{
    bool later;
    cuzk_status status = attach_round(s, slot, false, &later, err);
    while (status == CUZK_ERR_RESOURCE && later && pinned(s, slot)) status = attach_round(s, slot, true, &later, err);
    pthread_mutex_lock(&s->lock);
    if (slot->attaching && (status == CUZK_ERR_UNAVAILABLE || (status != CUZK_OK && !reached(s, slot)))) {
        slot->tries++;
        uint64_t doublings = slot->tries < LOAD_TRIES ? slot->tries : LOAD_TRIES;
        slot->retry_at = clock_now() + (LOOK_AGAIN_MS * CLOCK_MS << doublings);
    }
    slot->attaching = false;
    note_reach(s, slot);
    if (reached(s, slot)) status = CUZK_OK;
    if (status == CUZK_ERR_RESOURCE && (slot->missed || later)) status = CUZK_ERR_UNAVAILABLE;
    pthread_mutex_unlock(&s->lock);
    return status;
}

/* A load that failed leaves its message behind. What it has brought to the host goes with the last pin (settle). */
static void load_failed(struct srs_store *s, struct slot *slot, const cuzk_error *err)
{
    pthread_mutex_lock(&s->lock);
    uint64_t bytes = slot->srs ? 0 : slot->charged;
    slot->charged -= bytes;
    slot->phase = SLOT_FAILED;
    slot->troubled = true;
    slot->trouble = *err;
    s->totals.failures++;
    pthread_mutex_unlock(&s->lock);
    budget_credit(s->setup.host, bytes);
    log_error(s->setup.log, LOG_SRS, "%s: %s", slot->entry->id, err->detail);
}

static void load_succeeded(struct srs_store *s, struct slot *slot, uint64_t begin)
{
    pthread_mutex_lock(&s->lock);
    uint64_t bytes = slot->charged, took = clock_now() - begin;
    slot->troubled = false;
    slot->load_ns = took;
    s->totals.loads++;
    s->totals.load_ns += took;
    pthread_mutex_unlock(&s->lock);
    log_info(s->setup.log, LOG_SRS, "%s: loaded in %llu ms, %llu bytes", slot->entry->id,
             (unsigned long long)(took / CLOCK_MS), (unsigned long long)bytes);
}

static void load_ended(struct srs_store *s, struct slot *slot)
{
    pthread_mutex_lock(&s->lock);
    slot->step = "";
    slot->thread = false;
    settle(s, slot);
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->lock);
    srs_store_flush(s);
    s->setup.changed(s->setup.context);
    pthread_mutex_lock(&s->lock); /* the last that this thread does with the store */
    s->threads--;
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->lock);
}

/* To the host, unless it is there, off lost devices and onto usable ones. */
static void *load_main(void *argument)
{
    struct load load = *(struct load *)argument;
    free(argument);
    struct srs_store *s = load.store;
    struct slot *slot = load.slot;
    cuzk_error err = { "" };
    uint64_t begin = clock_now(), before = slot->devices; /* only this thread sets bits */
    cuzk_status status = slot->srs ? CUZK_OK : load_host(s, slot, load.circuit, &err);
    bool there = status == CUZK_OK;
    if (there) status = load_devices(s, slot, &err);
    if (status == CUZK_OK && (slot->devices & ~before)) {
        load_succeeded(s, slot, begin);
    } else if (there && status == CUZK_ERR_UNAVAILABLE) {
        log_warn(s->setup.log, LOG_SRS, "%s: on no device for now: %s", slot->entry->id, err.detail);
    } else if (status != CUZK_OK) {
        load_failed(s, slot, &err);
    }
    load_ended(s, slot);
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

/* Starts the loader of a circuit; its host part is charged. Under the lock. */
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
    slot->retry_at = clock_now() + LOOK_AGAIN_MS * CLOCK_MS;
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
        if (slot->pins++ == 0) slot->tries = 0;
        if (cold) {
            slot->phase = SLOT_LOADING;
            slot->charged = own;
        }
        if (!slot->thread && (cold || (slot->phase == SLOT_READY && devices_to_reach(s, slot)))) start_load(s, slot);
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
        if (failed && !slot->thread && !slot->srs) { /* of a load that could not even start */
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

/* The usable ones. */
static uint64_t devices_of(struct srs_store *s, size_t circuit)
{
    pthread_mutex_lock(&s->lock);
    uint64_t devices = s->slot[circuit].devices & s->usable;
    pthread_mutex_unlock(&s->lock);
    return devices;
}

bool srs_on_device(struct srs_store *s, size_t circuit, size_t device)
{
    return devices_of(s, circuit) >> device & 1;
}

bool srs_on_any_device(struct srs_store *s, size_t circuit) { return devices_of(s, circuit) != 0; }

uint64_t srs_stranded(struct srs_store *s, size_t circuit)
{
    const struct slot *slot = &s->slot[circuit];
    pthread_mutex_lock(&s->lock);
    uint64_t since = slot->phase == SLOT_READY ? slot->none_since : 0;
    pthread_mutex_unlock(&s->lock);
    return since;
}

bool srs_loading(struct srs_store *s, size_t circuit)
{
    pthread_mutex_lock(&s->lock);
    bool loading = s->slot[circuit].thread;
    pthread_mutex_unlock(&s->lock);
    return loading;
}

struct circuit_needs srs_needs(struct srs_store *s, size_t circuit)
{
    pthread_mutex_lock(&s->lock);
    struct circuit_needs needs = s->slot[circuit].needs;
    pthread_mutex_unlock(&s->lock);
    return needs;
}

uint64_t srs_job_bytes(const struct circuit_needs *n) { return n->srs + n->circuit + n->witness + n->prove; }

/* ---- preload and evict ---- */

static bool ready_on_device(const struct srs_store *s, const struct slot *slot)
{
    return slot->phase == SLOT_READY && reached(s, slot);
}

/* The lock is held. */
static bool recovery_over(const struct srs_store *s, const struct slot *slot, uint64_t begin)
{
    if (slot->phase != SLOT_READY || !slot->none_since) return false;
    uint64_t since = slot->none_since > begin ? slot->none_since : begin, now = clock_now();
    return now > since && now - since >= s->setup.recovery;
}

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
    uint64_t begin = clock_now();
    pthread_mutex_lock(&s->lock);
    while (status == CUZK_OK && !(ready_on_device(s, slot) && !slot->thread)) {
        if (slot->phase == SLOT_FAILED)
            status = cuzk_fail(err, CUZK_ERR_DATA, "%s", slot->trouble.detail);
        else if (recovery_over(s, slot, begin))
            status = cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "%s: no usable device for %llu ms", slot->entry->id,
                               (unsigned long long)(s->setup.recovery / CLOCK_MS));
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
    *already = ready_on_device(s, slot) && !slot->thread;
    uint64_t bytes = slot->needs.srs + slot->needs.circuit;
    pthread_mutex_unlock(&s->lock);
    if (*already) return CUZK_OK;
    cuzk_status status = budget_possible(s->setup.host, bytes, slot->entry->id, err);
    if (status == CUZK_OK) status = preload_pin(s, circuit, until, stop, err);
    if (status != CUZK_OK) return status;
    status = preload_wait(s, slot, until, stop, load_ns, err);
    srs_unpin(s, circuit);
    srs_store_flush(s);
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

/* ---- devices that are lost and come back ---- */

void srs_device_usable(struct srs_store *s, size_t device, bool usable)
{
    uint64_t bit = UINT64_C(1) << device;
    pthread_mutex_lock(&s->lock);
    s->usable = usable ? s->usable | bit : s->usable & ~bit;
    for (size_t i = 0; i < s->circuits; i++) note_reach(s, &s->slot[i]);
    pthread_mutex_unlock(&s->lock);
}

/* One circuit: is there something for a loader to do, now or at *next? */
static bool needs_load(const struct srs_store *s, const struct slot *slot, uint64_t now, uint64_t *next)
{
    if (slot->thread || slot->phase != SLOT_READY || !slot->pins) return false;
    if (devices_to_leave(s, slot)) return true;
    if (!devices_to_reach(s, slot)) return false;
    if (slot->retry_at > now && slot->retry_at < *next) *next = slot->retry_at;
    return slot->retry_at <= now;
}

bool srs_tend(struct srs_store *s, uint64_t *next)
{
    bool left = false;
    uint64_t now = clock_now();
    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->circuits; i++) {
        struct slot *slot = &s->slot[i];
        for (uint64_t gone; slot->idle && (gone = devices_to_leave(s, slot)) != 0; left = true) {
            detach_idle(s, slot, (size_t)__builtin_ctzll(gone));
        }
        if (!s->stopping && needs_load(s, slot, now, next)) start_load(s, slot);
    }
    pthread_mutex_unlock(&s->lock);
    return left;
}

bool srs_work_begin(struct srs_store *s, size_t circuit, size_t device)
{
    struct slot *slot = &s->slot[circuit];
    pthread_mutex_lock(&s->lock);
    bool ok = slot->devices & s->usable & UINT64_C(1) << device;
    if (ok) slot->at_work[device]++;
    pthread_mutex_unlock(&s->lock);
    return ok;
}

bool srs_work_end(struct srs_store *s, size_t circuit, size_t device)
{
    struct slot *slot = &s->slot[circuit];
    pthread_mutex_lock(&s->lock);
    bool leave = --slot->at_work[device] == 0 && !(s->usable >> device & 1);
    pthread_mutex_unlock(&s->lock);
    return leave;
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
    s->usable = setup->usable;
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
    bool waits = slot->pins && slot->phase == SLOT_READY && slot->none_since;
    *out = (struct status_srs){
        .circuit_id = slot->entry->id,
        .tier = slot->phase != SLOT_READY ? TIER_COLD
                : reached(s, slot)        ? TIER_LOADED
                                          : TIER_MAPPED,
        .loading = slot->thread,
        .progress = (double)atomic_load_explicit(&slot->progress, memory_order_relaxed) / 1000,
        .step = waits ? "waiting for a device" : slot->step,
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
