/* Proving steps of which one device can be lost for good: from then on it is unhealthy, takes no parameters, and
 * every proof on it fails as of a lost device, those at work included. For one engine in the process. */
#ifndef CUZK_TESTS_DIFFERENTIAL_LOSE_H
#define CUZK_TESTS_DIFFERENTIAL_LOSE_H

#include "engine/steps.h"

#include <stdatomic.h>

void losing_wrap(struct steps *steps);
void losing_lose(size_t device);

#endif
