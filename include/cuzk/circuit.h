/* Describing a circuit of your own: the same templates, instances and fill programs that Filecoin's circuits are made
 * of (docs/circuits.md), for whoever embeds the prover.
 *
 * A circuit is a list of calls of *blocks*. A block is recorded once for each pattern of imports and parameters: the
 * recording function allocates variables, says how their values are computed, and enforces rows
 * ⟨A,w⟩ · ⟨B,w⟩ = ⟨C,w⟩. Every call appends an instance.
 *
 * Numbers are elements of the scalar field of BLS12-381. Bytes are 32, little-endian, canonical.
 * Failures while building are sticky: the first is reported by cuzk_builder_finish.
 * Thread safety: a builder belongs to one thread; a finished circuit is constant and may be shared.
 */
#ifndef CUZK_CIRCUIT_H
#define CUZK_CIRCUIT_H

#include "cuzk/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cuzk_builder cuzk_builder;
typedef struct cuzk_template cuzk_template; /* one that is being recorded */
typedef struct cuzk_circuit cuzk_circuit;

/* A field element; made by the functions below only. */
typedef struct cuzk_field {
    uint64_t opaque[4];
} cuzk_field;

cuzk_field cuzk_field_from_int(int64_t v);
cuzk_status cuzk_field_from_bytes(cuzk_field *out, const uint8_t in[32], cuzk_error *err); /* CUZK_ERR_DATA */

/* Inside a template: a variable with its value, or a value that is no variable yet. Only variables can stand in rows,
 * be exported or imported. */
typedef struct cuzk_num {
    uint32_t variable;
    uint32_t value;
} cuzk_num;

typedef struct cuzk_term {
    cuzk_num num;
    cuzk_field coefficient;
} cuzk_term;

cuzk_num cuzk_one(cuzk_template *t);                 /* the constant 1, public input 0 of every circuit */
cuzk_num cuzk_import(cuzk_template *t, size_t i);    /* what the call passed */
void cuzk_export(cuzk_template *t, cuzk_num a);      /* to the call's outputs, in order; a private variable */
cuzk_num cuzk_private_input(cuzk_template *t);       /* a new private variable: the next of the prover's inputs */
cuzk_num cuzk_product(cuzk_template *t, cuzk_num a, cuzk_num b);           /* a value, no variable */
cuzk_num cuzk_sum(cuzk_template *t, const cuzk_term *terms, size_t count); /* a value, no variable; ≤ 255 terms */
cuzk_num cuzk_private(cuzk_template *t, cuzk_num value); /* a new private variable with that value; no row */
cuzk_num cuzk_public(cuzk_template *t, cuzk_num value);  /* a new public input with that value; no row */

/* One row: (Σ a) · (Σ b) = Σ c. */
void cuzk_enforce(cuzk_template *t, const cuzk_term *a, size_t a_count, const cuzk_term *b, size_t b_count,
                  const cuzk_term *c, size_t c_count);

typedef void cuzk_record(cuzk_template *t, const void *params);

typedef struct cuzk_block {
    const char *name;
    cuzk_record *record;
} cuzk_block;

/* A private variable of the circuit, as one call hands it to another. */
typedef uint32_t cuzk_wire;

cuzk_status cuzk_builder_create(cuzk_builder **out, cuzk_error *err);
void cuzk_builder_free(cuzk_builder *b); /* NULL is allowed */

/* `params` are part of the pattern under which the template is found again: plain bytes without padding. The block must
 * outlive the builder. */
void cuzk_builder_call(cuzk_builder *b, const cuzk_block *block, const void *params, size_t params_size,
                       const cuzk_wire *in, size_t in_count, cuzk_wire *out, size_t out_count);

/* What follows depends only on itself and on what came before the first group, so that groups can be filled in
 * parallel. */
void cuzk_builder_group(cuzk_builder *b);

/* Free with cuzk_circuit_free; the builder can only be freed afterwards. */
cuzk_status cuzk_builder_finish(cuzk_circuit **out, cuzk_builder *b, cuzk_error *err);
void cuzk_circuit_free(cuzk_circuit *c); /* NULL is allowed */

typedef struct cuzk_circuit_sizes {
    uint32_t public_inputs; /* with ONE */
    uint32_t private_variables, rows;
    uint32_t private_inputs; /* that a proof needs */
} cuzk_circuit_sizes;

cuzk_circuit_sizes cuzk_circuit_measure(const cuzk_circuit *c);

#ifdef __cplusplus
}
#endif
#endif
