#include "backend/cuda/stream.h"

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

cuzk_status transfer_points(void *out, struct point_transfer *x, uint64_t begin, uint64_t end, cudaStream_t stream,
                            struct pool *pool, struct context *c, cuzk_error *err)
{
    size_t size = srs_point_bytes(x->section), most = STAGING_BYTES / size;
    TRY_STATUS(context_staging(c, err));
    for (uint64_t i = begin; i < end; i += most) {
        size_t n = end - i < most ? (size_t)(end - i) : most;
        unsigned turn = x->turn++ & 1;
        TRY(cudaEventSynchronize(c->staged[turn]));
        struct copy copy = { c->staging[turn], params_point(x->file, x->section, i) };
        pool_for(pool, n * size, COPY_PIECE, copy_piece, &copy);
        TRY(cudaMemcpyAsync(x->raw[turn], c->staging[turn], n * size, cudaMemcpyHostToDevice, stream));
        TRY_STATUS(points_decode((char *)out + (i - begin) * size, section_group(x->section), x->raw[turn], n, i,
                                 x->bad, stream, c, err));
        TRY(cudaEventRecord(c->staged[turn], stream));
    }
    return CUZK_OK;
}

cuzk_status transfer_refused(const struct params_file *file, enum srs_section section, uint64_t number,
                             cuzk_error *err)
{
    cuzk_status status = params_point_error(file, section, number, POINT_CHECK_ENCODING, err);
    if (status != CUZK_OK) return status;
    return cuzk_fail(err, CUZK_ERR_INTERNAL, "device and host disagree about point %llu of %s",
                     (unsigned long long)number, srs_section_name(section));
}

size_t stream_bytes(size_t chunk_bytes) { return 2 * chunk_bytes + 2 * (size_t)STAGING_BYTES + 4096; }

static cuzk_status take_slots(struct point_stream *x, cuzk_error *err)
{
    struct context *c = x->c;
    size_t size = srs_point_bytes(x->section);
    TRY_STATUS(context_staging(c, err));
    for (int i = 0; i < 2; i++) {
        TRY_TAKE(x->slot[i], x->each * size, "a chunk of the parameters");
        TRY_TAKE(x->raw[i], STAGING_BYTES, "a piece of the parameters");
    }
    TRY_TAKE(x->bad, 1, "a counter");
    TRY(cudaMemsetAsync(x->bad, 0xff, sizeof *x->bad, c->copies));
    /* The arena's memory may still be in use by what is queued on the lane's stream. */
    return context_wait(c, err);
}

cuzk_status stream_open(struct point_stream *x, const struct cuda_srs *srs, enum srs_section section,
                        size_t chunk_bytes, struct cuda_state *state, struct context *c, cuzk_error *err)
{
    uint64_t count = srs->bytes[section] / srs_point_bytes(section), most = chunk_bytes / srs_point_bytes(section);
    *x = (struct point_stream){ .state = state, .c = c, .srs = srs, .section = section, .count = count };
    x->each = chunk_bytes == 0 || most > count ? count : most;
    if (!srs_streamed(srs, section)) {
        x->queued = count;
        return CUZK_OK;
    }
    if (chunk_bytes == 0) return cuzk_fail(err, CUZK_ERR_INTERNAL, "parameters are not resident");
    cuzk_status status = take_slots(x, err);
    if (status == CUZK_OK) status = stream_queue(x, err);
    if (status != CUZK_OK) stream_close(x, NULL);
    return status;
}

cuzk_status stream_queue(struct point_stream *x, cuzk_error *err)
{
    struct context *c = x->c;
    if (x->queued == x->count) return CUZK_OK;
    unsigned slot = (x->queued / x->each) & 1;
    uint64_t end = x->count - x->queued < x->each ? x->count : x->queued + x->each;
    struct point_transfer t = { x->srs->file, x->section, { x->raw[0], x->raw[1] }, x->bad, x->turn };
    TRY_STATUS(transfer_points(x->slot[slot], &t, x->queued, end, c->copies, x->state->pool, c, err));
    TRY(cudaEventRecord(c->arrived[slot], c->copies));
    x->turn = t.turn;
    x->queued = end;
    return CUZK_OK;
}

cuzk_status stream_take(struct point_chunk *out, struct point_stream *x, cuzk_error *err)
{
    struct context *c = x->c;
    size_t size = srs_point_bytes(x->section);
    unsigned slot = (x->taken / x->each) & 1;
    out->begin = x->taken;
    out->end = x->count - x->taken < x->each ? x->count : x->taken + x->each;
    x->taken = out->end;
    if (!srs_streamed(x->srs, x->section)) {
        out->points = x->srs->points[x->section];
        return CUZK_OK;
    }
    out->points = (const char *)x->slot[slot] - out->begin * size;
    TRY(cudaStreamWaitEvent(c->stream, c->arrived[slot], 0));
    return CUZK_OK;
}

cuzk_status stream_close(struct point_stream *x, cuzk_error *err)
{
    struct context *c = x->c;
    if (!srs_streamed(x->srs, x->section)) return CUZK_OK;
    if (!x->bad) return CUZK_OK;
    unsigned long long bad;
    TRY(cudaMemcpyAsync(&bad, x->bad, sizeof bad, cudaMemcpyDeviceToHost, c->copies));
    TRY(cudaStreamSynchronize(c->copies));
    return bad == UINT64_MAX ? CUZK_OK : transfer_refused(x->srs->file, x->section, bad, err);
}
