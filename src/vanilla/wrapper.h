/* How clients send a PoRep's vanilla proof (spec §5.1, §5.2): the C1 output as JSON, the same in base64 inside
 * a small JSON object, or bincode. */
#ifndef CUZK_VANILLA_WRAPPER_H
#define CUZK_VANILLA_WRAPPER_H

#include "base/arena.h"
#include "base/bytes.h"

enum c1_form { C1_FORM_JSON, C1_FORM_WRAPPER, C1_FORM_BINCODE };

/* Tells by content: bincode is what does not begin as a JSON object; the first member with a known name tells
 * the two JSON forms apart. Never fails: what is none of them is taken for plain JSON or bincode, whose
 * parser says what is wrong. */
enum c1_form c1_recognise(struct bytes data);

struct wrapper {
    uint64_t sector_number; /* SectorNum, not negative */
    uint64_t sector_size;
    struct bytes c1; /* Phase1Out decoded, in the arena */
};

/* {"SectorNum": n, "Phase1Out": "base64", "SectorSize": n} */
cuzk_status wrapper_json(struct wrapper *out, struct arena *arena, struct bytes text, cuzk_error *err);

#endif
