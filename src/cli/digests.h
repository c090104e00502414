/* The JSON forms of circuit and witness digests: exactly the keys of the oracle files, plus `chunk`. */
#ifndef CUZK_CLI_DIGESTS_H
#define CUZK_CLI_DIGESTS_H

#include "circuit/catalogue.h"
#include "cli/command.h"
#include "r1cs/circuit_digest.h"

cuzk_status shape_digest_json(json_t **out, const struct circuit *c, const struct circuit_entry *e, uint32_t chunk,
                              struct pool *pool, cuzk_error *err);

cuzk_status witness_digest_json(json_t **out, const struct witness *w, const struct circuit_entry *e, uint32_t chunk,
                                struct pool *pool, cuzk_error *err);

#endif
