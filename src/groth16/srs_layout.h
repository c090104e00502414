/* Which variable has which place in the point lists of a parameter file (spec §4.2, §6.2).
 *
 *   h     place i: tau^i, i < domain − 1
 *   l     place v: private variable v
 *   a     all public inputs, then the private variables that occur in A, in order
 *   b     the public inputs that occur in B (in Filecoin's circuits ONE alone), then the private
 *         variables that occur in B, in order; b_g1 and b_g2 alike
 */
#ifndef CUZK_GROTH16_SRS_LAYOUT_H
#define CUZK_GROTH16_SRS_LAYOUT_H

#include "r1cs/circuit.h"

enum srs_section { SRS_H, SRS_L, SRS_A, SRS_B_G1, SRS_B_G2, SRS_SECTIONS };

/* "h", "l", "a", "b_g1", "b_g2". */
const char *srs_section_name(enum srs_section section);

/* How many points a parameter file has. */
struct srs_counts {
    uint64_t inputs; /* points of ic: public inputs with ONE */
    uint64_t section[SRS_SECTIONS];
};

/* From the five numbers of a circuit. */
struct srs_counts srs_counts_of(uint64_t rows, uint64_t inputs, uint64_t aux, uint64_t a_aux, uint64_t b_points);

/* Bytes of the files with these counts, modulo 2^64; counts come from 32-bit numbers. */
uint64_t srs_vk_bytes(const struct srs_counts *counts);
uint64_t srs_params_bytes(const struct srs_counts *counts);

struct srs_layout {
    struct srs_counts counts;
    uint32_t *b_inputs; /* the public inputs that occur in B, ascending */
    size_t b_input_count;
};

/* Scans the circuit's templates. Release with srs_layout_release. */
cuzk_status srs_layout_create(struct srs_layout *out, const struct circuit *circuit, cuzk_error *err);
void srs_layout_release(struct srs_layout *layout);

#endif
