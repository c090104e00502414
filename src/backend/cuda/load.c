/* Parameters and circuits into device memory. */
#include "backend/cuda/plan.h"
#include "backend/cuda/stream.h"

#include <stdlib.h>

/* ---- parameters ---- */

/* A parameter file on its way into device memory. */
struct loading {
    struct cuda_state *state;
    struct context *c;
    struct cuda_srs *srs;
    const struct progress *progress;
    uint64_t done, total;
};

enum { REPORT_POINTS = 1 << 22 };

static cuzk_status load_section(struct loading *x, struct point_transfer *t, cuzk_error *err)
{
    struct context *c = x->c;
    size_t size = srs_point_bytes(t->section);
    uint64_t count = t->file->counts.section[t->section];
    char *points = x->srs->points[t->section];
    unsigned long long bad;
    TRY(cudaMemsetAsync(t->bad, 0xff, sizeof *t->bad, c->stream));
    for (uint64_t begin = 0, end; begin < count; begin = end) {
        end = count - begin < REPORT_POINTS ? count : begin + REPORT_POINTS;
        TRY_STATUS(transfer_points(points + begin * size, t, begin, end, c->stream, x->state->pool, c, err));
        x->done += end - begin;
        if (x->progress && x->progress->report) x->progress->report(x->progress->context, x->done, x->total);
    }
    TRY(cudaMemcpyAsync(&bad, t->bad, sizeof bad, cudaMemcpyDeviceToHost, c->stream));
    TRY_STATUS(context_wait(c, err));
    return bad == UINT64_MAX ? CUZK_OK : transfer_refused(t->file, t->section, bad, err);
}

/* All sections if they fit into an otherwise empty device beside the arena of one proof. Else those that fit beside
 * the arena of a proof that streams the others, the largest first. */
static void choose_resident(bool resident[SRS_SECTIONS], const struct cuda_srs *srs, struct cuda_state *s)
{
    size_t limit = s->device.memory_limit, total = 0;
    size_t room = limit - limit / 64; /* circuits and tables take some */
    for (int i = 0; i < SRS_SECTIONS; i++) total += srs->bytes[i];
    bool all = s->arena_wanted < room && total <= room - s->arena_wanted;
    for (int i = 0; i < SRS_SECTIONS; i++) resident[i] = all;
    if (all) return;
    room = cuda_room(s);
    room = room > s->streamed_wanted ? room - s->streamed_wanted : 0;
    for (;;) {
        int best = -1;
        for (int i = 0; i < SRS_SECTIONS; i++) {
            if (!resident[i] && srs->bytes[i] <= room && (best < 0 || srs->bytes[i] > srs->bytes[best])) best = i;
        }
        if (best < 0) return;
        resident[best] = true;
        room -= srs->bytes[best];
    }
}

static cuzk_status load_sections(struct loading *x, cuzk_error *err)
{
    struct context *c = x->c;
    struct cuda_srs *srs = x->srs;
    struct point_transfer t = { .file = srs->file };
    bool resident[SRS_SECTIONS];
    for (int i = 0; i < 2; i++) TRY_TAKE(t.raw[i], STAGING_BYTES, "a piece of the parameters");
    TRY_TAKE(t.bad, 1, "a counter");
    for (int i = 0; i < SRS_SECTIONS; i++) {
        srs->bytes[i] = srs->file->counts.section[i] * srs_point_bytes((enum srs_section)i);
    }
    choose_resident(resident, srs, x->state);
    for (int i = 0; i < SRS_SECTIONS; i++) x->total += resident[i] ? srs->file->counts.section[i] : 0;
    for (int i = 0; i < SRS_SECTIONS; i++) {
        if (!resident[i]) continue;
        t.section = (enum srs_section)i;
        TRY_STATUS(cuda_allocate(&srs->points[i], x->state, c, srs->bytes[i], "parameters", err));
        TRY_STATUS(load_section(x, &t, err));
    }
    return CUZK_OK;
}

static void release_sections(struct cuda_srs *srs, struct context *c)
{
    for (int i = 0; i < SRS_SECTIONS; i++) context_free(c, srs->points[i], srs->bytes[i]);
    free(srs);
}

cuzk_status cuda_srs_load(struct backend_srs *out, void *state, const struct progress *p, cuzk_error *err)
{
    struct cuda_state *s = state;
    struct cuda_srs *srs = calloc(1, sizeof *srs);
    if (!srs) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    srs->file = out->file;
    struct loading x = { .state = s, .srs = srs, .progress = p };
    cuzk_status status = cuda_enter(&x.c, s, 2 * (size_t)STAGING_BYTES + 4096, err);
    if (status != CUZK_OK) {
        free(srs);
        return status;
    }
    status = load_sections(&x, err);
    if (status != CUZK_OK) {
        (void)cudaStreamSynchronize(x.c->stream);
        release_sections(srs, x.c);
    }
    cuda_leave(s, x.c);
    if (status != CUZK_OK) return status;
    cuda_count_load(s, 1);
    out->loaded = srs;
    return CUZK_OK;
}

void cuda_srs_drop(struct backend_srs *out, void *state)
{
    struct cuda_state *s = state;
    (void)cudaSetDevice(s->ordinal);
    release_sections(out->loaded, &s->lane[0]);
    cuda_count_load(s, -1);
}

/* ---- circuits ---- */

/* What lanes need for its proofs is reserved at the first of them. */
static cuzk_status measure_circuit(struct cuda_circuit *x, struct cuda_state *s, const struct context *c,
                                   cuzk_error *err)
{
    struct cuda_plan plan;
    size_t room = cuda_room(s);
    x->arena_bytes = plan_resident_bytes(&x->device, c);
    TRY_STATUS(plan_streamed(&plan, &x->device, BACKEND_MAX_BATCH, room, c, err));
    if (x->arena_bytes > room) x->arena_bytes = SIZE_MAX;
    pthread_mutex_lock(&s->lock);
    if (x->arena_bytes > s->arena_wanted) s->arena_wanted = x->arena_bytes;
    if (plan.arena_bytes > s->streamed_wanted) s->streamed_wanted = plan.arena_bytes;
    pthread_mutex_unlock(&s->lock);
    return CUZK_OK;
}

static cuzk_status load_circuit(struct cuda_circuit *out, struct cuda_state *s, const struct backend_circuit *bc,
                                cuzk_error *err)
{
    struct context *c;
    struct flat_circuit flat;
    TRY_STATUS(circuit_flatten(&flat, bc->circuit, &bc->layout, err));
    cuzk_status status = cuda_enter(&c, s, circuit_scratch_bytes(&flat), err);
    if (status == CUZK_OK) {
        status = device_circuit_create(&out->device, &flat, c, err);
        if (status == CUZK_OK) {
            status = measure_circuit(out, s, c, err);
            if (status == CUZK_OK && fill_pays(bc->circuit)) status = fill_create(&out->fill, bc->circuit, c, err);
            if (status != CUZK_OK) device_circuit_release(&out->device, c);
        }
        cuda_leave(s, c);
    }
    flat_circuit_release(&flat);
    return status;
}

cuzk_status cuda_circuit_load(struct backend_circuit *out, void *state, cuzk_error *err)
{
    struct cuda_circuit *loaded = calloc(1, sizeof *loaded);
    if (!loaded) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    cuzk_status status = load_circuit(loaded, state, out, err);
    if (status != CUZK_OK) {
        free(loaded);
        return status;
    }
    cuda_count_load(state, 1);
    out->loaded = loaded;
    return CUZK_OK;
}

void cuda_circuit_drop(struct backend_circuit *out, void *state)
{
    struct cuda_state *s = state;
    struct cuda_circuit *loaded = out->loaded;
    (void)cudaSetDevice(s->ordinal);
    fill_drop(loaded->fill, &s->lane[0]);
    device_circuit_release(&loaded->device, &s->lane[0]);
    free(loaded);
    cuda_count_load(s, -1);
}
