/* The engine's metrics in Prometheus' text format, version 0.0.4. */
#ifndef CUZK_DAEMON_METRICS_H
#define CUZK_DAEMON_METRICS_H

#include "engine/engine.h"

/* Fresh memory; NULL without memory. */
char *metrics_text(struct engine *engine);

#endif
