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
                f->terms[term++] = (struct flat_term){ flat_value(t, matrix->terms[k].ref), matrix->terms[k].coeff };
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
                                                  in->row_base,
                                                  in->public_base,
                                                  in->import_base,
                                                  in->bit_base,
                                                  in->wide_base };
        for (uint32_t k = 0; k < t->imports; k++) {
            uint32_t v = c->imports[in->import_base + k], rank = bitmap_rank(&c->wide, v);
            f->places[in->import_base + k] = template_is_wide(t, k + 1) ? rank : v - rank;
        }
    }
}

enum { TASK_ROWS = 64, LANES = 32, FEW_LANES = 8 };

static void add_tasks(struct flat_circuit *f, uint32_t first, uint32_t lanes, uint32_t rows, uint32_t step)
{
    for (uint32_t row = 0; row < rows; row += step) {
        uint32_t end = rows - row < step ? rows : row + step;
        if (f->tasks) f->tasks[f->task_count] = (struct row_task){ first, lanes, row, end };
        f->task_count++;
    }
}

/* Counts the tasks, and writes them if there is room. */
static void make_tasks(struct flat_circuit *f, const uint32_t *template_start, const struct circuit *c)
{
    f->task_count = 0;
    for (size_t t = 0; t < c->template_count; t++) {
        uint32_t rows = c->templates[t]->rows, end = template_start[t + 1];
        for (uint32_t i = template_start[t]; i < end;) {
            uint32_t lanes = end - i < LANES ? end - i : LANES;
            if (lanes < FEW_LANES) {
                add_tasks(f, i++, 0, rows, TASK_ROWS * LANES);
            } else {
                add_tasks(f, i, lanes, rows, TASK_ROWS);
                i += lanes;
            }
        }
    }
}

/* Instances by template, a counting sort. template_start has template_count + 1 places. */
static void sort_instances(uint32_t *order, uint32_t *template_start, const struct circuit *c)
{
    memset(template_start, 0, (c->template_count + 1) * sizeof *template_start);
    for (size_t i = 0; i < c->instance_count; i++) template_start[c->instances[i].template + 1]++;
    for (size_t t = 0; t < c->template_count; t++) template_start[t + 1] += template_start[t];
    for (size_t i = 0; i < c->instance_count; i++) {
        order[template_start[c->instances[i].template]++] = (uint32_t)i;
    }
    memmove(template_start + 1, template_start, c->template_count * sizeof *template_start);
    template_start[0] = 0;
}

/* order and tasks. False without memory. */
static bool plan_rows(struct flat_circuit *f, const struct circuit *c)
{
    uint32_t *template_start = calloc(c->template_count + 1, sizeof *template_start);
    if (template_start) {
        sort_instances(f->order, template_start, c);
        make_tasks(f, template_start, c);
        f->tasks = calloc(f->task_count + 1, sizeof *f->tasks);
        if (f->tasks) make_tasks(f, template_start, c);
    }
    free(template_start);
    return f->tasks != NULL;
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
    f->order = calloc(f->instance_count + 1, sizeof *f->order);
    f->places = calloc(f->place_count + 1, sizeof *f->places);
    f->coeffs = calloc(f->coeff_count + 1, sizeof *f->coeffs);
    return f->starts && f->terms && f->instances && f->order && f->places && f->coeffs;
}

cuzk_status circuit_flatten(struct flat_circuit *f, const struct circuit *c, const struct srs_layout *layout,
                            cuzk_error *err)
{
    *f = (struct flat_circuit){
        .instance_count = c->instance_count,
        .place_count = c->import_count,
        .coeff_count = c->coeff_count,
        .constraints = c->constraints,
        .rows = c->rows,
        .inputs = c->inputs,
        .aux = c->aux,
        .bits = c->bits,
        .wides = c->wides,
        .log2_domain = c->log2_domain,
    };
    for (size_t i = 0; i < c->template_count; i++) {
        const struct template *t = c->templates[i];
        f->start_count += 2 * ((size_t)t->rows + 1);
        f->term_count += (size_t)t->matrix[0].start[t->rows] + t->matrix[1].start[t->rows];
    }
    uint32_t(*rows_at)[2] = calloc(c->template_count + 1, sizeof *rows_at);
    if (!allocate(f) || !rows_at || !plan_rows(f, c)) {
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
    free(f->order);
    free(f->tasks);
    free(f->places);
    free(f->coeffs);
    f->starts = f->order = f->places = NULL;
    f->tasks = NULL;
    f->terms = NULL;
    f->instances = NULL;
    f->coeffs = NULL;
}
