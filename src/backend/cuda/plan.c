#include "backend/cuda/plan.h"

#include "backend/cuda/stream.h"

enum { SLACK = 1 << 16 };

/* Chunks are large enough to keep the device busy and small enough to leave room for two. */
#define MAX_CHUNK ((size_t)3 << 29)
#define MIN_CHUNK ((size_t)1 << 25)

/* A chunk's sum works well with this much. */
#define CHUNK_WORKSPACE ((size_t)8 << 30)

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }
static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

static size_t witness_bytes_of(const struct flat_circuit *f)
{
    return ((size_t)f->bits / 64 + 16) * 8 + ((size_t)f->wides + f->inputs) * sizeof(fr_t) + SLACK;
}

static size_t vector_bytes(const struct flat_circuit *f) { return sizeof(fr_t) << f->log2_domain; }

/* What a sum over n wide values wants: its scalars and the workspace. 0: it does not fit. */
static size_t wide_bytes(enum sums_group g, size_t n, size_t limit)
{
    size_t workspace = sums_msm_bytes(g, n, limit);
    return workspace == 0 ? 0 : n * sizeof(fr_t) + 512 + workspace;
}

/* The largest of what the sums over l, a and b want, with `points` of a section at a time. 0: one does not fit. */
static size_t section_bytes(const struct device_circuit *d, size_t points_g1, size_t points_g2, size_t limit,
                            const struct context *c)
{
    const struct flat_circuit *f = &d->shape;
    size_t most = wide_bytes(SUMS_G2, smaller(d->wide[SUM_B].count, points_g2), limit);
    if (most == 0) return 0;
    for (int i = 0; i < CIRCUIT_SUMS; i++) {
        size_t bytes = wide_bytes(SUMS_G1, smaller(d->wide[i].count, points_g1), limit);
        if (bytes == 0) return 0;
        most = larger(most, bytes);
    }
    size_t listed = larger(sums_listed_bytes(SUMS_G1, smaller(f->bits, points_g1), limit, c),
                           sums_listed_bytes(SUMS_G2, smaller(f->bits, points_g2), limit, c));
    return larger(most, (size_t)f->bits * 4 + circuit_scratch_bytes(f) + listed);
}

/* The witness, then the vectors of the quotient and the sum of h; then the other sums. */
size_t plan_resident_bytes(const struct device_circuit *d, const struct context *c)
{
    const struct flat_circuit *f = &d->shape;
    size_t vector = vector_bytes(f), limit = c->device->memory_limit / 4;
    size_t h = sums_msm_bytes(SUMS_G1, ((size_t)1 << f->log2_domain) - 1, limit);
    size_t sections = section_bytes(d, SIZE_MAX, SIZE_MAX, limit, c);
    if (h == 0 || sections == 0) return SIZE_MAX;
    return witness_bytes_of(f) + larger(vector + larger(vector, h), sections) + SLACK;
}

static size_t streamed_bytes(const struct device_circuit *d, size_t chunk, size_t workspace, const struct context *c)
{
    const struct flat_circuit *f = &d->shape;
    size_t vector = vector_bytes(f), g1 = chunk / sums_affine_bytes(SUMS_G1), g2 = chunk / sums_affine_bytes(SUMS_G2);
    size_t h = sums_msm_bytes(SUMS_G1, smaller(((size_t)1 << f->log2_domain) - 1, g1), workspace);
    size_t sections = section_bytes(d, g1, g2, workspace, c);
    if (h == 0 || sections == 0) return SIZE_MAX;
    size_t with_stream = larger(vector + h, sections) + stream_bytes(chunk);
    return larger(2 * vector, with_stream) + SLACK;
}

/* Smaller chunks and less workspace until it fits. */
cuzk_status plan_streamed(struct cuda_plan *out, const struct device_circuit *d, size_t count, size_t room,
                          const struct context *c, cuzk_error *err)
{
    size_t each = witness_bytes_of(&d->shape), bytes = SIZE_MAX, chunk = MAX_CHUNK, workspace = CHUNK_WORKSPACE;
    for (; chunk >= MIN_CHUNK; chunk /= 2, workspace /= 2) {
        bytes = streamed_bytes(d, chunk, workspace, c);
        if (bytes <= room && each <= room - bytes) break;
    }
    if (chunk < MIN_CHUNK) {
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "cuda device %d: a proof needs %zu bytes, %zu of %zu are left",
                         c->ordinal, bytes == SIZE_MAX ? 2 * vector_bytes(&d->shape) + each : bytes + each, room,
                         c->device->memory_limit);
    }
    size_t batch = (room - bytes) / each;
    batch = smaller(smaller(batch, BACKEND_MAX_BATCH), count);
    *out = (struct cuda_plan){ chunk, batch, bytes + batch * each };
    return CUZK_OK;
}

cuzk_status cuda_plan_make(struct cuda_plan *out, const struct cuda_circuit *circuit, const struct cuda_srs *srs,
                           size_t count, struct cuda_state *s, cuzk_error *err)
{
    bool streams = circuit->arena_bytes == SIZE_MAX;
    for (int i = 0; i < SRS_SECTIONS; i++) streams = streams || srs_streamed(srs, (enum srs_section)i);
    if (streams) return plan_streamed(out, &circuit->device, count, cuda_room(s), &s->lane[0], err);
    *out = (struct cuda_plan){ 0, 1, circuit->arena_bytes };
    return CUZK_OK;
}
