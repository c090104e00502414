/* Proving steps of which one device can be lost for good: from then on it is unhealthy, takes no parameters, and
 * every proof on it fails as of a lost device, those at work included. All else goes to the steps inside. */
#ifndef CUZK_TESTS_DIFFERENTIAL_LOSE_H
#define CUZK_TESTS_DIFFERENTIAL_LOSE_H

#include "engine/steps.h"

#include <stdatomic.h>

struct losing {
    struct steps inside;
    atomic_size_t device; /* the lost one's number; SIZE_MAX: none */
};

/* Wraps *steps, which move to `losing`; that must outlive them. */
void losing_wrap(struct losing *losing, struct steps *steps);
void losing_lose(struct losing *losing, size_t device);

#endif
