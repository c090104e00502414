/* A histogram of durations with fixed bounds, as Prometheus understands it: monotonic counts, never a window. */
#ifndef CUZK_ENGINE_HISTOGRAM_H
#define CUZK_ENGINE_HISTOGRAM_H

#include <stdint.h>

enum { HISTOGRAM_BOUNDS = 20 };

struct histogram {
    uint64_t count[HISTOGRAM_BOUNDS + 1]; /* by bucket, not cumulative; the last one is +Inf */
    uint64_t total;                       /* observations */
    double sum;                           /* seconds */
};

/* Upper bound of bucket i in seconds, ascending, i < HISTOGRAM_BOUNDS: 0.001 … 1800. */
double histogram_bound(unsigned i);

void histogram_add(struct histogram *h, uint64_t nanoseconds);

#endif
