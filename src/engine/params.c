/* Preloading and evicting parameters. */
#include "engine/engine_private.h"

#include "base/clock.h"

#include <string.h>

size_t circuit_number(const char *circuit_id)
{
    const struct circuit_entry *entry;
    for (size_t i = 0; (entry = catalogue_at(i)); i++) {
        if (strcmp(entry->id, circuit_id) == 0) return i;
    }
    return SIZE_MAX;
}

static cuzk_status find_circuit(struct engine *e, size_t *out, const char *circuit_id, cuzk_error *err)
{
    *out = circuit_number(circuit_id);
    if (*out != SIZE_MAX && e->steps.known(e->steps.context, *out)) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_MISSING, "%.64s: no such circuit", circuit_id);
}

cuzk_status engine_preload(struct engine *e, bool *already, uint64_t *load_ms, const char *circuit_id,
                           uint64_t timeout_ms, cuzk_error *err)
{
    size_t circuit;
    uint64_t ns = 0;
    *already = false;
    *load_ms = 0;
    cuzk_status status = find_circuit(e, &circuit, circuit_id, err);
    if (status == CUZK_OK) status = e->steps.present(e->steps.context, circuit, err);
    if (status != CUZK_OK) return status;
    uint64_t until = timeout_ms ? clock_now() + timeout_ms * CLOCK_MS : 0;
    status = srs_preload(e->store, circuit, until, &e->stopping, already, &ns, err);
    if (!*already) *load_ms = (ns + CLOCK_MS / 2) / CLOCK_MS;
    return status;
}

cuzk_status engine_evict(struct engine *e, bool *was_loaded, uint64_t *freed_bytes, const char *circuit_id,
                         cuzk_error *err)
{
    *was_loaded = false;
    *freed_bytes = 0;
    size_t circuit = circuit_number(circuit_id);
    if (circuit == SIZE_MAX) return CUZK_OK;
    return srs_evict(e->store, circuit, was_loaded, freed_bytes, err);
}

void *preload_main(void *context)
{
    struct engine *e = context;
    for (size_t i = 0; i < e->config.preload_count && !engine_stopping(e); i++) {
        cuzk_error err = { "" };
        bool already;
        uint64_t ms;
        cuzk_status status = engine_preload(e, &already, &ms, e->preload[i], 0, &err);
        if (status != CUZK_OK) log_error(e->log, LOG_SRS, "preload of %s: %s", e->preload[i], err.detail);
    }
    return NULL;
}
