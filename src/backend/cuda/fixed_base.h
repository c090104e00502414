/* Many multiples of one point, for key generation: k_i·P, as math/fixed_base.h has them for the CPU. C and C++.
 *
 * A table holds the multiples 1 … 2^(bits − 1) of 2^(bits·w)·P for every window w of the scalar, affine, in device
 * memory; digits are signed, except in the last window. A thread looks up one entry for each window and adds them in
 * extended Jacobian coordinates; other kernels bring the sums into affine form with shared inversions and, if asked,
 * write the bytes of spec §4.1. With 22 bits, the most, there are 12 windows: 11 additions for a product. */
#ifndef CUZK_CUDA_FIXED_BASE_H
#define CUZK_CUDA_FIXED_BASE_H

#include "backend/cuda/sums.h"

#ifdef __cplusplus
extern "C" {
#endif

struct fr;

enum { FIXED_LEAST_BITS = 8, FIXED_MOST_BITS = 22, FIXED_SCALAR_BITS = 255 };

struct fixed_base {
    enum sums_group group;
    uint32_t bits, windows;
    size_t entries;
    void *points; /* window after window, each 2^(bits − 1) but for the last */
    size_t bytes; /* that were allocated; 0: points belong to the arena */
};

/* Windows and entries of a table. The last window takes what is left of 255 bits, with the carry into it. */
static inline struct fixed_base fixed_base_shape(enum sums_group g, uint32_t bits)
{
    uint32_t windows = (FIXED_SCALAR_BITS + bits - 1) / bits, last = FIXED_SCALAR_BITS - bits * (windows - 1);
    size_t entries = ((size_t)(windows - 1) << (bits - 1)) + ((size_t)1 << last);
    return (struct fixed_base){ g, bits, windows, entries, NULL, 0 };
}

enum fixed_form {
    FIXED_AFFINE, /* as in math/g1.h and math/g2.h */
    FIXED_ENCODED /* as in a parameter file */
};

/* The table of the group's generator; `expected` is about how many products will be asked for: the windows grow with
 * it, and take at most a quarter of the device memory that is left. Uses fixed_base_scratch(g, n) bytes of the arena
 * for any n ≥ FIXED_TABLE_PIECE. Done when it returns. */
enum { FIXED_TABLE_PIECE = 1 << 16 };
cuzk_status fixed_base_create(struct fixed_base *out, enum sums_group g, size_t expected, struct context *c,
                              cuzk_error *err);
void fixed_base_release(struct fixed_base *t, struct context *c); /* harmless on a zeroed struct */

/* The same with windows of so many bits. For tests. */
cuzk_status fixed_base_create_bits(struct fixed_base *out, enum sums_group g, uint32_t bits, struct context *c,
                                   cuzk_error *err);

/* Arena bytes that n products take, also with fixed_base_create. */
size_t fixed_base_scratch(enum sums_group g, size_t n);

/* out[i] = scalars[i]·P for i < n ≤ 2^31, in device memory; scalars in Montgomery form, kept. */
cuzk_status fixed_base_multiply(void *out, enum fixed_form form, const struct fixed_base *t, const struct fr *scalars,
                                size_t n, struct context *c, cuzk_error *err);

/* scalars[i] = first·ratio^i; both 32 bytes on the host, in Montgomery form. */
cuzk_status fixed_base_powers(struct fr *scalars, size_t n, const void *first, const void *ratio, struct context *c,
                              cuzk_error *err);

/* The kernels of one group (fixed_base.cuh), queued. `sums` are n points in extended coordinates, `before` n field
 * elements. `integers`: scalars are not in Montgomery form. */
struct fixed_work {
    void *sums, *before;
};
cuzk_status fixed_multiply_g1(void *out, enum fixed_form form, const struct fixed_base *t, const struct fr *scalars,
                              bool integers, size_t n, struct fixed_work *work, struct context *c, cuzk_error *err);
cuzk_status fixed_multiply_g2(void *out, enum fixed_form form, const struct fixed_base *t, const struct fr *scalars,
                              bool integers, size_t n, struct fixed_work *work, struct context *c, cuzk_error *err);

/* scalars[i] = the integer whose product is entry first + i of table t. */
cuzk_status fixed_table_scalars(struct fr *scalars, const struct fixed_base *t, size_t first, size_t n,
                                struct context *c, cuzk_error *err);
cuzk_status fixed_ones(struct fr *scalars, size_t n, struct context *c, cuzk_error *err);

#ifdef __cplusplus
}
#endif
#endif
