#include "backend/cuda/fill_plan.h"

#include "hash/poseidon.h"
#include "r1cs/assignment.h"

#include <stdlib.h>
#include <string.h>

enum { FEWEST_WIDES = 1 << 22 }; /* 128 MB */

bool fill_pays(const struct circuit *c) { return c->wides >= FEWEST_WIDES && c->wides > c->bits; }

/* ---- programs ---- */

/* The number of an arity in `hashes`; its constants are appended where they are met first. With elements NULL only
 * counts. */
static uint16_t add_hash(struct fill_plan *p, unsigned arity)
{
    const struct poseidon_params *params = poseidon_params(arity);
    uint32_t t = params->t, rp = params->partial_rounds, at = (uint32_t)p->element_count;
    for (size_t i = 0; i < p->hash_count; i++) {
        if (p->hashes[i].t == t) return (uint16_t)i;
    }
    const fr_t *const from[] = { params->constants, params->mds, params->pre_sparse_columns, params->sparse };
    const uint32_t count[] = { POSEIDON_FULL_ROUNDS * t + rp, t * t, t * t, rp * (2 * t - 1) };
    uint32_t place[4];
    for (int i = 0; i < 4; i++) {
        if (p->elements) memcpy(p->elements + at, from[i], count[i] * sizeof(fr_t));
        place[i] = at;
        at += count[i];
    }
    p->element_count = at;
    p->hashes[p->hash_count] = (struct fill_poseidon){ t, rp, place[0], place[1], place[2], place[3] };
    return (uint16_t)p->hash_count++;
}

static void add_program(struct fill_plan *p, struct fill_program *out, const struct program *from)
{
    *out = (struct fill_program){ (uint32_t)p->code_length,   (uint32_t)from->length, (uint32_t)p->list_length,
                                  (uint32_t)p->element_count, from->word_registers,   from->num_registers };
    if (p->code) {
        memcpy(p->code + p->code_length, from->code, from->length * sizeof *from->code);
        if (from->list_length) memcpy(p->lists + p->list_length, from->list, from->list_length * sizeof *from->list);
        if (from->constant_count) {
            memcpy(p->elements + p->element_count, from->constants, from->constant_count * sizeof(fr_t));
        }
    }
    p->element_count += from->constant_count;
    p->list_length += from->list_length;
    for (size_t k = 0; k < from->length; k++) {
        if (from->code[k].op != OP_NUM_POSEIDON) continue;
        uint16_t hash = add_hash(p, from->code[k].k);
        if (p->code) p->code[p->code_length + k].b = hash;
    }
    p->code_length += from->length;
}

/* Counts, or copies where there is memory. */
static void add_programs(struct fill_plan *p, struct fill_program *programs, const struct circuit *c)
{
    p->code_length = p->list_length = p->element_count = p->hash_count = 0;
    for (size_t t = 0; t < c->template_count; t++) add_program(p, &programs[t], &c->templates[t]->program);
}

/* ---- order ---- */

/* The instance that private variable v belongs to. Imports come in runs from one instance, or from the one before. */
static uint32_t owner_of(const struct circuit *c, uint32_t v, uint32_t guess)
{
    uint32_t low = 0, high = (uint32_t)c->instance_count;
    if (c->instances[guess].aux_base <= v && (guess + 1 == high || v < c->instances[guess + 1].aux_base)) {
        return guess;
    }
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (c->instances[middle].aux_base <= v)
            low = middle;
        else
            high = middle;
    }
    return low; /* the last of those that begin here: any others have no variables */
}

/* Levels of all instances; returns their number. */
static uint32_t find_levels(uint32_t *level, const struct circuit *c)
{
    uint32_t levels = 0;
    for (uint32_t n = 0; n < c->instance_count; n++) {
        const struct instance *in = &c->instances[n];
        uint32_t owner = n > 0 ? n - 1 : 0;
        level[n] = 0;
        for (uint32_t k = 0; k < c->templates[in->template]->imports; k++) {
            owner = owner_of(c, c->imports[in->import_base + k], owner);
            if (level[owner] >= level[n]) level[n] = level[owner] + 1;
        }
        if (level[n] >= levels) levels = level[n] + 1;
    }
    return levels;
}

/* A counting sort by (level, template): `start` has a place for each and one more. */
static void order_instances(struct fill_plan *p, uint32_t *start, const uint32_t *level,
                            const struct fill_program *programs, const struct circuit *c)
{
    size_t keys = p->levels * c->template_count;
    uint32_t sum = 0;
    for (size_t n = 0; n < c->instance_count; n++) {
        start[level[n] * c->template_count + c->instances[n].template]++;
    }
    for (size_t key = 0; key < keys; key++) {
        uint32_t count = start[key];
        if (count) p->steps[p->step_count++] = (struct fill_step){ sum, count, programs[key % c->template_count] };
        start[key] = sum;
        sum += count;
    }
    for (uint32_t n = 0; n < c->instance_count; n++) {
        const struct instance *i = &c->instances[n];
        p->instances[start[level[n] * c->template_count + i->template]++] =
            (struct fill_instance){ n,           i->public_base, i->import_base, i->bit_base, i->wide_base,
                                    i->int_base, i->node_base };
    }
}

static void find_places(struct fill_plan *p, const struct circuit *c)
{
    for (size_t i = 0; i < c->import_count; i++) {
        uint32_t v = c->imports[i], rank = bitmap_rank(&c->wide, v);
        p->places[i] = bitmap_has(&c->wide, v) ? rank : v - rank;
    }
}

static bool allocate(struct fill_plan *p)
{
    p->code = calloc(p->code_length + 1, sizeof *p->code);
    p->lists = calloc(p->list_length + 1, sizeof *p->lists);
    p->elements = calloc(p->element_count + 1, sizeof *p->elements);
    p->places = calloc(p->place_count + 1, sizeof *p->places);
    p->instances = calloc(p->instance_count + 1, sizeof *p->instances);
    return p->code && p->lists && p->elements && p->places && p->instances;
}

/* Steps and order; false without memory. */
static bool plan_steps(struct fill_plan *p, const struct fill_program *programs, const struct circuit *c)
{
    uint32_t *level = calloc(c->instance_count + 1, sizeof *level), *start = NULL;
    if (level) {
        p->levels = find_levels(level, c);
        size_t keys = p->levels * c->template_count, most = keys < c->instance_count ? keys : c->instance_count;
        start = calloc(keys + 1, sizeof *start);
        p->steps = calloc(most + 1, sizeof *p->steps);
        if (start && p->steps) order_instances(p, start, level, programs, c);
    }
    bool good = start && p->steps;
    free(level);
    free(start);
    return good;
}

cuzk_status fill_plan_create(struct fill_plan *out, const struct circuit *c, cuzk_error *err)
{
    *out = (struct fill_plan){ .place_count = c->import_count, .instance_count = c->instance_count };
    struct fill_program *programs = calloc(c->template_count + 1, sizeof *programs);
    out->hashes = calloc(POSEIDON_MAX_WIDTH + 1, sizeof *out->hashes);
    bool good = programs && out->hashes;
    if (good) {
        add_programs(out, programs, c);
        good = allocate(out) && plan_steps(out, programs, c);
    }
    if (good) {
        add_programs(out, programs, c);
        find_places(out, c);
    }
    free(programs);
    if (good) return CUZK_OK;
    fill_plan_release(out);
    return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a circuit's fill programs");
}

void fill_plan_release(struct fill_plan *p)
{
    free(p->code);
    free(p->lists);
    free(p->elements);
    free(p->hashes);
    free(p->places);
    free(p->instances);
    free(p->steps);
    *p = (struct fill_plan){ 0 };
}

/* The groups that follow the last one given have its shape. */
static struct fill_span span(uint64_t last, uint64_t begin, uint64_t end)
{
    return (struct fill_span){ begin, end, begin - last };
}

void fill_extent_of(struct fill_extent *out, const struct circuit *c, size_t groups_given)
{
    struct instance last = circuit_group_start(c, groups_given), begin = circuit_group_start(c, groups_given + 1),
                    end = circuit_group_start(c, c->group_count);
    *out = (struct fill_extent){
        .instances = c->groups[groups_given + 1],
        .bits = span(last.bit_base, begin.bit_base, end.bit_base),
        .wides = span(last.wide_base, begin.wide_base, end.wide_base),
        .inputs = span(last.public_base, begin.public_base, end.public_base),
    };
}

size_t fill_register_bytes(const struct fill_plan *p)
{
    size_t most = 0;
    for (size_t i = 0; i < p->step_count; i++) {
        const struct fill_step *s = &p->steps[i];
        size_t bytes = s->count * (s->program.words * sizeof(uint64_t) + s->program.nums * sizeof(fr_t));
        if (bytes > most) most = bytes;
    }
    return most;
}
