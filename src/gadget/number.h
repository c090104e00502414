/* Numbers (spec §1.1.2, §1.1.3): allocation, public inputs, products, sums, packing and unpacking, picking. */
#ifndef CUZK_GADGET_NUMBER_H
#define CUZK_GADGET_NUMBER_H

#include "gadget/word.h"

enum { NUM_WORDS = 8, MAX_PACK_BITS = 254 };

struct num num_slot(struct recorder *r);                     /* a new variable from a node slot; no row */
void num_public(struct recorder *r, struct num a);           /* inputize: i · ONE = a */
struct num num_mul(struct recorder *r, struct num a, struct num b);
struct num num_add(struct recorder *r, struct num a, struct num b); /* (a + b) · ONE = s */
void num_equal(struct recorder *r, struct num a, struct num b);     /* a · ONE = b */

/* The 255 bits of a, little-endian, in eight words of 32 (bit 255 is constant false). Not strict: the rows allow
 * any representative below 2^255. The closing row is 0 · 0 = Σ − a, or, as the update circuit writes it,
 * Σ · ONE = a. */
enum unpack_row { UNPACK_IN_C, UNPACK_IN_A };
void num_bits(struct recorder *r, struct word out[NUM_WORDS], struct num a, enum unpack_row form);

/* Σ 2^k · bit_k over the words' bits one after another, at most 254: Σ · ONE = new variable, or new public input. */
struct num num_pack(struct recorder *r, const struct word *words, size_t count);
void num_pack_public(struct recorder *r, const struct word *words, size_t count);

/* A linear combination with known coefficients as a new variable: (Σ k_i · a_i) · ONE = s. */
struct num num_combine(struct recorder *r, const struct num *a, const fr_t *k, size_t count);

/* A constant as a number that is no variable of its own: ONE times it may only stand in num_combine. */
struct num num_one(struct recorder *r);

/* cond ? a : b for a word of width 1: (b − a) · cond = b − c. */
struct num num_pick(struct recorder *r, const struct word *cond, struct num a, struct num b);

/* cond · a as a new variable: a · cond = z. */
struct num num_gate(struct recorder *r, const struct word *cond, struct num a);

/* One of 2^width candidates; the width bits of `index` from the last to the first. */
struct num num_select(struct recorder *r, const struct word *index, const struct num *from);

#endif
