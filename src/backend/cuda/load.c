/* Parameters and circuits into device memory. */
#include "backend/cuda/state.h"

#include <stdlib.h>
#include <string.h>

enum { COPY_PIECE = 1 << 20 };

struct copy {
    uint8_t *to;
    const uint8_t *from;
};

static void copy_piece(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    const struct copy *x = context;
    memcpy(x->to + begin, x->from + begin, end - begin);
}

/* A parameter file on its way: through pinned memory in turns, decoded on the device. */
struct transfer {
    struct cuda_state *state;
    const struct params_file *file;
    const struct progress *progress;
    uint64_t done, total;
    uint8_t *raw[2]; /* on the device */
    unsigned long long *bad;
    unsigned turn;
};

static cuzk_status transfer_section(void *points, struct transfer *x, enum srs_section section, cuzk_error *err)
{
    struct context *c = &x->state->context;
    size_t size = srs_point_bytes(section), chunk = STAGING_BYTES / size;
    uint64_t count = x->file->counts.section[section];
    TRY(cudaMemsetAsync(x->bad, 0xff, sizeof *x->bad, c->stream));
    for (uint64_t begin = 0; begin < count; begin += chunk) {
        size_t n = count - begin < chunk ? (size_t)(count - begin) : chunk;
        unsigned turn = x->turn++ & 1;
        TRY(cudaEventSynchronize(c->staged[turn]));
        struct copy copy = { c->staging[turn], params_point(x->file, section, begin) };
        pool_for(x->state->pool, n * size, COPY_PIECE, copy_piece, &copy);
        TRY(cudaMemcpyAsync(x->raw[turn], c->staging[turn], n * size, cudaMemcpyHostToDevice, c->stream));
        TRY_STATUS(points_decode((char *)points + begin * size, section_group(section), x->raw[turn], n, begin,
                                 x->bad, c, err));
        TRY(cudaEventRecord(c->staged[turn], c->stream));
        x->done += n;
        if (x->progress && x->progress->report) x->progress->report(x->progress->context, x->done, x->total);
    }
    unsigned long long *bad = c->pinned;
    TRY(cudaMemcpyAsync(bad, x->bad, sizeof *bad, cudaMemcpyDeviceToHost, c->stream));
    TRY_STATUS(context_wait(c, err));
    if (*bad == UINT64_MAX) return CUZK_OK;
    cuzk_status status = params_point_error(x->file, section, *bad, POINT_CHECK_ENCODING, err);
    return status != CUZK_OK ? status
                             : cuzk_fail(err, CUZK_ERR_INTERNAL, "device and host disagree about point %llu of %s",
                                         *bad, srs_section_name(section));
}

static cuzk_status load_sections(struct cuda_srs *srs, struct transfer *x, cuzk_error *err)
{
    struct context *c = &x->state->context;
    TRY_STATUS(context_reserve(c, 2 * (size_t)STAGING_BYTES + 4096, err));
    for (int i = 0; i < 2; i++) TRY_TAKE(x->raw[i], STAGING_BYTES, "a piece of the parameters");
    TRY_TAKE(x->bad, 1, "a counter");
    for (int i = 0; i < SRS_SECTIONS; i++) x->total += x->file->counts.section[i];
    for (int i = 0; i < SRS_SECTIONS; i++) {
        enum srs_section section = (enum srs_section)i;
        size_t bytes = x->file->counts.section[i] * srs_point_bytes(section);
        TRY_STATUS(context_allocate(&srs->points[i], c, bytes, "parameters", err));
        srs->bytes[i] = bytes;
        TRY_STATUS(transfer_section(srs->points[i], x, section, err));
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
    cuzk_status status = cuda_enter(s, err);
    if (status == CUZK_OK) {
        struct transfer x = { .state = s, .file = out->file, .progress = p };
        status = load_sections(srs, &x, err);
        if (status != CUZK_OK) {
            (void)cudaStreamSynchronize(s->context.stream);
            release_sections(srs, &s->context);
        }
        cuda_leave(s);
    } else {
        free(srs);
    }
    if (status == CUZK_OK) out->loaded = srs;
    return status;
}

void cuda_srs_drop(struct backend_srs *out, void *state)
{
    struct cuda_state *s = state;
    pthread_mutex_lock(&s->lock);
    (void)cudaSetDevice(s->context.ordinal);
    release_sections(out->loaded, &s->context);
    pthread_mutex_unlock(&s->lock);
}

/* What a sum of n wide values wants: its scalars and the workspace. */
static size_t wide_bytes(enum sums_group g, size_t n, size_t limit)
{
    return n * sizeof(fr_t) + 256 + sums_msm_bytes(g, n, limit);
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

/* The arena that one proof takes: the witness, then the vectors of the quotient and the sum of h; then the
 * other sums. */
static size_t proof_bytes(const struct device_circuit *d, const struct context *c)
{
    const struct flat_circuit *f = &d->shape;
    size_t m = (size_t)1 << f->log2_domain, vector = m * sizeof(fr_t), limit = c->memory_limit / 4;
    size_t most = vector + larger(vector, sums_msm_bytes(SUMS_G1, m - 1, limit));
    for (int i = 0; i < CIRCUIT_SUMS; i++) most = larger(most, wide_bytes(SUMS_G1, d->wide[i].count, limit));
    most = larger(most, wide_bytes(SUMS_G2, d->wide[SUM_B].count, limit));
    size_t listed =
        larger(sums_listed_bytes(SUMS_G1, f->bits, limit, c), sums_listed_bytes(SUMS_G2, f->bits, limit, c));
    most = larger(most, (size_t)f->bits * 4 + circuit_scratch_bytes(f) + listed);
    size_t witness = ((size_t)f->bits / 64 + 16) * 8 + ((size_t)f->wides + f->inputs) * sizeof(fr_t);
    return witness + most + (1 << 16);
}

static cuzk_status load_circuit(struct cuda_circuit *out, struct cuda_state *s, const struct backend_circuit *bc,
                                cuzk_error *err)
{
    struct context *c = &s->context;
    struct flat_circuit flat;
    TRY_STATUS(circuit_flatten(&flat, bc->circuit, &bc->layout, err));
    cuzk_status status = context_reserve(c, circuit_scratch_bytes(&flat), err);
    if (status == CUZK_OK) status = device_circuit_create(&out->device, &flat, c, err);
    flat_circuit_release(&flat);
    if (status != CUZK_OK) return status;
    out->arena_bytes = proof_bytes(&out->device, c);
    status = context_reserve(c, out->arena_bytes, err);
    if (status != CUZK_OK) device_circuit_release(&out->device, c);
    return status;
}

cuzk_status cuda_circuit_load(struct backend_circuit *out, void *state, cuzk_error *err)
{
    struct cuda_state *s = state;
    struct cuda_circuit *loaded = calloc(1, sizeof *loaded);
    if (!loaded) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    cuzk_status status = cuda_enter(s, err);
    if (status == CUZK_OK) {
        status = load_circuit(loaded, s, out, err);
        cuda_leave(s);
    }
    if (status == CUZK_OK)
        out->loaded = loaded;
    else
        free(loaded);
    return status;
}

void cuda_circuit_drop(struct backend_circuit *out, void *state)
{
    struct cuda_state *s = state;
    struct cuda_circuit *loaded = out->loaded;
    pthread_mutex_lock(&s->lock);
    (void)cudaSetDevice(s->context.ordinal);
    device_circuit_release(&loaded->device, &s->context);
    pthread_mutex_unlock(&s->lock);
    free(loaded);
}
