/* Parameters and compiled circuits in tiers: on disk, mapped and checked, on devices (design §5).
 *
 * A circuit that jobs use is *pinned*; one without pins stands on the list of idle circuits, least recently used
 * first, and nothing else can be evicted. Loads run on threads of their own, one for each circuit that is being
 * loaded; no lock is held meanwhile, so everything here returns at once (but srs_preload, srs_tend, and
 * srs_store_destroy).
 *
 * A device that is lost can be made anew only when nothing is left on it (backend.h). So every circuit is taken off a
 * lost device as soon as no partition is at work with it there, pinned or not, and pinned ones are brought to usable
 * devices again by the same threads that load: srs_device_usable says what is known, srs_tend sees to it.
 *
 * Memory is charged before a load begins (srs_pin charges it together with what the job wants for itself, all or
 * nothing, so jobs cannot block each other half-way) and credited by the reaper when it is gone.
 *
 * Idle witnesses wait here as well, with their circuit, to be filled again, and so does the memory that provers work
 * in.
 *
 * Lock order: the engine's lock, then the store's, then a budget's. Thread-safe.
 */
#ifndef CUZK_ENGINE_SRS_STORE_H
#define CUZK_ENGINE_SRS_STORE_H

#include "engine/reaper.h"
#include "engine/snapshot.h"
#include "engine/steps.h"

struct srs_store;

struct srs_store_setup {
    const struct steps *steps;
    struct budget *host;
    struct budget *device; /* one for each of steps->devices */
    struct reaper *reaper;
    struct log *log;
    uint64_t usable;                /* bit d: device d is healthy at the start */
    uint64_t min_idle;              /* nanoseconds that an idle circuit is safe from eviction */
    uint64_t recovery;              /* nanoseconds that a preload waits for a usable device */
    void (*changed)(void *context); /* a load came to a step's end: called without the store's lock */
    void *context;
};

cuzk_status srs_store_create(struct srs_store **out, const struct srs_store_setup *setup, cuzk_error *err);

/* Waits for loads under way. Nothing may be pinned. NULL is allowed. */
void srs_store_destroy(struct srs_store *s);

void srs_store_set_min_idle(struct srs_store *s, uint64_t min_idle);

/* Bytes of a circuit, as exact as known. */
struct circuit_needs srs_needs(struct srs_store *s, size_t circuit);

/* What must fit into the host's budget so that one job of the circuit can run alone, beside its payload. */
uint64_t srs_job_bytes(const struct circuit_needs *needs);

/* Pins a circuit and charges `extra` bytes of host memory, and starts to load it unless it is or is being loaded.
 * False: there is no memory for all of it now; what can be evicted is on its way out, and the budget's on_credit will
 * tell. `urgent`: idle circuits may be evicted before their time. The extra bytes are the caller's to credit. */
bool srs_pin(struct srs_store *s, size_t circuit, uint64_t extra, bool urgent);
void srs_unpin(struct srs_store *s, size_t circuit);

/* Would pinning need no memory for parameters? */
bool srs_resident(struct srs_store *s, size_t circuit);

enum srs_readiness {
    SRS_LOADING,
    SRS_READY, /* on the host: witnesses can be filled */
    SRS_FAILED
};

/* Of a pinned circuit. FAILED fills *err; it cannot be pinned until the last pin has gone, and is then tried again.
 */
enum srs_readiness srs_look(struct srs_store *s, size_t circuit, cuzk_error *err);

/* The loaded thing for the steps, NULL unless READY. Valid while pinned. */
void *srs_get(struct srs_store *s, size_t circuit);

/* On devices that are usable. */
bool srs_on_device(struct srs_store *s, size_t circuit, size_t device);
bool srs_on_any_device(struct srs_store *s, size_t circuit);
bool srs_loading(struct srs_store *s, size_t circuit); /* onto the host or a device, just now */

/* Since when (clock_now()) a circuit that is ready on the host has been on no usable device and on its way to none;
 * 0: it is not so. Loads that fail again and again on devices which call themselves usable do not count as a way. */
uint64_t srs_stranded(struct srs_store *s, size_t circuit);

/* A partition uses a pinned circuit on a device, which it is not taken off meanwhile. False: it is not there, or the
 * device was lost. After the end true: somebody should call srs_tend, the device is lost and this was the last. */
bool srs_work_begin(struct srs_store *s, size_t circuit, size_t device);
bool srs_work_end(struct srs_store *s, size_t circuit, size_t device);

/* What is known of a device's health; a mere note. */
void srs_device_usable(struct srs_store *s, size_t device, bool usable);

/* Takes circuits off lost devices and has pinned ones brought to usable ones. To be called when anything of that, or
 * `changed`, was noted, and at *next, which it brings forward if it should be called again for a reason of its own.
 * True: an idle circuit was taken off, so the device may now be asked again for its health. */
bool srs_tend(struct srs_store *s, uint64_t *next);

/* Loads and waits until the circuit is ready on a device or failed; at most until clock_now() is `until` (0: no
 * limit) or *stop is set (then srs_store_poke). Errors as engine_preload. */
cuzk_status srs_preload(struct srs_store *s, size_t circuit, uint64_t until, const bool *stop, bool *already,
                        uint64_t *load_ns, cuzk_error *err);

/* As engine_evict. */
cuzk_status srs_evict(struct srs_store *s, size_t circuit, bool *was_loaded, uint64_t *freed, cuzk_error *err);

/* Hands what has been evicted to the reaper. Evicting functions only put it out of the door, since they may be called
 * under the engine's lock and the reaper may free synchronously; call this soon after, without locks. */
void srs_store_flush(struct srs_store *s);

/* Memory was credited, or something else that waiters should look at. */
void srs_store_poke(struct srs_store *s);

/* ---- witnesses ---- */

struct witness_box {
    struct witness_box *next;
    void *witness;
    uint64_t bytes; /* charged to the host's budget */
};

/* An idle witness of a pinned circuit, or NULL. */
struct witness_box *srs_box_take(struct srs_store *s, size_t circuit);
void srs_box_put(struct srs_store *s, size_t circuit, struct witness_box *box);

/* A new one; `bytes` are charged already and become the box's, on failure they are credited. */
cuzk_status srs_box_create(struct witness_box **out, struct srs_store *s, size_t circuit, uint64_t bytes,
                           cuzk_error *err);

/* Evicts idle boxes that nobody is entitled to: all of unpinned circuits, and all but one of
 * pinned ones. Likewise the idle memory of provers. */
void srs_boxes_trim(struct srs_store *s);

/* ---- the memory of provers ---- */

/* Each place stands for needs.prove bytes that are charged, in which a proof of the circuit can be made. What proofs
 * leave behind (steps.h) is never more than the places that exist. Takes an idle place of a pinned circuit, if there
 * is one; puts one there. */
bool srs_place_take(struct srs_store *s, size_t circuit);
void srs_place_put(struct srs_store *s, size_t circuit);

/* ---- looking ---- */

struct srs_totals {
    uint64_t loads, failures, evictions;
    uint64_t load_ns;
};

void srs_totals(struct srs_store *s, struct srs_totals *out);

/* All that is not plainly cold, into the arena. */
cuzk_status srs_snapshot(struct srs_store *s, struct arena *arena, const struct status_srs **out, size_t *count,
                         cuzk_error *err);

/* Is a failure of its last load known? Fills *err then. */
bool srs_in_trouble(struct srs_store *s, size_t circuit, cuzk_error *err);

#endif
