/* From a kind and a sector shape to a compiled circuit, and from typed inputs to a packed witness. */
#ifndef CUZK_CIRCUIT_COMPILE_H
#define CUZK_CIRCUIT_COMPILE_H

#include "circuit/inputs.h"
#include "r1cs/witness.h"

/* CUZK_ERR_USAGE if the catalogue has no such circuit. Free with circuit_free. */
cuzk_status circuit_compile(struct circuit **out, enum proof_kind kind, const struct sector_shape *shape,
                            cuzk_error *err);

/* Fills a witness of the circuit of `in`'s kind and shape. */
cuzk_status circuit_fill(struct witness *w, const struct partition_input *in, struct pool *pool, cuzk_error *err);

#endif
