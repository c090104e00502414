/* Booleans (spec §1.1.1): a bit is a variable, its negation or a constant. These functions record columns and
 * rows only; the words of gadget/word.h add the instructions that compute the values.
 *
 * Each operation folds constants exactly as bellpepper does, in the order of the spec; folding decides the counts.
 */
#ifndef CUZK_GADGET_BOOLEAN_H
#define CUZK_GADGET_BOOLEAN_H

#include "r1cs/recorder.h"

/* A new bit with its boolean row (1 − a)·a = 0. */
struct bit bool_alloc(struct recorder *r);

struct bit bool_xor(struct recorder *r, struct bit a, struct bit b);
struct bit bool_and(struct recorder *r, struct bit a, struct bit b);
struct bit bool_nor_variables(struct recorder *r, struct bit a, struct bit b); /* of the variables: never folds */
struct bit bool_and_variables(struct recorder *r, struct bit a, struct bit b);

/* (a ∧ b) ⊕ (¬a ∧ c) and the majority, as SHA-256 uses them. maj allocates its result before b ∧ c. */
struct bit bool_ch(struct recorder *r, struct bit a, struct bit b, struct bit c);
struct bit bool_maj(struct recorder *r, struct bit a, struct bit b, struct bit c);

#endif
