/* A compiled circuit: templates and a list of instances. From it come parameter generation, witnesses, the rows'
 * evaluation, densities and digests; nothing else in the project knows what a circuit looks like.
 *
 * Numbering is the one of the incumbent's constraint system: public inputs (ONE is input 0) and private ("aux")
 * variables each in allocation order, rows in the order of enforcement. After the constraints follow, one for each
 * public input, the rows  input_i · 0 = 0  (spec §0); they are in `rows`, not in any template.
 *
 * Constant and safe to share between threads once built.
 */
#ifndef CUZK_R1CS_CIRCUIT_H
#define CUZK_R1CS_CIRCUIT_H

#include "base/status.h"
#include "math/fr.h"
#include "r1cs/template.h"

struct instance {
    uint32_t template;
    uint32_t aux_base;    /* variable number of the first local */
    uint32_t public_base; /* input number of the first public input */
    uint32_t row_base;
    uint32_t import_base; /* into circuit->imports */
    uint32_t bit_base;    /* place of the first bit in the packed witness */
    uint32_t wide_base;   /* place of the first wide value */
    uint32_t int_base;    /* first integer slot */
    uint32_t node_base;   /* first node slot */
};

/* A coefficient of the matrices. `small` is its value as an integer where |value| < 2^31, else 0. */
struct coeff {
    fr_t value;
    int64_t small;
};

/* A bitmap over variables with constant-time rank. */
struct ranked_bitmap {
    uint64_t *words; /* bit v of the bitmap is bit v % 64 of word v / 64 */
    uint32_t *before; /* set bits in the words before this one */
    uint32_t total;
};

static inline bool bitmap_has(const struct ranked_bitmap *b, uint32_t v)
{
    return b->words[v >> 6] >> (v & 63) & 1;
}

/* Set bits below position v. */
static inline uint32_t bitmap_rank(const struct ranked_bitmap *b, uint32_t v)
{
    uint64_t below = b->words[v >> 6] & ((UINT64_C(1) << (v & 63)) - 1);
    return b->before[v >> 6] + (uint32_t)__builtin_popcountll(below);
}

struct circuit {
    struct template **templates;
    size_t template_count;
    struct instance *instances;
    size_t instance_count;
    uint32_t *imports; /* private variable numbers */
    size_t import_count;
    struct coeff *coeffs;
    size_t coeff_count;

    /* Instances [groups[g], groups[g+1]) depend only on themselves and on group 0, so that the groups after the
     * first can be filled in any order or at once. group_count + 1 entries. */
    uint32_t *groups;
    size_t group_count;

    uint32_t inputs;      /* with ONE */
    uint32_t aux;
    uint32_t constraints; /* rows of the instances */
    uint32_t rows;        /* constraints + inputs */
    uint32_t bits, wides; /* aux by kind */
    uint32_t slot_ints, slot_nodes;
    uint64_t nonzero[MATRICES]; /* entries in all rows, the input rows included */
    unsigned log2_domain;       /* smallest power of two ≥ rows */

    struct ranked_bitmap wide;     /* by aux variable: is it wide? */
    struct ranked_bitmap dense[2]; /* by aux variable: does it occur in A, in B? */
};

void circuit_free(struct circuit *c);
size_t circuit_bytes(const struct circuit *c);

/* A ref of an instance in the circuit's numbering. */
struct variable {
    bool is_input;
    uint32_t index;
};

static inline struct variable circuit_variable(const struct circuit *c, const struct instance *i,
                                               const struct template *t, uint32_t ref)
{
    if (ref & REF_PUBLIC) return (struct variable){ true, i->public_base + (ref & ~REF_PUBLIC) };
    if (ref == REF_ONE) return (struct variable){ true, 0 };
    if (ref <= t->imports) return (struct variable){ false, c->imports[i->import_base + ref - 1] };
    return (struct variable){ false, i->aux_base + ref - t->imports - 1 };
}

/* The instance that a constraint row belongs to; row < constraints. */
const struct instance *circuit_instance_of_row(const struct circuit *c, uint32_t row);

#endif
