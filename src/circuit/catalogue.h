/* The registered circuits: what each is called, how large it is, and what its published parameters
 * hash to.
 *
 * One entry per kind and sector size: the 20 circuits with published parameters (spec §2.2, §4.4)
 * and the two test shapes of the update (16 KiB, 32 KiB). All data is constant; nothing here
 * allocates or fails.
 */
#ifndef CUZK_CIRCUIT_CATALOGUE_H
#define CUZK_CIRCUIT_CATALOGUE_H

#include "circuit/shape.h"

struct circuit_entry {
    const char *id; /* "porep-32g", the names of the wire and of the command line */
    enum proof_kind kind;
    const char *shape_id;
    uint32_t constraints; /* without the appended input rows */
    uint32_t inputs;      /* with ONE */
    uint32_t aux;
    uint32_t a_aux, b_aux; /* aux variables that occur in A, in B */
    const char *suffix;    /* SHA-256 of the identifier text of spec §4.4, in hexadecimal */

    /* First 16 bytes of BLAKE2b-512 of the published files, in hexadecimal; NULL if unpublished. */
    const char *params_digest;
    const char *vk_digest;
};

/* Grouped by kind, ascending in size; NULL past the end. */
const struct circuit_entry *catalogue_at(size_t i);

/* NULL if unknown. */
const struct circuit_entry *catalogue_by_id(const char *id);
const struct circuit_entry *catalogue_by_shape(enum proof_kind kind, const struct sector_shape *shape);

const struct sector_shape *catalogue_shape(const struct circuit_entry *c);

/* Rows with the appended input rows, and log2 of the smallest power of two that holds them. */
uint64_t catalogue_rows(const struct circuit_entry *c);
unsigned catalogue_log_domain(const struct circuit_entry *c);

/* Lengths of the point lists of a parameter file (spec §4.2); l has `aux` points, b_g1 and b_g2 are
 * equally long. Of the inputs only ONE occurs in B, so b_input_density is always 1. */
uint64_t catalogue_h_points(const struct circuit_entry *c);
uint64_t catalogue_a_points(const struct circuit_entry *c);
uint64_t catalogue_b_points(const struct circuit_entry *c);
uint64_t catalogue_vk_bytes(const struct circuit_entry *c);
uint64_t catalogue_params_bytes(const struct circuit_entry *c);

/* The name of the parameter files without folder and extension, "v28-…". */
enum { CATALOGUE_STEM_BYTES = 192 };
void catalogue_stem(char out[CATALOGUE_STEM_BYTES], const struct circuit_entry *c);

#endif
