#include "backend/cuda/fill.h"

#include "r1cs/witness.h"

#include <stdlib.h>

/* Device memory is cut from one block: call with base NULL to count. Copies what the host has. */
struct cutting {
    char *base;
    size_t used;
    struct context *c;
    cudaError_t code;
};

static void *cut(struct cutting *x, const void *from, size_t bytes)
{
    char *to = x->base ? x->base + x->used : NULL;
    x->used += (bytes + 255) / 256 * 256;
    if (to && bytes && x->code == cudaSuccess) {
        x->code = cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, x->c->stream);
    }
    return to;
}

static void lay_out(struct fill_source *s, struct cutting *x, const struct fill_plan *p)
{
    s->code = cut(x, p->code, p->code_length * sizeof *p->code);
    s->lists = cut(x, p->lists, p->list_length * sizeof *p->lists);
    s->places = cut(x, p->places, p->place_count * sizeof *p->places);
    s->elements = cut(x, p->elements, p->element_count * sizeof *p->elements);
    s->hashes = cut(x, p->hashes, p->hash_count * sizeof *p->hashes);
    s->instances = cut(x, p->instances, p->instance_count * sizeof *p->instances);
}

/* Of the arrays on the host only the steps are needed from now on. */
static void forget_arrays(struct fill_plan *p)
{
    struct fill_step *steps = p->steps;
    size_t step_count = p->step_count, levels = p->levels;
    p->steps = NULL;
    fill_plan_release(p);
    *p = (struct fill_plan){ .steps = steps, .step_count = step_count, .levels = levels };
}

static cuzk_status upload_plan(struct cuda_fill *f, struct context *c, cuzk_error *err)
{
    struct cutting count = { NULL, 0, c, cudaSuccess };
    lay_out(&f->source, &count, &f->plan);
    f->bytes = count.used;
    TRY_STATUS(context_allocate(&f->memory, c, f->bytes, "a circuit's fill programs", err));
    struct cutting x = { f->memory, 0, c, cudaSuccess };
    lay_out(&f->source, &x, &f->plan);
    TRY(x.code);
    return context_wait(c, err);
}

cuzk_status fill_create(struct cuda_fill **out, const struct circuit *circuit, struct context *c, cuzk_error *err)
{
    *out = NULL;
    struct cuda_fill *f = calloc(1, sizeof *f);
    if (!f) return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory");
    f->circuit = circuit;
    cuzk_status status = fill_plan_create(&f->plan, circuit, err);
    if (status == CUZK_OK) status = upload_plan(f, c, err);
    if (status != CUZK_OK) {
        fill_drop(f, c);
        return status;
    }
    f->register_bytes = fill_register_bytes(&f->plan);
    forget_arrays(&f->plan);
    *out = f;
    return CUZK_OK;
}

void fill_drop(struct cuda_fill *f, struct context *c)
{
    if (!f) return;
    context_free(c, f->memory, f->bytes);
    fill_plan_release(&f->plan);
    free(f);
}

enum { ROUNDING = 256, PIECES = 4 }; /* what the arena may add to each piece */

size_t fill_scratch_bytes(const struct cuda_fill *f)
{
    return f ? f->register_bytes + witness_deferred_bytes(f->circuit) + PIECES * ROUNDING : 0;
}

/* The witness's place, with zeros for bits and the input ONE. */
static cuzk_status take_witness(struct fill_target *out, const struct circuit *circuit, struct context *c,
                                cuzk_error *err)
{
    size_t bits = witness_bit_bytes(circuit);
    char *memory;
    TRY_TAKE(memory, witness_value_bytes(circuit), "a witness");
    out->bits = (uint64_t *)memory;
    out->wides = (fr_t *)(memory + bits);
    out->inputs = out->wides + circuit->wides;
    TRY(cudaMemsetAsync(memory, 0, bits, c->stream));
    TRY(cudaMemcpyAsync(out->inputs, &FR_ONE, sizeof FR_ONE, cudaMemcpyHostToDevice, c->stream));
    return CUZK_OK;
}

static cuzk_status upload_slots(struct fill_source *s, const struct assignment *a, struct context *c, cuzk_error *err)
{
    uint64_t *ints;
    uint8_t(*nodes)[32];
    TRY_TAKE(ints, a->int_count + 1, "integer slots");
    TRY_TAKE(nodes, a->node_count + 1, "node slots");
    TRY(cudaMemcpyAsync(ints, a->ints, a->int_count * sizeof *ints, cudaMemcpyHostToDevice, c->stream));
    TRY(cudaMemcpyAsync(nodes, a->nodes, a->node_count * sizeof *nodes, cudaMemcpyHostToDevice, c->stream));
    s->ints = ints;
    s->nodes = (const fr_t *)nodes;
    return CUZK_OK;
}

/* Slots were checked when the witness was filled, so this says that memory changed in between. */
static cuzk_status check_slots(const uint32_t *bad, const struct witness *w, struct context *c, cuzk_error *err)
{
    uint32_t *found = c->pinned;
    TRY(cudaMemcpyAsync(found, bad, sizeof *found, cudaMemcpyDeviceToHost, c->stream));
    TRY_STATUS(context_wait(c, err));
    if (*found == UINT32_MAX) return CUZK_OK;
    cuzk_status status = assignment_check_slots(&w->given, w->circuit, NULL, err);
    if (status != CUZK_OK) return status;
    return cuzk_fail(err, CUZK_ERR_INTERNAL, "device and host disagree about the slots of instance %u", *found);
}

static cuzk_status fill(const struct fill_target *out, const struct witness *w, const struct cuda_fill *f,
                        struct context *c, cuzk_error *err)
{
    struct fill_source source = f->source;
    struct fill_target target = *out;
    struct fill_extent extent;
    char *registers;
    fill_extent_of(&extent, w->circuit, w->given.groups);
    TRY_TAKE(target.bad, 1, "a number");
    TRY_TAKE(registers, f->register_bytes + 1, "registers");
    TRY(cudaMemsetAsync(target.bad, 0xff, sizeof *target.bad, c->stream));
    TRY_STATUS(upload_slots(&source, &w->given, c, err));
    TRY_STATUS(fill_queue_steps(&source, &target, &f->plan, &extent, registers, c, err));
    TRY_STATUS(fill_queue_repeats(&target, &extent, c, err));
    return check_slots(target.bad, w, c, err);
}

cuzk_status fill_witness(struct device_witness *out, const struct witness *w, const struct cuda_fill *f,
                         struct context *c, cuzk_error *err)
{
    struct fill_target target = { 0 };
    if (!f) return cuzk_fail(err, CUZK_ERR_USAGE, "the device does not fill witnesses of this circuit");
    TRY_STATUS(assignment_check_counts(&w->given, w->circuit, err));
    TRY_STATUS(take_witness(&target, w->circuit, c, err));
    size_t mark = context_mark(c);
    cuzk_status status = fill(&target, w, f, c, err);
    context_release(c, mark);
    *out = (struct device_witness){ target.bits, target.wides, target.inputs };
    return status;
}

bool cuda_fills(const struct circuit *circuit, void *state)
{
    (void)state;
    return fill_pays(circuit);
}
