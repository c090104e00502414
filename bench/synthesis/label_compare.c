/* What the styles computed, side by side. */
#include "r1cs/evaluate.h"
#include "synthesis/label.h"

#include <stdlib.h>

static cuzk_status compare_counts(const struct constraint_system *cs, const struct circuit *c, cuzk_error *err)
{
    if (cs->aux.count == c->aux && cs->inputs.count == c->inputs && cs->a.count == c->constraints) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_INTERNAL,
                     "the styles differ: %zu variables, %zu inputs, %zu rows; the program has %u, %u, %u",
                     cs->aux.count, cs->inputs.count, cs->a.count, c->aux, c->inputs, c->constraints);
}

static cuzk_status compare_values(const struct constraint_system *cs, const struct witness *w, cuzk_error *err)
{
    for (uint32_t v = 0; v < w->circuit->aux; v++) {
        fr_t value = witness_value(w, v);
        if (!fr_equal(&value, &cs->aux.at[v])) {
            return cuzk_fail(err, CUZK_ERR_INTERNAL, "the styles differ in variable %u", v);
        }
    }
    for (uint32_t i = 0; i < w->circuit->inputs; i++) {
        if (!fr_equal(&w->inputs[i], &cs->inputs.at[i])) {
            return cuzk_fail(err, CUZK_ERR_INTERNAL, "the styles differ in public input %u", i);
        }
    }
    return CUZK_OK;
}

static cuzk_status compare_rows(const struct scalars *rows, const struct witness *w, enum matrix_name m,
                                fr_t *scratch, cuzk_error *err)
{
    uint32_t count = w->circuit->constraints;
    cuzk_status status = evaluate_rows(scratch, w, m, 0, count, NULL, err);
    for (uint32_t i = 0; i < count && status == CUZK_OK; i++) {
        if (fr_equal(&scratch[i], &rows->at[i])) continue;
        status = cuzk_fail(err, CUZK_ERR_INTERNAL, "the styles differ in row %u of %c", i, "ABC"[m]);
    }
    return status;
}

cuzk_status labels_compare(const struct constraint_system *cs, const struct witness *w, cuzk_error *err)
{
    fr_t *scratch = malloc((w->circuit->constraints + (size_t)1) * sizeof *scratch);
    cuzk_status status = scratch ? compare_counts(cs, w->circuit, err)
                                 : cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a matrix's rows");
    if (status == CUZK_OK) status = compare_values(cs, w, err);
    if (status == CUZK_OK) status = compare_rows(&cs->a, w, MATRIX_A, scratch, err);
    if (status == CUZK_OK) status = compare_rows(&cs->b, w, MATRIX_B, scratch, err);
    if (status == CUZK_OK) status = compare_rows(&cs->c, w, MATRIX_C, scratch, err);
    free(scratch);
    return status;
}
