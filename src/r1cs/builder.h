/* Building a circuit as a list of blocks. A circuit's description calls blocks; each distinct call pattern (which
 * imported bits are constant, plain or negated, which imports are the same variable, the block's parameters) is
 * recorded once as a template, and every call appends an instance.
 *
 * Failures are sticky, as in the recorder: builder_finish reports the first. Not thread-safe.
 */
#ifndef CUZK_R1CS_BUILDER_H
#define CUZK_R1CS_BUILDER_H

#include "r1cs/recorder.h"

struct builder;

/* A kind of block. `record` records it for one pattern of imports; `params` are those of the call. */
struct block {
    const char *name;
    void (*record)(struct recorder *r, const void *params);
};

/* A private variable of the circuit as blocks hand it on: 1 + its number, so that 0 is never a variable. */
typedef uint32_t num_ref;

struct call {
    const struct block *block;
    const void *params; /* part of the pattern: plain bytes without padding */
    size_t params_size;
    const struct bit *bits; /* imported bits (in the circuit's refs) or constants */
    size_t bit_count;
    const num_ref *nums; /* imported numbers */
    size_t num_count;
    struct bit *bits_out; /* receive the template's exports; the counts must be exactly those exported */
    size_t bits_out_count;
    num_ref *nums_out;
    size_t nums_out_count;
};

cuzk_status builder_create(struct builder **out, cuzk_error *err);
void builder_free(struct builder *b); /* NULL is allowed */

/* Makes builder_finish fail with this message. */
void builder_fail(struct builder *b, const char *what);

void builder_call(struct builder *b, const struct call *call);

/* What follows depends only on itself and on what came before the first builder_group. */
void builder_group(struct builder *b);

/* The finished circuit; the builder can only be freed afterwards. */
cuzk_status builder_finish(struct circuit **out, struct builder *b, cuzk_error *err);

#endif
