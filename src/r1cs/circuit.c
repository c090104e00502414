#include "r1cs/circuit.h"

#include <stdlib.h>

void circuit_free(struct circuit *c)
{
    if (!c) return;
    for (size_t i = 0; c->templates && i < c->template_count; i++) template_free(c->templates[i]);
    free(c->templates);
    free(c->instances);
    free(c->imports);
    free(c->coeffs);
    free(c->groups);
    struct ranked_bitmap *bitmaps[] = { &c->wide, &c->dense[0], &c->dense[1] };
    for (size_t i = 0; i < 3; i++) {
        free(bitmaps[i]->words);
        free(bitmaps[i]->before);
    }
    free(c);
}

size_t circuit_bytes(const struct circuit *c)
{
    size_t bytes = sizeof *c + c->template_count * sizeof *c->templates +
                   c->instance_count * sizeof *c->instances + c->import_count * sizeof *c->imports +
                   c->coeff_count * sizeof *c->coeffs + (c->group_count + 1) * sizeof *c->groups;
    bytes += 3 * (c->aux / 64 + (size_t)1) * (sizeof(uint64_t) + sizeof(uint32_t));
    for (size_t i = 0; i < c->template_count; i++) bytes += template_bytes(c->templates[i]);
    return bytes;
}

const struct instance *circuit_instance_of_row(const struct circuit *c, uint32_t row)
{
    size_t low = 0, high = c->instance_count; /* the last instance with row_base ≤ row and rows > 0 */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (c->instances[middle].row_base <= row) low = middle;
        else high = middle;
    }
    return &c->instances[low];
}
