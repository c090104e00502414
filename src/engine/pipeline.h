/* The real proving steps: vanilla/ reads and checks, circuit/ compiles and fills, backend/ proves, groth16/ assembles
 * and verifies. */
#ifndef CUZK_ENGINE_PIPELINE_H
#define CUZK_ENGINE_PIPELINE_H

#include "engine/config.h"
#include "engine/steps.h"

/* Opens the devices that the config names. steps->close ends it all. CUZK_ERR_UNAVAILABLE, CUZK_ERR_CONFIG. */
cuzk_status pipeline_open(struct steps *out, const struct engine_config *config, cuzk_error *err);

#endif
