#include "r1cs/evaluate.h"

#include "r1cs/coeffs.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { DOT = 16, ROWS_PER_PIECE = 1 << 14 };

/* One instance while its rows are evaluated. */
struct scope {
    const struct witness *w;
    const struct instance *instance;
    const struct template *t;
    uint32_t *import_place; /* by import, in the packed witness */
};

/* A sum in three parts: small integers, field elements, and products that wait for a common reduction. */
struct sum {
    int64_t small;
    fr_t value;
    unsigned waiting;
    fr_t left[DOT], right[DOT];
};

static void enter_instance(struct scope *s, const struct instance *i)
{
    const struct circuit *c = s->w->circuit;
    s->instance = i;
    s->t = c->templates[i->template];
    for (uint32_t k = 0; k < s->t->imports; k++) {
        uint32_t v = c->imports[i->import_base + k], rank = bitmap_rank(&c->wide, v);
        s->import_place[k] = template_is_wide(s->t, k + 1) ? rank : v - rank;
    }
}

static void settle(struct sum *sum)
{
    fr_t products;
    fr_dot(&products, sum->left, sum->right, sum->waiting);
    fr_add(&sum->value, &sum->value, &products);
    sum->waiting = 0;
}

static void add_wide(struct sum *sum, const struct coeff *coeff, uint32_t place, const fr_t *value)
{
    if (place == COEFF_ONE) {
        fr_add(&sum->value, &sum->value, value);
    } else if (place == COEFF_MINUS_ONE) {
        fr_sub(&sum->value, &sum->value, value);
    } else {
        sum->left[sum->waiting] = coeff->value;
        sum->right[sum->waiting] = *value;
        if (++sum->waiting == DOT) settle(sum);
    }
}

static void add_one(struct sum *sum, const struct coeff *coeff)
{
    if (coeff->small) sum->small += coeff->small;
    else fr_add(&sum->value, &sum->value, &coeff->value);
}

static void add_term(struct sum *sum, const struct scope *s, const struct term *term)
{
    const struct coeff *coeff = &s->w->circuit->coeffs[term->coeff];
    uint32_t ref = term->ref;
    if (ref == REF_ONE) {
        add_one(sum, coeff);
    } else if (ref & REF_PUBLIC) {
        add_wide(sum, coeff, term->coeff, &s->w->inputs[s->instance->public_base + (ref & ~REF_PUBLIC)]);
    } else {
        bool wide = template_is_wide(s->t, ref);
        uint32_t place = ref <= s->t->imports ? s->import_place[ref - 1]
                                              : s->t->place[ref] + (wide ? s->instance->wide_base
                                                                         : s->instance->bit_base);
        if (wide) add_wide(sum, coeff, term->coeff, &s->w->wides[place]);
        else if (witness_bit(s->w, place)) add_one(sum, coeff);
    }
}

static void evaluate_row(fr_t *out, struct sum *sum, const struct scope *s, enum matrix_name m, uint32_t row)
{
    const struct matrix *matrix = &s->t->matrix[m];
    sum->small = 0;
    sum->value = FR_ZERO;
    for (uint32_t k = matrix->start[row]; k < matrix->start[row + 1]; k++) add_term(sum, s, &matrix->terms[k]);
    if (sum->waiting > 0) settle(sum);
    if (sum->small == 1) {
        fr_add(out, &sum->value, &FR_ONE);
    } else if (sum->small != 0) {
        fr_t small;
        fr_from_i64(&small, sum->small);
        fr_add(out, &sum->value, &small);
    } else {
        *out = sum->value;
    }
}

/* Calls evaluate_row for rows [begin, end) of the constraints, instance by instance. */
static void evaluate_constraints(fr_t *out, struct scope *s, enum matrix_name m, uint32_t begin, uint32_t end)
{
    struct sum sum = { .waiting = 0 };
    if (begin >= end) return;
    const struct instance *i = circuit_instance_of_row(s->w->circuit, begin);
    for (uint32_t row = begin; row < end; i++) {
        enter_instance(s, i);
        uint32_t stop = i->row_base + s->t->rows < end ? i->row_base + s->t->rows : end;
        for (; row < stop; row++) evaluate_row(out + (row - begin), &sum, s, m, row - i->row_base);
    }
}

static void evaluate_range(fr_t *out, struct scope *s, enum matrix_name m, uint32_t begin, uint32_t end)
{
    const struct circuit *c = s->w->circuit;
    uint32_t stop = end < c->constraints ? end : c->constraints;
    evaluate_constraints(out, s, m, begin, stop);
    for (uint32_t row = begin > stop ? begin : stop; row < end; row++) {
        out[row - begin] = m == MATRIX_A ? s->w->inputs[row - c->constraints] : FR_ZERO;
    }
}

/* One scope per worker. */
struct scopes {
    struct scope *scope;
    uint32_t *places;
};

static cuzk_status scopes_create(struct scopes *out, const struct witness *w, unsigned workers, cuzk_error *err)
{
    size_t imports = 1;
    for (size_t i = 0; i < w->circuit->template_count; i++) {
        if (w->circuit->templates[i]->imports > imports) imports = w->circuit->templates[i]->imports;
    }
    out->scope = calloc(workers, sizeof *out->scope);
    out->places = calloc(workers * imports, sizeof *out->places);
    if (!out->scope || !out->places) {
        free(out->scope);
        free(out->places);
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory to evaluate rows");
    }
    for (unsigned i = 0; i < workers; i++) {
        out->scope[i] = (struct scope){ .w = w, .import_place = out->places + i * imports };
    }
    return CUZK_OK;
}

static void scopes_release(struct scopes *s)
{
    free(s->scope);
    free(s->places);
}

struct evaluation {
    struct scopes scopes;
    enum matrix_name m;
    uint32_t begin;
    fr_t *out;
};

static void evaluate_piece(void *context, size_t begin, size_t end, unsigned worker)
{
    struct evaluation *e = context;
    evaluate_range(e->out + begin, &e->scopes.scope[worker], e->m, e->begin + (uint32_t)begin,
                   e->begin + (uint32_t)end);
}

cuzk_status evaluate_rows(fr_t *out, const struct witness *w, enum matrix_name m, uint32_t begin, uint32_t end,
                          struct pool *pool, cuzk_error *err)
{
    if (begin > end || end > w->circuit->rows) {
        return cuzk_fail(err, CUZK_ERR_USAGE, "rows %u to %u of a circuit with %u", begin, end, w->circuit->rows);
    }
    struct evaluation e = { .m = m, .begin = begin, .out = out };
    cuzk_status status = scopes_create(&e.scopes, w, pool_threads(pool), err);
    if (status != CUZK_OK) return status;
    pool_for(pool, end - begin, ROWS_PER_PIECE, evaluate_piece, &e);
    scopes_release(&e.scopes);
    return CUZK_OK;
}

struct check {
    struct scopes scopes;
    _Atomic uint32_t first_bad; /* row, UINT32_MAX = none */
};

/* Rows of one piece, a, b, c side by side in small blocks. */
static void check_piece(void *context, size_t begin, size_t end, unsigned worker)
{
    enum { BLOCK = 256 };
    struct check *check = context;
    fr_t v[MATRICES][BLOCK];
    for (size_t row = begin; row < end; row += BLOCK) {
        size_t stop = end - row < BLOCK ? end : row + BLOCK;
        for (int m = 0; m < MATRICES; m++) {
            evaluate_range(v[m], &check->scopes.scope[worker], (enum matrix_name)m, (uint32_t)row,
                           (uint32_t)stop);
        }
        for (size_t i = row; i < stop; i++) {
            fr_t product;
            fr_mul(&product, &v[MATRIX_A][i - row], &v[MATRIX_B][i - row]);
            if (fr_equal(&product, &v[MATRIX_C][i - row])) continue;
            uint32_t seen = atomic_load(&check->first_bad);
            while (i < seen && !atomic_compare_exchange_weak(&check->first_bad, &seen, (uint32_t)i)) continue;
            return;
        }
    }
}

cuzk_status witness_check(const struct witness *w, struct pool *pool, cuzk_error *err)
{
    const struct circuit *c = w->circuit;
    struct check check = { .first_bad = UINT32_MAX };
    cuzk_status status = scopes_create(&check.scopes, w, pool_threads(pool), err);
    if (status != CUZK_OK) return status;
    pool_for(pool, c->rows, ROWS_PER_PIECE, check_piece, &check);
    scopes_release(&check.scopes);
    uint32_t bad = atomic_load(&check.first_bad);
    if (bad == UINT32_MAX) return CUZK_OK;
    if (bad >= c->constraints) return cuzk_fail(err, CUZK_REFUSED, "row %u (input row) does not hold", bad);
    const struct instance *i = circuit_instance_of_row(c, bad);
    return cuzk_fail(err, CUZK_REFUSED, "row %u does not hold: row %u of template %s, instance %zu", bad,
                     bad - i->row_base, c->templates[i->template]->name, (size_t)(i - c->instances));
}
