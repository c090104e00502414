#include "r1cs/template.h"

#include "math/fr.h"

#include <stdlib.h>

void template_free(struct template *t)
{
    if (!t) return;
    for (int m = 0; m < MATRICES; m++) {
        free(t->matrix[m].start);
        free(t->matrix[m].terms);
    }
    free(t->wide);
    free(t->place);
    free(t->dense[0]);
    free(t->dense[1]);
    free(t->program.code);
    free(t->program.list);
    free(t->program.constants);
    free(t->bit_exports);
    free(t->num_exports);
    free(t);
}

size_t template_bytes(const struct template *t)
{
    size_t bytes = sizeof *t;
    for (int m = 0; m < MATRICES; m++) {
        bytes += (t->rows + 1) * sizeof(uint32_t) + t->matrix[m].start[t->rows] * sizeof(struct term);
    }
    bytes += 3 * ((template_refs(t) + 63) / 64) * sizeof(uint64_t) + template_refs(t) * sizeof(uint32_t);
    bytes += t->program.length * sizeof(struct instruction) + t->program.list_length * sizeof(uint32_t) +
             t->program.constant_count * sizeof(fr_t);
    bytes += t->bit_export_count * sizeof(struct bit) + t->num_export_count * sizeof(uint32_t);
    return bytes;
}
