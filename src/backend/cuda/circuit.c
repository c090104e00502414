#include "backend/cuda/circuit.h"

#include "groth16/srs_layout.h"
#include "r1cs/circuit.h"

#include <stdlib.h>
#include <string.h>

static uint32_t flat_value(const struct template *t, uint32_t ref)
{
    if (ref == REF_ONE) return (uint32_t)FLAT_ONE << FLAT_SHIFT;
    if (ref & REF_PUBLIC) return (uint32_t)FLAT_PUBLIC << FLAT_SHIFT | (ref & ~REF_PUBLIC);
    bool wide = template_is_wide(t, ref);
    if (ref <= t->imports) {
        return (uint32_t)(wide ? FLAT_IMPORT_WIDE : FLAT_IMPORT_BIT) << FLAT_SHIFT | (ref - 1);
    }
    return (uint32_t)(wide ? FLAT_LOCAL_WIDE : FLAT_LOCAL_BIT) << FLAT_SHIFT | t->place[ref];
}

/* A and B of all templates; rows_at[t][m] is where the rows of a template begin. */
static void flatten_templates(struct flat_circuit *f, uint32_t (*rows_at)[2], const struct circuit *c)
{
    uint32_t start = 0, term = 0;
    for (size_t i = 0; i < c->template_count; i++) {
        const struct template *t = c->templates[i];
        for (int m = 0; m < 2; m++) {
            const struct matrix *matrix = &t->matrix[m];
            rows_at[i][m] = start;
            for (uint32_t r = 0; r <= t->rows; r++) f->starts[start + r] = term + matrix->start[r];
            start += t->rows + 1;
            for (uint32_t k = 0; k < matrix->start[t->rows]; k++) {
                f->terms[term++] =
                    (struct flat_term){ flat_value(t, matrix->terms[k].ref), matrix->terms[k].coeff };
            }
        }
    }
}

static void flatten_instances(struct flat_circuit *f, uint32_t (*rows_at)[2], const struct circuit *c)
{
    for (size_t i = 0; i < c->instance_count; i++) {
        const struct instance *in = &c->instances[i];
        const struct template *t = c->templates[in->template];
        f->instances[i] = (struct flat_instance){ { rows_at[in->template][0], rows_at[in->template][1] },
                                                  in->row_base,  in->public_base, in->import_base,
                                                  in->bit_base, in->wide_base };
        for (uint32_t k = 0; k < t->imports; k++) {
            uint32_t v = c->imports[in->import_base + k], rank = bitmap_rank(&c->wide, v);
            f->places[in->import_base + k] = template_is_wide(t, k + 1) ? rank : v - rank;
        }
    }
    for (size_t b = 0; b < f->block_count; b++) {
        f->first_instance[b] = (uint32_t)(circuit_instance_of_row(c, (uint32_t)(b * 256)) - c->instances);
    }
    f->first_instance[f->block_count] = (uint32_t)c->instance_count - 1;
}

static void borrow_bitmaps(struct flat_circuit *f, const struct circuit *c, const struct srs_layout *layout)
{
    const struct ranked_bitmap *bitmaps[3] = { &c->wide, &c->dense[MATRIX_A], &c->dense[MATRIX_B] };
    f->aux_words = ((size_t)c->aux + 63) / 64;
    for (int i = 0; i < 3; i++) {
        f->bitmap[i] = bitmaps[i]->words;
        f->before[i] = bitmaps[i]->before;
        f->total[i] = bitmaps[i]->total;
    }
    f->b_inputs = layout->b_inputs;
    f->b_input_count = layout->b_input_count;
}

static bool allocate(struct flat_circuit *f)
{
    f->starts = calloc(f->start_count + 1, sizeof *f->starts);
    f->terms = calloc(f->term_count + 1, sizeof *f->terms);
    f->instances = calloc(f->instance_count + 1, sizeof *f->instances);
    f->first_instance = calloc(f->block_count + 1, sizeof *f->first_instance);
    f->places = calloc(f->place_count + 1, sizeof *f->places);
    f->coeffs = calloc(f->coeff_count + 1, sizeof *f->coeffs);
    return f->starts && f->terms && f->instances && f->first_instance && f->places && f->coeffs;
}

cuzk_status circuit_flatten(struct flat_circuit *f, const struct circuit *c, const struct srs_layout *layout,
                            cuzk_error *err)
{
    *f = (struct flat_circuit){
        .instance_count = c->instance_count, .place_count = c->import_count, .coeff_count = c->coeff_count,
        .block_count = ((size_t)c->constraints + 255) / 256, .constraints = c->constraints, .rows = c->rows,
        .inputs = c->inputs, .aux = c->aux, .bits = c->bits, .wides = c->wides, .log2_domain = c->log2_domain,
    };
    for (size_t i = 0; i < c->template_count; i++) {
        const struct template *t = c->templates[i];
        f->start_count += 2 * ((size_t)t->rows + 1);
        f->term_count += (size_t)t->matrix[0].start[t->rows] + t->matrix[1].start[t->rows];
    }
    uint32_t(*rows_at)[2] = calloc(c->template_count + 1, sizeof *rows_at);
    if (!allocate(f) || !rows_at || c->instance_count == 0) {
        free(rows_at);
        flat_circuit_release(f);
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a circuit's rows");
    }
    flatten_templates(f, rows_at, c);
    flatten_instances(f, rows_at, c);
    for (size_t i = 0; i < c->coeff_count; i++) {
        memcpy(f->coeffs[i].value, &c->coeffs[i].value, sizeof f->coeffs[i].value);
        f->coeffs[i].small = c->coeffs[i].small;
    }
    borrow_bitmaps(f, c, layout);
    free(rows_at);
    return CUZK_OK;
}

void flat_circuit_release(struct flat_circuit *f)
{
    free(f->starts);
    free(f->terms);
    free(f->instances);
    free(f->first_instance);
    free(f->places);
    free(f->coeffs);
    f->starts = f->first_instance = f->places = NULL;
    f->terms = NULL;
    f->instances = NULL;
    f->coeffs = NULL;
}
