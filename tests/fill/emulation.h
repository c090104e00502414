/* fill_queue_steps and fill_queue_repeats of backend/cuda/fill.h on the host: one instance after the other, in the
 * device's order or, within each step, backwards. `registers` as there. */
#ifndef CUZK_TESTS_FILL_EMULATION_H
#define CUZK_TESTS_FILL_EMULATION_H

#include "backend/cuda/fill_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

void emulate_fill(const struct fill_source *s, const struct fill_target *out, const struct fill_plan *plan,
                  const struct fill_extent *extent, void *registers, bool backwards);

#ifdef __cplusplus
}
#endif
#endif
