/* Recording one template: allocations number the columns, enforcements number the rows, and every value computed
 * appends an instruction to the fill program. Gadgets (src/gadget) are functions over a recorder.
 *
 * A recorder's failures are sticky (no memory, too many registers): recording goes on harmlessly and
 * recorder_finish reports the first one. Not thread-safe; one thread records one template.
 */
#ifndef CUZK_R1CS_RECORDER_H
#define CUZK_R1CS_RECORDER_H

#include "base/status.h"
#include "r1cs/circuit.h"
#include "r1cs/lc.h"

/* Up to 64 bits with the register that holds their values; bit 0 first. */
struct word {
    uint16_t reg;
    uint8_t width;
    struct bit bit[64];
};

/* A number that is one variable (or ONE), with the register that holds its value. */
struct num {
    uint32_t ref;
    uint16_t reg;
};

struct recorder;
struct coeff_table;

/* What the instance will import, as the block's caller passes it: bits with local refs or constants, then numbers. */
struct recorder_imports {
    const struct bit *bits;
    size_t bit_count;
    const uint32_t *nums; /* local refs */
    size_t num_count;
    uint32_t imports;       /* distinct variables; refs 1 … imports */
    const bool *wide;       /* by import, `imports` entries: is it a number? */
};

cuzk_status recorder_create(struct recorder **out, const char *name, const struct recorder_imports *imports,
                            struct coeff_table *coeffs, cuzk_error *err);
void recorder_free(struct recorder *r); /* NULL is allowed */

/* Takes the template out; the recorder can only be freed afterwards. */
cuzk_status recorder_finish(struct template **out, struct recorder *r, cuzk_error *err);

void recorder_fail(struct recorder *r, const char *what);

/* Imports. A word of `width` imported bits starting with the `from`-th; the n-th imported number. */
struct word rec_import_word(struct recorder *r, size_t from, unsigned width);
struct bit rec_import_bit(struct recorder *r, size_t i);
struct num rec_import_num(struct recorder *r, size_t i);
size_t rec_import_bits(const struct recorder *r); /* how many */
size_t rec_import_nums(const struct recorder *r);

/* Exports, in order. */
void rec_export_word(struct recorder *r, const struct word *w);
void rec_export_num(struct recorder *r, struct num n);

/* Columns and rows. Allocating a bit does not constrain it: gadgets do. */
uint32_t rec_alloc_bit(struct recorder *r);
uint32_t rec_alloc_wide(struct recorder *r);
uint32_t rec_alloc_public(struct recorder *r, uint16_t num_register); /* its value is the register's */
void rec_enforce(struct recorder *r, struct lc *a, struct lc *b, struct lc *c); /* normalises, then clears them */

/* The same with combinations that the recorder keeps: take an empty row, fill it, enforce it. */
struct row {
    struct lc a, b, c;
};
struct row *rec_row(struct recorder *r);
void rec_enforce_row(struct recorder *r, struct row *row);

uint32_t rec_locals(const struct recorder *r); /* private variables allocated so far */

/* The program. Registers are never reused; a list gets the operands of instructions with many. */
uint16_t rec_word_register(struct recorder *r);
uint16_t rec_word_registers(struct recorder *r, unsigned count); /* consecutive; the first */
uint16_t rec_num_register(struct recorder *r);
void rec_emit(struct recorder *r, struct instruction i);
uint32_t rec_list(struct recorder *r, uint32_t operand); /* appends; returns its position */
uint16_t rec_constant(struct recorder *r, const fr_t *value);
void rec_count_slot_int(struct recorder *r);
void rec_count_slot_node(struct recorder *r);

#endif
