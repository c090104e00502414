/* Requests out, results in: what submit, await and bench load share. */
#ifndef CUZK_CLI_CLIENT_PROOF_H
#define CUZK_CLI_CLIENT_PROOF_H

#include "cli/client_options.h"
#include "cuzk.pb-c.h"
#include "vanilla/request.h"

/* The message for a request; it points into the request and into `memory`. --partition means partition_index for a
 * window PoSt; for other kinds a daemon proves all partitions: CUZK_ERR_USAGE. */
cuzk_status message_of_request(Cuzk__V1__SubmitProofRequest *out, struct arena *memory, const struct request *request,
                               cuzk_error *err);

/* Sets request_id to the text. */
void message_set_id(Cuzk__V1__SubmitProofRequest *message, const char *id);

/* Writes the proof to `output`, or hex to stdout, or all of the result as JSON; the status is what the job came to:
 * CUZK_REFUSED for FAILED and CANCELLED, CUZK_ERR_RESOURCE for TIMEOUT. */
cuzk_status result_print(const Cuzk__V1__AwaitProofResponse *result, const char *output, bool json, cuzk_error *err);

/* JSON text of an id: bytes that are no UTF-8 become '?'. */
json_t *json_id(ProtobufCBinaryData id);

#endif
