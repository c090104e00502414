#define _GNU_SOURCE
#include "cli/bench/working_set.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

/* The incumbent's job, in bytes (issue 8). Bit vectors: 130 million variables in each of l, a and b. */
static const double NESTED_BYTES = 37e9, LONG_BYTES = 132e9, BIT_BYTES = 3 * 10 * 130e6 / 8;

enum {
    BIT_INNER_WORDS = 512,   /* 4 KiB: 32768 variables */
    TAIL_LEAST_WORDS = 1024, /* 8 KiB … 64 KiB: below every allocator's threshold for mappings of their own */
    TAIL_STEPS = 57,
    TAIL_STEP_WORDS = 128,
    INPUT_WORDS = 1024,
    ALIGNMENT = 16
};

/* Sizes that differ, the same ones in every run. */
static size_t tail_words(size_t i)
{
    return TAIL_LEAST_WORDS + (size_t)((uint32_t)i * 2654435761u >> 16) % TAIL_STEPS * TAIL_STEP_WORDS;
}

static uint64_t tail_bytes(size_t vectors)
{
    uint64_t words = 0;
    for (size_t i = 0; i < vectors; i++) words += tail_words(i);
    return words * sizeof(uint64_t);
}

void set_plan_create(struct set_plan *out, double scale)
{
    double part = scale / SET_CIRCUITS, tail_mean = (TAIL_LEAST_WORDS + TAIL_STEPS / 2 * TAIL_STEP_WORDS) * 8;
    *out = (struct set_plan){ .bit_vectors = 1 + (size_t)(BIT_BYTES * part / (8 * BIT_INNER_WORDS)),
                              .bit_words = BIT_INNER_WORDS,
                              .tail_vectors = 1 + (size_t)((NESTED_BYTES - BIT_BYTES) * part / tail_mean),
                              .long_words = { [3] = INPUT_WORDS } };
    for (int i = 0; i < LONG_VECTORS; i++) {
        if (i != 3) out->long_words[i] = 4 + (size_t)(LONG_BYTES * part / (LONG_VECTORS - 1) / 32) * 4;
        out->bytes += out->long_words[i] * sizeof(uint64_t);
    }
    out->bytes += out->bit_vectors * out->bit_words * sizeof(uint64_t) + tail_bytes(out->tail_vectors);
    out->bytes += (out->bit_vectors + out->tail_vectors) * sizeof(struct set_vector);
}

void set_create(struct working_set *out, enum set_kind kind, bool huge, double scale, const struct circuit *porep)
{
    *out = (struct working_set){ .kind = kind, .huge = huge };
    set_plan_create(&out->plan, scale);
    size_t blocks = out->plan.bit_vectors + out->plan.tail_vectors + LONG_VECTORS + 2;
    out->arena_bytes = (size_t)out->plan.bytes + blocks * ALIGNMENT;
    if (kind != SET_PACKED) return;
    out->shape.bits = (uint32_t)(scale * porep->bits) + 1;
    out->shape.wides = (uint32_t)(scale * porep->wides) + 1;
    out->shape.inputs = porep->inputs;
}

uint64_t set_bytes(const struct working_set *set)
{
    uint64_t one = set->kind == SET_PACKED ? witness_bytes(&set->shape) : set->plan.bytes;
    return SET_CIRCUITS * one;
}

/* ---- giving vectors their memory ---- */

/* Where it comes from: malloc, or the next piece of an arena. */
struct source {
    char *at; /* NULL: malloc */
};

static void *take(struct source *s, size_t bytes)
{
    if (!s->at) return malloc(bytes);
    void *out = s->at;
    s->at += (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    return out;
}

static bool vector_build(struct set_vector *v, struct source *s, size_t words)
{
    *v = (struct set_vector){ take(s, words * sizeof *v->words), words };
    return v->words != NULL;
}

static bool nest_build(struct set_nest *n, struct source *s, size_t count)
{
    *n = (struct set_nest){ take(s, count * sizeof *n->inner), 0 };
    return n->inner != NULL;
}

static bool nest_push(struct set_nest *n, struct source *s, size_t words)
{
    if (!vector_build(&n->inner[n->count], s, words)) return false;
    n->count++;
    return true;
}

/* Bits and tails grow side by side, as synthesis meets them. */
static bool circuit_build(struct circuit_set *c, const struct set_plan *p, struct source *s)
{
    *c = (struct circuit_set){ 0 };
    bool ok = nest_build(&c->bits, s, p->bit_vectors) && nest_build(&c->tails, s, p->tail_vectors);
    for (int i = 0; i < LONG_VECTORS && ok; i++) ok = vector_build(&c->longs[i], s, p->long_words[i]);
    for (size_t i = 0, bits = 0; i < p->tail_vectors && ok; i++) {
        ok = nest_push(&c->tails, s, tail_words(i));
        size_t wanted = (i + 1) * p->bit_vectors / p->tail_vectors;
        for (; ok && bits < wanted; bits++) ok = nest_push(&c->bits, s, p->bit_words);
    }
    return ok;
}

struct building {
    struct working_set *set;
    size_t circuit;
    bool ok;
};

static void *build_by_malloc(void *argument)
{
    struct building *b = argument;
    b->ok = circuit_build(&b->set->circuit[b->circuit], &b->set->plan, &(struct source){ NULL });
    return NULL;
}

static bool malloc_all(struct working_set *set)
{
    struct building b[SET_CIRCUITS];
    pthread_t thread[SET_CIRCUITS];
    bool ok = true;
    size_t started = 0;
    for (size_t i = 0; i < SET_CIRCUITS; i++) b[i] = (struct building){ set, i, false };
    while (started < SET_CIRCUITS && pthread_create(&thread[started], NULL, build_by_malloc, &b[started]) == 0) {
        started++;
    }
    for (size_t i = 0; i < started; i++) pthread_join(thread[i], NULL);
    for (size_t i = 0; i < SET_CIRCUITS; i++) ok = ok && b[i].ok;
    return ok;
}

static bool arena_map(struct working_set *set, size_t i)
{
    void *m = mmap(NULL, set->arena_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (m == MAP_FAILED) return false;
    set->arena[i] = m;
    if (set->huge) madvise(m, set->arena_bytes, MADV_HUGEPAGE);
    return true;
}

static bool carve_all(struct working_set *set)
{
    for (size_t i = 0; i < SET_CIRCUITS; i++) {
        if (!set->arena[i] && !arena_map(set, i)) return false;
        if (!circuit_build(&set->circuit[i], &set->plan, &(struct source){ set->arena[i] })) return false;
    }
    return true;
}

static cuzk_status create_witnesses(struct working_set *set, cuzk_error *err)
{
    cuzk_status status = CUZK_OK;
    for (size_t i = 0; i < SET_CIRCUITS && status == CUZK_OK; i++) {
        if (set->witness[i].memory) continue;
        status = witness_create(&set->witness[i], &set->shape, err);
        if (status == CUZK_OK && set->huge) madvise(set->witness[i].memory, set->witness[i].size, MADV_HUGEPAGE);
    }
    return status;
}

cuzk_status set_build(struct working_set *set, cuzk_error *err)
{
    if (set->kind == SET_PACKED) return create_witnesses(set, err);
    bool ok = set->kind == SET_MALLOC ? malloc_all(set) : carve_all(set);
    return ok ? CUZK_OK : cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for working sets of %llu bytes",
                                    (unsigned long long)set_bytes(set));
}

/* ---- use ---- */

static void fill_words(uint64_t *words, size_t count, uint64_t value)
{
    for (size_t i = 0; i < count; i++) words[i] = value += 0x9e3779b97f4a7c15u;
}

static void fill_nest(const struct set_nest *n, uint64_t value)
{
    for (size_t i = 0; i < n->count; i++) fill_words(n->inner[i].words, n->inner[i].count, value + i);
}

static void fill_circuits(void *context, size_t begin, size_t end, unsigned worker)
{
    struct working_set *set = context;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        if (set->kind == SET_PACKED) {
            fill_words(set->witness[i].memory, set->witness[i].size / sizeof(uint64_t), i);
            continue;
        }
        fill_nest(&set->circuit[i].bits, i);
        fill_nest(&set->circuit[i].tails, i);
        for (int l = 0; l < LONG_VECTORS; l++) {
            fill_words(set->circuit[i].longs[l].words, set->circuit[i].longs[l].count, i + (size_t)l);
        }
    }
}

void set_fill(struct working_set *set, struct pool *pool) { pool_for(pool, SET_CIRCUITS, 1, fill_circuits, set); }

/* ---- the end ---- */

static void nest_free(struct set_nest *n)
{
    for (size_t i = 0; i < n->count; i++) free(n->inner[i].words);
    free(n->inner);
}

void circuit_set_free(void *context)
{
    struct circuit_set *c = context;
    nest_free(&c->bits);
    nest_free(&c->tails);
    for (int i = 0; i < LONG_VECTORS; i++) free(c->longs[i].words);
    *c = (struct circuit_set){ 0 };
}

void set_free(struct working_set *set)
{
    for (size_t i = 0; i < SET_CIRCUITS; i++) {
        if (set->kind == SET_MALLOC) circuit_set_free(&set->circuit[i]);
        if (set->arena[i]) munmap(set->arena[i], set->arena_bytes);
        set->arena[i] = NULL;
        witness_destroy(&set->witness[i]);
    }
}
