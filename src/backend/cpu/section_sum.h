/* The sums over private variables and public inputs: Σ value(v) · point(v) for the points of one
 * section of a parameter file.
 *
 * Bits take no scalar arithmetic: the points whose bit is 1 are decoded and added up in batches.
 * Wide values go through a multi-scalar multiplication, a chunk at a time. Points whose
 * bit is 0 are never looked at.
 */
#ifndef CUZK_BACKEND_CPU_SECTION_SUM_H
#define CUZK_BACKEND_CPU_SECTION_SUM_H

#include "groth16/params_file.h"
#include "math/msm.h"
#include "r1cs/witness.h"

/* Which variables have a point in the section, and where. */
struct section_terms {
    enum srs_section section;
    const uint32_t *inputs; /* the public inputs at the head of the section; NULL: 0, 1, 2, … */
    size_t input_count;
    const struct ranked_bitmap *dense; /* the private variables that follow; NULL: all */
    size_t chunk;                      /* wide values that are taken at once, at least 64 */
};

enum { SECTION_CHUNK = 1 << 18 }; /* a good chunk: its points and values take 32 or 56 MB */

/* `memory` is scratch of section_sum_bytes, aligned as malloc does; `msm` was made for the same pool and is left as it
 * was found. CUZK_ERR_DATA names a point that cannot be decoded. */
cuzk_status g1_section_sum(g1_t *out, const struct section_terms *terms, const struct params_file *file,
                           const struct witness *w, void *memory, struct g1_msm *msm, struct pool *pool,
                           cuzk_error *err);
cuzk_status g2_section_sum(g2_t *out, const struct section_terms *terms, const struct params_file *file,
                           const struct witness *w, void *memory, struct g2_msm *msm, struct pool *pool,
                           cuzk_error *err);

/* Bytes of scratch for either function and any section, for a chunk of so many wide values and a circuit with so many
 * public inputs and wide private variables. */
uint64_t section_sum_bytes(size_t chunk, uint64_t inputs, uint64_t wides, unsigned threads);

#endif
