#include "r1cs/rows_text.h"

#include "base/bytes.h"
#include "r1cs/row_terms.h"

#include <stdlib.h>

/* "5", "2^20" or false if the value is neither small nor a power of two. */
static bool print_plain(FILE *out, const char *sign, const uint64_t limbs[4])
{
    int set = 0, top = 0;
    for (int i = 0; i < 4; i++) {
        set += __builtin_popcountll(limbs[i]);
        if (limbs[i]) top = 64 * i + 63 - __builtin_clzll(limbs[i]);
    }
    if (top < 16) fprintf(out, "%s%llu", sign, (unsigned long long)limbs[0]);
    else if (set == 1) fprintf(out, "%s2^%d", sign, top);
    else return false;
    return true;
}

static void print_coefficient(FILE *out, const fr_t *value)
{
    uint64_t limbs[4];
    fr_t negated;
    fr_to_limbs(limbs, value);
    if (print_plain(out, "", limbs)) return;
    fr_neg(&negated, value);
    fr_to_limbs(limbs, &negated);
    if (print_plain(out, "-", limbs)) return;
    uint8_t bytes[32];
    fr_to_bytes(bytes, value);
    fputs("0x", out);
    for (int i = 31; i >= 0; i--) fprintf(out, "%02x", bytes[i]);
}

static void print_side(FILE *out, const struct circuit *c, const struct row_term *terms, size_t n)
{
    fputc('(', out);
    if (n == 0) fputc('0', out);
    for (size_t k = 0; k < n; k++) {
        if (k > 0) fputc(' ', out);
        print_coefficient(out, &c->coeffs[terms[k].coeff].value);
        fprintf(out, "*%c%u", terms[k].key >> 32 ? 'w' : 'i', (uint32_t)terms[k].key);
    }
    fputc(')', out);
}

cuzk_status rows_text(FILE *out, const struct circuit *c, uint32_t from, uint32_t to, cuzk_error *err)
{
    static const char *const between[MATRICES] = { " * ", " = ", "\n" };
    if (to > c->constraints) to = c->constraints;
    if (from > to) return cuzk_fail(err, CUZK_ERR_USAGE, "rows %u to %u of %u", from, to, c->constraints);
    struct row_term *space = malloc((circuit_widest_row(c) + 1) * sizeof *space);
    if (!space) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory to print rows");
    for (uint32_t row = from; row < to; row++) {
        const struct instance *i = circuit_instance_of_row(c, row);
        fprintf(out, "%u: ", row);
        for (int m = 0; m < MATRICES; m++) {
            size_t n = row_terms(space, c, i, (enum matrix_name)m, row);
            print_side(out, c, space, n);
            fputs(between[m], out);
        }
    }
    free(space);
    return CUZK_OK;
}
