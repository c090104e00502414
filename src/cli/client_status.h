/* GetStatus as text and as JSON: what status and top show. */
#ifndef CUZK_CLI_CLIENT_STATUS_H
#define CUZK_CLI_CLIENT_STATUS_H

#include "cli/client_options.h"
#include "cuzk.pb-c.h"

#include <stdio.h>

/* Free with protobuf_c_message_free_unpacked. */
cuzk_status status_fetch(Cuzk__V1__GetStatusResponse **out, struct channel *c, uint64_t timeout_ms, cuzk_error *err);

json_t *status_to_json(const Cuzk__V1__GetStatusResponse *s);
void status_to_text(FILE *out, const Cuzk__V1__GetStatusResponse *s);

/* "1 d 3 h", "12 min 5 s" */
void uptime_text(char *out, size_t size, uint64_t seconds);

#endif
