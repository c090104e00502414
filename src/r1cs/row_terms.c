#include "r1cs/row_terms.h"

#include "r1cs/coeffs.h"

#include <stdlib.h>

size_t circuit_widest_row(const struct circuit *c)
{
    size_t widest = 1;
    for (size_t i = 0; i < c->template_count; i++) {
        const struct template *t = c->templates[i];
        for (int m = 0; m < MATRICES; m++) {
            for (uint32_t r = 0; r < t->rows; r++) {
                size_t n = t->matrix[m].start[r + 1] - t->matrix[m].start[r];
                if (n > widest) widest = n;
            }
        }
    }
    return widest;
}

static int compare(const void *a, const void *b)
{
    uint64_t x = ((const struct row_term *)a)->key, y = ((const struct row_term *)b)->key;
    return x < y ? -1 : x > y;
}

size_t row_terms(struct row_term *space, const struct circuit *c, const struct instance *i, enum matrix_name m,
                 uint32_t row)
{
    if (row >= c->constraints) {
        if (m != MATRIX_A) return 0;
        space[0] = (struct row_term){ row - c->constraints, COEFF_ONE };
        return 1;
    }
    const struct template *t = c->templates[i->template];
    const struct matrix *matrix = &t->matrix[m];
    const struct term *term = matrix->terms + matrix->start[row - i->row_base];
    size_t n = matrix->start[row - i->row_base + 1] - matrix->start[row - i->row_base];
    bool sorted = true;
    for (size_t k = 0; k < n; k++) {
        struct variable v = circuit_variable(c, i, t, term[k].ref);
        space[k] = (struct row_term){ (uint64_t)!v.is_input << 32 | v.index, term[k].coeff };
        if (k > 0 && space[k].key < space[k - 1].key) sorted = false;
    }
    if (!sorted) qsort(space, n, sizeof *space, compare);
    return n;
}
