#include "r1cs/recorder.h"

#include "base/vec.h"
#include "r1cs/coeffs.h"

#include <stdlib.h>
#include <string.h>

struct recorder {
    const char *name;
    struct recorder_imports imports;
    struct coeff_table *coeffs;
    const char *failure; /* the first, NULL while all is well */
    uint32_t locals, publics, rows;
    uint32_t slot_ints, slot_nodes;
    uint32_t word_registers, num_registers;
    struct vec wide;                       /* bool by local */
    struct vec starts[MATRICES];           /* uint32_t */
    struct vec terms[MATRICES];            /* struct term */
    struct vec code, list, constants;      /* struct instruction, uint32_t, fr_t */
    struct vec bit_exports, num_exports;   /* struct bit, uint32_t */
    struct row row;                        /* scratch of rec_row */
};

cuzk_status recorder_create(struct recorder **out, const char *name, const struct recorder_imports *imports,
                            struct coeff_table *coeffs, cuzk_error *err)
{
    struct recorder *r = calloc(1, sizeof *r);
    *out = r;
    if (!r) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory to record template %s", name);
    r->name = name;
    r->imports = *imports;
    r->coeffs = coeffs;
    r->row = (struct row){ lc_empty(), lc_empty(), lc_empty() };
    const uint32_t zero = 0;
    for (int m = 0; m < MATRICES; m++) vec_push(&r->starts[m], &zero, sizeof zero);
    return CUZK_OK;
}

void recorder_free(struct recorder *r)
{
    if (!r) return;
    for (int m = 0; m < MATRICES; m++) {
        vec_free(&r->starts[m]);
        vec_free(&r->terms[m]);
    }
    lc_free(&r->row.a);
    lc_free(&r->row.b);
    lc_free(&r->row.c);
    vec_free(&r->wide);
    vec_free(&r->code);
    vec_free(&r->list);
    vec_free(&r->constants);
    vec_free(&r->bit_exports);
    vec_free(&r->num_exports);
    free(r);
}

void recorder_fail(struct recorder *r, const char *what)
{
    if (!r->failure) r->failure = what;
}

/* Imports */

size_t rec_import_bits(const struct recorder *r) { return r->imports.bit_count; }
size_t rec_import_nums(const struct recorder *r) { return r->imports.num_count; }

struct bit rec_import_bit(struct recorder *r, size_t i)
{
    if (i < r->imports.bit_count) return r->imports.bits[i];
    recorder_fail(r, "a bit import past the end");
    return BIT_FALSE;
}

struct word rec_import_word(struct recorder *r, size_t from, unsigned width)
{
    struct word w = { .reg = rec_word_register(r), .width = (uint8_t)width };
    struct instruction i = { .op = OP_WORD_IMPORT, .k = (uint8_t)width, .dst = w.reg };
    for (unsigned j = 0; j < width; j++) {
        w.bit[j] = rec_import_bit(r, from + j);
        uint32_t at = rec_list(r, w.bit[j].code);
        if (j == 0) i.list = at;
    }
    rec_emit(r, i);
    return w;
}

struct num rec_import_num(struct recorder *r, size_t i)
{
    struct num n = { REF_ONE, rec_num_register(r) };
    if (i < r->imports.num_count) {
        n.ref = r->imports.nums[i];
        rec_emit(r, (struct instruction){ .op = OP_NUM_IMPORT, .dst = n.reg, .list = n.ref });
    } else {
        recorder_fail(r, "a number import past the end");
    }
    return n;
}

/* Exports */

void rec_export_word(struct recorder *r, const struct word *w)
{
    for (unsigned j = 0; j < w->width; j++) vec_push(&r->bit_exports, &w->bit[j], sizeof w->bit[j]);
}

void rec_export_num(struct recorder *r, struct num n) { vec_push(&r->num_exports, &n.ref, sizeof n.ref); }

/* Columns and rows */

uint32_t rec_locals(const struct recorder *r) { return r->locals; }

static uint32_t alloc_local(struct recorder *r, bool wide)
{
    vec_push(&r->wide, &wide, sizeof wide);
    return 1 + r->imports.imports + r->locals++;
}

uint32_t rec_alloc_bit(struct recorder *r) { return alloc_local(r, false); }
uint32_t rec_alloc_wide(struct recorder *r) { return alloc_local(r, true); }

uint32_t rec_alloc_public(struct recorder *r, uint16_t num_register)
{
    uint32_t k = r->publics++;
    rec_emit(r, (struct instruction){ .op = OP_NUM_PUBLIC, .a = num_register, .list = k });
    return REF_PUBLIC | k;
}

static void append_row(struct recorder *r, int m, struct lc *lc)
{
    lc_normalise(lc);
    struct term *terms = vec_extend(&r->terms[m], lc->count, sizeof *terms);
    if (terms) {
        for (size_t i = 0; i < lc->count; i++) {
            terms[i].ref = lc->terms[i].ref;
            if (!coeff_table_place(&terms[i].coeff, r->coeffs, &lc->terms[i].coeff)) {
                recorder_fail(r, "no memory for coefficients");
            }
        }
    }
    uint32_t end = (uint32_t)r->terms[m].count;
    vec_push(&r->starts[m], &end, sizeof end);
    if (lc->failed) recorder_fail(r, "no memory for a linear combination");
    lc_clear(lc);
}

void rec_enforce(struct recorder *r, struct lc *a, struct lc *b, struct lc *c)
{
    append_row(r, MATRIX_A, a);
    append_row(r, MATRIX_B, b);
    append_row(r, MATRIX_C, c);
    r->rows++;
}

struct row *rec_row(struct recorder *r)
{
    lc_clear(&r->row.a);
    lc_clear(&r->row.b);
    lc_clear(&r->row.c);
    return &r->row;
}

void rec_enforce_row(struct recorder *r, struct row *row) { rec_enforce(r, &row->a, &row->b, &row->c); }

/* The program */

static uint16_t take_registers(struct recorder *r, uint32_t *used, unsigned count)
{
    uint32_t first = *used;
    if (first + count > UINT16_MAX) {
        recorder_fail(r, "more than 65535 registers");
        return 0;
    }
    *used += count;
    return (uint16_t)first;
}

uint16_t rec_word_register(struct recorder *r) { return take_registers(r, &r->word_registers, 1); }
uint16_t rec_word_registers(struct recorder *r, unsigned count)
{
    return take_registers(r, &r->word_registers, count);
}
uint16_t rec_num_register(struct recorder *r) { return take_registers(r, &r->num_registers, 1); }

void rec_emit(struct recorder *r, struct instruction i) { vec_push(&r->code, &i, sizeof i); }

uint32_t rec_list(struct recorder *r, uint32_t operand)
{
    vec_push(&r->list, &operand, sizeof operand);
    return (uint32_t)(r->list.count - 1);
}

uint16_t rec_constant(struct recorder *r, const fr_t *value)
{
    const fr_t *known = r->constants.data;
    for (size_t i = 0; i < r->constants.count; i++) {
        if (fr_equal(&known[i], value)) return (uint16_t)i;
    }
    vec_push(&r->constants, value, sizeof *value);
    if (r->constants.count > UINT16_MAX) recorder_fail(r, "more than 65535 constants");
    return (uint16_t)(r->constants.count - 1);
}

void rec_count_slot_int(struct recorder *r) { r->slot_ints++; }
void rec_count_slot_node(struct recorder *r) { r->slot_nodes++; }

/* Finishing */

static void mark_dense(struct template *t, const struct recorder *r)
{
    for (int m = MATRIX_A; m <= MATRIX_B; m++) {
        const struct term *terms = t->matrix[m].terms;
        for (uint32_t i = 0; i < t->matrix[m].start[r->rows]; i++) {
            if (!(terms[i].ref & REF_PUBLIC)) {
                t->dense[m][terms[i].ref >> 6] |= UINT64_C(1) << (terms[i].ref & 63);
            }
        }
    }
}

static void place_locals(struct template *t, const struct recorder *r)
{
    const bool *wide = r->wide.data;
    for (uint32_t ref = 1; ref < template_refs(t); ref++) {
        bool is_import = ref <= t->imports;
        bool is_wide = is_import ? r->imports.wide[ref - 1] : wide[ref - 1 - t->imports];
        if (is_wide) t->wide[ref >> 6] |= UINT64_C(1) << (ref & 63);
        if (!is_import) t->place[ref] = is_wide ? t->wides++ : t->bits++;
    }
}

static const char *first_failure(const struct recorder *r)
{
    const struct vec *all[] = { &r->wide, &r->code, &r->list, &r->constants, &r->bit_exports, &r->num_exports,
                                &r->starts[0], &r->starts[1], &r->starts[2],
                                &r->terms[0],  &r->terms[1],  &r->terms[2] };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i]->failed) return "no memory";
    }
    return r->failure;
}

static void take_program(struct program *p, struct recorder *r)
{
    p->length = r->code.count;
    p->list_length = r->list.count;
    p->constant_count = r->constants.count;
    p->word_registers = (uint16_t)r->word_registers;
    p->num_registers = (uint16_t)r->num_registers;
    p->code = vec_take(&r->code, sizeof(struct instruction));
    p->list = vec_take(&r->list, sizeof(uint32_t));
    p->constants = vec_take(&r->constants, sizeof(fr_t));
}

cuzk_status recorder_finish(struct template **out, struct recorder *r, cuzk_error *err)
{
    *out = NULL;
    const char *failure = first_failure(r);
    if (failure) return cuzk_fail(err, CUZK_ERR_INTERNAL, "template %s: %s", r->name, failure);
    struct template *t = calloc(1, sizeof *t);
    if (!t) return cuzk_fail(err, CUZK_ERR_RESOURCE, "template %s: no memory", r->name);
    t->name = r->name;
    t->imports = r->imports.imports;
    t->locals = r->locals;
    t->publics = r->publics;
    t->rows = r->rows;
    t->slot_ints = r->slot_ints;
    t->slot_nodes = r->slot_nodes;
    size_t words = (template_refs(t) + 63) / 64;
    t->wide = calloc(words, sizeof *t->wide);
    t->dense[0] = calloc(words, sizeof *t->dense[0]);
    t->dense[1] = calloc(words, sizeof *t->dense[1]);
    t->place = calloc(template_refs(t), sizeof *t->place);
    bool good = t->wide && t->dense[0] && t->dense[1] && t->place;
    for (int m = 0; m < MATRICES; m++) {
        t->matrix[m].start = vec_take(&r->starts[m], sizeof(uint32_t));
        t->matrix[m].terms = vec_take(&r->terms[m], sizeof(struct term));
        good = good && t->matrix[m].start && t->matrix[m].terms;
    }
    t->bit_export_count = (uint32_t)r->bit_exports.count;
    t->num_export_count = (uint32_t)r->num_exports.count;
    t->bit_exports = vec_take(&r->bit_exports, sizeof(struct bit));
    t->num_exports = vec_take(&r->num_exports, sizeof(uint32_t));
    take_program(&t->program, r);
    good = good && t->bit_exports && t->num_exports && t->program.code && t->program.list &&
           t->program.constants;
    if (!good) {
        template_free(t);
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "template %s: no memory", r->name);
    }
    place_locals(t, r);
    mark_dense(t, r);
    *out = t;
    return CUZK_OK;
}
