/* Writes a vanilla proof of a PoRep as the client's JSON (spec §5.1), members in Rust's order, no white
 * space. */
#ifndef CUZK_VANILLA_C1_WRITE_H
#define CUZK_VANILLA_C1_WRITE_H

#include "base/file.h"
#include "vanilla/c1.h"
#include "vanilla/registered.h"

cuzk_status c1_write_json(struct file_writer *out, const struct c1 *c1, const struct registered_proof *version,
                          cuzk_error *err);

#endif
