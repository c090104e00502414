/* A template: one block (a SHA-256 compression, a Poseidon permutation, a tree level …) compiled once into a
 * small local R1CS whose indices are relative, together with the program that fills its part of a witness.
 * Constant after it was recorded. See ../docs/circuits.md for the whole picture.
 *
 * Variables are named by a *ref*:
 *   0                        the constant ONE
 *   1 … imports              the instance's imports, in order (always private variables)
 *   imports+1 …              the template's own private variables ("locals"), in allocation order
 *   REF_PUBLIC | k           the k-th public input that the template allocates
 * A local is a *bit* (its value is 0 or 1 by construction) or *wide* (any field element).
 */
#ifndef CUZK_R1CS_TEMPLATE_H
#define CUZK_R1CS_TEMPLATE_H

#include "r1cs/program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REF_ONE 0u
#define REF_PUBLIC 0x80000000u

/* One non-zero entry of a matrix. Within a row, entries are ascending by ref. */
struct term {
    uint32_t ref;
    uint32_t coeff; /* index into the circuit's coefficient table */
};

/* Compressed rows: row i has the terms [start[i], start[i+1]). */
struct matrix {
    uint32_t *start; /* rows + 1 entries */
    struct term *terms;
};

enum matrix_name { MATRIX_A, MATRIX_B, MATRIX_C, MATRICES };

/* A boolean: a variable, its negation, or a constant. Inside a template `ref` is local, outside (in what a block
 * exports) it is 1 + the private variable's number; 0 is ONE in both. */
struct bit {
    uint32_t code; /* ref << 1 | negated */
};

#define BIT_TRUE ((struct bit){ REF_ONE << 1 })
#define BIT_FALSE ((struct bit){ REF_ONE << 1 | 1 })

static inline struct bit bit_of_ref(uint32_t ref) { return (struct bit){ ref << 1 }; }
static inline struct bit bit_not(struct bit b) { return (struct bit){ b.code ^ 1 }; }
static inline uint32_t bit_ref(struct bit b) { return b.code >> 1; }
static inline bool bit_negated(struct bit b) { return b.code & 1; }
static inline bool bit_is_constant(struct bit b) { return b.code <= 1; }
static inline bool bit_is(struct bit b, struct bit constant) { return b.code == constant.code; }

struct template {
    const char *name;
    uint32_t imports, locals, publics, rows;
    uint32_t bits, wides;         /* locals by kind */
    uint32_t slot_ints, slot_nodes; /* private inputs that one instance takes */
    struct matrix matrix[MATRICES];

    /* By ref, 0 … imports+locals. place: for a local, its number among the locals of its kind; for an import or
     * ONE, 0. Bitmaps are u64 words, LSB first. */
    uint64_t *wide;     /* is the ref wide? */
    uint32_t *place;
    uint64_t *dense[2]; /* does the ref occur with a non-zero coefficient in A, in B? */

    struct program program;

    struct bit *bit_exports;
    uint32_t *num_exports; /* refs */
    uint32_t bit_export_count, num_export_count;
};

static inline bool template_is_wide(const struct template *t, uint32_t ref)
{
    return t->wide[ref >> 6] >> (ref & 63) & 1;
}

static inline uint32_t template_refs(const struct template *t) { return 1 + t->imports + t->locals; }

void template_free(struct template *t);

/* Bytes of memory that it holds. */
size_t template_bytes(const struct template *t);

#endif
