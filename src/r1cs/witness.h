/* A packed witness: bits as bits, wide values as field elements, each in variable order (design §1.2).
 *
 * Variable v is wide if circuit->wide has it; its value is then wides[rank(v)], otherwise bit v − rank(v) of `bits`.
 */
#ifndef CUZK_R1CS_WITNESS_H
#define CUZK_R1CS_WITNESS_H

#include "r1cs/assignment.h"

/* A *deferred* witness holds the slots that it was filled with instead of values: a backend computes these on its
 * device (backend_witness_create decides). It is filled like any other, and only backend_prove and the like take it:
 * bits, wides and inputs are NULL. */
struct witness {
    const struct circuit *circuit;
    uint64_t *bits; /* (circuit->bits + 63) / 64 words; unused bits of the last one are 0 */
    fr_t *wides;    /* circuit->wides */
    fr_t *inputs;   /* circuit->inputs; inputs[0] is one */
    void *memory;   /* the one region that holds all three (unless deferred) and the slots */
    size_t size;
    struct assignment given; /* room for all of the circuit's slots; deferred: what it was filled with */
};

static inline bool witness_is_deferred(const struct witness *w) { return w->bits == NULL; }

/* A witness's memory begins with the bits, these many bytes, then come wide values and inputs; all three together are
 * value_bytes. The slots stand behind them. Devices keep the values in the same order. */
size_t witness_bit_bytes(const struct circuit *circuit);
size_t witness_value_bytes(const struct circuit *circuit);

/* Bytes of memory that witness_create and witness_create_deferred take for a circuit. */
size_t witness_bytes(const struct circuit *circuit);
size_t witness_deferred_bytes(const struct circuit *circuit);

/* Memory from one mapping; contents undefined until filled. Reusable for any number of fills of this circuit. */
cuzk_status witness_create(struct witness *out, const struct circuit *circuit, cuzk_error *err);
cuzk_status witness_create_deferred(struct witness *out, const struct circuit *circuit, cuzk_error *err);
void witness_destroy(struct witness *w);

/* Computes every variable. Parallel over groups, with the same result for any pool. CUZK_ERR_USAGE if the counts
 * do not match the circuit, CUZK_ERR_DATA if a slot's value is out of range (naming the slot). A deferred witness
 * gets the same checks and a copy of the slots, which may already be its own. */
cuzk_status witness_fill(struct witness *w, const struct assignment *a, struct pool *pool, cuzk_error *err);
cuzk_status witness_defer(struct witness *w, const struct assignment *a, struct pool *pool, cuzk_error *err);

static inline bool witness_bit(const struct witness *w, uint32_t place)
{
    return __atomic_load_n(&w->bits[place >> 6], __ATOMIC_RELAXED) >> (place & 63) & 1;
}

/* The value of private variable v. */
static inline fr_t witness_value(const struct witness *w, uint32_t v)
{
    const struct ranked_bitmap *wide = &w->circuit->wide;
    uint32_t rank = bitmap_rank(wide, v);
    if (bitmap_has(wide, v)) return w->wides[rank];
    return witness_bit(w, v - rank) ? FR_ONE : FR_ZERO;
}

#endif
