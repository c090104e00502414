#define _GNU_SOURCE
#include "r1cs/witness.h"

#include <string.h>
#include <sys/mman.h>

static size_t lines(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

/* One word more than the bits fill, for the ends of groups. */
size_t witness_bit_bytes(const struct circuit *c)
{
    return lines(((size_t)c->bits + 63) / 64 * sizeof(uint64_t) + sizeof(uint64_t));
}

size_t witness_value_bytes(const struct circuit *c)
{
    return witness_bit_bytes(c) + lines(((size_t)c->wides + c->inputs) * sizeof(fr_t));
}

size_t witness_bytes(const struct circuit *c) { return witness_value_bytes(c) + witness_deferred_bytes(c); }

static size_t int_bytes(const struct circuit *c) { return lines(((size_t)c->slot_ints + 1) * sizeof(uint64_t)); }

size_t witness_deferred_bytes(const struct circuit *c) { return int_bytes(c) + (size_t)c->slot_nodes * 32; }

static cuzk_status map(struct witness *out, size_t size, cuzk_error *err)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return cuzk_fail(err, CUZK_ERR_RESOURCE, "no memory for a witness of %zu bytes", size);
    }
    out->memory = memory;
    out->size = size;
    return CUZK_OK;
}

static void place_slots(struct witness *out, void *memory)
{
    out->given.ints = memory;
    out->given.nodes = (const uint8_t(*)[32])((char *)memory + int_bytes(out->circuit));
}

cuzk_status witness_create(struct witness *out, const struct circuit *circuit, cuzk_error *err)
{
    *out = (struct witness){ .circuit = circuit };
    cuzk_status status = map(out, witness_bytes(circuit), err);
    if (status != CUZK_OK) return status;
    out->bits = out->memory;
    out->wides = (fr_t *)((char *)out->memory + witness_bit_bytes(circuit));
    out->inputs = out->wides + circuit->wides;
    place_slots(out, (char *)out->memory + witness_value_bytes(circuit));
    return CUZK_OK;
}

cuzk_status witness_create_deferred(struct witness *out, const struct circuit *circuit, cuzk_error *err)
{
    *out = (struct witness){ .circuit = circuit };
    cuzk_status status = map(out, witness_deferred_bytes(circuit), err);
    if (status != CUZK_OK) return status;
    place_slots(out, out->memory);
    return CUZK_OK;
}

void witness_destroy(struct witness *w)
{
    if (w->memory) munmap(w->memory, w->size);
    *w = (struct witness){ 0 };
}

cuzk_status witness_defer(struct witness *w, const struct assignment *a, struct pool *pool, cuzk_error *err)
{
    cuzk_status status = assignment_check_counts(a, w->circuit, err);
    if (status == CUZK_OK) status = assignment_check_slots(a, w->circuit, pool, err);
    if (status != CUZK_OK) return status;
    struct assignment *own = &w->given;
    own->int_count = a->int_count;
    own->node_count = a->node_count;
    own->groups = a->groups;
    if (a->int_count && a->ints != own->ints) memcpy((uint64_t *)own->ints, a->ints, a->int_count * sizeof *a->ints);
    if (a->node_count && a->nodes != own->nodes) memcpy((void *)own->nodes, a->nodes, a->node_count * 32);
    return CUZK_OK;
}
