/* What the configuration means to the engine and to the log. */
#ifndef CUZK_DAEMON_CONFIG_ENGINE_H
#define CUZK_DAEMON_CONFIG_ENGINE_H

#include "daemon/config.h"

/* Pointers go into `c`. */
void config_engine(struct engine_config *out, const struct config *c, struct log *log);
void config_log_levels(struct log *log, const struct config *c);

#endif
