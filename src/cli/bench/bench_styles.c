/* cuzk bench witness --style: the labels of a PoRep as objects, without temporaries, and as fill programs. The first
 * two styles are code of bench/, made for this comparison alone. */
#include "cli/bench/bench_styles.h"

#include "circuit/catalogue.h"
#include "r1cs/evaluate.h"
#include "synthesis/label.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const style_names[] = { [STYLE_OBJECTS] = "objects", [STYLE_NO_TEMPORARIES] = "no-temporaries",
                                           [STYLE_PROGRAM] = "program", [STYLE_ALL] = "all" };

int style_by_name(const char *name)
{
    for (int i = STYLE_OBJECTS; i <= STYLE_ALL; i++) {
        if (strcmp(name, style_names[i]) == 0) return i;
    }
    return STYLE_NONE;
}

struct styles {
    const struct bench_options *options;
    const struct partition_input *in;
    struct circuit *circuit; /* of the labels */
    struct witness w;
    struct constraint_system cs;
    fr_t *rows[3]; /* a, b, c */
    uint64_t allocated;
    cuzk_status status;
    cuzk_error *err;
};

static void reset_objects(void *context)
{
    struct styles *s = context;
    bool temporaries = s->cs.temporaries;
    cs_release(&s->cs);
    s->cs.temporaries = temporaries;
}

static void run_objects(void *context)
{
    struct styles *s = context;
    if (s->status != CUZK_OK) return;
    cs_begin(&s->cs, s->cs.temporaries);
    s->status = labels_synthesise(&s->cs, s->in->shape, &s->in->porep, s->err);
    s->allocated = s->cs.heap.bytes;
}

static void run_program(void *context)
{
    struct styles *s = context;
    if (s->status != CUZK_OK) return;
    s->status = labels_fill(&s->w, &s->allocated, s->in->shape, &s->in->porep, s->err);
    s->allocated += s->w.size; /* which a prover fills again and again; here as if made anew */
}

/* The same and what the incumbent's synthesis yields as well: a, b and c of every row. */
static void run_program_rows(void *context)
{
    struct styles *s = context;
    uint32_t count = s->circuit->constraints;
    run_program(s);
    for (int m = 0; m < 2 && s->status == CUZK_OK; m++) {
        s->status = evaluate_rows(s->rows[m], &s->w, m ? MATRIX_B : MATRIX_A, 0, count, NULL, s->err);
    }
    if (s->status != CUZK_OK) return;
    for (uint32_t i = 0; i < count; i++) fr_mul(&s->rows[2][i], &s->rows[0][i], &s->rows[1][i]);
    s->allocated += 3 * (uint64_t)count * sizeof(fr_t);
}

/* `style` with `body`, and what it computed against the fill program's. */
static cuzk_status measure(struct styles *s, const char *name, const char *style, bench_body *body, bench_body *reset)
{
    bench_measure(s->options, &(struct bench_task){ .name = name, .device = "cpu", .size = s->circuit->aux,
                                                    .threads = 1, .work = s->circuit->aux, .body = body,
                                                    .reset = reset, .context = s, .style = style,
                                                    .allocated = &s->allocated });
    return s->status;
}

static cuzk_status measure_objects(struct styles *s, int style)
{
    s->cs.temporaries = style == STYLE_OBJECTS;
    const char *name = style == STYLE_OBJECTS ? "labels: objects" : "labels: no temporaries";
    cuzk_status status = measure(s, name, style_names[style], run_objects, reset_objects);
    if (status == CUZK_OK) status = labels_compare(&s->cs, &s->w, s->err);
    cs_release(&s->cs);
    return status;
}

static cuzk_status measure_program(struct styles *s)
{
    cuzk_status status = measure(s, "labels: program", style_names[STYLE_PROGRAM], run_program, NULL);
    if (status == CUZK_OK) status = measure(s, "labels: program + rows", "program-rows", run_program_rows, NULL);
    return status;
}

/* Whatever style is asked for, its values are held against another one's. */
static cuzk_status check_program(struct styles *s)
{
    cs_begin(&s->cs, false);
    cuzk_status status = labels_synthesise(&s->cs, s->in->shape, &s->in->porep, s->err);
    if (status == CUZK_OK) status = labels_compare(&s->cs, &s->w, s->err);
    if (status == CUZK_OK) status = witness_check(&s->w, NULL, s->err);
    cs_release(&s->cs);
    return status;
}

static void print_scope(const struct styles *s)
{
    const struct circuit_entry *e = catalogue_by_shape(s->in->kind, s->in->shape);
    if (s->options->json) return;
    printf("scope: the labels of %zu challenges in %u layers of %s, numbers to bits to SHA-256 to number: %u of the "
           "circuit's %llu variables (%.0f %%), %u rows; one thread; a, b, c of each row with objects, "
           "no-temporaries and program + rows\n",
           s->in->porep.challenge_count, s->in->shape->layers, e->id, s->circuit->aux, (unsigned long long)e->aux,
           100.0 * s->circuit->aux / (double)e->aux, s->circuit->constraints);
}

static cuzk_status get_ready(struct styles *s, cuzk_error *err)
{
    cuzk_status status = labels_compile(&s->circuit, s->in->shape, err);
    if (status == CUZK_OK) status = witness_create(&s->w, s->circuit, err);
    for (int m = 0; m < 3 && status == CUZK_OK; m++) {
        s->rows[m] = malloc(s->circuit->constraints * sizeof(fr_t));
        if (!s->rows[m]) status = cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for the rows' values");
    }
    if (status == CUZK_OK) status = labels_fill(&s->w, &s->allocated, s->in->shape, &s->in->porep, err);
    return status;
}

cuzk_status bench_styles(const struct bench_options *o, const struct partition_input *in, cuzk_error *err)
{
    struct styles s = { .options = o, .in = in, .err = err };
    if (in->kind != PROOF_POREP) {
        return cuzk_fail(err, CUZK_ERR_USAGE, "--style compares ways to synthesise labels: a PoRep is needed");
    }
    bool all = o->style == STYLE_ALL;
    cuzk_status status = get_ready(&s, err);
    if (status == CUZK_OK) print_scope(&s);
    for (int style = STYLE_OBJECTS; style <= STYLE_NO_TEMPORARIES && status == CUZK_OK; style++) {
        if (all || o->style == style) status = measure_objects(&s, style);
    }
    if (status == CUZK_OK && (all || o->style == STYLE_PROGRAM)) status = measure_program(&s);
    if (status == CUZK_OK && o->style == STYLE_PROGRAM) status = check_program(&s);
    for (int m = 0; m < 3; m++) free(s.rows[m]);
    witness_destroy(&s.w);
    circuit_free(s.circuit);
    return status;
}
