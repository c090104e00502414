/* Arbitrary values of a sample: canonical, and the same for the same seed, label and numbers everywhere. */
#ifndef CUZK_VANILLA_SAMPLE_SOURCE_H
#define CUZK_VANILLA_SAMPLE_SOURCE_H

#include "circuit/shape.h"

struct sample_source {
    uint8_t key[32];
};

void sample_source_init(struct sample_source *out, const char *seed);

/* A source of its own for a part of the sample. */
void sample_source_derive(struct sample_source *out, const struct sample_source *from, const char *label,
                          uint64_t number);

void sample_value(struct node *out, const struct sample_source *source, uint64_t a, uint64_t b);

/* sample_value for a thing that there is one of. */
void sample_named(struct node *out, const struct sample_source *source, const char *label);

#endif
