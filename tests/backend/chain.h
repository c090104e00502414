/* The smallest circuits (data/oracle/tiny): n rows x_k · x_k = x_{k+1} − k, with x_0 private; of
 * the others the first p are public inputs. */
#ifndef CUZK_TESTS_BACKEND_CHAIN_H
#define CUZK_TESTS_BACKEND_CHAIN_H

#include "groth16/toxic.h"
#include "r1cs/builder.h"
#include "r1cs/witness.h"

struct circuit *chain_circuit(uint32_t n, uint32_t p);

/* The witness for x_0 = scalar_from_label(label). */
void chain_witness(struct witness *out, const struct circuit *circuit, const char *label);

/* `blocks` times a number, its 255 bits, 13 more bits and the number's square: mostly bits, and no block ends at a
 * word. The witness's values follow from the label. */
struct circuit *mixed_circuit(uint32_t blocks);
void mixed_witness(struct witness *out, const struct circuit *circuit, const char *label);

#endif
