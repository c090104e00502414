/* A packed witness: bits as bits, wide values as field elements, each in variable order (design §1.2).
 *
 * Variable v is wide if circuit->wide has it; its value is then wides[rank(v)], otherwise bit v − rank(v) of `bits`.
 */
#ifndef CUZK_R1CS_WITNESS_H
#define CUZK_R1CS_WITNESS_H

#include "base/pool.h"
#include "r1cs/circuit.h"

struct witness {
    const struct circuit *circuit;
    uint64_t *bits; /* (circuit->bits + 63) / 64 words; unused bits of the last one are 0 */
    fr_t *wides;    /* circuit->wides */
    fr_t *inputs;   /* circuit->inputs; inputs[0] is one */
    void *memory;   /* the one region that holds all three */
    size_t size;
};

/* Where the private inputs come from: what the slots take, in circuit order. Fewer groups than the circuit has
 * are allowed if the last one given and all that follow have the same shape: it is then repeated (window PoSt).
 * Groups count without group 0. */
struct assignment {
    const uint64_t *ints;
    size_t int_count;
    const uint8_t (*nodes)[32];
    size_t node_count;
    size_t groups;
};

/* Memory from one mapping; contents undefined until filled. Reusable for any number of fills of this circuit. */
cuzk_status witness_create(struct witness *out, const struct circuit *circuit, cuzk_error *err);
void witness_destroy(struct witness *w);

/* Computes every variable. Parallel over groups, with the same result for any pool. CUZK_ERR_USAGE if the counts
 * do not match the circuit, CUZK_ERR_DATA if a slot's value is out of range (naming the slot). */
cuzk_status witness_fill(struct witness *w, const struct assignment *a, struct pool *pool, cuzk_error *err);

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
