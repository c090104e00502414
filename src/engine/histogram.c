#include "engine/histogram.h"

static const double bounds[HISTOGRAM_BOUNDS] = { 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1,
                                                 2.5,   5,      10,    20,   40,    80,   160, 300,  600, 1800 };

double histogram_bound(unsigned i) { return bounds[i]; }

void histogram_add(struct histogram *h, uint64_t nanoseconds)
{
    double seconds = (double)nanoseconds * 1e-9;
    unsigned i = 0;
    while (i < HISTOGRAM_BOUNDS && seconds > bounds[i]) i++;
    h->count[i]++;
    h->total++;
    h->sum += seconds;
}
