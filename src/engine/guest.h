/* Memory of others that counts against the engine's budget, such as messages that are still on their way in. */
#ifndef CUZK_ENGINE_GUEST_H
#define CUZK_ENGINE_GUEST_H

#include "engine/engine.h"

/* False if it does not fit now. */
bool engine_charge(struct engine *engine, uint64_t bytes);
void engine_credit(struct engine *engine, uint64_t bytes);

#endif
