/* The HTTP side: /healthz, /readyz, /status, /metrics and the page at /. GET and HEAD only; nothing can be changed
 * here.
 */
#ifndef CUZK_DAEMON_HTTP_H
#define CUZK_DAEMON_HTTP_H

#include "base/log.h"
#include "daemon/address.h"
#include "engine/engine.h"

struct http_server;

/* Binds and begins to answer. CUZK_ERR_UNAVAILABLE: the address is in use; CUZK_ERR_CONFIG: it is none. */
cuzk_status http_server_create(struct http_server **out, const struct address *listen, struct engine *engine,
                               struct log *log, cuzk_error *err);

unsigned http_server_port(const struct http_server *h);

/* Waits for answers in progress. NULL is allowed. */
void http_server_destroy(struct http_server *h);

#endif
