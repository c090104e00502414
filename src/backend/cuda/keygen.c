#include "backend/cuda/keygen.h"

#include "backend/cuda/fixed_base.h"
#include "base/clock.h"
#include "groth16/keygen.h"

#include <stdlib.h>
#include <string.h>

/* Points that are computed at once: as many as staging memory holds encoded points and, behind them, scalars. */
static size_t chunk_points(enum sums_group g) { return STAGING_BYTES / (sums_affine_bytes(g) + sizeof(fr_t)); }

/* ---- columns, in a thread of their own ---- */

struct columns {
    const struct keygen *keygen;
    enum keygen_columns which;
    fr_t *inputs, *aux;
    pthread_t thread;
    bool started;
    uint64_t time;
    cuzk_status status;
    cuzk_error error;
};

static cuzk_status columns_create(struct columns *c, const struct keygen *keygen, cuzk_error *err)
{
    *c = (struct columns){ .keygen = keygen };
    c->inputs = malloc(keygen->circuit->inputs * sizeof *c->inputs);
    c->aux = malloc((keygen->circuit->aux + (size_t)1) * sizeof *c->aux);
    if (c->inputs && c->aux) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for %u scalars", keygen->circuit->aux);
}

static void *columns_run(void *context)
{
    struct columns *c = context;
    uint64_t start = clock_now();
    c->status = keygen_columns(c->inputs, c->aux, c->keygen, c->which, &c->error);
    c->time = clock_now() - start;
    return NULL;
}

/* Until columns_wait the pool is theirs. */
static void columns_start(struct columns *c, enum keygen_columns which)
{
    c->which = which;
    c->error = (cuzk_error){ "" };
    c->started = pthread_create(&c->thread, NULL, columns_run, c) == 0;
    if (!c->started) columns_run(c);
}

static cuzk_status columns_wait(struct columns *c, cuzk_error *err)
{
    if (c->started) pthread_join(c->thread, NULL);
    c->started = false;
    if (c->status != CUZK_OK && err) *err = c->error;
    return c->status;
}

static void columns_release(struct columns *c)
{
    (void)columns_wait(c, NULL);
    free(c->inputs);
    free(c->aux);
}

/* ---- which scalars a section has, in order ---- */

struct cursor {
    const struct columns *from;
    const struct srs_layout *b_inputs; /* the inputs that occur in B, or NULL: all */
    const struct ranked_bitmap *dense; /* NULL: all private variables */
    size_t input, input_count;
    uint32_t v;
};

static struct cursor cursor_over(const struct columns *from, enum srs_section section,
                                 const struct backend_circuit *bc)
{
    const struct circuit *c = bc->circuit;
    struct cursor x = { .from = from };
    if (section == SRS_A) {
        x.input_count = c->inputs;
        x.dense = &c->dense[MATRIX_A];
    } else if (section == SRS_B_G1 || section == SRS_B_G2) {
        x.b_inputs = &bc->layout;
        x.input_count = bc->layout.b_input_count;
        x.dense = &c->dense[MATRIX_B];
    }
    return x;
}

/* The next n scalars; there are as many. */
static void cursor_take(fr_t *out, struct cursor *x, size_t n)
{
    const fr_t *inputs = x->from->inputs, *aux = x->from->aux;
    for (; n > 0 && x->input < x->input_count; n--, x->input++) {
        *out++ = inputs[x->b_inputs ? x->b_inputs->b_inputs[x->input] : x->input];
    }
    if (!x->dense) {
        memcpy(out, aux + x->v, n * sizeof *out);
        x->v += (uint32_t)n;
        return;
    }
    while (n > 0) {
        uint64_t left = x->dense->words[x->v >> 6] >> (x->v & 63);
        if (left == 0) {
            x->v = (x->v | 63) + 1;
            continue;
        }
        x->v += (uint32_t)__builtin_ctzll(left);
        *out++ = aux[x->v++];
        n--;
    }
}

/* ---- points ---- */

/* A chunk whose points are on their way into staging memory, or into the parameters. */
struct chunk {
    enum srs_section section;
    size_t count; /* 0: none */
};

struct generation {
    struct cuda_state *state;
    struct context *context;
    const struct keygen_target *target;
    const struct backend_circuit *circuit;
    const struct progress *progress;
    struct keygen_timings *timings;
    struct keygen keygen;
    struct columns columns[2]; /* those of l, later of b; those of a */
    struct fixed_base base;    /* of the present group */
    struct fr *scalars;        /* on the device, one chunk */
    uint8_t *encoded;          /* the same; only for a file */
    struct chunk chunk[2];     /* by turn */
    unsigned turn;
    uint64_t done, total; /* points */
};

/* Waits for the chunk of a turn, and writes it. */
static cuzk_status finish_chunk(struct generation *g, unsigned turn, cuzk_error *err)
{
    struct context *c = g->context;
    struct chunk *chunk = &g->chunk[turn];
    if (chunk->count == 0) return CUZK_OK;
    uint64_t start = clock_now();
    TRY(cudaEventSynchronize(c->staged[turn]));
    uint64_t there = clock_now();
    g->timings->device += there - start;
    if (g->target->writer) {
        TRY_STATUS(params_writer_put(g->target->writer, chunk->section, c->staging[turn], chunk->count, err));
        g->timings->write += clock_now() - there;
    }
    g->done += chunk->count;
    chunk->count = 0;
    if (g->progress && g->progress->report) g->progress->report(g->progress->context, g->done, g->total);
    return CUZK_OK;
}

static cuzk_status finish_chunks(struct generation *g, cuzk_error *err)
{
    TRY_STATUS(finish_chunk(g, g->turn & 1, err));
    return finish_chunk(g, (g->turn & 1) ^ 1, err);
}

/* h[begin …) */
static cuzk_status queue_powers(struct generation *g, size_t begin, size_t n, cuzk_error *err)
{
    const struct keygen *k = &g->keygen;
    fr_t first;
    fr_pow_u64_var(&first, &k->toxic.tau, begin);
    fr_mul(&first, &first, &k->vanishing);
    fr_mul(&first, &first, &k->inverse_delta);
    return fixed_base_powers(g->scalars, n, &first, &k->toxic.tau, g->context, err);
}

static cuzk_status queue_columns(struct generation *g, struct cursor *from, unsigned turn, size_t n, cuzk_error *err)
{
    struct context *c = g->context;
    enum sums_group group = g->base.group;
    uint64_t start = clock_now();
    void *scalars = (char *)c->staging[turn] + chunk_points(group) * sums_affine_bytes(group);
    cursor_take(scalars, from, n);
    g->timings->gather += clock_now() - start;
    TRY(cudaMemcpyAsync(g->scalars, scalars, n * sizeof(fr_t), cudaMemcpyHostToDevice, c->stream));
    return CUZK_OK;
}

/* n points from `begin` on; `from` NULL: powers of tau. */
static cuzk_status queue_chunk(struct generation *g, enum srs_section section, struct cursor *from, uint64_t begin,
                               size_t n, cuzk_error *err)
{
    struct context *c = g->context;
    struct cuda_srs *srs = g->target->srs;
    size_t size = srs_point_bytes(section);
    unsigned turn = g->turn++ & 1;
    void *to = srs ? (char *)srs->points[section] + begin * size : (void *)g->encoded;
    TRY_STATUS(finish_chunk(g, turn, err));
    if (from) {
        TRY_STATUS(queue_columns(g, from, turn, n, err));
    } else {
        TRY_STATUS(queue_powers(g, begin, n, err));
    }
    TRY_STATUS(fixed_base_multiply(to, srs ? FIXED_AFFINE : FIXED_ENCODED, &g->base, g->scalars, n, c, err));
    if (!srs) TRY(cudaMemcpyAsync(c->staging[turn], to, n * size, cudaMemcpyDeviceToHost, c->stream));
    TRY(cudaEventRecord(c->staged[turn], c->stream));
    g->chunk[turn] = (struct chunk){ section, n };
    return CUZK_OK;
}

static cuzk_status generate_section(struct generation *g, enum srs_section section, const struct columns *columns,
                                    cuzk_error *err)
{
    uint64_t count = g->circuit->layout.counts.section[section], start = clock_now();
    size_t most = chunk_points(g->base.group);
    struct cursor cursor = cursor_over(columns, section, g->circuit);
    for (uint64_t begin = 0; begin < count; begin += most) {
        size_t n = count - begin < most ? (size_t)(count - begin) : most;
        TRY_STATUS(queue_chunk(g, section, columns ? &cursor : NULL, begin, n, err));
    }
    g->timings->section[section] = clock_now() - start;
    return CUZK_OK;
}

/* ---- the Lagrange values ---- */

static cuzk_status lagrange_on_device(struct fr **out, struct generation *g, cuzk_error *err)
{
    struct context *c = g->context;
    struct keygen *k = &g->keygen;
    unsigned log = k->circuit->log2_domain;
    struct fr *powers = context_take(c, k->domain * sizeof(fr_t));
    struct fr *values = context_take(c, k->domain * sizeof(fr_t));
    fr_t first;
    if (!powers || !values) return context_exhausted(c, "Lagrange values", err);
    /* L_i(tau) = 1/m·Σ_j tau^j·ω^−ij, as in math/ntt.h's ntt_lagrange */
    fr_from_u64(&first, k->domain);
    fr_inv_var(&first, &first);
    TRY_STATUS(fixed_base_powers(powers, k->domain, &first, &k->toxic.tau, c, err));
    TRY_STATUS(ntt_device_bit_reverse(values, powers, log, c, err));
    TRY_STATUS(ntt_device_interpolate(values, log, false, &g->state->tables, c, err));
    *out = values;
    return CUZK_OK;
}

struct copy {
    char *to;
    const char *from;
};

static void copy_piece(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    const struct copy *x = context;
    memcpy(x->to + begin, x->from + begin, end - begin);
}

enum { COPY_PIECE = 1 << 20 };

/* Through staging memory in turns. */
static cuzk_status download(void *to, const void *from, size_t size, struct pool *pool, struct context *c,
                            cuzk_error *err)
{
    size_t queued = 0, arrived = 0;
    for (unsigned turn = 0; arrived < size; turn ^= 1) {
        for (; queued < size && queued < arrived + 2 * (size_t)STAGING_BYTES; queued += STAGING_BYTES) {
            unsigned place = queued / STAGING_BYTES & 1;
            size_t n = size - queued < STAGING_BYTES ? size - queued : STAGING_BYTES;
            TRY(cudaMemcpyAsync(c->staging[place], (const char *)from + queued, n, cudaMemcpyDeviceToHost,
                                c->stream));
            TRY(cudaEventRecord(c->staged[place], c->stream));
        }
        size_t n = size - arrived < STAGING_BYTES ? size - arrived : STAGING_BYTES;
        struct copy copy = { (char *)to + arrived, c->staging[turn] };
        TRY(cudaEventSynchronize(c->staged[turn]));
        pool_for(pool, n, COPY_PIECE, copy_piece, &copy);
        arrived += n;
    }
    return CUZK_OK;
}

static size_t lagrange_bytes(const struct keygen *k) { return 2 * k->domain * sizeof(fr_t) + 1024; }

static cuzk_status compute_lagrange(struct generation *g, bool on_device, cuzk_error *err)
{
    struct context *c = g->context;
    size_t mark = context_mark(c);
    struct fr *values = NULL;
    if (!on_device) return keygen_lagrange(&g->keygen, err);
    TRY_STATUS(lagrange_on_device(&values, g, err));
    TRY_STATUS(download(g->keygen.lagrange, values, g->keygen.domain * sizeof(fr_t), g->state->pool, c, err));
    context_release(c, mark);
    return CUZK_OK;
}

/* ---- everything ---- */

static cuzk_status await(struct generation *g, struct columns *columns, cuzk_error *err)
{
    uint64_t start = clock_now();
    cuzk_status status = columns_wait(columns, err);
    g->timings->columns_awaited += clock_now() - start;
    g->timings->columns[columns->which] = columns->time;
    return status;
}

static cuzk_status make_key(struct generation *g, const fr_t *inputs, cuzk_error *err)
{
    struct verifying_key vk;
    uint64_t start = clock_now();
    TRY_STATUS(keygen_key(&vk, &g->keygen, inputs, err));
    cuzk_status status = CUZK_OK;
    if (g->target->srs) {
        *g->target->vk = vk;
    } else {
        status = params_writer_key(g->target->writer, &vk, err);
        vk_release(&vk);
    }
    g->timings->key = clock_now() - start;
    return status;
}

static cuzk_status make_table(struct generation *g, enum sums_group group, cuzk_error *err)
{
    const uint64_t *n = g->circuit->layout.counts.section;
    uint64_t start = clock_now(), expected = n[SRS_B_G2];
    TRY_STATUS(context_wait(g->context, err));
    fixed_base_release(&g->base, g->context);
    if (group == SUMS_G1) expected = n[SRS_H] + n[SRS_L] + n[SRS_A] + n[SRS_B_G1];
    TRY_STATUS(fixed_base_create(&g->base, group, (size_t)expected, g->context, err));
    g->timings->tables += clock_now() - start;
    return CUZK_OK;
}

/* Columns of the next section are under way while points of one are made; the key stands in front of the file. */
static cuzk_status generate_points(struct generation *g, cuzk_error *err)
{
    struct columns *first = &g->columns[0], *second = &g->columns[1];
    columns_start(first, KEYGEN_L);
    TRY_STATUS(make_table(g, SUMS_G1, err));
    TRY_STATUS(await(g, first, err));
    TRY_STATUS(make_key(g, first->inputs, err));
    columns_start(second, KEYGEN_A);
    TRY_STATUS(generate_section(g, SRS_H, NULL, err));
    TRY_STATUS(generate_section(g, SRS_L, first, err));
    TRY_STATUS(await(g, second, err));
    columns_start(first, KEYGEN_B);
    TRY_STATUS(generate_section(g, SRS_A, second, err));
    TRY_STATUS(await(g, first, err));
    TRY_STATUS(generate_section(g, SRS_B_G1, first, err));
    TRY_STATUS(make_table(g, SUMS_G2, err));
    TRY_STATUS(generate_section(g, SRS_B_G2, first, err));
    return finish_chunks(g, err);
}

/* Of the arena: products of a chunk, its scalars and its encoded points. */
static size_t chunk_bytes(void)
{
    size_t g1 = fixed_base_scratch(SUMS_G1, chunk_points(SUMS_G1));
    size_t g2 = fixed_base_scratch(SUMS_G2, chunk_points(SUMS_G2));
    return (g1 > g2 ? g1 : g2) + chunk_points(SUMS_G1) * sizeof(fr_t) + STAGING_BYTES + 4096;
}

static cuzk_status allocate_sections(struct generation *g, cuzk_error *err)
{
    struct cuda_srs *srs = g->target->srs;
    for (int i = 0; srs && i < SRS_SECTIONS; i++) {
        size_t bytes = g->circuit->layout.counts.section[i] * srs_point_bytes((enum srs_section)i);
        TRY_STATUS(cuda_allocate(&srs->points[i], g->state, g->context, bytes, "parameters", err));
        srs->bytes[i] = bytes;
    }
    return CUZK_OK;
}

static cuzk_status generate(struct generation *g, bool lagrange_there, cuzk_error *err)
{
    struct context *c = g->context;
    size_t n = chunk_points(SUMS_G1);
    TRY_STATUS(context_staging(c, err));
    TRY_STATUS(allocate_sections(g, err));
    uint64_t start = clock_now();
    TRY_STATUS(compute_lagrange(g, lagrange_there, err));
    g->timings->lagrange = clock_now() - start;
    g->scalars = context_take(c, n * sizeof(fr_t));
    g->encoded = context_take(c, STAGING_BYTES);
    if (!g->scalars || !g->encoded) return context_exhausted(c, "a chunk of points", err);
    return generate_points(g, err);
}

/* Is there room for two vectors of the domain, beside the parameters? */
static bool has_room(const struct generation *g)
{
    size_t bytes = lagrange_bytes(&g->keygen);
    const uint64_t *n = g->circuit->layout.counts.section;
    for (int i = 0; g->target->srs && i < SRS_SECTIONS; i++) bytes += n[i] * srs_point_bytes((enum srs_section)i);
    return bytes <= cuda_room(g->state);
}

cuzk_status cuda_generate(const struct keygen_target *target, struct keygen_timings *timings,
                          const struct backend_circuit *circuit, const struct toxic *toxic, const struct progress *p,
                          struct cuda_state *s, cuzk_error *err)
{
    struct generation g = {
        .state = s, .target = target, .circuit = circuit, .progress = p, .timings = timings,
    };
    size_t arena = chunk_bytes();
    *timings = (struct keygen_timings){ 0 };
    for (int i = 0; i < SRS_SECTIONS; i++) g.total += circuit->layout.counts.section[i];
    cuzk_status status = keygen_begin(&g.keygen, circuit->circuit, toxic, s->pool, err);
    if (status != CUZK_OK) return status;
    bool lagrange_there = has_room(&g);
    if (lagrange_there && lagrange_bytes(&g.keygen) > arena) arena = lagrange_bytes(&g.keygen);
    for (int i = 0; i < 2 && status == CUZK_OK; i++) status = columns_create(&g.columns[i], &g.keygen, err);
    if (status == CUZK_OK) status = cuda_enter(&g.context, s, arena, err);
    if (status == CUZK_OK) {
        status = generate(&g, lagrange_there, err);
        (void)cudaStreamSynchronize(g.context->stream);
        fixed_base_release(&g.base, g.context);
        cuda_leave(s, g.context);
    }
    for (int i = 0; i < 2; i++) columns_release(&g.columns[i]);
    keygen_release(&g.keygen);
    return status;
}

/* ---- entries ---- */

cuzk_status cuda_keygen(struct params_writer *out, const struct backend_circuit *c, const struct toxic *toxic,
                        const struct progress *p, void *state, cuzk_error *err)
{
    const struct keygen_target target = { .writer = out };
    struct keygen_timings ignored;
    return cuda_generate(&target, &ignored, c, toxic, p, state, err);
}

cuzk_status cuda_srs_generate(struct backend_srs *out, struct verifying_key *vk, const struct backend_circuit *c,
                              const struct toxic *toxic, const struct progress *p, void *state, cuzk_error *err)
{
    struct cuda_state *s = state;
    struct keygen_timings ignored;
    struct cuda_srs *srs = calloc(1, sizeof *srs);
    *vk = (struct verifying_key){ .ic_count = 0 };
    if (!srs) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    srs->file = out->file;
    const struct keygen_target target = { .srs = srs, .vk = vk };
    cuzk_status status = cuda_generate(&target, &ignored, c, toxic, p, s, err);
    out->loaded = srs;
    cuda_count_load(s, 1);
    if (status == CUZK_OK) return CUZK_OK;
    cuda_srs_drop(out, s);
    out->loaded = NULL;
    vk_release(vk);
    return status;
}

static cuzk_status multiples(uint8_t *encoded, struct fixed_base *base, const fr_t *scalars, size_t n,
                             struct context *c, cuzk_error *err)
{
    size_t size = n * sums_affine_bytes(base->group);
    struct fr *k = context_take(c, n * sizeof *scalars);
    void *points = context_take(c, size);
    if (!k || !points) return context_exhausted(c, "multiples", err);
    TRY(cudaMemcpyAsync(k, scalars, n * sizeof *scalars, cudaMemcpyHostToDevice, c->stream));
    TRY_STATUS(fixed_base_multiply(points, FIXED_ENCODED, base, k, n, c, err));
    TRY(cudaMemcpyAsync(encoded, points, size, cudaMemcpyDeviceToHost, c->stream));
    return context_wait(c, err);
}

cuzk_status cuda_multiples(uint8_t *encoded, enum sums_group g, uint32_t bits, const fr_t *scalars, size_t n,
                           struct cuda_state *s, cuzk_error *err)
{
    struct context *c;
    struct fixed_base base;
    size_t room = n > FIXED_TABLE_PIECE ? n : FIXED_TABLE_PIECE;
    size_t bytes = fixed_base_scratch(g, room) + n * (sums_affine_bytes(g) + sizeof *scalars) + 4096;
    TRY_STATUS(cuda_enter(&c, s, bytes, err));
    cuzk_status status = fixed_base_create_bits(&base, g, bits, c, err);
    if (status == CUZK_OK) {
        status = multiples(encoded, &base, scalars, n, c, err);
        fixed_base_release(&base, c);
    }
    cuda_leave(s, c);
    return status;
}
