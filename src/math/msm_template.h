/* Multi-scalar multiplication, once for G1 and once for G2: msm.c defines the macros. The contract is in
 * msm.h.
 *
 * The sorted entries of a chunk are cut into segments, and a segment is worked on by one thread: it gathers its
 * points into one array, a run of neighbours for each bucket, behind what the bucket holds already. Then all
 * runs are halved together, a batch of additions of neighbours in each round, until each is one point, the
 * bucket's new value. A bucket that lies across a segment's edge is left for later: the segment keeps its part
 * of the sum. While it adds, the points of the segment that it takes next are fetched into its cache. */

/* Points that belong to one bucket, `length` of them. */
struct POINT(run) {
    POINT(affine_t) *points, *destination;
    size_t length;
};

struct POINT(walk);

/* What one thread works with. */
struct POINT(scratch) {
    POINT(affine_t) points[2 * SEGMENT];
    struct POINT(addition) list[SEGMENT];
    struct POINT(run) runs[SEGMENT];
    size_t filled, run_count;
    const void *ahead[2 * SEGMENT]; /* elements of the points that come next */
    struct fetch_ahead fetch;
    struct POINT(walk) *walk; /* or NULL: if sums in lanes pay */
};

/* The parts of the buckets that lie across the first and the last edge of a segment. */
struct POINT(edges) {
    uint32_t bucket[2];
    POINT(affine_t) part[2];
};

/* Buckets across edges, while their parts are joined. */
struct POINT(joint) {
    POINT(t) sum[JOINT];
    POINT(affine_t) affine[JOINT];
    FIELD(t) inverse[JOINT];
    uint32_t bucket[JOINT];
    size_t count;
};

struct POINT(msm) {
    struct pool *pool;
    struct bucket_sort sort;
    size_t segment; /* entries */
    const POINT(affine_t) *chunk; /* the points that the entries mean */
    FIELD(t) *second_x;           /* their x-coordinates times β */
    POINT(affine_t) *buckets;     /* [windows][buckets] */
    struct POINT(scratch) *scratch; /* [threads] */
    struct POINT(walk) *walks;      /* the same, or NULL */
    struct POINT(edges) *edges;     /* [segments] */
    struct POINT(joint) joint;
    /* For finish: the buckets of a window are a matrix of 2^row_log rows and 2^column_log columns. */
    unsigned row_log, column_log;
    POINT(affine_t) *rows, *columns; /* sums of each row and column, [windows][…] */
    struct POINT(addition) *list;    /* as many as rows and columns */
    POINT(t) *window_sums;
};

static inline size_t POINT(total_buckets)(const struct POINT(msm) *m)
{
    return m->sort.windows * m->sort.buckets;
}

/* ---- Filling the buckets ---- */

/* Choices between equally likely things are made by arithmetic: a branch would be mispredicted every other time. */
static inline const void *POINT(choose)(bool second, const void *if_second, const void *if_first)
{
    uintptr_t a = (uintptr_t)if_first, b = (uintptr_t)if_second;
    return (const void *)(a ^ ((a ^ b) & (0 - (uintptr_t)second)));
}

static inline const FIELD(t) *POINT(entry_x)(const struct POINT(msm) *m, uint32_t entry)
{
    size_t i = bucket_entry_point(entry);
    return POINT(choose)(bucket_entry_second(entry), &m->second_x[i], &m->chunk[i].x);
}

static inline const FIELD(t) *POINT(entry_y)(const struct POINT(msm) *m, uint32_t entry)
{
    return &m->chunk[bucket_entry_point(entry)].y;
}

static inline void POINT(fetch)(POINT(affine_t) *out, const struct POINT(msm) *m, uint32_t entry)
{
    const FIELD(t) *y = POINT(entry_y)(m, entry);
    FIELD(t) negative;
    FIELD(sub)(&negative, &FIELD_ZERO, y);
    out->x = *POINT(entry_x)(m, entry);
    out->y = *(const FIELD(t) *)POINT(choose)(bucket_entry_negative(entry), &negative, y);
}

static inline void POINT(prefetch)(const struct POINT(msm) *m, uint32_t entry)
{
    size_t i = bucket_entry_point(entry);
    __builtin_prefetch(POINT(entry_x)(m, entry));
    __builtin_prefetch(&m->chunk[i].y);
    __builtin_prefetch((const char *)(&m->chunk[i] + 1) - 1);
}

/* Puts entries [begin, end) into a run whose sum goes to *destination, on top of what is there if `onto`. */
static void POINT(load_run)(struct POINT(scratch) *s, const struct POINT(msm) *m, size_t begin, size_t end,
                            POINT(affine_t) *destination, bool onto)
{
    struct POINT(run) run = { .points = s->points + s->filled, .destination = destination };
    size_t last = m->sort.first[m->sort.windows];
    if (onto && !POINT(affine_is_infinity)(destination)) run.points[run.length++] = *destination;
    for (size_t i = begin; i < end; i++) {
        if (i + AHEAD < last) POINT(prefetch)(m, m->sort.entries[i + AHEAD]);
        POINT(fetch)(&run.points[run.length++], m, m->sort.entries[i]);
    }
    if (run.length == 1) {
        *destination = run.points[0];
        return;
    }
    s->filled += run.length;
    s->runs[s->run_count++] = run;
}

/* Adds neighbours in all runs at once until every run is one point. */
static void POINT(fold_runs)(struct POINT(scratch) *s)
{
    while (s->run_count > 0) {
        size_t n = 0, left = 0;
        for (size_t r = 0; r < s->run_count; r++) {
            const struct POINT(run) *run = &s->runs[r];
            for (size_t i = 0; i < run->length / 2; i++, n++) {
                s->list[n].out = &run->points[i];
                s->list[n].a = &run->points[2 * i];
                s->list[n].b = &run->points[2 * i + 1];
            }
        }
        POINT(batch_add_fetching)(s->list, n, &s->fetch);
        for (size_t r = 0; r < s->run_count; r++) {
            struct POINT(run) run = s->runs[r];
            if (run.length % 2) run.points[run.length / 2] = run.points[run.length - 1];
            run.length = (run.length + 1) / 2;
            if (run.length == 1) {
                *run.destination = run.points[0];
            } else {
                s->runs[left++] = run;
            }
        }
        s->run_count = left;
    }
}

#include "math/msm_lanes_template.h"

static inline void POINT(take_run)(struct POINT(scratch) *s, const struct POINT(msm) *m, size_t begin, size_t end,
                                   POINT(affine_t) *destination, bool onto)
{
    if (s->walk) {
        POINT(find_slot)(s, m, begin, end, destination, onto);
    } else {
        POINT(load_run)(s, m, begin, end, destination, onto);
    }
}

/* The bucket that entry `index` belongs to. */
static size_t POINT(bucket_of)(const struct POINT(msm) *m, size_t index)
{
    size_t low = 0, high = POINT(total_buckets)(m) - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (bucket_end(&m->sort, middle) > index) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static void POINT(load_segment)(struct POINT(scratch) *s, const struct POINT(msm) *m, size_t begin, size_t end,
                                struct POINT(edges) *edges)
{
    size_t bucket = POINT(bucket_of)(m, begin);
    size_t bucket_begin = bucket > 0 ? bucket_end(&m->sort, bucket - 1) : 0;
    edges->bucket[0] = edges->bucket[1] = NO_BUCKET;
    s->filled = s->run_count = 0;
    for (size_t at = begin; at < end; bucket++) {
        size_t stop = bucket_end(&m->sort, bucket);
        if (stop == at) continue;
        if (bucket_begin < begin || stop > end) {
            int edge = bucket_begin < begin ? 0 : 1;
            if (stop > end) stop = end;
            edges->bucket[edge] = (uint32_t)bucket;
            POINT(take_run)(s, m, at, stop, &edges->part[edge], false);
        } else {
            POINT(take_run)(s, m, at, stop, &m->buckets[bucket], true);
        }
        at = bucket_begin = stop;
    }
}

/* Has the points of entries [begin, end) fetched during the next additions. */
static void POINT(announce)(struct POINT(scratch) *s, const struct POINT(msm) *m, size_t begin, size_t end)
{
    size_t n = 0;
    for (size_t i = begin; i < end; i++) {
        s->ahead[n++] = POINT(entry_x)(m, m->sort.entries[i]);
        s->ahead[n++] = POINT(entry_y)(m, m->sort.entries[i]);
    }
    s->fetch = (struct fetch_ahead){ s->ahead, s->ahead + n };
}

static void POINT(run_segments)(void *context, size_t begin, size_t end, unsigned worker)
{
    struct POINT(msm) *m = context;
    struct POINT(scratch) *s = &m->scratch[worker];
    size_t total = m->sort.first[m->sort.windows], size = m->segment;
    for (size_t k = begin; k < end; k++) {
        size_t stop = (k + 1) * size < total ? (k + 1) * size : total, next = stop;
        if (k + 1 < end && !s->walk) next = total - stop < size ? total : stop + size;
        POINT(load_segment)(s, m, k * size, stop, &m->edges[k]);
        if (s->walk) POINT(walk_slots)(s, m);
        POINT(announce)(s, m, stop, next);
        POINT(fold_runs)(s);
    }
}

static void POINT(store_joint)(struct POINT(msm) *m)
{
    struct POINT(joint) *joint = &m->joint;
    POINT(batch_to_affine_var)(joint->affine, joint->sum, joint->count, joint->inverse);
    for (size_t i = 0; i < joint->count; i++) m->buckets[joint->bucket[i]] = joint->affine[i];
    joint->count = 0;
}

/* Adds what the edges keep to the buckets; the parts of one bucket follow each other. */
static void POINT(join_edges)(struct POINT(msm) *m, size_t segments)
{
    struct POINT(joint) *joint = &m->joint;
    uint32_t bucket = NO_BUCKET;
    joint->count = 0;
    for (size_t i = 0; i < 2 * segments; i++) {
        const struct POINT(edges) *edges = &m->edges[i / 2];
        if (edges->bucket[i % 2] == NO_BUCKET) continue;
        if (edges->bucket[i % 2] != bucket) {
            if (joint->count == JOINT) POINT(store_joint)(m);
            bucket = edges->bucket[i % 2];
            joint->bucket[joint->count] = bucket;
            POINT(from_affine)(&joint->sum[joint->count++], &m->buckets[bucket]);
        }
        POINT(t) *sum = &joint->sum[joint->count - 1];
        POINT(add_mixed)(sum, sum, &edges->part[i % 2]);
    }
    POINT(store_joint)(m);
}

static void POINT(map_points)(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    struct POINT(msm) *m = context;
    if (m->walks) {
        SCALE_LANES(m->second_x + begin, m->chunk + begin, end - begin);
        return;
    }
    for (size_t i = begin; i < end; i++) SCALE_X(&m->second_x[i], &m->chunk[i].x);
}

void POINT(msm_add)(struct POINT(msm) *m, const POINT(affine_t) *points, const fr_t *scalars, size_t n,
                    bool canonical)
{
    while (n > 0) {
        size_t count = n < m->sort.capacity ? n : m->sort.capacity;
        m->chunk = points;
        bucket_sort_run(&m->sort, scalars, count, canonical, m->pool);
        pool_for(m->pool, count, MAP_GRAIN, POINT(map_points), m);
        size_t segments = (m->sort.first[m->sort.windows] + m->segment - 1) / m->segment;
        size_t grain = segments / (8 * pool_threads(m->pool)) + 1;
        if (grain > MOST_SEGMENTS) grain = MOST_SEGMENTS;
        if (m->walks) grain = 1; /* they are long, and nothing is fetched from one to the next */
        pool_for(m->pool, segments, grain, POINT(run_segments), m);
        POINT(join_edges)(m, segments);
        points += count;
        scalars += count;
        n -= count;
    }
}

/* ---- From the buckets to the sum ---- */

/* Adds up the rows, and the columns, of the bucket matrices of windows [begin, end). */
static void POINT(sum_rows)(struct POINT(msm) *m, size_t begin, size_t end)
{
    size_t columns = (size_t)1 << m->column_log;
    size_t first = begin << m->row_log, n = (end - begin) << m->row_log;
    struct POINT(addition) *list = m->list + first;
    for (size_t i = 0; i < n; i++) list[i].out = &m->rows[first + i];
    for (size_t column = 0; column < columns; column++) {
        for (size_t i = 0; i < n; i++) {
            list[i].a = list[i].out;
            list[i].b = &m->buckets[(first + i) * columns + column];
        }
        POINT(batch_add)(list, n);
    }
}

static void POINT(sum_columns)(struct POINT(msm) *m, size_t begin, size_t end)
{
    size_t columns = (size_t)1 << m->column_log, rows = (size_t)1 << m->row_log;
    size_t first = begin * columns, n = (end - begin) * columns;
    struct POINT(addition) *list = m->list + (m->sort.windows << m->row_log) + first;
    for (size_t i = 0; i < n; i++) list[i].out = &m->columns[first + i];
    for (size_t row = 0; row < rows; row++) {
        for (size_t i = 0; i < n; i++) {
            size_t window = (first + i) / columns, column = i % columns;
            list[i].a = list[i].out;
            list[i].b = &m->buckets[(window * rows + row) * columns + column];
        }
        POINT(batch_add)(list, n);
    }
}

/* Σ (i + 1)·points[i] */
static void POINT(weigh)(POINT(t) *out, const POINT(affine_t) *points, size_t n)
{
    POINT(t) tail = INFINITY_XYZZ, sum = INFINITY_XYZZ;
    while (n-- > 0) {
        POINT(add_mixed)(&tail, &tail, &points[n]);
        POINT(add)(&sum, &sum, &tail);
    }
    *out = sum;
}

/* For windows [begin, end) */
static void POINT(clear)(struct POINT(msm) *m, size_t begin, size_t end)
{
    size_t n = end - begin;
    memset(m->buckets + begin * m->sort.buckets, 0, n * m->sort.buckets * sizeof *m->buckets);
    memset(m->rows + (begin << m->row_log), 0, (n << m->row_log) * sizeof *m->rows);
    memset(m->columns + (begin << m->column_log), 0, (n << m->column_log) * sizeof *m->columns);
}

/* The bucket in row i, column j of its window counts i·2^column_log + j + 1 times. */
static void POINT(sum_windows)(void *context, size_t begin, size_t end, unsigned worker)
{
    struct POINT(msm) *m = context;
    size_t columns = (size_t)1 << m->column_log, rows = (size_t)1 << m->row_log;
    if (m->walks) {
        POINT(walk_windows)(&m->walks[worker], m, begin, end);
    } else {
        POINT(sum_rows)(m, begin, end);
        POINT(sum_columns)(m, begin, end);
    }
    for (size_t w = begin; w < end; w++) {
        POINT(t) by_row, by_column;
        POINT(weigh)(&by_row, m->rows + w * rows + 1, rows - 1);
        for (unsigned i = 0; i < m->column_log; i++) POINT(double)(&by_row, &by_row);
        POINT(weigh)(&by_column, m->columns + w * columns, columns);
        POINT(add)(&m->window_sums[w], &by_row, &by_column);
    }
    POINT(clear)(m, begin, end);
}


void POINT(msm_finish)(POINT(t) *out, struct POINT(msm) *m)
{
    size_t windows = m->sort.windows, threads = pool_threads(m->pool);
    pool_for(m->pool, windows, (windows + threads - 1) / threads, POINT(sum_windows), m);
    POINT(t) sum = INFINITY_XYZZ;
    for (size_t w = windows; w-- > 0;) {
        for (unsigned i = 0; i < m->sort.bits; i++) POINT(double)(&sum, &sum);
        POINT(add)(&sum, &sum, &m->window_sums[w]);
    }
    *out = sum;
}

/* ---- The workspace ---- */

void POINT(msm_destroy)(struct POINT(msm) *m)
{
    if (!m) return;
    bucket_sort_free(&m->sort);
    free(m->second_x);
    free(m->buckets);
    free(m->scratch);
    free(m->edges);
    free(m->rows);
    free(m->columns);
    free(m->list);
    free(m->window_sums);
    free(m->walks);
    free(m);
}

cuzk_status POINT(msm_create)(struct POINT(msm) **out, size_t expected, struct pool *pool, cuzk_error *err)
{
    *out = NULL;
    struct POINT(msm) *m = calloc(1, sizeof *m);
    if (!m) goto no_memory;
    unsigned bits = choose_bits(expected), threads = pool_threads(pool);
    size_t windows = bucket_windows(bits), chunk = choose_chunk(expected, bits, threads);
    m->pool = pool;
    m->segment = choose_segment();
    m->row_log = (bits - 1) / 2;
    m->column_log = bits - 1 - m->row_log;
    if (!bucket_sort_init(&m->sort, bits, chunk, threads)) goto no_memory;
    m->second_x = malloc(chunk * sizeof *m->second_x);
    m->buckets = malloc(POINT(total_buckets)(m) * sizeof *m->buckets);
    m->scratch = malloc(threads * sizeof *m->scratch);
    m->edges = malloc((2 * chunk * windows / m->segment + 1) * sizeof *m->edges);
    m->rows = malloc((windows << m->row_log) * sizeof *m->rows);
    m->columns = malloc((windows << m->column_log) * sizeof *m->columns);
    m->list = malloc(((windows << m->row_log) + (windows << m->column_log)) * sizeof *m->list);
    m->window_sums = malloc(windows * sizeof *m->window_sums);
    if (!m->second_x || !m->buckets || !m->scratch || !m->edges || !m->rows || !m->columns || !m->list ||
        !m->window_sums) {
        goto no_memory;
    }
    if (lane_sums_pay()) {
        m->walks = aligned_alloc(64, threads * sizeof *m->walks);
        if (!m->walks) goto no_memory;
    }
    huge_advise(m->second_x, chunk * sizeof *m->second_x);
    huge_advise(m->buckets, POINT(total_buckets)(m) * sizeof *m->buckets);
    huge_advise(m->scratch, threads * sizeof *m->scratch);
    huge_advise(m->walks, m->walks ? threads * sizeof *m->walks : 0);
    for (unsigned i = 0; i < threads; i++) POINT(set_walk)(&m->scratch[i], m->walks ? &m->walks[i] : NULL);
    POINT(clear)(m, 0, windows);
    *out = m;
    return CUZK_OK;
no_memory:
    POINT(msm_destroy)(m);
    return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a multi-scalar multiplication of %zu points",
                     expected);
}

cuzk_status POINT(msm)(POINT(t) *out, const POINT(affine_t) *points, const fr_t *scalars, size_t n,
                       struct pool *pool, cuzk_error *err)
{
    struct POINT(msm) *m;
    cuzk_status status = POINT(msm_create)(&m, n, pool, err);
    if (status != CUZK_OK) return status;
    POINT(msm_add)(m, points, scalars, n, false);
    POINT(msm_finish)(out, m);
    POINT(msm_destroy)(m);
    return CUZK_OK;
}
