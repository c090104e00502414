/* include/cuzk/circuit.h over the recorder and the builder. The public handles are the private structs under other
 * names, so nothing is copied. */
#include "cuzk/circuit.h"

#include "r1cs/builder.h"

#include <stdlib.h>
#include <string.h>

enum { NO_VARIABLE = UINT32_MAX };

static struct recorder *recorder_of(cuzk_template *t) { return (struct recorder *)t; }

static fr_t field_of(const cuzk_field *f) { return (fr_t){ { f->opaque[0], f->opaque[1], f->opaque[2], f->opaque[3] } }; }

static cuzk_field public_field(const fr_t *f) { return (cuzk_field){ { f->l[0], f->l[1], f->l[2], f->l[3] } }; }

cuzk_field cuzk_field_from_int(int64_t v)
{
    fr_t f;
    fr_from_i64(&f, v);
    return public_field(&f);
}

cuzk_status cuzk_field_from_bytes(cuzk_field *out, const uint8_t in[32], cuzk_error *err)
{
    fr_t f;
    bool canonical = fr_from_bytes(&f, in);
    *out = public_field(&f);
    return canonical ? CUZK_OK : cuzk_fail(err, CUZK_ERR_DATA, "not a canonical field element");
}

/* Templates */

static cuzk_num public_num(struct num n) { return (cuzk_num){ n.ref, n.reg }; }

cuzk_num cuzk_one(cuzk_template *t)
{
    struct recorder *r = recorder_of(t);
    uint16_t reg = rec_num_register(r);
    rec_emit(r, (struct instruction){ .op = OP_NUM_CONST, .dst = reg, .a = rec_constant(r, &FR_ONE) });
    return (cuzk_num){ REF_ONE, reg };
}

cuzk_num cuzk_import(cuzk_template *t, size_t i) { return public_num(rec_import_num(recorder_of(t), i)); }

void cuzk_export(cuzk_template *t, cuzk_num a)
{
    struct recorder *r = recorder_of(t);
    bool is_private = a.variable != NO_VARIABLE && a.variable != REF_ONE && !(a.variable & REF_PUBLIC);
    if (!is_private) recorder_fail(r, "an export that is not a private variable");
    else rec_export_num(r, (struct num){ a.variable, (uint16_t)a.value });
}

cuzk_num cuzk_private_input(cuzk_template *t)
{
    struct recorder *r = recorder_of(t);
    struct num n = { rec_alloc_wide(r), rec_num_register(r) };
    rec_count_slot_node(r);
    rec_emit(r, (struct instruction){ .op = OP_NUM_SLOT, .dst = n.reg, .emit = 1 });
    return public_num(n);
}

cuzk_num cuzk_product(cuzk_template *t, cuzk_num a, cuzk_num b)
{
    struct recorder *r = recorder_of(t);
    uint16_t reg = rec_num_register(r);
    rec_emit(r, (struct instruction){ .op = OP_NUM_MUL, .dst = reg, .a = (uint16_t)a.value, .b = (uint16_t)b.value });
    return (cuzk_num){ NO_VARIABLE, reg };
}

cuzk_num cuzk_sum(cuzk_template *t, const cuzk_term *terms, size_t count)
{
    struct recorder *r = recorder_of(t);
    struct instruction i = { .op = OP_NUM_LC, .k = (uint8_t)count, .dst = rec_num_register(r) };
    if (count > UINT8_MAX) recorder_fail(r, "a sum of more than 255 terms");
    for (size_t k = 0; k < count && k <= UINT8_MAX; k++) {
        fr_t coefficient = field_of(&terms[k].coefficient);
        uint32_t at = rec_list(r, terms[k].num.value);
        rec_list(r, rec_constant(r, &coefficient));
        if (k == 0) i.list = at;
    }
    rec_emit(r, i);
    return (cuzk_num){ NO_VARIABLE, i.dst };
}

cuzk_num cuzk_private(cuzk_template *t, cuzk_num value)
{
    struct recorder *r = recorder_of(t);
    struct instruction i = { .op = OP_NUM_LC, .k = 1, .dst = rec_num_register(r), .emit = 1 };
    i.list = rec_list(r, value.value);
    rec_list(r, rec_constant(r, &FR_ONE));
    uint32_t variable = rec_alloc_wide(r);
    rec_emit(r, i);
    return (cuzk_num){ variable, i.dst };
}

cuzk_num cuzk_public(cuzk_template *t, cuzk_num value)
{
    return (cuzk_num){ rec_alloc_public(recorder_of(t), (uint16_t)value.value), value.value };
}

static void add_terms(struct recorder *r, struct lc *lc, const cuzk_term *terms, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        fr_t coefficient = field_of(&terms[k].coefficient);
        if (terms[k].num.variable == NO_VARIABLE) recorder_fail(r, "a row over a value that is no variable");
        else lc_add(lc, terms[k].num.variable, &coefficient);
    }
}

void cuzk_enforce(cuzk_template *t, const cuzk_term *a, size_t a_count, const cuzk_term *b, size_t b_count,
                  const cuzk_term *c, size_t c_count)
{
    struct recorder *r = recorder_of(t);
    struct row *row = rec_row(r);
    add_terms(r, &row->a, a, a_count);
    add_terms(r, &row->b, b, b_count);
    add_terms(r, &row->c, c, c_count);
    rec_enforce_row(r, row);
}

/* The builder: a public block is called through one private block that knows it. */

struct cuzk_builder {
    struct builder *inner;
};

/* The private block of a public one: the recording function's address leads the parameters. */
static void record_public(struct recorder *r, const void *params)
{
    cuzk_record *record;
    memcpy(&record, params, sizeof record);
    record((cuzk_template *)r, (const char *)params + sizeof record);
}

cuzk_status cuzk_builder_create(cuzk_builder **out, cuzk_error *err)
{
    *out = calloc(1, sizeof **out);
    if (!*out) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory to build a circuit");
    cuzk_status status = builder_create(&(*out)->inner, err);
    if (status != CUZK_OK) {
        free(*out);
        *out = NULL;
    }
    return status;
}

void cuzk_builder_free(cuzk_builder *b)
{
    if (!b) return;
    builder_free(b->inner);
    free(b);
}

void cuzk_builder_call(cuzk_builder *b, const cuzk_block *block, const void *params, size_t params_size,
                       const cuzk_wire *in, size_t in_count, cuzk_wire *out, size_t out_count)
{
    static const struct block through = { "public block", record_public };
    char *all = malloc(sizeof block->record + params_size);
    struct call call = { .block = &through, .nums = in, .num_count = in_count, .nums_out = out,
                         .nums_out_count = out_count };
    if (all) {
        memcpy(all, &block->record, sizeof block->record);
        if (params_size > 0) memcpy(all + sizeof block->record, params, params_size);
        call.params = all;
        call.params_size = sizeof block->record + params_size;
        builder_call(b->inner, &call);
    } else {
        builder_fail(b->inner, "no memory");
    }
    free(all);
}

void cuzk_builder_group(cuzk_builder *b) { builder_group(b->inner); }

cuzk_status cuzk_builder_finish(cuzk_circuit **out, cuzk_builder *b, cuzk_error *err)
{
    struct circuit *c;
    cuzk_status status = builder_finish(&c, b->inner, err);
    *out = (cuzk_circuit *)c;
    return status;
}

void cuzk_circuit_free(cuzk_circuit *c) { circuit_free((struct circuit *)c); }

cuzk_circuit_sizes cuzk_circuit_measure(const cuzk_circuit *circuit)
{
    const struct circuit *c = (const struct circuit *)circuit;
    return (cuzk_circuit_sizes){ c->inputs, c->aux, c->rows, c->slot_nodes };
}
