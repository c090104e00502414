/* Multi-scalar multiplication, once for G1 and once for G2: msm.c defines the macros. The contract is in
 * msm.h.
 *
 * The entries of a chunk are cut into segments, and a segment is worked on by one thread: it gathers its points
 * into one array, a run of neighbours for each bucket, in front of which it puts what the bucket holds already.
 * Runs are padded with infinity to even lengths, so that a round of additions of neighbours halves them all in
 * one batch; a run of length 1 is the bucket's new value. A bucket that is cut by a segment's edge is left for
 * later: the segment keeps its part of the sum. */

struct POINT(run) {
    uint32_t bucket, length;
};

/* What one thread works with. */
struct POINT(scratch) {
    POINT(affine_t) *points; /* 2·SEGMENT + 2 */
    struct POINT(slot) *slots; /* SEGMENT + 1 */
    struct POINT(run) *runs; /* SEGMENT */
    size_t run_count;
};

/* Parts of the buckets that lie across a segment's first and last edge. */
struct POINT(edges) {
    uint32_t bucket[2];
    POINT(affine_t) part[2];
};

struct POINT(msm) {
    struct pool *pool;
    struct bucket_sort sort;
    FIELD(t) *second_x; /* β·x of the chunk's points */
    POINT(affine_t) *buckets;
    struct POINT(edges) *edges;
    POINT(t) *joined;
    size_t edges_capacity;
    struct POINT(scratch) *scratch;
    const POINT(affine_t) *chunk;
};
