/* Just enough of protobuf's wire format to find a field without copying what may be hundreds of megabytes. */
#ifndef CUZK_DAEMON_WIRE_H
#define CUZK_DAEMON_WIRE_H

#include "base/bytes.h"

/* The bytes of the length-delimited field `number`, a view into `message`; *present says whether it is there. Other
 * fields are skipped. CUZK_ERR_DATA: the message is malformed, or holds the field twice or in another form. */
cuzk_status wire_only_field(struct bytes *out, bool *present, struct bytes message, uint32_t number, cuzk_error *err);

/* The next field of a message. False at its end, or with *status set if it is malformed. Bytes of a
 * length-delimited field (type 2) come in *out. */
struct wire_field {
    uint32_t number, type;
    struct bytes bytes;
};
bool wire_next(struct wire_field *out, struct reader *r, cuzk_status *status, cuzk_error *err);

#endif
