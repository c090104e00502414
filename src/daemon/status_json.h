/* GET /status: everything that the page shows, with at least the keys that pollers of the replaced program know
 * (spec cuzk-grpc §3), in their order; what is new follows. */
#ifndef CUZK_DAEMON_STATUS_JSON_H
#define CUZK_DAEMON_STATUS_JSON_H

#include "engine/engine.h"

/* Fresh memory; NULL without memory. */
char *status_json(struct engine *engine);

#endif
