/* SealCommitPhase1Output as JSON (spec §5.1). Members may come in any order, unknown ones are ignored,
 * repeated and missing ones refused; every value is checked for type, length and range, whether the circuit
 * takes it or not. */
#ifndef CUZK_VANILLA_C1_JSON_H
#define CUZK_VANILLA_C1_JSON_H

#include "vanilla/c1.h"
#include "vanilla/registered.h"

/* Everything in *out and what it points to lives in the arena; the text is not needed afterwards. *version is
 * the registered proof that the file names. */
cuzk_status c1_json(struct c1 *out, const struct registered_proof **version, struct arena *arena, struct bytes text,
                    cuzk_error *err);

#endif
