#include "groth16/srs_layout.h"

#include "math/point_codec.h"

#include <stdlib.h>

const char *srs_section_name(enum srs_section section)
{
    static const char *const names[SRS_SECTIONS] = { "h", "l", "a", "b_g1", "b_g2" };
    return names[section];
}

struct srs_counts srs_counts_of(uint64_t rows, uint64_t inputs, uint64_t aux, uint64_t a_aux, uint64_t b_points)
{
    uint64_t domain = 1;
    while (domain < rows) domain *= 2;
    return (struct srs_counts){
        .inputs = inputs,
        .section = { domain - 1, aux, inputs + a_aux, b_points, b_points },
    };
}

enum { LENGTH_BYTES = 4 };

uint64_t srs_vk_bytes(const struct srs_counts *counts)
{
    return 3 * G1_BYTES + 3 * G2_BYTES + LENGTH_BYTES + G1_BYTES * counts->inputs;
}

uint64_t srs_params_bytes(const struct srs_counts *counts)
{
    uint64_t bytes = srs_vk_bytes(counts);
    for (int s = 0; s < SRS_SECTIONS; s++) {
        bytes += LENGTH_BYTES + (s == SRS_B_G2 ? G2_BYTES : G1_BYTES) * counts->section[s];
    }
    return bytes;
}

/* Marks the public inputs that instance i mentions in B. */
static void mark_b_inputs(bool *marks, const struct circuit *c, const struct instance *i)
{
    const struct template *t = c->templates[i->template];
    const struct matrix *b = &t->matrix[MATRIX_B];
    if (t->dense[MATRIX_B][0] & 1) marks[0] = true; /* ONE is ref 0 */
    if (t->publics == 0) return;
    for (uint32_t k = 0; k < b->start[t->rows]; k++) {
        uint32_t ref = b->terms[k].ref;
        if (ref & REF_PUBLIC) marks[i->public_base + (ref & ~REF_PUBLIC)] = true;
    }
}

cuzk_status srs_layout_create(struct srs_layout *out, const struct circuit *circuit, cuzk_error *err)
{
    *out = (struct srs_layout){ 0 };
    bool *marks = calloc(circuit->inputs, sizeof *marks);
    out->b_inputs = malloc(circuit->inputs * sizeof *out->b_inputs);
    if (!marks || !out->b_inputs) {
        free(marks);
        srs_layout_release(out);
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the layout of the parameters");
    }
    for (size_t i = 0; i < circuit->instance_count; i++) {
        mark_b_inputs(marks, circuit, &circuit->instances[i]);
    }
    for (uint32_t i = 0; i < circuit->inputs; i++) {
        if (marks[i]) out->b_inputs[out->b_input_count++] = i;
    }
    free(marks);
    out->counts = srs_counts_of(circuit->rows, circuit->inputs, circuit->aux, circuit->dense[MATRIX_A].total,
                                out->b_input_count + circuit->dense[MATRIX_B].total);
    return CUZK_OK;
}

void srs_layout_release(struct srs_layout *layout)
{
    free(layout->b_inputs);
    *layout = (struct srs_layout){ 0 };
}
