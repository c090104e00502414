/* A circuit in device memory: templates' rows with resolved references, instances, and which variables take
 * part in which sum. C and C++ (circuit.c flattens, circuit.cu uploads and evaluates).
 *
 * A packed witness lies on the device as in host memory (r1cs/witness.h): bits, then wide values, then public
 * inputs.
 */
#ifndef CUZK_CUDA_CIRCUIT_H
#define CUZK_CUDA_CIRCUIT_H

#include "backend/cuda/context.h"

#ifdef __cplusplus
extern "C" {
#endif

struct fr;

/* A non-zero entry of a row. `value` is kind << 29 | number. */
enum flat_kind {
    FLAT_ONE,        /* the constant */
    FLAT_PUBLIC,     /* public input number, from the instance's first */
    FLAT_IMPORT_BIT, /* import number; its place in the packed witness is in `places` */
    FLAT_IMPORT_WIDE,
    FLAT_LOCAL_BIT, /* number among the instance's bits */
    FLAT_LOCAL_WIDE /* … wide values */
};

enum { FLAT_SHIFT = 29 };

struct flat_term {
    uint32_t value, coeff;
};

struct flat_instance {
    uint32_t rows_at[2]; /* of its template in `starts`, for A and B */
    uint32_t row_base, public_base, import_base, bit_base, wide_base;
};

/* What one warp evaluates: rows [row_begin, row_end) of the template of instances order[first …). With lanes > 0,
 * each lane has an instance of its own and all do the same row at the same time, so that they do not diverge; with 0,
 * one instance's rows are spread over the lanes. */
struct row_task {
    uint32_t first, lanes, row_begin, row_end;
};

struct flat_coeff {
    uint64_t value[4]; /* Montgomery form */
    int64_t small;     /* as in r1cs/circuit.h */
    int64_t unused;
};

/* Arrays on the host, made by circuit_flatten. Row i of a template at `s` has the terms
 * [starts[s + i], starts[s + i + 1]). */
struct flat_circuit {
    uint32_t *starts;
    struct flat_term *terms;
    struct flat_instance *instances;
    uint32_t *order; /* instances by template */
    struct row_task *tasks;
    uint32_t *places;
    struct flat_coeff *coeffs;
    size_t start_count, term_count, instance_count, task_count, place_count, coeff_count;

    uint32_t constraints, rows, inputs, aux, bits, wides;
    unsigned log2_domain;
    size_t aux_words;          /* of the bitmaps below, borrowed from the circuit */
    const uint64_t *bitmap[3]; /* wide, dense in A, dense in B */
    const uint32_t *before[3];
    uint32_t total[3];
    const uint32_t *b_inputs;
    size_t b_input_count;
};

struct circuit;
struct srs_layout;

cuzk_status circuit_flatten(struct flat_circuit *out, const struct circuit *circuit, const struct srs_layout *layout,
                            cuzk_error *err);
void flat_circuit_release(struct flat_circuit *f);

/* The wide variables of one of the three sums: point `points[i]` of the section goes with element `sources[i]`
 * of (wide values ‖ public inputs). */
struct wide_list {
    uint32_t *points, *sources;
    size_t count;
};

enum circuit_sum { SUM_L, SUM_A, SUM_B, CIRCUIT_SUMS };

struct device_circuit {
    struct flat_circuit shape; /* the arrays of the host are gone, the counts remain */
    void *memory;
    size_t bytes;
    uint32_t *starts, *order, *places;
    struct row_task *tasks;
    struct flat_term *terms;
    struct flat_instance *instances;
    struct flat_coeff *coeffs;
    uint64_t *bitmap[3];
    uint32_t *before[3];
    struct wide_list wide[CIRCUIT_SUMS];
};

/* Needs some of the arena while it runs. */
cuzk_status device_circuit_create(struct device_circuit *out, struct flat_circuit *flat, struct context *c,
                                  cuzk_error *err);
void device_circuit_release(struct device_circuit *d, struct context *c);

/* Arena bytes that device_circuit_create and circuit_select need. */
size_t circuit_scratch_bytes(const struct flat_circuit *f);

struct device_witness {
    const uint64_t *bits;
    const struct fr *wides, *inputs;
};

/* All rows of A, of B, and their products, each unless NULL; the rows of the public inputs included. `reversed`:
 * element i at its place in bit-reversed order of the domain, and zeros up to its end. */
cuzk_status circuit_evaluate(struct fr *a, struct fr *b, struct fr *product, const struct device_circuit *d,
                             const struct device_witness *w, bool reversed, struct context *c, cuzk_error *err);

/* Numbers of the points of a section (without those of public inputs) whose variable is a bit with value one.
 * `out` has room for all bits. */
cuzk_status circuit_select(uint32_t *out, uint32_t *count, const struct device_circuit *d,
                           const struct device_witness *w, enum circuit_sum sum, struct context *c, cuzk_error *err);

/* scalars[i] = the value of variable first + i of a wide list, i < count. */
cuzk_status circuit_gather(struct fr *scalars, const struct device_circuit *d, const struct device_witness *w,
                           enum circuit_sum sum, size_t first, size_t count, struct context *c, cuzk_error *err);

/* Where the numbers of [begin, end) stand in an ascending list: [range[0], range[1]). *count (on the device) is how
 * many the list has, and becomes how many of them are in the range. Waits for the stream. */
cuzk_status circuit_find_range(uint32_t range[2], const uint32_t *numbers, uint32_t *count, uint32_t begin,
                               uint32_t end, struct context *c, cuzk_error *err);

#ifdef __cplusplus
}
#endif
#endif
