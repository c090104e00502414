#include "backend/cpu/section_sum.h"

#include "backend/cpu/selection.h"
#include "math/batch_affine.h"

#include <stdatomic.h>

enum {
    BATCH = 2048, /* points that share an inversion; with scratch, the second-level cache */
    WORDS_PER_PIECE = 64
};

/* Public inputs and wide variables with a point in the section. */
static size_t wide_total(const struct section_terms *terms, const struct circuit *c)
{
    size_t total = terms->input_count;
    for (uint32_t i = 0; i < selection_words(c); i++) {
        uint64_t present = terms->dense ? terms->dense->words[i] : ~UINT64_C(0);
        total += (size_t)__builtin_popcountll(c->wide.words[i] & present);
    }
    return total;
}

/* Room for the inputs and a chunk, or for all there are; one word's worth at least, so that every
 * chunk gets on. */
static size_t chunk_capacity(const struct section_terms *terms, size_t wides)
{
    size_t rest = wides - terms->input_count;
    if (rest > terms->chunk) rest = terms->chunk;
    return terms->input_count + (rest < 64 ? 64 : rest);
}

/* One past the last word such that the wide values of words [first, end) fit into `room`. */
static uint32_t chunk_end(const struct circuit *c, const struct ranked_bitmap *dense, uint32_t first, size_t room)
{
    uint32_t words = selection_words(c), i = first;
    for (; i < words; i++) {
        uint64_t wide = c->wide.words[i] & (dense ? dense->words[i] : ~UINT64_C(0));
        size_t count = (size_t)__builtin_popcountll(wide);
        if (count > room) break;
        room -= count;
    }
    return i;
}

#define POINT(name) g1_##name
#define INFINITY_POINT G1_INFINITY
#include "backend/cpu/section_sum_template.h"

#define POINT(name) g2_##name
#define INFINITY_POINT G2_INFINITY
#include "backend/cpu/section_sum_template.h"

uint64_t section_sum_bytes(size_t chunk, uint64_t inputs, uint64_t wides, unsigned threads)
{
    uint64_t rest = wides < chunk ? wides : chunk, capacity = inputs + (rest < 64 ? 64 : rest);
    return capacity * (sizeof(g2_affine_t) + sizeof(fr_t)) + threads * sizeof(struct g2_worker);
}
