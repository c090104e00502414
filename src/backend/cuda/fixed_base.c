/* Tables for fixed_base.h: a small one is computed here with math/, from which the device computes the large one. */
#include "backend/cuda/fixed_base.h"

#include "backend/cuda/ntt.h"
#include "math/g1.h"
#include "math/g2.h"

#include <stdlib.h>

/* Products of `expected` scalars and a table, in field multiplications; an entry costs a few additions and its share
 * of an inversion. */
static size_t cost(const struct fixed_base *t, size_t expected)
{
    return expected * t->windows * 10 + t->entries * 40;
}

static uint32_t best_bits(enum sums_group g, size_t expected, size_t memory)
{
    uint32_t best = FIXED_LEAST_BITS;
    for (uint32_t bits = FIXED_LEAST_BITS + 1; bits <= FIXED_MOST_BITS; bits++) {
        struct fixed_base t = fixed_base_shape(g, bits), b = fixed_base_shape(g, best);
        if (t.entries * sums_affine_bytes(g) > memory) break;
        if (cost(&t, expected) < cost(&b, expected)) best = bits;
    }
    return best;
}

size_t fixed_base_scratch(enum sums_group g, size_t n)
{
    struct fixed_base small = fixed_base_shape(g, FIXED_LEAST_BITS);
    return small.entries * sums_affine_bytes(g) + n * (sums_point_bytes(g) + sums_field_bytes(g) + 32) + 4096;
}

static cuzk_status multiply(void *out, enum fixed_form form, const struct fixed_base *t, const struct fr *scalars,
                            bool integers, size_t n, struct context *c, cuzk_error *err)
{
    size_t mark = context_mark(c);
    struct fixed_work work = { .sums = context_take(c, n * sums_point_bytes(t->group)) };
    work.before = context_take(c, n * sums_field_bytes(t->group));
    if (!work.sums || !work.before) return context_exhausted(c, "products", err);
    TRY_STATUS((t->group == SUMS_G1 ? fixed_multiply_g1 : fixed_multiply_g2)(out, form, t, scalars, integers, n,
                                                                             &work, c, err));
    context_release(c, mark);
    return CUZK_OK;
}

cuzk_status fixed_base_multiply(void *out, enum fixed_form form, const struct fixed_base *t, const struct fr *scalars,
                                size_t n, struct context *c, cuzk_error *err)
{
    return multiply(out, form, t, scalars, false, n, c, err);
}

cuzk_status fixed_base_powers(struct fr *scalars, size_t n, const void *first, const void *ratio, struct context *c,
                              cuzk_error *err)
{
    TRY_STATUS(fixed_ones(scalars, n, c, err));
    return ntt_device_scale(scalars, n, first, ratio, c, err);
}

/* The small table on the host. In each window the multiples of its unit, one after the other; the next unit is twice
 * the last of them, as the windows of FIXED_LEAST_BITS all have the same size. */
#define SMALL_TABLE(g, G, field)                                                                                     \
    static bool small_table_##g(g##_affine_t *out, const struct fixed_base *t)                                       \
    {                                                                                                                \
        size_t window = (size_t)1 << (t->bits - 1);                                                                  \
        g##_t *points = malloc(t->entries * sizeof *points), multiple;                                               \
        field *scratch = malloc(t->entries * sizeof *scratch);                                                       \
        g##_affine_t unit = G##_GENERATOR;                                                                           \
        bool made = points && scratch;                                                                               \
        for (size_t i = 0; made && i < t->entries; i++) {                                                            \
            if (i > 0 && i % window == 0) {                                                                          \
                g##_double(&multiple, &multiple);                                                                    \
                g##_to_affine_var(&unit, &multiple);                                                                 \
            }                                                                                                        \
            if (i % window == 0)                                                                                     \
                g##_from_affine(&multiple, &unit);                                                                   \
            else                                                                                                     \
                g##_add_mixed(&multiple, &multiple, &unit);                                                          \
            points[i] = multiple;                                                                                    \
        }                                                                                                            \
        if (made) g##_batch_to_affine_var(out, points, t->entries, scratch);                                         \
        free(points);                                                                                                \
        free(scratch);                                                                                               \
        return made;                                                                                                 \
    }

SMALL_TABLE(g1, G1, fp_t)
SMALL_TABLE(g2, G2, fp2_t)

static cuzk_status upload_small(struct fixed_base *t, void *host, struct context *c, cuzk_error *err)
{
    size_t bytes = t->entries * sums_affine_bytes(t->group);
    bool made = host && (t->group == SUMS_G1 ? small_table_g1(host, t) : small_table_g2(host, t));
    if (!made) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for multiples of the generator");
    t->points = context_take(c, bytes);
    if (!t->points) return context_exhausted(c, "multiples of the generator", err);
    TRY(cudaMemcpyAsync(t->points, host, bytes, cudaMemcpyHostToDevice, c->stream));
    return context_wait(c, err);
}

static cuzk_status fill(struct fixed_base *t, const struct fixed_base *small, struct context *c, cuzk_error *err)
{
    struct fr *scalars = context_take(c, FIXED_TABLE_PIECE * 32);
    if (!scalars) return context_exhausted(c, "a piece of the table", err);
    for (size_t first = 0; first < t->entries; first += FIXED_TABLE_PIECE) {
        size_t n = t->entries - first < FIXED_TABLE_PIECE ? t->entries - first : FIXED_TABLE_PIECE;
        char *to = (char *)t->points + first * sums_affine_bytes(t->group);
        TRY_STATUS(fixed_table_scalars(scalars, t, first, n, c, err));
        TRY_STATUS(multiply(to, FIXED_AFFINE, small, scalars, true, n, c, err));
    }
    return context_wait(c, err);
}

cuzk_status fixed_base_create_bits(struct fixed_base *out, enum sums_group g, uint32_t bits, struct context *c,
                                   cuzk_error *err)
{
    struct fixed_base small = fixed_base_shape(g, FIXED_LEAST_BITS);
    size_t mark = context_mark(c), bytes;
    void *host = malloc(small.entries * sums_affine_bytes(g));
    *out = fixed_base_shape(g, bits);
    bytes = out->entries * sums_affine_bytes(g);
    cuzk_status status = upload_small(&small, host, c, err);
    if (status == CUZK_OK) status = context_allocate(&out->points, c, bytes, "a table of multiples", err);
    if (status == CUZK_OK) {
        out->bytes = bytes;
        status = fill(out, &small, c, err);
    }
    free(host);
    context_release(c, mark);
    if (status != CUZK_OK) fixed_base_release(out, c);
    return status;
}

cuzk_status fixed_base_create(struct fixed_base *out, enum sums_group g, size_t expected, struct context *c,
                              cuzk_error *err)
{
    return fixed_base_create_bits(out, g, best_bits(g, expected, context_memory_left(c) / 4), c, err);
}

void fixed_base_release(struct fixed_base *t, struct context *c)
{
    context_free(c, t->points, t->bytes);
    *t = (struct fixed_base){ 0 };
}
