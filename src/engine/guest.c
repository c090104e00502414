#include "engine/guest.h"

#include "engine/engine_private.h"

bool engine_charge(struct engine *engine, uint64_t bytes) { return budget_try(&engine->host, bytes); }
void engine_credit(struct engine *engine, uint64_t bytes) { budget_credit(&engine->host, bytes); }
