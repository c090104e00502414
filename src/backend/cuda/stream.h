/* The points of one section of the parameters, a chunk at a time, for sums over them. What is resident is handed out
 * where it lies; what is not comes from the file's mapping through pinned memory and is decoded on the device, one
 * chunk arriving while the one before it is in use. Each chunk serves all partitions of a batch. */
#ifndef CUZK_CUDA_STREAM_H
#define CUZK_CUDA_STREAM_H

#include "backend/cuda/state.h"

struct point_stream {
    struct cuda_state *state;
    struct context *c;
    const struct cuda_srs *srs;
    enum srs_section section;
    uint64_t count, each; /* points in all, and of a chunk */
    uint64_t queued;      /* points whose transfer has been queued */
    uint64_t taken;
    void *slot[2];   /* decoded */
    uint8_t *raw[2]; /* as in the file, STAGING_BYTES each */
    unsigned long long *bad;
    unsigned turn;
};

/* Points [begin, end). Point i of the section is at points + i·size, for i in this range. */
struct point_chunk {
    const char *points;
    uint64_t begin, end;
};

/* Arena bytes that a stream takes for chunks of this many bytes, if it streams. */
size_t stream_bytes(size_t chunk_bytes);

/* chunk_bytes 0: everything in one chunk, which only what is resident can be. Takes from the arena of `c`; the caller
 * releases it, after stream_close. */
cuzk_status stream_open(struct point_stream *out, const struct cuda_srs *srs, enum srs_section section,
                        size_t chunk_bytes, struct cuda_state *state, struct context *c, cuzk_error *err);

/* Queues the transfer of the next chunk, if there is one: while the current chunk's sums are queued and run. */
cuzk_status stream_queue(struct point_stream *x, cuzk_error *err);

/* The next chunk; what is queued on the lane's stream from now on finds it there. The sums over the one before the
 * last must be done. */
cuzk_status stream_take(struct point_chunk *out, struct point_stream *x, cuzk_error *err);
static inline bool stream_ended(const struct point_stream *x) { return x->taken == x->count; }

/* CUZK_ERR_DATA if a point was malformed, naming the first. To be called however the stream ended. */
cuzk_status stream_close(struct point_stream *x, cuzk_error *err);

/* Points [begin, end) of a section of a file to device memory, decoded, through the lane's staging memory and raw[2],
 * on `stream`. The file's bytes are copied by the threads of the pool. *bad as in points.h. */
struct point_transfer {
    const struct params_file *file;
    enum srs_section section;
    uint8_t *raw[2];
    unsigned long long *bad;
    unsigned turn;
};

cuzk_status transfer_points(void *out, struct point_transfer *x, uint64_t begin, uint64_t end, cudaStream_t stream,
                            struct pool *pool, struct context *c, cuzk_error *err);

/* What is wrong with the point that the device refused. */
cuzk_status transfer_refused(const struct params_file *file, enum srs_section section, uint64_t number,
                             cuzk_error *err);

#endif
