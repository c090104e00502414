/* The blocks that the circuits are made of, as calls on a builder. Each call appends one instance; its template is
 * recorded the first time (r1cs/builder.h). Slots are taken in the order of the calls, inside a block in the order
 * that its comment gives.
 *
 * Bits of numbers are handed on as arrays, least significant first; `NUM_BITS` of them, the last one constant false.
 */
#ifndef CUZK_CIRCUIT_BLOCKS_H
#define CUZK_CIRCUIT_BLOCKS_H

#include "circuit/shape.h"
#include "gadget/node_hash.h"
#include "r1cs/builder.h"

enum { NUM_BITS = 256, SHA_STATE_BITS = 256, SHA_BLOCK_BITS = 512 };

/* count new numbers; slots: count nodes. */
void block_numbers(struct builder *b, num_ref *out, size_t count);

/* A new number that is also a public input; slots: 1 node. */
num_ref block_public_number(struct builder *b);

/* The same with its bits. */
num_ref block_public_number_bits(struct builder *b, struct bit bits[NUM_BITS]);

/* The bits of a number, decomposed anew at every call (spec §9.7). */
void block_bits(struct builder *b, struct bit bits[NUM_BITS], num_ref a);

/* comm = Poseidon2(comm_c, comm_r_last); the row is comm · ONE = hash, or hash · ONE = comm. */
enum commitment_row { COMMITMENT_FIRST, HASH_FIRST };
void block_commitment(struct builder *b, num_ref comm, num_ref comm_c, num_ref comm_r_last, enum commitment_row row);

/* comm_r_last, comm_c, comm_r as new numbers, comm_r public, and their check; slots: 3 nodes in this order. */
num_ref block_post_sector(struct builder *b);

num_ref block_poseidon(struct builder *b, const num_ref *inputs, unsigned arity);
num_ref block_random(struct builder *b, num_ref x, num_ref y); /* PoseidonGen2 */
num_ref block_node(struct builder *b, enum node_hasher hasher, num_ref left, num_ref right); /* arity 2 */
void block_equal(struct builder *b, num_ref x, num_ref y); /* x · ONE = y */
num_ref block_add(struct builder *b, num_ref x, num_ref y);

/* A column of `rows` new numbers and its Poseidon hash; slots: the rows. */
num_ref block_column(struct builder *b, num_ref *rows, unsigned count);

/* PoR: an opening of `leaf` against `root` whose position becomes a public input. Slots per level: 1 integer (the
 * position's digit), arity − 1 nodes (the siblings). */
void block_path(struct builder *b, const struct tree_shape *tree, enum node_hasher hasher, num_ref leaf,
                num_ref root);

/* The first `levels` levels of an opening whose position bits and siblings are variables already; the hash that
 * comes out. */
num_ref block_path_given(struct builder *b, const struct tree_shape *tree, unsigned levels,
                         enum node_hasher hasher, num_ref leaf, const struct bit *position,
                         const num_ref *siblings);

/* 64 new bits, packed into a public input; slots: 1 integer. */
void block_public_u64(struct builder *b, struct bit bits[64]);

/* One SHA-256 compression; words as numbers, bit 0 least significant. `state` is replaced. */
void block_sha256(struct builder *b, struct bit state[SHA_STATE_BITS], const struct bit message[SHA_BLOCK_BITS]);
void block_sha256_initial(struct bit state[SHA_STATE_BITS]);

/* The number of a digest (digest_number). */
num_ref block_digest_number(struct builder *b, const struct bit state[SHA_STATE_BITS]);

/* A 32-byte little-endian number's bits as eight SHA-256 message words, and back. */
void sha256_word_order(struct bit out[NUM_BITS], const struct bit bits[NUM_BITS]);

#endif
